#ifndef RETRACE_CLMDB_H
#define RETRACE_CLMDB_H
#include <lmdb.h>

#if MDB_VERSION_MAJOR != 0 || MDB_VERSION_MINOR != 9
#error "The header lmdb.h is not of LMDB 0.9: install liblmdb-dev 0.9 and use its lmdb.pc."
#endif

#include <errno.h>
#include <fcntl.h>
#include <linux/stat.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

/// The status of a file without its times.
struct retrace_file_status {
  uint64_t device, inode, links, bytes, allocated_bytes;
  uint32_t mode;
};

/// Fills in a file's status with older calls, for systems without `statx`.
static inline int retrace_file_status_without_statx(
    int descriptor, const char *path, struct retrace_file_status *out) {
  struct stat s;
  if ((path ? lstat(path, &s) : fstat(descriptor, &s)) != 0) return errno;
  out->device = s.st_dev;
  out->inode = s.st_ino;
  out->links = s.st_nlink;
  out->bytes = (uint64_t)s.st_size;
  out->allocated_bytes = (uint64_t)s.st_blocks * 512;
  out->mode = s.st_mode;
  return 0;
}

/// Fills in the status of `path`, without following links, or of `descriptor` if `path` is null.
///
/// It does not ask `statx` for the times. After a program has read a file's times, the next write
/// stores times in full resolution, which modifies the inode. On a file system without a journal,
/// each sync then writes the inode too. Older calls are used only if `statx` is missing or
/// forbidden.
static inline int retrace_file_status(
    int descriptor, const char *path, struct retrace_file_status *out) {
  struct statx x;
  const unsigned mask =
      STATX_TYPE | STATX_MODE | STATX_NLINK | STATX_INO | STATX_SIZE | STATX_BLOCKS;
  const int empty_path = 0x1000;
  const long done =
      path ? syscall(SYS_statx, AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, mask, &x)
           : syscall(SYS_statx, descriptor, "", empty_path, mask, &x);
  if (done != 0) {
    if (errno != ENOSYS && errno != EPERM) return errno;
    return retrace_file_status_without_statx(descriptor, path, out);
  }
  out->device = makedev(x.stx_dev_major, x.stx_dev_minor);
  out->inode = x.stx_ino;
  out->links = x.stx_nlink;
  out->bytes = x.stx_size;
  out->allocated_bytes = x.stx_blocks * 512;
  out->mode = x.stx_mode;
  return 0;
}
#endif
