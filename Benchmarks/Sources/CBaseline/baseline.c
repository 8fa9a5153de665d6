// Reads and folds the log of a tracker: the same blocks, the same Avro bytes, the same refusals.
// Strings are copied out of the map as the Swift state copies them; entities live in arrays that
// grow by doubling, indexed by their dense ids. What it leaves out, and a store may not: the
// blocks' checksums, the check that text is UTF-8 and that every number is in its shortest form,
// copies of the state that share what did not change, and the uniqueness of names.
// It understands what an import writes; scenes, edits and continuations are an error.
#include "baseline.h"

#include <lmdb.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct text { char *bytes; uint32_t count; };

struct entry {
  int64_t user, workspace, project, start, duration; // -1: no workspace, no project, running
  struct text description, zone, external;
  int64_t *tags;
  uint32_t tag_count;
  int32_t offset;
  uint8_t billable, present;
};

struct state {
  struct entry *entries;
  uint64_t entry_count, entry_capacity;
  int64_t *running; // by user; -1: nothing
  uint64_t running_capacity;
  int64_t *project_workspace; // by project; -1: none
  uint64_t project_capacity;
  uint64_t users, projects, tags, workspaces;
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

static int64_t *ids(struct reader *r, uint32_t *count) {
  int64_t n = zigzag(r);
  *count = 0;
  if (n == 0) return 0;
  if (n < 0 || n > r->end - r->at) { r->bad = 1; return 0; }
  int64_t *list = malloc((size_t)n * sizeof(int64_t));
  for (int64_t i = 0; i < n; i++) { // in order, by insertion: an entry has few tags
    int64_t id = zigzag(r), at = i;
    for (; at > 0 && list[at - 1] > id; at--) list[at] = list[at - 1];
    list[at] = id;
  }
  if (zigzag(r) != 0) r->bad = 1;
  *count = (uint32_t)n;
  return list;
}

static void details(struct reader *r, struct entry *e) {
  e->description = string(r);
  e->project = zigzag(r) == 0 ? -1 : zigzag(r);
  e->tags = ids(r, &e->tag_count);
  if (r->at < r->end) e->billable = *r->at++; else r->bad = 1;
}

// Returns whether everything that the entry refers to exists, and sets its project's workspace.
static int resolve(const struct state *s, struct entry *e) {
  if (e->user < 0 || (uint64_t)e->user >= s->users) return 0;
  e->workspace = -1;
  if (e->project >= 0) {
    if ((uint64_t)e->project >= s->projects) return 0;
    e->workspace = s->project_workspace[e->project];
  }
  for (uint32_t i = 0; i < e->tag_count; i++)
    if (e->tags[i] < 0 || (uint64_t)e->tags[i] >= s->tags) return 0;
  return 1;
}

static void discard(struct entry *e) {
  free(e->description.bytes);
  free(e->zone.bytes);
  free(e->external.bytes);
  free(e->tags);
}

static void zone(struct reader *r, struct entry *e) {
  e->zone = string(r);
  e->offset = (int32_t)zigzag(r);
}

static struct entry *insert(struct state *s, const struct entry *e) {
  if (s->entry_count == s->entry_capacity) {
    s->entry_capacity = s->entry_capacity ? 2 * s->entry_capacity : 1024;
    s->entries = realloc(s->entries, s->entry_capacity * sizeof(struct entry));
  }
  s->entries[s->entry_count] = *e;
  return &s->entries[s->entry_count++];
}

static int64_t *running(struct state *s, int64_t user) {
  while ((uint64_t)user >= s->running_capacity) {
    uint64_t next = s->running_capacity ? 2 * s->running_capacity : 64;
    s->running = realloc(s->running, next * sizeof(int64_t));
    for (uint64_t i = s->running_capacity; i < next; i++) s->running[i] = -1;
    s->running_capacity = next;
  }
  return &s->running[user];
}

static void stop(struct state *s, int64_t user, int64_t moment) {
  int64_t *slot = running(s, user);
  if (*slot < 0) return;
  struct entry *e = &s->entries[*slot];
  e->duration = moment > e->start ? moment - e->start : 0;
  *slot = -1;
}

static void timeline(struct reader *r, struct state *s, int64_t moment) {
  struct entry e;
  memset(&e, 0, sizeof e);
  e.present = 1;
  switch (zigzag(r)) {
  case 0: // started
    details(r, &e);
    e.user = zigzag(r);
    zone(r, &e);
    e.start = zigzag(r) == 0 ? moment : zigzag(r);
    e.duration = -1;
    if (!resolve(s, &e)) { discard(&e); return; }
    stop(s, e.user, e.start);
    insert(s, &e);
    *running(s, e.user) = (int64_t)s->entry_count - 1;
    return;
  case 1: { // stopped
    int64_t user = zigzag(r);
    if (user >= 0 && (uint64_t)user < s->users) stop(s, user, moment);
    return;
  }
  case 3: // created
    e.user = zigzag(r);
    details(r, &e);
    e.start = zigzag(r);
    e.duration = zigzag(r);
    zone(r, &e);
    if (zigzag(r) != 0) e.external = string(r);
    if (!resolve(s, &e) || e.duration < 0) { discard(&e); return; }
    insert(s, &e);
    return;
  case 5: { // deleted
    int64_t id = zigzag(r);
    if (id >= 0 && (uint64_t)id < s->entry_count) s->entries[id].present = 0;
    return;
  }
  default: // continued and edited are not in an imported log
    r->bad = 1;
  }
}

static void library(struct reader *r, struct state *s) {
  int64_t which = zigzag(r);
  skip_string(r);
  int64_t workspace = -1;
  if (which >= 2 && zigzag(r) != 0) workspace = zigzag(r);
  switch (which) {
  case 0: s->users++; break;
  case 1: s->workspaces++; break;
  case 2:
    if (s->projects == s->project_capacity) {
      s->project_capacity = s->project_capacity ? 2 * s->project_capacity : 64;
      s->project_workspace =
          realloc(s->project_workspace, s->project_capacity * sizeof(int64_t));
    }
    s->project_workspace[s->projects++] = workspace;
    break;
  case 3: s->tags++; break;
  default: r->bad = 1;
  }
}

static void action(struct reader *r, struct state *s, int64_t moment) {
  switch (zigzag(r)) {
  case 0: timeline(r, s, moment); break;
  case 1: library(r, s); break;
  default: r->bad = 1; // scenes are not in an imported log
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
  free(s->project_workspace);
  free(s->running);
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
    if (!s.entries[i].present) continue;
    out.entries++;
    if (s.entries[i].duration > 0) microseconds += (uint64_t)s.entries[i].duration;
  }
  out.seconds = microseconds / 1000000;
  release(&s);
  mdb_txn_abort(txn);
  mdb_env_close(env);
  return out;
}
