// Decodes the workload's actions and folds them. Not checked, where ours does: that text is UTF-8,
// and that each number is in its shortest form. Not kept: which parts changed since a hash or a
// copy was made, so there are neither hashes nor copies that share.
#include "state.h"

#include <stdlib.h>
#include <string.h>

struct reader { const uint8_t *at, *end; int bad; };

static uint64_t long_varint(struct reader *r) {
  uint64_t value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    if (r->at >= r->end) break;
    uint8_t byte = *r->at++;
    value |= (uint64_t)(byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
  r->bad = 1;
  return 0;
}

// Most numbers take one byte.
__attribute__((always_inline)) static inline int64_t number(struct reader *r) {
  uint64_t raw = r->at < r->end && *r->at < 0x80 ? *r->at++ : long_varint(r);
  return (int64_t)(raw >> 1) ^ -(int64_t)(raw & 1);
}

static uint8_t flag(struct reader *r) {
  if (r->at < r->end && *r->at < 2) return *r->at++;
  r->bad = 1;
  return 0;
}

static struct text string(struct reader *r) {
  struct text t = {0, 0};
  int64_t count = number(r);
  if (count < 0 || count > r->end - r->at) { r->bad = 1; return t; }
  if (count == 0) return t;
  t.count = (uint32_t)count;
  t.bytes = malloc((size_t)count);
  memcpy(t.bytes, r->at, (size_t)count);
  r->at += count;
  return t;
}

static struct list numbers(struct reader *r) {
  struct list l = {0, 0};
  int64_t count = number(r);
  if (count == 0) return l;
  if (count < 0 || count > r->end - r->at) { r->bad = 1; return l; }
  l.count = (uint32_t)count;
  l.items = malloc((size_t)count * sizeof *l.items);
  for (int64_t i = 0; i < count; i++) l.items[i] = number(r);
  if (number(r) != 0) r->bad = 1;
  return l;
}

static struct maybe optional(struct reader *r) {
  struct maybe m = {0, 0};
  if (number(r) != 0) { m.some = 1; m.value = number(r); }
  return m;
}

static void replace(struct text *old, struct text new) { free(old->bytes); *old = new; }

static struct text copied(struct text t) {
  struct text copy = {0, t.count};
  if (t.count) { copy.bytes = malloc(t.count); memcpy(copy.bytes, t.bytes, t.count); }
  return copy;
}

static struct list copied_list(struct list l) {
  struct list copy = {0, l.count};
  size_t size = l.count * sizeof *l.items;
  if (size) { copy.items = malloc(size); memcpy(copy.items, l.items, size); }
  return copy;
}

static void *item(const struct table *t, int64_t id, size_t size) {
  if (id < 0 || (uint64_t)id >= t->next) return 0;
  return (char *)t->chunks[id >> chunk_bits] + (size_t)(id & (chunk_size - 1)) * size;
}

static void *added(struct table *t, size_t size) {
  if (t->next >> chunk_bits == t->chunk_count) {
    if (t->chunk_count == t->chunk_capacity) {
      t->chunk_capacity = t->chunk_capacity ? 2 * t->chunk_capacity : 64;
      t->chunks = realloc(t->chunks, t->chunk_capacity * sizeof *t->chunks);
    }
    t->chunks[t->chunk_count++] = malloc(chunk_size * size);
  }
  void *place = item(&(struct table){t->chunks, 0, 0, t->next + 1}, (int64_t)t->next, size);
  t->next++;
  return memset(place, 0, size);
}

static struct entry *entry(struct state *s, int64_t id) {
  struct entry *e = item(&s->entries, id, sizeof *e);
  if (e && e->present) return e;
  s->missing++;
  return 0;
}

static void drop(struct state *s, struct entry *e) {
  free(e->description.bytes);
  free(e->tags.items);
  memset(e, 0, sizeof *e);
  s->live--;
}

static void evict(struct state *s) {
  while (s->live > s->limit) {
    struct entry *e = item(&s->entries, s->oldest++, sizeof *e);
    if (e && e->present) drop(s, e);
  }
}

static void insert(struct state *s, struct entry e) {
  e.present = 1;
  *(struct entry *)added(&s->entries, sizeof e) = e;
  s->live++;
  evict(s);
}

static struct entry copy_of(const struct entry *e) {
  struct entry copy = *e;
  copy.description = copied(e->description);
  copy.tags = copied_list(e->tags);
  return copy;
}

static int64_t elapsed(int64_t from, int64_t to) { return to > from ? to - from : 0; }

static void timer(struct reader *r, struct state *s, int64_t moment) {
  int64_t which = number(r);
  if (which == 0) { // started
    struct entry e;
    memset(&e, 0, sizeof e);
    e.description = string(r);
    struct maybe project = optional(r), task = optional(r);
    e.project = project.value; e.has_project = project.some;
    e.task = task.value; e.has_task = task.some;
    e.tags = numbers(r);
    struct maybe start = optional(r);
    e.start = start.some ? start.value : moment;
    e.billable = flag(r);
    insert(s, e);
    return;
  }
  int64_t id = number(r);
  struct entry *e, copy;
  switch (which) {
  case 1: // stopped
    if ((e = entry(s, id))) {
      e->duration = elapsed(e->start, moment); e->has_duration = 1; e->revision++;
    }
    return;
  case 2: // continued
    if (!(e = entry(s, id))) return;
    copy = copy_of(e);
    copy.start = moment; copy.duration = 0; copy.has_duration = 0; copy.revision = 0;
    insert(s, copy);
    return;
  case 3: // deleted
    if ((e = entry(s, id))) drop(s, e);
    return;
  case 4: // limited
    s->limit = id;
    evict(s);
    return;
  case 5: // moved
    { int64_t start = number(r); if ((e = entry(s, id))) { e->start = start; e->revision++; } }
    return;
  case 6: { // merged
    int64_t into = number(r);
    if (id == into) { s->missing++; return; }
    struct entry *other;
    if (!(e = entry(s, id)) || !(other = entry(s, into))) return;
    other->duration += e->has_duration ? e->duration : 0;
    other->has_duration = 1; other->revision++;
    drop(s, e);
    return;
  }
  case 7: { // split
    int64_t time = number(r);
    if (!(e = entry(s, id))) return;
    copy = copy_of(e);
    e->duration = time; e->has_duration = 1; e->revision++;
    copy.start += time; copy.revision = 0;
    insert(s, copy);
    return;
  }
  default: r->bad = 1;
  }
}

static void patch(struct reader *r, struct state *s, int64_t id) {
  struct entry *e = entry(s, id), ignored;
  memset(&ignored, 0, sizeof ignored);
  if (!e) e = &ignored;
  if (number(r)) replace(&e->description, string(r));
  if (number(r)) { e->project = number(r); e->has_project = 1; }
  if (number(r)) { free(e->tags.items); e->tags = numbers(r); }
  if (number(r)) e->start = number(r);
  if (number(r)) { e->duration = number(r); e->has_duration = 1; }
  if (number(r)) e->billable = flag(r);
  e->revision++;
  free(ignored.description.bytes);
  free(ignored.tags.items);
}

static void editor(struct reader *r, struct state *s) {
  int64_t which = number(r), id = number(r);
  struct entry *e;
  switch (which) {
  case 0: { // described
    struct text t = string(r);
    if (!(e = entry(s, id))) { free(t.bytes); return; }
    replace(&e->description, t);
    break;
  }
  case 1: patch(r, s, id); return;
  case 2: { // assigned
    struct maybe m = optional(r);
    if (!(e = entry(s, id))) return;
    e->project = m.value; e->has_project = m.some;
    break;
  }
  case 3: { // tagged
    struct list l = numbers(r);
    if (!(e = entry(s, id))) { free(l.items); return; }
    free(e->tags.items);
    e->tags = l;
    break;
  }
  case 4: // billing toggled
    if (!(e = entry(s, id))) return;
    e->billable ^= 1;
    break;
  case 5: { // tasked
    struct maybe m = optional(r);
    if (!(e = entry(s, id))) return;
    e->task = m.value; e->has_task = m.some;
    break;
  }
  case 6: { // timed
    int64_t time = number(r);
    if (!(e = entry(s, id))) return;
    e->duration = time; e->has_duration = 1;
    break;
  }
  case 7: // duplicated
    if ((e = entry(s, id))) insert(s, copy_of(e));
    return;
  case 8: { // colored
    int32_t color = (int32_t)number(r);
    if (!(e = entry(s, id))) return;
    e->color = color;
    break;
  }
  default: r->bad = 1; return;
  }
  e->revision++;
}

static void calendar(struct reader *r, struct state *s) {
  switch (number(r)) {
  case 0: s->calendar.day = number(r); return;
  case 1: s->calendar.week = number(r); return;
  case 2: s->calendar.zoom = (int32_t)number(r); return;
  case 3: s->calendar.selected = (struct maybe){number(r), 1}; return;
  case 4: s->calendar.selected = (struct maybe){0, 0}; return;
  case 5:
    replace(&s->calendar.appointment, string(r));
    number(r);
    s->calendar.appointed += number(r);
    return;
  case 6: s->calendar.offset += (int32_t)number(r); return;
  default: r->bad = 1;
  }
}

static void projects(struct reader *r, struct state *s) {
  int64_t which = number(r);
  struct project *p;
  if (which == 0) {
    struct text name = string(r);
    int32_t color = (int32_t)number(r);
    p = added(&s->projects, sizeof *p);
    p->name = name; p->color = color;
    return;
  }
  if (which == 6) { s->project_order = number(r); return; }
  p = item(&s->projects, number(r), sizeof *p);
  if (!p) s->missing_projects++;
  switch (which) {
  case 1: { struct text t = string(r); if (p) replace(&p->name, t); else free(t.bytes); return; }
  case 2: { int32_t color = (int32_t)number(r); if (p) p->color = color; return; }
  case 3: if (p) p->archived = 1; return;
  case 4: if (p) p->archived = 0; return;
  case 5: if (p) p->favorite ^= 1; return;
  default: r->bad = 1;
  }
}

static void tags(struct reader *r, struct state *s) {
  int64_t which = number(r);
  struct tag *t;
  switch (which) {
  case 0: {
    struct text name = string(r);
    t = added(&s->tags, sizeof *t);
    t->name = name;
    return;
  }
  case 1: {
    t = item(&s->tags, number(r), sizeof *t);
    struct text name = string(r);
    if (t) replace(&t->name, name); else { free(name.bytes); s->missing_tags++; }
    return;
  }
  case 2:
    if ((t = item(&s->tags, number(r), sizeof *t))) t->uses++; else s->missing_tags++;
    return;
  case 3: {
    t = item(&s->tags, number(r), sizeof *t);
    struct tag *other = item(&s->tags, number(r), sizeof *t);
    if (t && other) t->uses += other->uses; else s->missing_tags++;
    return;
  }
  case 4: replace(&s->tag_query, string(r)); return;
  case 5: replace(&s->tag_query, (struct text){0, 0}); return;
  default: r->bad = 1;
  }
}

static void clients(struct reader *r, struct state *s) {
  int64_t which = number(r);
  struct client *c;
  if (which == 0) {
    struct text name = string(r);
    c = added(&s->clients, sizeof *c);
    c->name = name;
    return;
  }
  c = item(&s->clients, number(r), sizeof *c);
  if (!c) s->missing_clients++;
  switch (which) {
  case 1: { struct text t = string(r); if (c) replace(&c->name, t); else free(t.bytes); return; }
  case 2: if (c) c->archived = 1; return;
  case 3: { int64_t rate = number(r); if (c) c->rate = rate; return; }
  case 4: { struct text t = string(r); if (c) replace(&c->notes, t); else free(t.bytes); return; }
  case 5: { int64_t amount = number(r); if (c) c->billed += amount; return; }
  default: r->bad = 1;
  }
}

static void reports(struct reader *r, struct state *s) {
  switch (number(r)) {
  case 0: s->reports.from = number(r); s->reports.to = number(r); return;
  case 1: s->reports.grouping = number(r); return;
  case 2: s->reports.project = optional(r); return;
  case 3: s->reports.tag = optional(r); return;
  case 4: s->reports.rounding = number(r); return;
  case 5: replace(&s->reports.file, string(r)); s->reports.exports++; return;
  case 6:
    s->reports.project = s->reports.tag = (struct maybe){0, 0};
    s->reports.rounding = 0;
    return;
  default: r->bad = 1;
  }
}

static void settings(struct reader *r, struct state *s) {
  switch (number(r)) {
  case 0: s->settings.theme = number(r); return;
  case 1: s->settings.week_start = (int32_t)number(r); return;
  case 2: replace(&s->settings.format, string(r)); return;
  case 3: s->settings.rounds ^= 1; return;
  case 4: s->settings.idle = number(r); return;
  case 5: replace(&s->settings.language, string(r)); return;
  case 6: s->settings.notifies = flag(r); return;
  default: r->bad = 1;
  }
}

static struct place place(struct reader *r) {
  struct place p = {number(r), 0, {0, 0}};
  if (p.which == 1 || p.which == 2) p.id = number(r);
  else if (p.which == 3) p.query = string(r);
  else if (p.which != 0) r->bad = 1;
  return p;
}

static void navigation(struct reader *r, struct state *s) {
  struct place *places = s->navigation.places;
  switch (number(r)) {
  case 0:
    if (s->navigation.count == 16) {
      free(places[0].query.bytes);
      memmove(places, places + 1, 15 * sizeof *places);
      s->navigation.count--;
    }
    places[s->navigation.count++] = place(r);
    return;
  case 1:
    if (s->navigation.count) free(places[--s->navigation.count].query.bytes);
    return;
  case 2:
    if (s->navigation.count) free(places[--s->navigation.count].query.bytes);
    places[s->navigation.count++] = place(r);
    return;
  case 3: s->navigation.tab = (int32_t)number(r); return;
  case 4: replace(&s->navigation.sheet, string(r)); s->navigation.has_sheet = 1; return;
  case 5: replace(&s->navigation.sheet, (struct text){0, 0}); s->navigation.has_sheet = 0; return;
  default: r->bad = 1;
  }
}

static void sync_(struct reader *r, struct state *s) {
  switch (number(r)) {
  case 0: s->sync.pending = number(r); return;
  case 1:
    s->sync.revision = number(r);
    s->sync.changes += number(r);
    s->sync.next = (struct maybe){0, 0};
    return;
  case 2: s->sync.failures += (number(r) & 1) + 1; replace(&s->sync.message, string(r)); return;
  case 3: s->sync.conflict = (struct maybe){number(r), 1}; s->sync.kept += flag(r); return;
  case 4: s->sync.next = (struct maybe){number(r), 1}; return;
  case 5: free(s->sync.message.bytes); memset(&s->sync, 0, sizeof s->sync); return;
  default: r->bad = 1;
  }
}

int state_fold(struct state *s, const uint8_t *bytes, const uint8_t *end, int64_t moment) {
  struct reader r = {bytes, end, 0};
  switch (number(&r)) {
  case 0: timer(&r, s, moment); break;
  case 1: editor(&r, s); break;
  case 2: calendar(&r, s); break;
  case 3: projects(&r, s); break;
  case 4: tags(&r, s); break;
  case 5: clients(&r, s); break;
  case 6: reports(&r, s); break;
  case 7: settings(&r, s); break;
  case 8: navigation(&r, s); break;
  case 9: sync_(&r, s); break;
  default: r.bad = 1;
  }
  return !r.bad && r.at == r.end;
}

void state_begin(struct state *s) {
  memset(s, 0, sizeof *s);
  s->limit = INT64_MAX;
  s->settings.week_start = 1;
  s->settings.notifies = 1;
}

static void mix(uint64_t *h, int64_t value) {
  *h = (*h ^ (uint64_t)value) * 0x9E3779B97F4A7C15ull;
  *h ^= *h >> 29;
}

static void mix_text(uint64_t *h, struct text t) {
  mix(h, t.count);
  for (uint32_t i = 0; i < t.count; i++) *h = (*h ^ (uint8_t)t.bytes[i]) * 0x100000001b3ull;
}

static void mix_maybe(uint64_t *h, uint8_t some, int64_t value) {
  mix(h, some);
  if (some) mix(h, value);
}

static void mix_tables(uint64_t *h, const struct state *s) {
  for (int64_t id = 0; (uint64_t)id < s->projects.next; id++) {
    const struct project *p = item(&s->projects, id, sizeof *p);
    mix_text(h, p->name);
    mix(h, p->color); mix(h, p->archived); mix(h, p->favorite);
  }
  for (int64_t id = 0; (uint64_t)id < s->tags.next; id++) {
    const struct tag *t = item(&s->tags, id, sizeof *t);
    mix_text(h, t->name);
    mix(h, t->uses);
  }
  for (int64_t id = 0; (uint64_t)id < s->clients.next; id++) {
    const struct client *c = item(&s->clients, id, sizeof *c);
    mix_text(h, c->name); mix_text(h, c->notes);
    mix(h, c->rate); mix(h, c->billed); mix(h, c->archived);
  }
}

uint64_t state_checksum(const struct state *s) {
  uint64_t sum = 1, *h = &sum;
  for (int64_t id = 0; (uint64_t)id < s->entries.next; id++) {
    const struct entry *e = item(&s->entries, id, sizeof *e);
    if (!e->present) continue;
    mix(h, id);
    mix_text(h, e->description);
    mix_maybe(h, e->has_project, e->project);
    mix_maybe(h, e->has_task, e->task);
    mix(h, e->tags.count);
    for (uint32_t i = 0; i < e->tags.count; i++) mix(h, e->tags.items[i]);
    mix(h, e->start);
    mix_maybe(h, e->has_duration, e->duration);
    mix(h, e->billable); mix(h, e->color); mix(h, e->revision);
  }
  mix(h, s->limit); mix(h, s->oldest); mix(h, s->missing);
  mix_tables(h, s);
  mix(h, s->project_order); mix(h, s->missing_projects);
  mix_text(h, s->tag_query); mix(h, s->missing_tags); mix(h, s->missing_clients);
  mix(h, s->calendar.day); mix(h, s->calendar.week); mix(h, s->calendar.zoom);
  mix(h, s->calendar.offset); mix_maybe(h, s->calendar.selected.some, s->calendar.selected.value);
  mix_text(h, s->calendar.appointment); mix(h, s->calendar.appointed);
  mix(h, s->reports.from); mix(h, s->reports.to); mix(h, s->reports.grouping);
  mix_maybe(h, s->reports.project.some, s->reports.project.value);
  mix_maybe(h, s->reports.tag.some, s->reports.tag.value);
  mix(h, s->reports.rounding); mix_text(h, s->reports.file); mix(h, s->reports.exports);
  mix(h, s->settings.theme); mix(h, s->settings.week_start); mix_text(h, s->settings.format);
  mix(h, s->settings.rounds); mix(h, s->settings.idle); mix_text(h, s->settings.language);
  mix(h, s->settings.notifies);
  mix(h, s->navigation.count);
  for (int i = 0; i < s->navigation.count; i++) {
    const struct place *p = &s->navigation.places[i];
    mix(h, p->which); mix(h, p->id); mix_text(h, p->query);
  }
  mix(h, s->navigation.tab);
  mix(h, s->navigation.has_sheet); mix_text(h, s->navigation.sheet);
  mix(h, s->sync.pending); mix(h, s->sync.revision); mix(h, s->sync.changes);
  mix(h, s->sync.failures); mix_text(h, s->sync.message);
  mix_maybe(h, s->sync.conflict.some, s->sync.conflict.value); mix(h, s->sync.kept);
  mix_maybe(h, s->sync.next.some, s->sync.next.value);
  return sum;
}

static void end_table(struct table *t) {
  for (uint64_t i = 0; i < t->chunk_count; i++) free(t->chunks[i]);
  free(t->chunks);
}

void state_end(struct state *s) {
  for (int64_t id = 0; (uint64_t)id < s->entries.next; id++) {
    struct entry *e = item(&s->entries, id, sizeof *e);
    free(e->description.bytes);
    free(e->tags.items);
  }
  for (int64_t id = 0; (uint64_t)id < s->projects.next; id++)
    free(((struct project *)item(&s->projects, id, sizeof(struct project)))->name.bytes);
  for (int64_t id = 0; (uint64_t)id < s->tags.next; id++)
    free(((struct tag *)item(&s->tags, id, sizeof(struct tag)))->name.bytes);
  for (int64_t id = 0; (uint64_t)id < s->clients.next; id++) {
    struct client *c = item(&s->clients, id, sizeof *c);
    free(c->name.bytes);
    free(c->notes.bytes);
  }
  end_table(&s->entries);
  end_table(&s->projects);
  end_table(&s->tags);
  end_table(&s->clients);
  for (int i = 0; i < s->navigation.count; i++) free(s->navigation.places[i].query.bytes);
  free(s->calendar.appointment.bytes);
  free(s->tag_query.bytes);
  free(s->reports.file.bytes);
  free(s->settings.format.bytes);
  free(s->settings.language.bytes);
  free(s->navigation.sheet.bytes);
  free(s->sync.message.bytes);
}
