// One process from start to exit, which does in plain C over the same liblmdb what a tool or
// `start-probe` does beside it. The last line that a command prints is `operations checksum`, and
// figures of its own after them.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "fold.h"
#include "store.h"

static uint64_t sum = 0xcbf29ce484222325;

// As `start-probe` computes it.
static void add(uint64_t number) {
  sum = (sum ^ number) * 0x100000001b3;
  sum ^= sum >> 29;
}

static int print_result(uint64_t operations) {
  printf("%" PRIu64 " %" PRIu64 "\n", operations, sum);
  return 0;
}

static double milliseconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static const struct range all_running = {0, INT64_MAX, INT64_MAX, INT64_MAX};

static void count_entry(void *context, const struct entry *e) {
  (void)e;
  ++*(uint64_t *)context;
}

struct count_of_user { int64_t user; uint64_t count; };

static void count_of_user(void *context, const struct entry *e) {
  struct count_of_user *c = context;
  c->count += e->user == c->user;
}

// Looks up the first user by name, and the running entry. One that began after the snapshot is not
// found, because that would take the reducer; the one that ran then is, at the same cost.
static uint64_t look_up_running(struct store *s) {
  struct count_of_user c = {store_user(s, "user0"), 0};
  store_entries(s, all_running, count_of_user, &c);
  return c.count;
}

// `status PATH PAGES`: opens the store for reading, looks up the running entry, and reads PAGES
// more pages.
static int status(const char *path, int64_t pages) {
  struct store s;
  store_open(&s, path, 0);
  uint64_t found = look_up_running(&s);
  store_read_more(&s, pages);
  store_close(&s);
  return print_result(found);
}

// `append PATH PAGES BYTES`: opens the store for writing, does the same, and appends a record of
// BYTES bytes in one commit that is synced to disk.
static int append(const char *path, int64_t pages, int64_t count) {
  struct store s;
  store_open(&s, path, 1);
  uint64_t found = look_up_running(&s);
  store_read_more(&s, pages);
  store_append(&s, (size_t)count);
  store_close(&s);
  return print_result(found);
}

// `open PATH BYTES`: opens the store for writing, looks up the running entry, lists the last 30,
// and appends BYTES bytes.
static int open_and_start(const char *path, int64_t count) {
  struct store s;
  store_open(&s, path, 1);
  uint64_t shown = look_up_running(&s);
  int64_t next = (int64_t)s.entries.next;
  struct range last = {next - 30, next - 1, INT64_MIN, INT64_MAX};
  store_entries(&s, last, count_entry, &shown);
  store_append(&s, (size_t)count);
  store_close(&s);
  add(shown);
  add(1);
  return print_result(shown + 1);
}

struct day { int64_t first, last; uint64_t count; };

static void add_entry(void *context, const struct entry *e) {
  struct day *day = context;
  if (e->start > day->last || (e->end <= day->first && e->start != day->first)) return;
  day->count++;
  add((uint64_t)e->id);
  for (int64_t i = 0; i < e->text_count; i++) add(e->text[i]);
}

// `today PATH COUNT FIRST LAST`: lists the entries with ids below COUNT that have time in the
// microseconds FIRST to LAST. An entry of 999 hours may end that long after.
static int today(const char *path, int64_t count, int64_t first, int64_t last) {
  struct store s;
  struct day day = {first, last, 0};
  struct range running = all_running;
  running.last_id = count - 1;
  store_open(&s, path, 0);
  store_entries(&s, (struct range){0, count - 1, first, last + 999 * 3600000000}, add_entry, &day);
  store_entries(&s, running, add_entry, &day);
  store_close(&s);
  return print_result(day.count);
}

struct sums { int64_t *of, count; };

static void add_time(void *context, const struct entry *e) {
  struct sums *sums = context;
  sums->of[e->user * 6 + e->project + 1] += e->end == INT64_MAX ? 0 : (e->end - e->start) / 1000000;
  sums->count++;
}

// `report PATH COUNT USERS FIRST`: the seconds of each user and project, over entries from id FIRST
// on.
static int report(const char *path, int64_t count, int64_t users, int64_t first) {
  struct store s;
  struct sums sums = {calloc((size_t)users * 6, sizeof *sums.of), 0};
  store_open(&s, path, 0);
  store_entries(&s, (struct range){first, count - 1, INT64_MIN, INT64_MAX}, add_time, &sums);
  store_close(&s);
  for (int64_t i = 0; i < users * 6; i++) add((uint64_t)sums.of[i]);
  add((uint64_t)sums.count);
  return print_result((uint64_t)sums.count);
}

