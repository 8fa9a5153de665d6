// The state of the workload as a C program would hold it: entities in chunks that never move,
// found by their dense ids; texts and lists each in memory of their own.
#ifndef RETRACE_FOLD_STATE_H
#define RETRACE_FOLD_STATE_H
#include <stdint.h>

struct text { char *bytes; uint32_t count; };
struct list { int64_t *items; uint32_t count; };
struct maybe { int64_t value; uint8_t some; };

struct entry {
  struct text description;
  struct list tags;
  int64_t project, task, start, duration;
  int32_t color, revision;
  uint8_t present, has_project, has_task, has_duration, billable;
};

struct project { struct text name; int32_t color; uint8_t archived, favorite; };
struct tag { struct text name; int64_t uses; };
struct client { struct text name, notes; int64_t rate, billed; uint8_t archived; };
struct place { int64_t which, id; struct text query; };

enum { chunk_bits = 10, chunk_size = 1 << chunk_bits };

// Chunks of one kind of entity; `next` is the id that the next will get.
struct table { void **chunks; uint64_t chunk_count, chunk_capacity, next; };

struct state {
  struct table entries, projects, tags, clients;
  int64_t live, limit, oldest, missing, missing_projects, missing_tags, missing_clients;
  struct { int64_t day, week; int32_t zoom, offset; struct maybe selected;
           struct text appointment; int64_t appointed; } calendar;
  int64_t project_order;
  struct text tag_query;
  struct { int64_t from, to, grouping; struct maybe project, tag; int64_t rounding;
           struct text file; int64_t exports; } reports;
  struct { int64_t theme; int32_t week_start; struct text format; uint8_t rounds;
           int64_t idle; struct text language; uint8_t notifies; } settings;
  struct { struct place places[16]; int count; int32_t tab; struct text sheet; uint8_t has_sheet; }
      navigation;
  struct { int64_t pending, revision, changes, failures; struct text message;
           struct maybe conflict; int64_t kept; struct maybe next; } sync;
};

// Makes the state before the first record.
void state_begin(struct state *s);
// Decodes an action and changes the state; returns whether the bytes were understood.
int state_fold(struct state *s, const uint8_t *bytes, const uint8_t *end, int64_t moment);
// A checksum of everything in the state.
uint64_t state_checksum(const struct state *s);
// Frees what the state holds.
void state_end(struct state *s);
#endif
