// Reads and folds the log of a tracker: the same blocks, the same Avro bytes. Strings are copied
// out of the map as the Swift state copies them; entries live in an array that grows by doubling,
// indexed by their dense ids. What it leaves out, and a store may not: the blocks' checksums, the
// check that text is UTF-8 and that every number is in its shortest form, copies of the state that
// share what did not change, and the fields of users, projects, sources and imports.
// It understands what an import writes; other facts are an error.
#include "baseline.h"

#include <lmdb.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct text { char *bytes; uint32_t count; };

struct external { int64_t source; struct text id; };

struct entry {
  int64_t user, workspace, project, task, start, end, rate, run, modified, deleted; // -1: none
  struct text description, zone;
  struct external *external;
  struct text *annotations;
  int64_t *tags;
  uint32_t external_count, annotation_count, tag_count;
  int32_t offset;
  uint8_t billable, overlaps;
};

struct state {
  struct entry *entries;
  uint64_t entry_count, entry_capacity;
  uint8_t *active; // by import
  uint64_t runs, run_capacity;
  uint64_t users, projects, sources, changes;
};

struct reader { const uint8_t *at, *end; int bad; };

static uint64_t varint(struct reader *r) {
  uint64_t value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    if (r->at >= r->end) { r->bad = 1; return 0; }
    uint8_t byte = *r->at++;
    value |= (uint64_t)(byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
  r->bad = 1;
  return 0;
}

static int64_t zigzag(struct reader *r) {
  uint64_t raw = varint(r);
  return (int64_t)(raw >> 1) ^ -(int64_t)(raw & 1);
}

static struct text string(struct reader *r) {
  struct text t = {0, 0};
  int64_t count = zigzag(r);
  if (count < 0 || count > r->end - r->at) { r->bad = 1; return t; }
  t.count = (uint32_t)count;
  if (count > 0) {
    t.bytes = malloc((size_t)count);
    memcpy(t.bytes, r->at, (size_t)count);
  }
  r->at += count;
  return t;
}

static void skip_string(struct reader *r) {
  int64_t count = zigzag(r);
  if (count < 0 || count > r->end - r->at) { r->bad = 1; return; }
  r->at += count;
}

static uint8_t flag(struct reader *r) {
  if (r->at < r->end) return *r->at++;
  r->bad = 1;
  return 0;
}

static int64_t maybe(struct reader *r) { return zigzag(r) == 0 ? -1 : zigzag(r); }

// The number of items of an array, which is one block; its end is read after them.
static uint32_t count_of(struct reader *r) {
  int64_t count = zigzag(r);
  if (count < 0 || count > r->end - r->at) r->bad = 1;
  return r->bad ? 0 : (uint32_t)count;
}

static void end_of(struct reader *r, uint32_t count) {
  if (count > 0 && zigzag(r) != 0) r->bad = 1;
}

static void *list(uint32_t count, size_t size) { return count ? calloc(count, size) : 0; }

static struct external *externals(struct reader *r, uint32_t *count) {
  *count = count_of(r);
  struct external *list_of = list(*count, sizeof *list_of);
  for (uint32_t i = 0; i < *count; i++) {
    list_of[i].source = zigzag(r);
    list_of[i].id = string(r);
  }
  end_of(r, *count);
  return list_of;
}

static void discard(struct entry *e) {
  for (uint32_t i = 0; i < e->external_count; i++) free(e->external[i].id.bytes);
  for (uint32_t i = 0; i < e->annotation_count; i++) free(e->annotations[i].bytes);
  free(e->description.bytes);
  free(e->zone.bytes);
  free(e->external);
  free(e->annotations);
  free(e->tags);
}

static void insert_entry(struct reader *r, struct state *s) {
  if (s->entry_count == s->entry_capacity) {
    s->entry_capacity = s->entry_capacity ? 2 * s->entry_capacity : 1024;
    s->entries = realloc(s->entries, s->entry_capacity * sizeof(struct entry));
  }
  struct entry *e = &s->entries[s->entry_count++];
  memset(e, 0, sizeof *e);
  e->user = zigzag(r);
  e->workspace = maybe(r);
  e->description = string(r);
  e->project = maybe(r);
  e->task = maybe(r);
  e->tag_count = count_of(r);
  e->tags = list(e->tag_count, sizeof *e->tags);
  for (uint32_t i = 0; i < e->tag_count; i++) e->tags[i] = zigzag(r);
  end_of(r, e->tag_count);
  e->start = zigzag(r);
  e->end = maybe(r);
  e->zone = string(r);
  e->offset = (int32_t)zigzag(r);
  e->billable = flag(r);
  e->rate = maybe(r);
  e->annotation_count = count_of(r);
  e->annotations = list(e->annotation_count, sizeof *e->annotations);
  for (uint32_t i = 0; i < e->annotation_count; i++) e->annotations[i] = string(r);
  end_of(r, e->annotation_count);
  e->external = externals(r, &e->external_count);
  e->run = maybe(r);
  zigzag(r);
  e->deleted = maybe(r);
  e->overlaps = flag(r);
}

static void insert_run(struct reader *r, struct state *s) {
  if (s->runs == s->run_capacity) {
    s->run_capacity = s->run_capacity ? 2 * s->run_capacity : 16;
    s->active = realloc(s->active, s->run_capacity);
  }
  zigzag(r); // source
  skip_string(r);
  if (r->end - r->at < 32) { r->bad = 1; return; }
  r->at += 32; // digest
  zigzag(r);   // rows
  s->active[s->runs++] = flag(r);
  r->at = r->end;
}

static void change_run(struct reader *r, struct state *s, int64_t id) {
  if (id < 0 || (uint64_t)id >= s->runs) { r->bad = 1; return; }
  if (zigzag(r) != 0) { zigzag(r); zigzag(r); } // rows
  if (zigzag(r) != 0) { flag(r); s->active[id] = flag(r); }
  if (zigzag(r) != 0) r->bad = 1; // given up
}

// The numbers of the entities in the list of the domain.
enum { project = 2, user = 5, source = 8, run = 9, entry = 10 };
enum { inserted, changed };

static void action(struct reader *r, struct state *s, int64_t moment) {
  if (zigzag(r) != 0) r->bad = 1; // scenes are not in an imported log
  int64_t fact = zigzag(r);
  if (fact > 1) r->bad = 1; // restored
  s->changes += fact == 0;
  int64_t entity = zigzag(r), edit = zigzag(r), id = zigzag(r);
  if (entity == entry && edit == inserted && (uint64_t)id == s->entry_count) {
    insert_entry(r, s);
    s->entries[id].modified = moment;
  } else if (entity == run && edit == inserted && (uint64_t)id == s->runs) {
    insert_run(r, s);
  } else if (entity == run && edit == changed) {
    change_run(r, s, id);
  } else if (edit == inserted && (entity == user || entity == project || entity == source)) {
    if (entity == user) s->users++;
    else if (entity == project) s->projects++;
    else s->sources++;
    r->at = r->end; // an import looks at no more than their names
  } else {
    r->bad = 1;
  }
  if (r->at != r->end) r->bad = 1;
}

uint64_t baseline_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static uint64_t little_endian(const uint8_t *p, int n) {
  uint64_t value = 0;
  for (int i = 0; i < n; i++) value |= (uint64_t)p[i] << (8 * i);
  return value;
}

// The offsets of the block header are those of the format page.
enum { header_bytes = 80, count_at = 12, moment_at = 40 };

static void block(const MDB_val *v, struct baseline_result *out, struct state *s) {
  const uint8_t *p = v->mv_data;
  if (v->mv_size < header_bytes) { out->error = -1; return; }
  uint32_t count = (uint32_t)little_endian(p + count_at, 4);
  int64_t moment = (int64_t)little_endian(p + moment_at, 8);
  struct reader r = {p + header_bytes, p + v->mv_size, 0};
  for (uint32_t i = 0; i < count && !r.bad; i++) {
    const uint8_t *start = r.at;
    uint64_t length = varint(&r);
    if (length > (uint64_t)(r.end - r.at)) { r.bad = 1; break; }
    struct reader record = {r.at, r.at + length, 0};
    uint64_t flags = varint(&record);
    moment += zigzag(&record);
    uint64_t kind = flags & 2 ? varint(&record) : 0;
    if (flags & 4) varint(&record);  // session
    if (flags & 8) varint(&record);  // schema
    if (flags & 16) varint(&record); // cause
    if (flags & 32) { // key
      uint64_t n = varint(&record);
      if (n > (uint64_t)(record.end - record.at)) { r.bad = 1; break; }
      record.at += n;
    }
    if (flags & 64) { // state hash
      if (record.end - record.at < 32) { r.bad = 1; break; }
      record.at += 32;
    }
    if (record.bad) { r.bad = 1; break; }
    out->records++;
    if (kind == 0) {
      out->actions++;
      if (s) action(&record, s, moment);
    }
    r.at += length;
    out->bytes += (uint64_t)(r.at - start);
    if (record.bad) r.bad = 1;
  }
  if (r.bad) out->error = -1;
}

static void walk(MDB_txn *txn, MDB_dbi dbi, struct baseline_result *out, struct state *s) {
  MDB_cursor *cursor = 0;
  MDB_val key, value;
  int rc = mdb_cursor_open(txn, dbi, &cursor);
  while (rc == 0 && (rc = mdb_cursor_get(cursor, &key, &value, MDB_NEXT)) == 0) {
    block(&value, out, s);
    if (out->error) break;
  }
  if (rc != MDB_NOTFOUND && rc != 0) out->error = rc;
  mdb_cursor_close(cursor);
}

static void release(struct state *s) {
  for (uint64_t i = 0; i < s->entry_count; i++) discard(&s->entries[i]);
  free(s->entries);
  free(s->active);
}

struct baseline_result baseline_fold(const char *store) {
  struct baseline_result out, scan;
  memset(&out, 0, sizeof out);
  memset(&scan, 0, sizeof scan);
  MDB_env *env;
  MDB_txn *txn;
  MDB_dbi dbi;
  int rc = mdb_env_create(&env);
  if (rc == 0) rc = mdb_env_set_maxdbs(env, 16);
  if (rc == 0) rc = mdb_env_set_mapsize(env, (size_t)8 << 30);
  if (rc == 0) rc = mdb_env_open(env, store, MDB_RDONLY | MDB_NOTLS, 0600);
  if (rc == 0) rc = mdb_txn_begin(env, 0, MDB_RDONLY, &txn);
  if (rc == 0) rc = mdb_dbi_open(txn, "log", 0, &dbi);
  if (rc != 0) { out.error = rc; return out; }
  uint64_t start = baseline_now();
  walk(txn, dbi, &scan, 0);
  out.scan_ns = baseline_now() - start;
  struct state s;
  memset(&s, 0, sizeof s);
  start = baseline_now();
  walk(txn, dbi, &out, &s);
  out.whole_ns = baseline_now() - start;
  out.scan_ns = scan.error ? 0 : out.scan_ns;
  uint64_t microseconds = 0;
  for (uint64_t i = 0; i < s.entry_count; i++) {
    const struct entry *e = &s.entries[i];
    if (e->deleted >= 0) continue;
    if (e->run >= 0 && ((uint64_t)e->run >= s.runs || !s.active[e->run])) continue;
    out.entries++;
    if (e->end > e->start) microseconds += (uint64_t)(e->end - e->start);
  }
  out.seconds = microseconds / 1000000;
  release(&s);
  mdb_txn_abort(txn);
  mdb_env_close(env);
  return out;
}
