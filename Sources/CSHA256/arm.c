#include "blocks.h"

#if defined(__aarch64__)

#include <arm_neon.h>

#if defined(__linux__)
#include <sys/auxv.h>
int retrace_sha256_has_instructions(void) { return (getauxval(AT_HWCAP) & 1u << 6) != 0; }
#else
// Every processor of Apple's has them.
int retrace_sha256_has_instructions(void) { return 1; }
#endif

#define ROUNDS(words, index)                                                                   \
  do {                                                                                         \
    uint32x4_t sum = vaddq_u32(words, vld1q_u32(&retrace_sha256_rounds[4 * (index)]));         \
    uint32x4_t before = abcd;                                                                  \
    abcd = vsha256hq_u32(abcd, efgh, sum);                                                     \
    efgh = vsha256h2q_u32(efgh, before, sum);                                                  \
  } while (0)

#define EXTEND(w0, w1, w2, w3) w0 = vsha256su1q_u32(vsha256su0q_u32(w0, w1), w2, w3)

__attribute__((target("sha2"))) void retrace_sha256_blocks_accelerated(
    uint32_t *state, const uint8_t *blocks, size_t count) {
  uint32x4_t abcd = vld1q_u32(state), efgh = vld1q_u32(state + 4);
  for (; count > 0; count--, blocks += 64) {
    const uint32x4_t abcd0 = abcd, efgh0 = efgh;
    uint32x4_t w0 = vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8(blocks)));
    uint32x4_t w1 = vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8(blocks + 16)));
    uint32x4_t w2 = vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8(blocks + 32)));
    uint32x4_t w3 = vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8(blocks + 48)));
    ROUNDS(w0, 0);
    ROUNDS(w1, 1);
    ROUNDS(w2, 2);
    ROUNDS(w3, 3);
    for (int index = 4; index < 16; index += 4) {
      EXTEND(w0, w1, w2, w3);
      ROUNDS(w0, index);
      EXTEND(w1, w2, w3, w0);
      ROUNDS(w1, index + 1);
      EXTEND(w2, w3, w0, w1);
      ROUNDS(w2, index + 2);
      EXTEND(w3, w0, w1, w2);
      ROUNDS(w3, index + 3);
    }
    abcd = vaddq_u32(abcd, abcd0);
    efgh = vaddq_u32(efgh, efgh0);
  }
  vst1q_u32(state, abcd);
  vst1q_u32(state + 4, efgh);
}

#elif !defined(__x86_64__)

int retrace_sha256_has_instructions(void) { return 0; }

void retrace_sha256_blocks_accelerated(uint32_t *state, const uint8_t *blocks, size_t count) {
  retrace_sha256_blocks_plain(state, blocks, count);
}

#endif
