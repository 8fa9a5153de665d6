#ifndef RETRACE_CSHA256_BLOCKS_H
#define RETRACE_CSHA256_BLOCKS_H

#include "CSHA256.h"

/// The constants of the 64 rounds.
extern const uint32_t retrace_sha256_rounds[64];

/// Folds blocks by instructions of the processor; to be called only where it has them.
void retrace_sha256_blocks_accelerated(uint32_t *state, const uint8_t *blocks, size_t count);

/// Whether the processor has the instructions.
int retrace_sha256_has_instructions(void);

#endif
