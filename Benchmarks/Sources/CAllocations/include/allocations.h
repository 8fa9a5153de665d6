#pragma once
#include <stdint.h>

/// How many times the calling thread has asked the C library for memory, growing included.
uint64_t allocations_counted(void);
