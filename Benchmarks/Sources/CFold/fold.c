// The way from the log to the state in plain C over the same liblmdb: blocks, their checksums, the
// chain by OpenSSL's low-level SHA-256, records, actions, state. Left out: the check that blocks
// follow each other without a gap, sessions and schemas, state hashes, and the mark in which a
// store notes the record that it folds.
#define OPENSSL_API_COMPAT 0x10100000L
#include "fold.h"

#include <lmdb.h>
#include <openssl/sha.h>
#include <time.h>

#include "hashes.h"
#include "state.h"

// Offsets in the block's header, by the page on the format.
enum {
  header_bytes = 80, version_at = 8, count_at = 12, schema_at = 20, first_at = 24, session_at = 32,
  moment_at = 40, chain_at = 48
};

struct walk {
  struct fold_result out;
  struct state state;
  int chains;
  uint8_t store[16], chain[32];
};

static uint64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static inline int varint(const uint8_t **at, const uint8_t *end, uint64_t *value) {
  *value = 0;
  for (int shift = 0; shift < 64 && *at < end; shift += 7) {
    uint8_t byte = *(*at)++;
    *value |= (uint64_t)(byte & 0x7f) << shift;
    if (byte < 0x80) return 1;
  }
  return 0;
}

static int extend_chain(struct walk *w, const uint8_t *p, size_t count) {
  if (memcmp(w->chain, p + chain_at, 32) != 0) return 0;
  SHA256_CTX c;
  SHA256_Init(&c);
  SHA256_Update(&c, p + chain_at, 32);
  SHA256_Update(&c, w->store, 16);
  SHA256_Update(&c, p + version_at, 1);
  SHA256_Update(&c, p + first_at, 24); // first sequence, base session, base moment
  SHA256_Update(&c, p + schema_at, 4);
  SHA256_Update(&c, p + header_bytes, count - header_bytes);
  SHA256_Final(w->chain, &c);
  return 1;
}

static int record(
    struct walk *w, const uint8_t *at, const uint8_t *end, int64_t *moment, int folds) {
  uint64_t flags, delta, kind = 0, skipped;
  if (!varint(&at, end, &flags) || !varint(&at, end, &delta)) return 0;
  *moment += (int64_t)(delta >> 1) ^ -(int64_t)(delta & 1);
  if (!folds) return 1;
  if (flags & ~1ull) {
    if (flags & 2 && !varint(&at, end, &kind)) return 0;
    for (uint64_t bit = 4; bit <= 16; bit <<= 1) // session, schema, cause
      if (flags & bit && !varint(&at, end, &skipped)) return 0;
    if (flags & 32) {
      if (!varint(&at, end, &skipped) || skipped > (uint64_t)(end - at)) return 0;
      at += skipped;
    }
    if (flags & 64) {
      if (end - at < 32) return 0;
      at += 32;
    }
  }
  w->out.records++;
  if (kind != 0) return 1;
  w->out.actions++;
  return state_fold(&w->state, at, end, *moment);
}

// Folds the records of a block after the sequence `after`, through the sequence `through`.
static int block(
    struct walk *w, const uint8_t *p, size_t size, uint64_t after, uint64_t through) {
  if (size < header_bytes || load64(p) != xxh64(p + 8, size - 8)) return 0;
  if (w->chains && !extend_chain(w, p, size)) return 0;
  int64_t moment = (int64_t)load64(p + moment_at);
  const uint8_t *at = p + header_bytes, *end = p + size;
  uint64_t sequence = load64(p + first_at);
  for (uint32_t i = load32(p + count_at); i > 0; i--, sequence++) {
    const uint8_t *start = at;
    uint64_t length;
    if (sequence > through) return 1;
    if (!varint(&at, end, &length) || length > (uint64_t)(end - at)) return 0;
    if (!record(w, at, at + length, &moment, sequence > after)) return 0;
    at += length;
    w->out.bytes += (uint64_t)(at - start);
  }
  return at == end;
}

static int walk(struct walk *w, MDB_txn *txn, uint64_t after, uint64_t through) {
  if (through <= after) return 0;
  MDB_dbi log, meta;
  MDB_cursor *cursor;
  MDB_val key = {5, "store"}, value;
  int rc = mdb_dbi_open(txn, "log", 0, &log);
  if (rc == 0) rc = mdb_dbi_open(txn, "meta", 0, &meta);
  if (rc == 0) rc = mdb_get(txn, meta, &key, &value);
  if (rc != 0) return rc;
  if (value.mv_size != 16) return -1;
  memcpy(w->store, value.mv_data, 16);
  // The block that holds the next record is the last one that begins at or before it.
  uint64_t next = __builtin_bswap64(after + 1);
  key = (MDB_val){8, &next};
  rc = mdb_cursor_open(txn, log, &cursor);
  if (rc != 0) return rc;
  rc = mdb_cursor_get(cursor, &key, &value, MDB_SET_RANGE);
  if (rc == MDB_NOTFOUND) rc = mdb_cursor_get(cursor, &key, &value, MDB_LAST);
  else if (rc == 0 && memcmp(key.mv_data, &next, 8) != 0)
    rc = mdb_cursor_get(cursor, &key, &value, MDB_PREV);
  for (; rc == 0; rc = mdb_cursor_get(cursor, &key, &value, MDB_NEXT)) {
    if (key.mv_size != 8 || !block(w, value.mv_data, value.mv_size, after, through)) rc = -1;
    else if (through - load64((uint8_t *)value.mv_data + first_at)
             < load32((uint8_t *)value.mv_data + count_at)) rc = MDB_NOTFOUND;
    if (rc != 0) break;
  }
  mdb_cursor_close(cursor);
  return rc == MDB_NOTFOUND ? 0 : rc;
}

