// Appends the blocks of the log in plain C: what appending them costs without the engine.
#include "storage.h"

#include <lmdb.h>
#include <string.h>
#include <time.h>

#include "transactions.h"

enum { header_bytes = 80, block_bytes = 4 * 4096 - 16 };

static uint64_t now(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

// Replaces the block that was written last, or appends a new one.
static int put(
    MDB_txn *txn, MDB_dbi dbi, uint64_t first, uint64_t *tail, void *block, size_t length) {
  uint64_t number = __builtin_bswap64(first);
  MDB_val key = {sizeof number, &number}, value = {length, block};
  unsigned flags = first == *tail ? 0 : MDB_APPEND;
  *tail = first;
  return mdb_put(txn, dbi, &key, &value, flags);
}

static struct storage_result append(
    const char *folder, struct storage_records r, uint64_t batch, clockid_t clock) {
  struct storage_result out = {0, 0, 0, 0};
  uint8_t block[block_bytes] = {0};
  size_t length = header_bytes;
  uint64_t first = 1, tail = 0;
  MDB_env *env = 0;
  MDB_txn *txn = 0;
  MDB_dbi dbi;
  int rc = mdb_env_create(&env);
  if (rc == 0) rc = mdb_env_set_maxdbs(env, 16);
  if (rc == 0) rc = mdb_env_set_mapsize(env, (size_t)16 << 30);
  if (rc == 0) rc = mdb_env_open(env, folder, MDB_NOTLS, 0600);
  if (rc == 0) rc = mdb_txn_begin(env, 0, 0, &txn);
  if (rc == 0) rc = mdb_dbi_open(txn, "log", MDB_CREATE, &dbi);
  if (rc == 0) rc = commit(&txn);
  uint64_t start = now(clock);
  for (uint64_t at = 0; rc == 0 && at < r.count;) {
    uint64_t end = at + batch < r.count ? at + batch : r.count;
    rc = mdb_txn_begin(env, 0, 0, &txn);
    for (; rc == 0 && at < end; at++) {
      size_t size = r.offsets[at + 1] - r.offsets[at];
      if (length + 3 + size > block_bytes) {
        rc = put(txn, dbi, first, &tail, block, length);
        first = at + 1;
        length = header_bytes;
      }
      // The length in one byte, no flags, no time since the previous record.
      block[length] = (uint8_t)(size + 2);
      block[length + 1] = block[length + 2] = 0;
      memcpy(block + length + 3, r.bytes + r.offsets[at], size);
      length += 3 + size;
      out.records++;
      out.checksum += size + r.bytes[r.offsets[at]];
    }
    if (rc == 0) rc = put(txn, dbi, first, &tail, block, length);
    if (rc == 0) rc = commit(&txn);
  }
  out.nanoseconds = now(clock) - start;
  out.error = rc;
  mdb_txn_abort(txn);
  mdb_env_close(env);
  return out;
}

struct storage_result storage_append_blocks(
    const char *folder, struct storage_records records, uint64_t batch) {
  return append(folder, records, batch, CLOCK_THREAD_CPUTIME_ID);
}

struct storage_result storage_commit_groups(
    const char *folder, struct storage_records records, uint64_t group) {
  return append(folder, records, group, CLOCK_MONOTONIC);
}
