// Appending and scanning in plain C over the same liblmdb, without the locks, checks and errors of
// the wrapper.
#include "storage.h"

#include <errno.h>
#include <fcntl.h>
#include <lmdb.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "transactions.h"

static uint64_t now(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static int open_log(const char *folder, unsigned flags, MDB_env **env) {
  int rc = mdb_env_create(env);
  if (rc == 0) rc = mdb_env_set_maxdbs(*env, 16);
  if (rc == 0) rc = mdb_env_set_mapsize(*env, (size_t)16 << 30);
  if (rc == 0) rc = mdb_env_open(*env, folder, MDB_NOTLS | flags, 0600);
  return rc;
}

uint64_t storage_checksum(struct storage_records r) {
  uint64_t sum = 0;
  for (uint64_t i = 0; i < r.count; i++)
    sum += r.offsets[i + 1] - r.offsets[i] + r.bytes[r.offsets[i]];
  return sum;
}

struct storage_result storage_append(
    const char *folder, struct storage_records r, uint64_t batch) {
  struct storage_result out = {0, 0, 0, 0};
  MDB_env *env = 0;
  MDB_txn *txn = 0;
  MDB_dbi dbi;
  int rc = open_log(folder, MDB_NOSYNC, &env);
  if (rc == 0) rc = mdb_txn_begin(env, 0, 0, &txn);
  if (rc == 0) rc = mdb_dbi_open(txn, "log", MDB_CREATE, &dbi);
  if (rc == 0) rc = commit(&txn);
  uint64_t start = now(CLOCK_THREAD_CPUTIME_ID);
  for (uint64_t at = 0; rc == 0 && at < r.count;) {
    uint64_t end = at + batch < r.count ? at + batch : r.count;
    MDB_cursor *cursor;
    rc = mdb_txn_begin(env, 0, 0, &txn);
    if (rc == 0) rc = mdb_cursor_open(txn, dbi, &cursor);
    for (; rc == 0 && at < end; at++) {
      uint64_t number = __builtin_bswap64(at + 1);
      uint32_t length = r.offsets[at + 1] - r.offsets[at];
      MDB_val key = {sizeof number, &number};
      MDB_val value = {length, (void *)(r.bytes + r.offsets[at])};
      rc = mdb_cursor_put(cursor, &key, &value, MDB_APPEND);
      out.records++;
      out.checksum += length + r.bytes[r.offsets[at]];
    }
    if (rc == 0) mdb_cursor_close(cursor);
    if (rc == 0) rc = commit(&txn);
  }
  out.nanoseconds = now(CLOCK_THREAD_CPUTIME_ID) - start;
  out.error = rc;
  mdb_txn_abort(txn);
  mdb_env_close(env);
  return out;
}

struct storage_result storage_scan(const char *folder) {
  struct storage_result out = {0, 0, 0, 0};
  MDB_env *env = 0;
  MDB_txn *txn = 0;
  MDB_dbi dbi;
  MDB_cursor *cursor = 0;
  MDB_val key, value;
  int rc = open_log(folder, MDB_RDONLY, &env);
  if (rc == 0) rc = mdb_txn_begin(env, 0, MDB_RDONLY, &txn);
  if (rc == 0) rc = mdb_dbi_open(txn, "log", 0, &dbi);
  uint64_t start = now(CLOCK_THREAD_CPUTIME_ID);
  if (rc == 0) rc = mdb_cursor_open(txn, dbi, &cursor);
  while (rc == 0 && (rc = mdb_cursor_get(cursor, &key, &value, MDB_NEXT)) == 0) {
    out.records++;
    out.checksum += value.mv_size + *(const uint8_t *)value.mv_data;
  }
  out.nanoseconds = now(CLOCK_THREAD_CPUTIME_ID) - start;
  if (rc != MDB_NOTFOUND) out.error = rc;
  mdb_cursor_close(cursor);
  mdb_txn_abort(txn);
  mdb_env_close(env);
  return out;
}

struct storage_result storage_file(const char *path, struct storage_records r, uint64_t batch) {
  struct storage_result out = {0, 0, 0, 0};
  int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0) { out.error = errno; return out; }
  uint64_t start = now(CLOCK_MONOTONIC);
  for (uint64_t at = 0; at < r.count && !out.error;) {
    uint64_t end = at + batch < r.count ? at + batch : r.count;
    const uint8_t *from = r.bytes + r.offsets[at], *to = r.bytes + r.offsets[end];
    while (from < to) {
      ssize_t done = write(file, from, (size_t)(to - from));
      if (done < 0) { out.error = errno; break; }
      from += done;
    }
    if (fdatasync(file) != 0) out.error = errno;
    for (; at < end; at++) {
      out.records++;
      out.checksum += r.offsets[at + 1] - r.offsets[at] + r.bytes[r.offsets[at]];
    }
  }
  out.nanoseconds = now(CLOCK_MONOTONIC) - start;
  close(file);
  return out;
}