static int open_store(const char *store, MDB_env **env, MDB_txn **txn) {
  int rc = mdb_env_create(env);
  if (rc == 0) rc = mdb_env_set_maxdbs(*env, 16);
  if (rc == 0) rc = mdb_env_set_mapsize(*env, (size_t)8 << 30);
  if (rc == 0) rc = mdb_env_open(*env, store, MDB_RDONLY | MDB_NOTLS, 0600);
  return rc ? rc : mdb_txn_begin(*env, 0, MDB_RDONLY, txn);
}

struct fold_result fold_workload(const char *store, int chains) {
  struct walk w;
  memset(&w, 0, sizeof w);
  w.chains = chains;
  MDB_env *env;
  MDB_txn *txn;
  int rc = open_store(store, &env, &txn);
  if (rc != 0) { w.out.error = rc; return w.out; }
  uint64_t start = now();
  state_begin(&w.state);
  w.out.error = walk(&w, txn, 0, UINT64_MAX);
  w.out.nanoseconds = now() - start;
  w.out.entries = (uint64_t)w.state.live;
  w.out.checksum = state_checksum(&w.state);
  w.out.chain = load64(w.chain);
  state_end(&w.state);
  mdb_txn_abort(txn);
  mdb_env_close(env);
  return w.out;
}

static uint64_t wall(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

int fold_seek(const char *store, struct fold_place *places, size_t count) {
  static struct walk w;
  memset(&w, 0, sizeof w);
  MDB_env *env;
  MDB_txn *txn;
  int rc = open_store(store, &env, &txn);
  if (rc != 0) return rc;
  state_begin(&w.state);
  uint64_t position = 0, from = 0, begin = wall(), records = 0;
  for (size_t i = 0; rc == 0 && i < count; i++) {
    struct fold_place *place = &places[i];
    if (place->from < from || place->to < position) rc = -1;
    if (rc == 0 && place->from > from) {
      from = place->from;
      rc = from < position ? -1 : walk(&w, txn, position, from);
      position = from;
      begin = wall();
      records = w.out.records;
    }
    if (rc == 0) rc = walk(&w, txn, position, place->to);
    position = place->to;
    place->nanoseconds = wall() - begin;
    place->records = w.out.records - records;
    place->entries = (uint64_t)w.state.live;
  }
  state_end(&w.state);
  mdb_txn_abort(txn);
  mdb_env_close(env);
  return rc;
}

// Reads every key, and the first byte of every value, of all databases.
static int read_all(MDB_txn *txn, uint64_t *sum) {
  MDB_dbi names, dbi;
  MDB_cursor *outer, *inner;
  MDB_val name, record, key, value;
  int rc = mdb_dbi_open(txn, 0, 0, &names);
  if (rc == 0) rc = mdb_cursor_open(txn, names, &outer);
  while (rc == 0 && (rc = mdb_cursor_get(outer, &name, &record, MDB_NEXT)) == 0) {
    char text[64] = {0};
    memcpy(text, name.mv_data, name.mv_size < sizeof text ? name.mv_size : sizeof text - 1);
    rc = mdb_dbi_open(txn, text, 0, &dbi);
    if (rc == 0) rc = mdb_cursor_open(txn, dbi, &inner);
    while (rc == 0 && (rc = mdb_cursor_get(inner, &key, &value, MDB_NEXT)) == 0)
      *sum += *(uint8_t *)key.mv_data + (value.mv_size ? *(uint8_t *)value.mv_data : 0);
    if (rc == MDB_NOTFOUND) { rc = 0; mdb_cursor_close(inner); }
  }
  return rc == MDB_NOTFOUND ? 0 : rc;
}

struct fold_result fold_recover(const char *store, uint64_t from, int reads_all) {
  struct walk w;
  memset(&w, 0, sizeof w);
  MDB_env *env;
  MDB_txn *txn;
  int rc = open_store(store, &env, &txn);
  state_begin(&w.state);
  if (rc == 0) rc = walk(&w, txn, 0, from);
  if (rc != 0) { w.out.error = rc; return w.out; }
  mdb_txn_abort(txn);
  mdb_env_close(env);
  uint64_t before = w.out.records, sum = 0, start = wall();
  rc = open_store(store, &env, &txn);
  if (rc == 0 && reads_all) rc = read_all(txn, &sum);
  if (rc == 0) rc = walk(&w, txn, from, UINT64_MAX);
  w.out.nanoseconds = wall() - start;
  w.out.error = rc;
  w.out.records -= before;
  w.out.entries = (uint64_t)w.state.live;
  w.out.checksum = sum;
  if (rc != 0) return w.out;
  mdb_txn_abort(txn);
  mdb_env_close(env);
  return w.out;
}
