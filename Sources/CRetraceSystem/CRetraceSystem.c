#define _GNU_SOURCE
#include "CRetraceSystem.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/ioctl.h>
#include <unistd.h>

const int retrace_F_OFD_GETLK = F_OFD_GETLK;
const int retrace_F_OFD_SETLK = F_OFD_SETLK;
const short retrace_POSIX_SPAWN_SETSID = POSIX_SPAWN_SETSID;
const unsigned long retrace_TIOCGPTN = TIOCGPTN;
const unsigned long retrace_TIOCSPTLCK = TIOCSPTLCK;

int retrace_pipe2(int ends[2], int flags) { return pipe2(ends, flags); }

int retrace_pthread_setname_np(pthread_t thread, const char *name) {
  return pthread_setname_np(thread, name);
}
