#include "blocks.h"

#include <stdatomic.h>

/// 0 before the processor was asked, 1 for plain C, 2 for its instructions.
static _Atomic int choice = 0;

static int choose(void) {
  // Threads that ask at the same time are told the same.
  int chosen = retrace_sha256_has_instructions() ? 2 : 1;
  atomic_store_explicit(&choice, chosen, memory_order_relaxed);
  return chosen;
}

static inline int chosen(void) {
  int known = atomic_load_explicit(&choice, memory_order_relaxed);
  return known != 0 ? known : choose();
}

int retrace_sha256_is_accelerated(void) { return chosen() == 2; }

void retrace_sha256_blocks(uint32_t *state, const uint8_t *blocks, size_t count) {
  if (chosen() == 2) {
    retrace_sha256_blocks_accelerated(state, blocks, count);
  } else {
    retrace_sha256_blocks_plain(state, blocks, count);
  }
}
