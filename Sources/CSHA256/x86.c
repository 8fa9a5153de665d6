#include "blocks.h"

#if defined(__x86_64__)

#include <immintrin.h>

#if __has_include(<sys/platform/x86.h>)
#include <sys/platform/x86.h>
// The C library has asked the processor already; in a virtual machine every question costs an exit.
int retrace_sha256_has_instructions(void) {
  return CPU_FEATURE_ACTIVE(SHA) && CPU_FEATURE_ACTIVE(SSE4_1);
}
#else
#include <cpuid.h>
int retrace_sha256_has_instructions(void) {
  unsigned int a, b, c, d;
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d) || !(b & 1u << 29)) return 0;
  return __get_cpuid(1, &a, &b, &c, &d) && (c & 1u << 19);
}
#endif

// Four rounds: the two halves take turns, and the constants go in with the words.
#define ROUNDS(words, index)                                                                   \
  do {                                                                                         \
    __m128i sum = _mm_add_epi32(                                                               \
        words, _mm_load_si128((const __m128i *)&retrace_sha256_rounds[4 * (index)]));          \
    cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);                                             \
    abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0e));                    \
  } while (0)

// The next four words of the schedule from the sixteen before, in place of the oldest four.
#define EXTEND(w0, w1, w2, w3)                                                                 \
  w0 = _mm_sha256msg2_epu32(                                                                   \
      _mm_add_epi32(_mm_sha256msg1_epu32(w0, w1), _mm_alignr_epi8(w3, w2, 4)), w3)

__attribute__((target("sha,sse4.1,ssse3"))) void retrace_sha256_blocks_accelerated(
    uint32_t *state, const uint8_t *blocks, size_t count) {
  const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  // The instructions want the hash value as (a b e f) and (c d g h).
  __m128i badc = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)state), 0xb1);
  __m128i efgh = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)(state + 4)), 0x1b);
  __m128i abef = _mm_alignr_epi8(badc, efgh, 8);
  __m128i cdgh = _mm_blend_epi16(efgh, badc, 0xf0);
  for (; count > 0; count--, blocks += 64) {
    const __m128i *words = (const __m128i *)blocks;
    const __m128i abef0 = abef, cdgh0 = cdgh;
    __m128i w0 = _mm_shuffle_epi8(_mm_loadu_si128(words), swap);
    __m128i w1 = _mm_shuffle_epi8(_mm_loadu_si128(words + 1), swap);
    __m128i w2 = _mm_shuffle_epi8(_mm_loadu_si128(words + 2), swap);
    __m128i w3 = _mm_shuffle_epi8(_mm_loadu_si128(words + 3), swap);
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
    abef = _mm_add_epi32(abef, abef0);
    cdgh = _mm_add_epi32(cdgh, cdgh0);
  }
  __m128i feba = _mm_shuffle_epi32(abef, 0x1b);
  __m128i dchg = _mm_shuffle_epi32(cdgh, 0xb1);
  _mm_storeu_si128((__m128i *)state, _mm_blend_epi16(feba, dchg, 0xf0));
  _mm_storeu_si128((__m128i *)(state + 4), _mm_alignr_epi8(dchg, feba, 8));
}

#endif
