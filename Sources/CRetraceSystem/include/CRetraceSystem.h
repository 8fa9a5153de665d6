#ifndef CRETRACESYSTEM_H
#define CRETRACESYSTEM_H
// Constants and functions of Linux that Swift's Glibc module leaves out. The headers declare them
// only for programs that define _GNU_SOURCE, or as macros that use other macros.
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <stdint.h>

#include "CRetraceTerminal.h"

extern const int retrace_F_OFD_GETLK;
extern const int retrace_F_OFD_SETLK;
extern const short retrace_POSIX_SPAWN_SETSID;

int retrace_pipe2(int ends[2], int flags);
int retrace_pthread_setname_np(pthread_t thread, const char *name);

// Waits until the count is above 0, and decrements it. Returns 0, or -1 at a time of the monotonic
// clock, in nanoseconds.
int retrace_sem_wait_until(sem_t *semaphore, int64_t nanoseconds);

// Writes the build IDs of the program and its loaded libraries one after another. Returns the
// number of bytes, or -1 if one of them has no build ID or `capacity` is too small.
long retrace_build_ids(uint8_t *bytes, size_t capacity);
#endif
