// XXH64 and little-endian loads, for the yardstick only.
#ifndef RETRACE_FOLD_HASHES_H
#define RETRACE_FOLD_HASHES_H
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t load64(const uint8_t *p) {
  uint64_t value;
  memcpy(&value, p, 8);
  return value;
}

static inline uint32_t load32(const uint8_t *p) {
  uint32_t value;
  memcpy(&value, p, 4);
  return value;
}

#define XXH_P1 0x9E3779B185EBCA87ull
#define XXH_P2 0xC2B2AE3D27D4EB4Full
#define XXH_P3 0x165667B19E3779F9ull
#define XXH_P4 0x85EBCA77C2B2AE63ull
#define XXH_P5 0x27D4EB2F165667C5ull

static inline uint64_t rotate(uint64_t x, int n) { return x << n | x >> (64 - n); }

static inline uint64_t lane(uint64_t state, uint64_t input) {
  return rotate(state + input * XXH_P2, 31) * XXH_P1;
}

static inline uint64_t xxh64(const uint8_t *p, size_t count) {
  const uint8_t *end = p + count;
  uint64_t h = XXH_P5;
  if (count >= 32) {
    uint64_t a = XXH_P1 + XXH_P2, b = XXH_P2, c = 0, d = 0 - XXH_P1;
    for (; end - p >= 32; p += 32) {
      a = lane(a, load64(p));
      b = lane(b, load64(p + 8));
      c = lane(c, load64(p + 16));
      d = lane(d, load64(p + 24));
    }
    h = rotate(a, 1) + rotate(b, 7) + rotate(c, 12) + rotate(d, 18);
    h = (h ^ lane(0, a)) * XXH_P1 + XXH_P4;
    h = (h ^ lane(0, b)) * XXH_P1 + XXH_P4;
    h = (h ^ lane(0, c)) * XXH_P1 + XXH_P4;
    h = (h ^ lane(0, d)) * XXH_P1 + XXH_P4;
  }
  h += count;
  for (; end - p >= 8; p += 8) h = rotate(h ^ lane(0, load64(p)), 27) * XXH_P1 + XXH_P4;
  if (end - p >= 4) {
    h = rotate(h ^ (uint64_t)load32(p) * XXH_P1, 23) * XXH_P2 + XXH_P3;
    p += 4;
  }
  for (; p < end; p++) h = rotate(h ^ *p * XXH_P5, 11) * XXH_P1;
  h = (h ^ h >> 33) * XXH_P2;
  h = (h ^ h >> 29) * XXH_P3;
  return h ^ h >> 32;
}
#endif
