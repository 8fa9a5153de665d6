#ifndef RETRACE_CSHA256_H
#define RETRACE_CSHA256_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// A SHA-256 computation (FIPS 180-4): a plain value, which may be copied at any time.
typedef struct {
  /// The hash value after the whole blocks so far.
  uint32_t state[8];
  /// How many bytes were added.
  uint64_t length;
  /// The bytes behind the last whole block.
  uint8_t pending[64];
} retrace_sha256;

/// Starts a computation over no bytes.
void retrace_sha256_begin(retrace_sha256 *hash);

/// Adds bytes; `bytes` may be null if there are none.
void retrace_sha256_add(retrace_sha256 *hash, const uint8_t *_Nullable bytes, size_t count);

/// Writes the digest of what was added so far; the computation stays as it is.
void retrace_sha256_digest(const retrace_sha256 *hash, uint8_t *digest);

/// Whether the instructions of the processor for SHA-256 are used.
int retrace_sha256_is_accelerated(void);

/// Folds whole blocks of 64 bytes into a hash value, in plain C.
void retrace_sha256_blocks_plain(uint32_t *state, const uint8_t *blocks, size_t count);

/// Folds whole blocks of 64 bytes into a hash value by the fastest way that the processor has.
void retrace_sha256_blocks(uint32_t *state, const uint8_t *blocks, size_t count);

#pragma clang assume_nonnull end

#endif
