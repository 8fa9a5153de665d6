#pragma once
#include <stdint.h>

/// Walks actions that lie one after another, each up to its end.
///
/// Returns a sum of all numbers, made odd so that it is never 0; 0 if an action is malformed.
uint64_t codec_walk(const uint8_t *bytes, const int64_t *ends, int64_t count);

/// Walks actions and writes each again to `out`, which has room for all of them.
///
/// Returns the number of bytes written; 0 if an action is malformed.
uint64_t codec_rewrite(const uint8_t *bytes, const int64_t *ends, int64_t count, uint8_t *out);
