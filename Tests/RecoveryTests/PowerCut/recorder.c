// Records what a program does to a directory and to the files below it, in order.
//
// Loaded by LD_PRELOAD into dynamically linked programs. Each call is made and noted under one lock
// that all threads of all recorded processes share, so the notes have the order of the calls.
// Writes to the standard output are noted too, because they are the program's acknowledgements.
// Failed calls are not noted.
//
//   RECORDER_ROOT  the directory, an absolute path
//   RECORDER_LOG   the file that notes are appended to
//   RECORDER_STEP  a number that each note carries
//
// Writes through a map are not recorded.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum kind {
  KIND_OPEN = 1, // path; offset: flags
  KIND_CLOSE,
  KIND_WRITE, // data; offset
  KIND_TRUNCATE, // offset: size
  KIND_ALLOCATE, // offset: the size that the file has at least
  KIND_SYNC,
  KIND_RENAME, // path, second path
  KIND_UNLINK, // path
  KIND_MAKE_DIRECTORY, // path
  KIND_REMOVE_DIRECTORY, // path
  KIND_OUTPUT, // data
};

// The beginning of a note; the bytes follow.
struct header {
  uint32_t kind;
  uint32_t step;
  int32_t process;
  int32_t descriptor;
  uint64_t offset;
  uint32_t length;
  uint32_t second_length;
};

enum { DESCRIPTORS = 65536 };

static const char *root;
static size_t root_length;
static int log_descriptor = -1;
static uint32_t step;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
// The paths of open files below the root, by descriptor.
static char *paths[DESCRIPTORS];

__attribute__((constructor)) static void start(void) {
  root = getenv("RECORDER_ROOT");
  const char *log = getenv("RECORDER_LOG");
  const char *number = getenv("RECORDER_STEP");
  if (!root || !log) {
    root = NULL;
    return;
  }
  root_length = strlen(root);
  step = number ? (uint32_t)strtoul(number, NULL, 10) : 0;
  int flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC;
  int low = (int)syscall(SYS_openat, AT_FDCWD, log, flags, 0600);
  if (low < 0) _exit(125);
  // A high number, so that the program gets the descriptors that it gets without the recorder.
  log_descriptor = fcntl(low, F_DUPFD_CLOEXEC, 500);
  syscall(SYS_close, low);
  if (log_descriptor < 0) _exit(125);
}

static void *find(const char *name) {
  void *function = dlsym(RTLD_NEXT, name);
  if (!function) _exit(125);
  return function;
}

