#include "CSHA256.h"

#include <string.h>

static const uint32_t begin[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                  0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

void retrace_sha256_begin(retrace_sha256 *hash) {
  memset(hash, 0, sizeof *hash);
  memcpy(hash->state, begin, sizeof begin);
}

void retrace_sha256_add(retrace_sha256 *hash, const uint8_t *bytes, size_t count) {
  if (count == 0) return;
  size_t held = hash->length % 64;
  hash->length += count;
  if (held > 0) {
    size_t room = 64 - held;
    if (count < room) {
      memcpy(hash->pending + held, bytes, count);
      return;
    }
    memcpy(hash->pending + held, bytes, room);
    retrace_sha256_blocks(hash->state, hash->pending, 1);
    bytes += room;
    count -= room;
  }
  size_t whole = count / 64;
  if (whole > 0) retrace_sha256_blocks(hash->state, bytes, whole);
  size_t rest = count % 64;
  if (rest > 0) memcpy(hash->pending, bytes + whole * 64, rest);
}

static void put32(uint8_t *bytes, uint32_t value) {
  value = __builtin_bswap32(value);
  memcpy(bytes, &value, 4);
}

void retrace_sha256_digest(const retrace_sha256 *hash, uint8_t *digest) {
  uint32_t state[8];
  memcpy(state, hash->state, sizeof state);
  uint8_t last[128] = {0};
  size_t held = hash->length % 64;
  size_t blocks = held < 56 ? 1 : 2;
  memcpy(last, hash->pending, held);
  last[held] = 0x80;
  put32(last + blocks * 64 - 8, (uint32_t)(hash->length >> 29));
  put32(last + blocks * 64 - 4, (uint32_t)(hash->length << 3));
  retrace_sha256_blocks(state, last, blocks);
  for (int word = 0; word < 8; word++) put32(digest + 4 * word, state[word]);
}
