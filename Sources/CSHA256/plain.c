#include "blocks.h"

#include <string.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "SHA-256 is written for little-endian processors"
#endif

const uint32_t retrace_sha256_rounds[64] __attribute__((aligned(16))) = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static inline uint32_t turned(uint32_t value, int bits) {
  return value >> bits | value << (32 - bits);
}

static inline uint32_t get32(const uint8_t *bytes) {
  uint32_t value;
  memcpy(&value, bytes, 4);
  return __builtin_bswap32(value);
}

void retrace_sha256_blocks_plain(uint32_t *state, const uint8_t *blocks, size_t count) {
  for (; count > 0; count--, blocks += 64) {
    uint32_t w[64];
    for (int i = 0; i < 16; i++) w[i] = get32(blocks + 4 * i);
    for (int i = 16; i < 64; i++) {
      uint32_t low = turned(w[i - 15], 7) ^ turned(w[i - 15], 18) ^ w[i - 15] >> 3;
      uint32_t high = turned(w[i - 2], 17) ^ turned(w[i - 2], 19) ^ w[i - 2] >> 10;
      w[i] = w[i - 16] + low + w[i - 7] + high;
    }
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
    for (int i = 0; i < 64; i++) {
      uint32_t choice = (e & f) ^ (~e & g);
      uint32_t majority = (a & b) ^ (a & c) ^ (b & c);
      uint32_t first = h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + choice +
                       retrace_sha256_rounds[i] + w[i];
      uint32_t second = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + majority;
      h = g;
      g = f;
      f = e;
      e = d + first;
      d = c;
      c = b;
      b = a;
      a = first + second;
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
    state[4] += e;
    state[5] += f;
    state[6] += g;
    state[7] += h;
  }
}