#define REAL(name) \
  static __typeof__(&name) real; \
  if (!real) real = (__typeof__(&name))find(#name)

static void lock(void) {
  pthread_mutex_lock(&mutex);
  while (flock(log_descriptor, LOCK_EX) != 0 && errno == EINTR) {}
}

// Keeps errno, which is that of the noted call.
static void unlock(void) {
  int error = errno;
  flock(log_descriptor, LOCK_UN);
  pthread_mutex_unlock(&mutex);
  errno = error;
}

static void note(
    enum kind kind, int descriptor, uint64_t offset, const struct iovec *data, int parts,
    size_t length, const char *second) {
  int error = errno;
  struct header header = {
    .kind = kind, .step = step, .process = getpid(), .descriptor = descriptor, .offset = offset,
    .length = (uint32_t)length, .second_length = second ? (uint32_t)strlen(second) : 0,
  };
  struct iovec all[IOV_MAX];
  int count = 0;
  all[count++] = (struct iovec){&header, sizeof header};
  for (int part = 0; part < parts && length > 0; part++) {
    size_t taken = data[part].iov_len < length ? data[part].iov_len : length;
    all[count++] = (struct iovec){data[part].iov_base, taken};
    length -= taken;
  }
  if (second) all[count++] = (struct iovec){(void *)second, header.second_length};
  size_t total = sizeof header + header.length + header.second_length;
  if (syscall(SYS_writev, log_descriptor, all, count) != (ssize_t)total) _exit(125);
  errno = error;
}

static void note_path(enum kind kind, int descriptor, uint64_t offset, const char *path) {
  struct iovec data = {(void *)path, strlen(path)};
  note(kind, descriptor, offset, &data, 1, data.iov_len, NULL);
}

static int is_below(const char *path) {
  if (!root || !path || strncmp(path, root, root_length) != 0) return 0;
  return path[root_length] == '/' || path[root_length] == 0;
}

static int is_followed(int descriptor) {
  return root && descriptor >= 0 && descriptor < DESCRIPTORS && paths[descriptor];
}

// Returns the absolute path of a name in a directory, or NULL if it is not below the root.
static const char *resolve(int directory, const char *path, char *buffer) {
  if (!root || !path) return NULL;
  if (path[0] == '/') return is_below(path) ? path : NULL;
  if (!is_followed(directory)) return NULL;
  if (snprintf(buffer, PATH_MAX, "%s/%s", paths[directory], path) >= PATH_MAX) _exit(125);
  return buffer;
}

// MARK: Opening and closing

static int open_noting(int directory, const char *path, int flags, mode_t mode) {
  char buffer[PATH_MAX];
  const char *whole = resolve(directory, path, buffer);
  if (!whole) return (int)syscall(SYS_openat, directory, path, flags, mode);
  lock();
  int descriptor = (int)syscall(SYS_openat, directory, path, flags, mode);
  if (descriptor >= 0) {
    if (descriptor >= DESCRIPTORS) _exit(125);
    free(paths[descriptor]);
    paths[descriptor] = strdup(whole);
    note_path(KIND_OPEN, descriptor, (uint64_t)flags, whole);
  }
  unlock();
  return descriptor;
}

#define MODE_OF(flags) \
  mode_t mode = 0; \
  if ((flags) & (O_CREAT | O_TMPFILE)) { \
    va_list arguments; \
    va_start(arguments, flags); \
    mode = va_arg(arguments, mode_t); \
    va_end(arguments); \
  }

int open(const char *path, int flags, ...) {
  MODE_OF(flags)
  return open_noting(AT_FDCWD, path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  MODE_OF(flags)
  return open_noting(AT_FDCWD, path, flags, mode);
}

int openat(int directory, const char *path, int flags, ...) {
  MODE_OF(flags)
  return open_noting(directory, path, flags, mode);
}

int openat64(int directory, const char *path, int flags, ...) {
  MODE_OF(flags)
  return open_noting(directory, path, flags, mode);
}

int close(int descriptor) {
  REAL(close);
  if (!is_followed(descriptor)) return real(descriptor);
  lock();
  free(paths[descriptor]);
  paths[descriptor] = NULL;
  note(KIND_CLOSE, descriptor, 0, NULL, 0, 0, NULL);
  int result = real(descriptor);
  unlock();
  return result;
}

// MARK: Bytes

ssize_t write(int descriptor, const void *bytes, size_t count) {
  REAL(write);
  int is_output = root && descriptor == STDOUT_FILENO;
  if (!is_output && !is_followed(descriptor)) return real(descriptor, bytes, count);
  struct iovec data = {(void *)bytes, count};
  lock();
  // Noted before the write, so that whatever a reader does next is noted later.
  if (is_output) note(KIND_OUTPUT, descriptor, 0, &data, 1, count, NULL);
  ssize_t result = real(descriptor, bytes, count);
  if (!is_output && result > 0) {
    uint64_t end = (uint64_t)lseek(descriptor, 0, SEEK_CUR);
    note(KIND_WRITE, descriptor, end - (uint64_t)result, &data, 1, (size_t)result, NULL);
  }
  unlock();
  return result;
}

ssize_t writev(int descriptor, const struct iovec *data, int parts) {
  REAL(writev);
  if (!is_followed(descriptor)) return real(descriptor, data, parts);
  if (parts > IOV_MAX - 2) parts = IOV_MAX - 2;
  lock();
  ssize_t result = real(descriptor, data, parts);
  if (result > 0) {
    uint64_t end = (uint64_t)lseek(descriptor, 0, SEEK_CUR);
    note(KIND_WRITE, descriptor, end - (uint64_t)result, data, parts, (size_t)result, NULL);
  }
  unlock();
  return result;
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
  REAL(pwrite);
  if (!is_followed(descriptor)) return real(descriptor, bytes, count, offset);
  struct iovec data = {(void *)bytes, count};
  lock();
  ssize_t result = real(descriptor, bytes, count, offset);
  if (result > 0) {
    note(KIND_WRITE, descriptor, (uint64_t)offset, &data, 1, (size_t)result, NULL);
  }
  unlock();
  return result;
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t offset) {
  return pwrite(descriptor, bytes, count, offset);
}

ssize_t pwritev(int descriptor, const struct iovec *data, int parts, off_t offset) {
  REAL(pwritev);
  if (!is_followed(descriptor)) return real(descriptor, data, parts, offset);
  if (parts > IOV_MAX - 2) parts = IOV_MAX - 2;
  lock();
  ssize_t result = real(descriptor, data, parts, offset);
  if (result > 0) {
    note(KIND_WRITE, descriptor, (uint64_t)offset, data, parts, (size_t)result, NULL);
  }
  unlock();
  return result;
}

ssize_t pwritev64(int descriptor, const struct iovec *data, int parts, off64_t offset) {
  return pwritev(descriptor, data, parts, offset);
}

int ftruncate(int descriptor, off_t size) {
  REAL(ftruncate);
  if (!is_followed(descriptor)) return real(descriptor, size);
  lock();
  int result = real(descriptor, size);
  if (result == 0) note(KIND_TRUNCATE, descriptor, (uint64_t)size, NULL, 0, 0, NULL);
  unlock();
  return result;
}

int ftruncate64(int descriptor, off64_t size) { return ftruncate(descriptor, size); }

int posix_fallocate(int descriptor, off_t offset, off_t length) {
  REAL(posix_fallocate);
  if (!is_followed(descriptor)) return real(descriptor, offset, length);
  lock();
  int result = real(descriptor, offset, length);
  if (result == 0) {
    note(KIND_ALLOCATE, descriptor, (uint64_t)(offset + length), NULL, 0, 0, NULL);
  }
  unlock();
  return result;
}

int posix_fallocate64(int descriptor, off64_t offset, off64_t length) {
  return posix_fallocate(descriptor, offset, length);
}

// MARK: Barriers

int fsync(int descriptor) {
  REAL(fsync);
  if (!is_followed(descriptor)) return real(descriptor);
  lock();
  int result = real(descriptor);
  if (result == 0) note(KIND_SYNC, descriptor, 0, NULL, 0, 0, NULL);
  unlock();
  return result;
}

int fdatasync(int descriptor) {
  REAL(fdatasync);
  if (!is_followed(descriptor)) return real(descriptor);
  lock();
  int result = real(descriptor);
  if (result == 0) note(KIND_SYNC, descriptor, 0, NULL, 0, 0, NULL);
  unlock();
  return result;
}

// MARK: Names

static int rename_noting(
    int from_directory, const char *from, int to_directory, const char *to, unsigned flags) {
  char from_buffer[PATH_MAX], to_buffer[PATH_MAX];
  const char *whole = resolve(from_directory, from, from_buffer);
  const char *target = resolve(to_directory, to, to_buffer);
  if (!whole != !target || (whole && (flags & RENAME_EXCHANGE))) _exit(125);
  if (whole) lock();
  int result =
      (int)syscall(SYS_renameat2, from_directory, from, to_directory, to, flags);
  if (whole && result == 0) {
    struct iovec data = {(void *)whole, strlen(whole)};
    note(KIND_RENAME, -1, 0, &data, 1, data.iov_len, target);
  }
  if (whole) unlock();
  return result;
}

int rename(const char *from, const char *to) {
  return rename_noting(AT_FDCWD, from, AT_FDCWD, to, 0);
}

int renameat(int from_directory, const char *from, int to_directory, const char *to) {
  return rename_noting(from_directory, from, to_directory, to, 0);
}

int renameat2(
    int from_directory, const char *from, int to_directory, const char *to, unsigned flags) {
  return rename_noting(from_directory, from, to_directory, to, flags);
}

static int remove_noting(int directory, const char *path, int flags) {
  char buffer[PATH_MAX];
  const char *whole = resolve(directory, path, buffer);
  if (!whole) return (int)syscall(SYS_unlinkat, directory, path, flags);
  lock();
  int result = (int)syscall(SYS_unlinkat, directory, path, flags);
  enum kind kind = flags & AT_REMOVEDIR ? KIND_REMOVE_DIRECTORY : KIND_UNLINK;
  if (result == 0) note_path(kind, -1, 0, whole);
  unlock();
  return result;
}

int unlink(const char *path) { return remove_noting(AT_FDCWD, path, 0); }

int unlinkat(int directory, const char *path, int flags) {
  return remove_noting(directory, path, flags);
}

int rmdir(const char *path) { return remove_noting(AT_FDCWD, path, AT_REMOVEDIR); }

int mkdirat(int directory, const char *path, mode_t mode) {
  char buffer[PATH_MAX];
  const char *whole = resolve(directory, path, buffer);
  if (!whole) return (int)syscall(SYS_mkdirat, directory, path, mode);
  lock();
  int result = (int)syscall(SYS_mkdirat, directory, path, mode);
  if (result == 0) note_path(KIND_MAKE_DIRECTORY, -1, 0, whole);
  unlock();
  return result;
}

int mkdir(const char *path, mode_t mode) { return mkdirat(AT_FDCWD, path, mode); }

char *mkdtemp(char *pattern) {
  REAL(mkdtemp);
  if (!is_below(pattern)) return real(pattern);
  lock();
  char *result = real(pattern);
  if (result) note_path(KIND_MAKE_DIRECTORY, -1, 0, result);
  unlock();
  return result;
}
