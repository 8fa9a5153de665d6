#define _GNU_SOURCE
#include "CRetraceSystem.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <spawn.h>
#include <string.h>
#include <sys/auxv.h>
#include <time.h>
#include <unistd.h>

const int retrace_F_OFD_GETLK = F_OFD_GETLK;
const int retrace_F_OFD_SETLK = F_OFD_SETLK;
const short retrace_POSIX_SPAWN_SETSID = POSIX_SPAWN_SETSID;

int retrace_pipe2(int ends[2], int flags) { return pipe2(ends, flags); }

int retrace_pthread_setname_np(pthread_t thread, const char *name) {
  return pthread_setname_np(thread, name);
}

int retrace_sem_wait_until(sem_t *semaphore, int64_t nanoseconds) {
  struct timespec end = {nanoseconds / 1000000000, nanoseconds % 1000000000};
  int result;
  do {
    result = sem_clockwait(semaphore, CLOCK_MONOTONIC, &end);
  } while (result != 0 && errno == EINTR);
  return result;
}

struct build_ids {
  uint8_t *bytes;
  size_t capacity;
  size_t count;
};

// Appends the build ID in the notes of a segment. Returns whether there was one that fits.
static int append_build_id(struct build_ids *ids, const uint8_t *notes, size_t size) {
  while (size >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) note;
    memcpy(&note, notes, sizeof note);
    size_t name = ((size_t)note.n_namesz + 3) & ~(size_t)3;
    size_t value = ((size_t)note.n_descsz + 3) & ~(size_t)3;
    size_t whole = sizeof note + name + value;
    if (whole > size) return 0;
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
        memcmp(notes + sizeof note, "GNU", 4) == 0) {
      if (note.n_descsz > ids->capacity - ids->count) return 0;
      memcpy(ids->bytes + ids->count, notes + sizeof note + name, note.n_descsz);
      ids->count += note.n_descsz;
      return 1;
    }
    notes += whole;
    size -= whole;
  }
  return 0;
}

static int visit_object(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  // The kernel's own library, which no program is linked with.
  if (info->dlpi_addr != 0 && info->dlpi_addr == getauxval(AT_SYSINFO_EHDR)) return 0;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
    if (segment->p_type != PT_NOTE) continue;
    const uint8_t *notes = (const uint8_t *)(info->dlpi_addr + segment->p_vaddr);
    if (append_build_id(context, notes, segment->p_memsz)) return 0;
  }
  return -1;
}

long retrace_build_ids(uint8_t *bytes, size_t capacity) {
  struct build_ids ids = {bytes, capacity, 0};
  if (dl_iterate_phdr(visit_object, &ids) != 0) return -1;
  return (long)ids.count;
}
