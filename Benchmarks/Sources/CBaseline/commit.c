// One awaited commit after the other in plain C over the same liblmdb: what a durable action would
// take if there were no engine.
#include "storage.h"

#include <lmdb.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

enum { header_bytes = 80, block_bytes = 4 * 4096 - 16, head_bytes = 72 };

struct log {
  MDB_env *env;
  MDB_dbi blocks, meta;
  struct storage_records records;
  uint64_t at, first;
  size_t length;
  uint8_t block[block_bytes];
  int error;
  // Synchronization of the caller with the thread that commits, if there is one.
  pthread_mutex_t mutex;
  pthread_cond_t requested, completed;
  int is_requested, is_completed, is_over;
};

static int open_log(struct log *log, const char *folder) {
  MDB_txn *txn;
  int rc = mdb_env_create(&log->env);
  if (rc == 0) rc = mdb_env_set_maxdbs(log->env, 16);
  if (rc == 0) rc = mdb_env_set_mapsize(log->env, (size_t)16 << 30);
  if (rc == 0) rc = mdb_env_open(log->env, folder, MDB_NOTLS | MDB_NORDAHEAD, 0600);
  if (rc == 0) rc = mdb_txn_begin(log->env, 0, 0, &txn);
  if (rc == 0) rc = mdb_dbi_open(txn, "log", MDB_CREATE, &log->blocks);
  if (rc == 0) rc = mdb_dbi_open(txn, "meta", MDB_CREATE, &log->meta);
  return rc ? rc : mdb_txn_commit(txn);
}

static int put(MDB_txn *txn, MDB_dbi dbi, const void *key, size_t keys, void *data, size_t size) {
  MDB_val k = {keys, (void *)key}, v = {size, data};
  return mdb_put(txn, dbi, &k, &v, 0);
}

// Length, flags and time take 3 bytes in front of a short record.
static int commit_next(struct log *log) {
  const uint8_t *from = log->records.bytes + log->records.offsets[log->at];
  size_t size = log->records.offsets[log->at + 1] - log->records.offsets[log->at];
  uint8_t head[head_bytes] = {0};
  MDB_txn *txn;
  if (log->length + 3 + size > block_bytes) {
    log->first = log->at + 1;
    log->length = header_bytes;
  }
  memset(log->block + log->length, 0, 3);
  memcpy(log->block + log->length + 3, from, size);
  log->length += 3 + size;
  log->at++;
  memcpy(head, &log->at, sizeof log->at);
  uint64_t key = __builtin_bswap64(log->first);
  int rc = mdb_txn_begin(log->env, 0, 0, &txn);
  if (rc) return rc;
  rc = put(txn, log->blocks, &key, sizeof key, log->block, log->length);
  if (rc == 0) rc = put(txn, log->meta, "head", 4, head, sizeof head);
  if (rc == 0) return mdb_txn_commit(txn);
  mdb_txn_abort(txn);
  return rc;
}

static void *commit_on_request(void *context) {
  struct log *log = context;
  pthread_mutex_lock(&log->mutex);
  while (1) {
    while (!log->is_requested && !log->is_over) pthread_cond_wait(&log->requested, &log->mutex);
    if (log->is_over) break;
    log->is_requested = 0;
    pthread_mutex_unlock(&log->mutex);
    int rc = commit_next(log);
    pthread_mutex_lock(&log->mutex);
    log->error = rc;
    log->is_completed = 1;
    pthread_cond_signal(&log->completed);
  }
  pthread_mutex_unlock(&log->mutex);
  return 0;
}

static int hand_over(struct log *log) {
  pthread_mutex_lock(&log->mutex);
  log->is_requested = 1;
  log->is_completed = 0;
  pthread_cond_signal(&log->requested);
  while (!log->is_completed) pthread_cond_wait(&log->completed, &log->mutex);
  pthread_mutex_unlock(&log->mutex);
  return log->error;
}

static uint64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

struct storage_result storage_commit(
    const char *folder, struct storage_records records, int on_thread) {
  struct storage_result out = {0, 0, 0, 0};
  static struct log log;
  pthread_t thread;
  memset(&log, 0, sizeof log);
  log.records = records;
  log.first = 1;
  log.length = header_bytes;
  pthread_mutex_init(&log.mutex, 0);
  pthread_cond_init(&log.requested, 0);
  pthread_cond_init(&log.completed, 0);
  out.error = open_log(&log, folder);
  if (out.error == 0 && on_thread)
    out.error = pthread_create(&thread, 0, commit_on_request, &log);
  if (out.error == 0) {
    uint64_t start = now();
    while (out.error == 0 && log.at < records.count)
      out.error = on_thread ? hand_over(&log) : commit_next(&log);
    out.nanoseconds = now() - start;
    if (on_thread) {
      pthread_mutex_lock(&log.mutex);
      log.is_over = 1;
      pthread_cond_signal(&log.requested);
      pthread_mutex_unlock(&log.mutex);
      pthread_join(thread, 0);
    }
  }
  mdb_env_close(log.env);
  out.records = log.at;
  out.checksum = storage_checksum(records);
  return out;
}