// `recover PATH ALL`: folds the records of the workload's log after the newest snapshot, and prints
// the milliseconds and the number of records folded. If ALL is 1, first reads the whole log.
static int recover(const char *path, int reads_all) {
  double start = milliseconds();
  uint64_t newest = store_newest_snapshot(path);
  double time = milliseconds() - start;
  struct fold_result result = fold_recover(path, newest, reads_all);
  need(result.error == 0, "the log cannot be folded");
  add(result.entries);
  printf("1 %" PRIu64 " %f %" PRIu64 "\n", sum, time + (double)result.nanoseconds / 1e6,
         result.records);
  return 0;
}

// `keys PATH BYTES`: on a terminal, appends a record of BYTES bytes in one commit that is synced to
// disk for each byte that is typed, and then writes one cell.
static int keys(const char *path, int64_t count) {
  struct store s;
  struct termios mode;
  char typed;
  need(tcgetattr(0, &mode) == 0, "the standard input is no terminal");
  cfmakeraw(&mode);
  need(tcsetattr(0, TCSANOW, &mode) == 0, "the terminal has no raw mode");
  store_open(&s, path, 1);
  need(write(1, "\033[2J", 4) == 4, "the terminal cannot be written to");
  while (read(0, &typed, 1) == 1) {
    char cell[] = "\033[2;2H?";
    store_append(&s, (size_t)count);
    cell[sizeof cell - 2] = typed;
    need(write(1, cell, sizeof cell - 1) == sizeof cell - 1, "the terminal cannot be written to");
  }
  store_close(&s);
  return 0;
}

static uint64_t random_state;

// SplitMix64, as in `start-probe`.
static uint64_t below(uint64_t limit) {
  random_state += 0x9e3779b97f4a7c15;
  uint64_t mixed = random_state;
  mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9;
  mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111eb;
  return (mixed ^ mixed >> 31) % limit;
}

static int by_place(const void *a, const void *b) {
  const struct fold_place *x = a, *y = b;
  return x->to < y->to ? -1 : x->to > y->to;
}

static int by_time(const void *a, const void *b) {
  const struct fold_place *x = a, *y = b;
  return x->nanoseconds < y->nanoseconds ? -1 : x->nanoseconds > y->nanoseconds;
}

// `seek PATH SEEKS SEED FIRST LAST`: seeks to random sequences of a range, each from the newest
// snapshot that is not after it; the 99th percentile and the median of the times in milliseconds.
static int seek(const char *path, int count, uint64_t seed, uint64_t first, uint64_t last) {
  size_t known;
  uint64_t *snapshots = store_snapshots(path, &known);
  uint64_t *order = calloc((size_t)count, sizeof *order);
  struct fold_place *places = calloc((size_t)count, sizeof *places);
  random_state = seed;
  for (int i = 0; i < count; i++) {
    order[i] = places[i].to = first + below(last - first + 1);
    for (size_t k = 0; k < known && snapshots[k] <= places[i].to; k++)
      places[i].from = snapshots[k];
  }
  qsort(places, (size_t)count, sizeof *places, by_place);
  need(fold_seek(path, places, (size_t)count) == 0, "the log cannot be folded");
  for (int i = 0; i < count; i++) {
    struct fold_place wanted = {.to = order[i]}, *found;
    found = bsearch(&wanted, places, (size_t)count, sizeof *places, by_place);
    add(order[i]);
    add(found->entries);
  }
  qsort(places, (size_t)count, sizeof *places, by_time);
  int p99 = count * 99 / 100 < count ? count * 99 / 100 : count - 1;
  printf("%d %" PRIu64 " %f %f\n", count, sum, (double)places[p99].nanoseconds / 1e6,
         (double)places[count / 2].nanoseconds / 1e6);
  return 0;
}

int main(int count, char **words) {
  const char *name = count > 1 ? words[1] : "", *path = count > 2 ? words[2] : "";
  int64_t n[4] = {0};
  for (int i = 3; i < count && i < 7; i++) n[i - 3] = atoll(words[i]);
  if (!strcmp(name, "nothing")) return print_result(1);
  if (!strcmp(name, "status")) return status(path, n[0]);
  if (!strcmp(name, "append")) return append(path, n[0], n[1]);
  if (!strcmp(name, "open")) return open_and_start(path, n[0]);
  if (!strcmp(name, "keys")) return keys(path, n[0]);
  if (!strcmp(name, "today")) return today(path, n[0], n[1], n[2]);
  if (!strcmp(name, "report")) return report(path, n[0], n[1], n[2]);
  if (!strcmp(name, "recover")) return recover(path, (int)n[0]);
  if (!strcmp(name, "seek"))
    return seek(path, (int)n[0], (uint64_t)n[1], (uint64_t)n[2], (uint64_t)n[3]);
  need(0, "there is no such command");
}
