// Counts the allocations of a thread: these functions replace those of the C library in every
// process that links them.
#include "allocations.h"

#include <errno.h>
#include <stddef.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static __thread uint64_t counted __attribute__((tls_model("initial-exec")));

uint64_t allocations_counted(void) { return counted; }

void *malloc(size_t size) {
  counted++;
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  counted++;
  return __libc_calloc(count, size);
}

// Memory that grows counts as new.
void *realloc(void *memory, size_t size) {
  counted++;
  return __libc_realloc(memory, size);
}

void *memalign(size_t alignment, size_t size) {
  counted++;
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **memory, size_t alignment, size_t size) {
  if (alignment < sizeof(void *) || (alignment & (alignment - 1))) return EINVAL;
  *memory = memalign(alignment, size);
  return *memory ? 0 : ENOMEM;
}
