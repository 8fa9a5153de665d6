#define OPENSSL_API_COMPAT 0x10100000L
#include "store.h"

#include <fcntl.h>
#include <openssl/sha.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../CFold/hashes.h"

// Offsets by the page on the format.
enum {
  header_bytes = 80, block_bytes = 4 * 4096 - 16, version_at = 8, count_at = 12, length_at = 16,
  schema_at = 20, first_at = 24, chain_at = 48, head_bytes = 72
};
// The parts of a reference to a page: hash, lowest and highest sort key, birth.
enum {
  reference_bytes = 32 + 8 + 8 + 8,
  low_at = 32,
  high_at = 40,
  birth_at = 48
};
// The numbers of tables in the state.
enum { users_number = 5, entries_number = 11 };

void need(int holds, const char *what) {
  if (holds) return;
  fprintf(stderr, "start-yardstick: %s\n", what);
  exit(64);
}

static void lmdb(int rc) { need(rc == 0, mdb_strerror(rc)); }

static uint64_t varint(const uint8_t **at, const uint8_t *end) {
  uint64_t value = 0;
  for (int shift = 0; shift < 64 && *at < end; shift += 7) {
    uint8_t byte = *(*at)++;
    value |= (uint64_t)(byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
  need(0, "a number is cut off");
  return 0;
}

static int64_t zigzag(const uint8_t **at, const uint8_t *end) {
  uint64_t raw = varint(at, end);
  return (int64_t)(raw >> 1) ^ -(int64_t)(raw & 1);
}

// The bytes of a text or of a blob.
static const uint8_t *bytes(const uint8_t **at, const uint8_t *end, int64_t *count) {
  const uint8_t *start;
  *count = zigzag(at, end);
  need(*count >= 0 && *count <= end - *at, "bytes are cut off");
  start = *at;
  *at += *count;
  return start;
}

// Reads the first pages of a file as the tool does, so that LMDB, which reads them again, lets the
// kernel read no others ahead: pages are counted by what is in the page cache.
static void read_first(const char *path) {
  char name[4096], page[4096];
  need(snprintf(name, sizeof name, "%s/data.mdb", path) < (int)sizeof name, "the path is too long");
  int file = open(name, O_RDONLY | O_CLOEXEC);
  need(file >= 0 && posix_fadvise(file, 0, 0, POSIX_FADV_RANDOM) == 0
         && pread(file, page, sizeof page, 0) == sizeof page
         && pread(file, page, sizeof page, sizeof page) == sizeof page,
       "the file cannot be read");
  close(file);
}

static MDB_env *open_env(const char *path, int writes) {
  MDB_env *env;
  read_first(path);
  lmdb(mdb_env_create(&env));
  lmdb(mdb_env_set_maxdbs(env, 16));
  lmdb(mdb_env_set_mapsize(env, (size_t)16 << 30));
  lmdb(mdb_env_open(env, path, MDB_NOTLS | MDB_NORDAHEAD | (writes ? 0 : MDB_RDONLY), 0600));
  return env;
}

static MDB_env *open_derived(const char *path, int writes) {
  char derived[4096];
  need(snprintf(derived, sizeof derived, "%s/derived", path) < (int)sizeof derived,
       "the path is too long");
  return open_env(derived, writes);
}

static MDB_val get(MDB_txn *txn, MDB_dbi dbi, const void *key, size_t size) {
  MDB_val k = {size, (void *)key}, value;
  lmdb(mdb_get(txn, dbi, &k, &value));
  return value;
}

static void read_tables(struct store *s, const uint8_t *at, const uint8_t *end) {
  for (int left = *at++; left > 0; left--) {
    need(end - at >= 17, "a table is cut off");
    struct table table = {load64(at + 1), load64(at + 9), at + 17};
    if (*at == users_number) s->users = table;
    if (*at == entries_number) s->entries = table;
    at += 17;
    for (uint64_t group = 0; group < (table.next + (1 << 20) - 1) >> 20; group++)
      at += 4 + reference_bytes * (size_t)__builtin_popcount(load32(at));
    need(at <= end, "a table is cut off");
  }
}

static void read_snapshot(struct store *s) {
  MDB_dbi snapshots;
  MDB_cursor *cursor;
  MDB_val key, value;
  int64_t count;
  lmdb(mdb_dbi_open(s->pages_txn, "snapshots", 0, &snapshots));
  lmdb(mdb_cursor_open(s->pages_txn, snapshots, &cursor));
  lmdb(mdb_cursor_get(cursor, &key, &value, MDB_LAST));
  mdb_cursor_close(cursor);
  const uint8_t *p = value.mv_data, *end = p + value.mv_size, *at = p + 16 + 4 * 32;
  need(at < end && load64(p) == xxh64(p + 8, value.mv_size - 8), "a snapshot is damaged");
  bytes(&at, end, &count); // in flight
  s->snapshot = load64(at);
  at += 8 + 32;
  bytes(&at, end, &count); // scalars
  read_tables(s, at, end);
}

static void walk_records(struct store *s) {
  uint64_t next = __builtin_bswap64(s->snapshot + 1);
  MDB_cursor *cursor;
  MDB_val key = {8, &next}, value;
  lmdb(mdb_cursor_open(s->txn, s->blocks, &cursor));
  int rc = mdb_cursor_get(cursor, &key, &value, MDB_SET_RANGE);
  if (rc == MDB_NOTFOUND) rc = mdb_cursor_get(cursor, &key, &value, MDB_LAST);
  else if (rc == 0 && load64(key.mv_data) != next)
    rc = mdb_cursor_get(cursor, &key, &value, MDB_PREV);
  for (; rc == 0; rc = mdb_cursor_get(cursor, &key, &value, MDB_NEXT)) {
    const uint8_t *p = value.mv_data, *at = p + header_bytes, *end = p + value.mv_size;
    need(load64(p) == xxh64(p + 8, value.mv_size - 8), "a block is damaged");
    for (uint32_t left = load32(p + count_at); left > 0; left--) {
      uint64_t length = varint(&at, end);
      need(length <= (uint64_t)(end - at), "a record is cut off");
      at += length;
    }
  }
  need(rc == MDB_NOTFOUND, "the log cannot be read");
  mdb_cursor_close(cursor);
}

void store_open(struct store *s, const char *path, int writes) {
  memset(s, 0, sizeof *s);
  s->env = open_env(path, writes);
  lmdb(mdb_txn_begin(s->env, 0, MDB_RDONLY, &s->txn));
  lmdb(mdb_dbi_open(s->txn, "log", 0, &s->blocks));
  lmdb(mdb_dbi_open(s->txn, "meta", 0, &s->meta));
  MDB_val identity = get(s->txn, s->meta, "store", 5), head = get(s->txn, s->meta, "head", 4);
  need(identity.mv_size == 16 && head.mv_size == head_bytes, "this is not a log");
  memcpy(s->identity, identity.mv_data, 16);
  need(load64(head.mv_data) == xxh64((uint8_t *)head.mv_data + 8, head_bytes - 8),
       "the head is damaged");
  s->derived = open_derived(path, writes);
  lmdb(mdb_txn_begin(s->derived, 0, MDB_RDONLY, &s->pages_txn));
  lmdb(mdb_dbi_open(s->pages_txn, "pages", 0, &s->pages));
  read_snapshot(s);
  walk_records(s);
}

uint64_t *store_snapshots(const char *path, size_t *count) {
  MDB_env *env = open_derived(path, 0);
  MDB_txn *txn;
  MDB_dbi dbi;
  MDB_cursor *cursor;
  MDB_stat stat;
  MDB_val key, value;
  lmdb(mdb_txn_begin(env, 0, MDB_RDONLY, &txn));
  lmdb(mdb_dbi_open(txn, "snapshots", 0, &dbi));
  lmdb(mdb_stat(txn, dbi, &stat));
  uint64_t *list = calloc(stat.ms_entries + 1, sizeof *list);
  *count = 0;
  lmdb(mdb_cursor_open(txn, dbi, &cursor));
  while (mdb_cursor_get(cursor, &key, &value, MDB_NEXT) == 0)
    list[(*count)++] = __builtin_bswap64(load64(key.mv_data));
  need(*count == stat.ms_entries, "a snapshot cannot be read");
  mdb_cursor_close(cursor);
  mdb_txn_abort(txn);
  mdb_env_close(env);
  return list;
}

uint64_t store_newest_snapshot(const char *path) {
  MDB_env *env = open_derived(path, 0);
  MDB_txn *txn;
  MDB_dbi dbi;
  MDB_cursor *cursor;
  MDB_val key, value;
  lmdb(mdb_txn_begin(env, 0, MDB_RDONLY, &txn));
  lmdb(mdb_dbi_open(txn, "snapshots", 0, &dbi));
  lmdb(mdb_cursor_open(txn, dbi, &cursor));
  lmdb(mdb_cursor_get(cursor, &key, &value, MDB_LAST));
  need(load64(value.mv_data) == xxh64((uint8_t *)value.mv_data + 8, value.mv_size - 8),
       "a snapshot is damaged");
  uint64_t newest = __builtin_bswap64(load64(key.mv_data));
  mdb_cursor_close(cursor);
  mdb_txn_abort(txn);
  mdb_env_close(env);
  return newest;
}

struct walk {
  struct store *store;
  uint8_t number; // of the table
  struct range range;
  // Visits the entity of an id, and returns the end of its bytes.
  const uint8_t *(*visit)(struct walk *, int64_t id, const uint8_t *at, const uint8_t *end);
  void (*body)(void *, const struct entry *);
  void *context;
  struct user *user;
};

static int maybe(const uint8_t **at, const uint8_t *end) { return zigzag(at, end) != 0; }

static void skip_text(const uint8_t **at, const uint8_t *end) {
  int64_t count;
  bytes(at, end, &count);
}

static void skip_externals(const uint8_t **at, const uint8_t *end) {
  int64_t left;
  while ((left = zigzag(at, end)) != 0)
    for (; left > 0; left--) {
      zigzag(at, end);
      skip_text(at, end);
    }
}

static const uint8_t *visit_entry(
    struct walk *w, int64_t id, const uint8_t *at, const uint8_t *end) {
  int64_t left;
  struct entry e = {.id = id};
  e.user = zigzag(&at, end);
  if (maybe(&at, end)) zigzag(&at, end); // workspace
  e.text = bytes(&at, end, &e.text_count);
  e.project = maybe(&at, end) ? zigzag(&at, end) : -1;
  if (maybe(&at, end)) zigzag(&at, end); // task
  while ((left = zigzag(&at, end)) != 0)
    for (; left > 0; left--) zigzag(&at, end); // tags
  e.start = zigzag(&at, end);
  e.end = maybe(&at, end) ? zigzag(&at, end) : INT64_MAX;
  skip_text(&at, end);     // time zone
  zigzag(&at, end);        // its offset
  at++;                    // billable
  if (maybe(&at, end)) zigzag(&at, end); // rate
  while ((left = zigzag(&at, end)) != 0)
    for (; left > 0; left--) skip_text(&at, end); // annotations
  skip_externals(&at, end);
  if (maybe(&at, end)) zigzag(&at, end); // import
  zigzag(&at, end);                      // change
  int deleted = maybe(&at, end);
  if (deleted) zigzag(&at, end);
  at++; // overlaps
  need(at <= end, "an entry is cut off");
  int found = id >= w->range.first_id && id <= w->range.last_id
    && e.end >= w->range.first_end && e.end <= w->range.last_end;
  if (found && !deleted) w->body(w->context, &e);
  return at;
}

static const uint8_t *visit_user(
    struct walk *w, int64_t id, const uint8_t *at, const uint8_t *end) {
  int64_t count;
  skip_text(&at, end); // the name as it was typed
  const uint8_t *key = bytes(&at, end, &count);
  if (maybe(&at, end)) skip_text(&at, end); // address
  if (maybe(&at, end)) zigzag(&at, end);    // workspace
  if (maybe(&at, end)) zigzag(&at, end);    // rate
  at++;                                     // archived
  skip_externals(&at, end);
  zigzag(&at, end); // change
  int deleted = maybe(&at, end);
  if (deleted) zigzag(&at, end);
  need(at <= end, "a user is cut off");
  if (!deleted && w->user->id < 0 && (size_t)count == strlen(w->user->name)
      && memcmp(key, w->user->name, (size_t)count) == 0)
    w->user->id = id;
  return at;
}

static void leaf(struct walk *w, uint64_t first, const uint8_t *p, size_t size) {
  const uint8_t *at = p + 4, *end = p + size;
  uint32_t present = load32(p);
  need(zigzag(&at, end) == __builtin_popcount(present),
       "the entities of a leaf do not match its bitmap");
  for (int i = 0; i < 32; i++)
    if (present >> i & 1) at = w->visit(w, (int64_t)first + i, at, end);
}

static void check(const uint8_t *p, size_t size, int level, const uint8_t *expected) {
  uint8_t tag = level != 0, digest[32];
  SHA256_CTX c;
  SHA256_Init(&c);
  SHA256_Update(&c, &tag, 1);
  if (level == 0) SHA256_Update(&c, p, size);
  else {
    need(load64(p + size - 8) == xxh64(p, size - 8), "a page is damaged");
    SHA256_Update(&c, p, 4);
    for (const uint8_t *at = p + 4; at < p + size - 8; at += reference_bytes)
      SHA256_Update(&c, at, reference_bytes - 8);
  }
  SHA256_Final(digest, &c);
  need(memcmp(digest, expected, 32) == 0, "a page does not match its hash");
}

// Visits the nodes that a bitmap and the references after it name, as far as the range meets them.
static void nodes(struct walk *w, uint64_t first, int level, const uint8_t *p) {
  const uint8_t *reference = p + 4;
  uint64_t span = 32ull << 5 * level;
  uint32_t present = load32(p);
  for (int i = 0; i < 32; i++) {
    if (!(present >> i & 1)) continue;
    uint64_t id = first + (uint64_t)i * span;
    if ((int64_t)(id + span - 1) >= w->range.first_id && (int64_t)id <= w->range.last_id
        && (int64_t)load64(reference + high_at) >= w->range.first_end
        && (int64_t)load64(reference + low_at) <= w->range.last_end) {
      uint8_t key[14];
      uint64_t birth = __builtin_bswap64(load64(reference + birth_at));
      uint32_t last = __builtin_bswap32((uint32_t)(id + span - 1));
      memcpy(key, &birth, 8);
      key[8] = w->number;
      memcpy(key + 9, &last, 4);
      key[13] = (uint8_t)level;
      MDB_val page = get(w->store->pages_txn, w->store->pages, key, sizeof key);
      check(page.mv_data, page.mv_size, level, reference);
      if (level == 0) leaf(w, id, page.mv_data, page.mv_size);
      else nodes(w, id, level - 1, page.mv_data);
    }
    reference += reference_bytes;
  }
}

static void walk(struct walk *w, struct table table) {
  const uint8_t *group = table.groups;
  for (uint64_t first = 0; first < table.next; first += 1 << 20) {
    nodes(w, first, 2, group);
    group += 4 + reference_bytes * (size_t)__builtin_popcount(load32(group));
  }
}

void store_entries(
    struct store *s, struct range range, void (*body)(void *, const struct entry *),
    void *context) {
  struct walk w = {
    .store = s, .number = entries_number, .range = range, .visit = visit_entry, .body = body,
    .context = context
  };
  walk(&w, s->entries);
}

int64_t store_user(struct store *s, const char *name) {
  struct user user = {name, -1};
  struct walk w = {
    .store = s, .number = users_number, .range = {0, INT64_MAX, INT64_MIN, INT64_MAX},
    .visit = visit_user, .user = &user
  };
  walk(&w, s->users);
  return user.id;
}

void store_read_more(struct store *s, int64_t pages) {
  enum { page_bytes = 4096 };
  MDB_cursor *cursor;
  MDB_val key, value;
  const uint8_t *last = 0;
  uint64_t sum = 0;
  // From the first page on: what is looked up lies at the end, where the newest is.
  lmdb(mdb_cursor_open(s->pages_txn, s->pages, &cursor));
  while (pages > 0 && mdb_cursor_get(cursor, &key, &value, MDB_NEXT) == 0) {
    const uint8_t *at = value.mv_data, *page = at - (uintptr_t)at % page_bytes;
    if (page == last) continue;
    for (int i = 0; i < page_bytes; i += 8) sum += load64(page + i);
    last = page;
    pages--;
  }
  mdb_cursor_close(cursor);
  s->sum = sum; // so that the loop is not left out
}

static void chain(struct store *s, const uint8_t *p, size_t size, uint8_t *digest) {
  SHA256_CTX c;
  SHA256_Init(&c);
  SHA256_Update(&c, p + chain_at, 32);
  SHA256_Update(&c, s->identity, 16);
  SHA256_Update(&c, p + version_at, 1);
  SHA256_Update(&c, p + first_at, 24); // first sequence, base session, base moment
  SHA256_Update(&c, p + schema_at, 4);
  SHA256_Update(&c, p + header_bytes, size - header_bytes);
  SHA256_Final(digest, &c);
}

static void put(MDB_txn *txn, MDB_dbi dbi, const void *key, size_t keys, void *data, size_t size) {
  MDB_val k = {keys, (void *)key}, v = {size, data};
  lmdb(mdb_put(txn, dbi, &k, &v, 0));
}

void store_append(struct store *s, size_t count) {
  uint8_t block[2 * block_bytes], head[head_bytes];
  MDB_txn *txn;
  MDB_dbi blocks, meta;
  need(count >= 128 && count < 16384, "the size of the record is out of range");
  lmdb(mdb_txn_begin(s->env, 0, 0, &txn));
  lmdb(mdb_dbi_open(txn, "log", 0, &blocks));
  lmdb(mdb_dbi_open(txn, "meta", 0, &meta));
  memcpy(head, get(txn, meta, "head", 4).mv_data, sizeof head);
  uint64_t sequence = load64(head + 16) + 1, first = load64(head + 32), key;
  key = __builtin_bswap64(first);
  MDB_val last = get(txn, blocks, &key, sizeof key);
  size_t size = last.mv_size;
  if (size + 2 + count > block_bytes) {
    memcpy(block, last.mv_data, header_bytes);
    chain(s, last.mv_data, size, block + chain_at);
    memset(block + count_at, 0, 4);
    memset(block + length_at, 0, 4);
    memcpy(block + first_at, &sequence, 8);
    first = sequence;
    size = header_bytes;
  } else {
    memcpy(block, last.mv_data, size);
  }
  // The length in two bytes, no flags, no time since the previous record.
  block[size] = (uint8_t)(count & 0x7f) | 0x80;
  block[size + 1] = (uint8_t)(count >> 7);
  memset(block + size + 2, 0, count);
  size += 2 + count;
  uint32_t records = load32(block + count_at) + 1, length = (uint32_t)(size - header_bytes);
  memcpy(block + count_at, &records, 4);
  memcpy(block + length_at, &length, 4);
  uint64_t sum = xxh64(block + 8, size - 8);
  memcpy(block, &sum, 8);
  memcpy(head + 16, &sequence, 8);
  memcpy(head + 32, &first, 8);
  chain(s, block, size, head + 40);
  sum = xxh64(head + 8, sizeof head - 8);
  memcpy(head, &sum, 8);
  key = __builtin_bswap64(first);
  put(txn, blocks, &key, sizeof key, block, size);
  put(txn, meta, "head", 4, head, sizeof head);
  lmdb(mdb_txn_commit(txn));
}

void store_close(struct store *s) {
  mdb_txn_abort(s->txn);
  mdb_txn_abort(s->pages_txn);
  mdb_env_close(s->env);
  mdb_env_close(s->derived);
}
