// The import of a time log in plain C over the same liblmdb: the table read and parsed, six columns
// of each row written as a record into the blocks of a log, one commit for each thousand rows,
// which waits for the disk. Left out: the names of users and projects, overlaps and rows that are
// there already, what the reducer does, checksums and chain.
#include "baseline.h"

#include <fcntl.h>
#include <lmdb.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
  header_bytes = 80, block_bytes = 4 * 4096 - 16, batch = 1000, columns = 32, wanted = 6,
  text_bytes = 256
};

struct field { const char *at; size_t count; };

struct import {
  const char *at, *end;
  struct field fields[columns];
  int count;
  MDB_env *env;
  MDB_txn *txn;
  MDB_dbi dbi;
  uint8_t block[block_bytes];
  size_t length;
  uint64_t first, rows;
};

static uint64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

// The fields of the next line; text in quotes may have commas and line ends, quotes stay doubled.
static int next_line(struct import *s) {
  if (s->at == s->end) return 0;
  s->count = 0;
  while (1) {
    int quoted = s->at < s->end && *s->at == '"';
    const char *start = s->at += quoted, *stop;
    while (s->at < s->end && (quoted || (*s->at != ',' && *s->at != '\n')))
      if (*s->at++ == '"' && quoted) {
        if (s->at < s->end && *s->at == '"') s->at++;
        else break;
      }
    stop = quoted ? s->at - 1 : s->at;
    if (!quoted && stop > start && stop[-1] == '\r') stop--;
    while (s->at < s->end && *s->at != ',' && *s->at != '\n') s->at++;
    if (s->count < columns) s->fields[s->count++] = (struct field){start, (size_t)(stop - start)};
    if (s->at == s->end) return 1;
    if (*s->at++ == '\n') return 1;
  }
}

static int number(const char **at, const char *end, int64_t *value) {
  const char *start = *at;
  for (*value = 0; *at < end && **at >= '0' && **at <= '9'; ++*at)
    *value = *value * 10 + (**at - '0');
  return *at > start;
}

static int whole(struct field f, int64_t *value) {
  const char *at = f.at;
  return number(&at, f.at + f.count, value) && at == f.at + f.count;
}

// Seconds since 1970 of a start such as 7/31/2012 9:05.
static int start_of(struct field f, int64_t *seconds) {
  int64_t part[5];
  const char *at = f.at, *end = f.at + f.count;
  for (int i = 0; i < 5; i++) {
    if (!number(&at, end, &part[i])) return 0;
    if (i < 4 && (at == end || *at++ != "// :"[i])) return 0;
  }
  if (at != end) return 0;
  int64_t month = part[0], day = part[1], year = part[2] - (month <= 2);
  int64_t days = 365 * year + year / 4 - year / 100 + year / 400
    + (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1 - 719468;
  *seconds = days * 86400 + part[3] * 3600 + part[4] * 60;
  return 1;
}

static uint8_t *put_number(uint8_t *out, int64_t value) {
  uint64_t raw = (uint64_t)value << 1 ^ (uint64_t)(value >> 63);
  for (; raw >= 0x80; raw >>= 7) *out++ = (uint8_t)raw | 0x80;
  *out++ = (uint8_t)raw;
  return out;
}

static uint8_t *put_text(uint8_t *out, struct field f) {
  size_t count = f.count < text_bytes ? f.count : text_bytes;
  out = put_number(out, (int64_t)count);
  memcpy(out, f.at, count);
  return out + count;
}

static int put_block(struct import *s) {
  uint64_t number = __builtin_bswap64(s->first);
  MDB_val key = {sizeof number, &number}, value = {s->length, s->block};
  return mdb_put(s->txn, s->dbi, &key, &value, 0);
}

static int take_row(struct import *s, const int *at) {
  int64_t start, minutes, user, project;
  uint8_t record[64 + 2 * text_bytes], *out = record;
  for (int i = 0; i < wanted; i++)
    if (at[i] >= s->count) return 0;
  if (!start_of(s->fields[at[0]], &start) || !whole(s->fields[at[1]], &minutes)
      || !whole(s->fields[at[2]], &user) || !whole(s->fields[at[3]], &project)) return 0;
  out = put_number(out, user);
  out = put_number(out, project);
  out = put_number(out, start * 1000000);
  out = put_number(out, minutes * 60000000);
  out = put_text(out, s->fields[at[4]]);
  out = put_text(out, s->fields[at[5]]);
  size_t size = (size_t)(out - record);
  int rc = 0;
  if (s->rows % batch == 0) rc = mdb_txn_begin(s->env, 0, 0, &s->txn);
  if (rc == 0 && s->length + 4 + size > block_bytes) {
    rc = put_block(s);
    s->first = s->rows + 1;
    s->length = header_bytes;
  }
  // The length in two bytes, no flags, no time since the previous record.
  uint8_t *to = s->block + s->length;
  to[0] = (uint8_t)(size + 2) | 0x80;
  to[1] = (uint8_t)((size + 2) >> 7);
  to[2] = to[3] = 0;
  memcpy(to + 4, record, size);
  s->length += 4 + size;
  s->rows++;
  if (rc == 0 && s->rows % batch == 0) rc = put_block(s);
  if (rc == 0 && s->rows % batch == 0) rc = mdb_txn_commit(s->txn);
  return rc;
}

static int find_columns(struct import *s, int *at) {
  static const char *const names[wanted] = {
    "time_log_start_date", "time_log_delta_minutes", "person_key", "project_key",
    "phase_short_name", "time_log_fact_key"
  };
  if (!next_line(s)) return -1;
  for (int i = 0; i < wanted; i++) {
    at[i] = -1;
    for (int field = 0; field < s->count; field++)
      if (s->fields[field].count == strlen(names[i])
          && memcmp(s->fields[field].at, names[i], s->fields[field].count) == 0) at[i] = field;
    if (at[i] < 0) return -1;
  }
  return 0;
}

static int open_log(struct import *s, const char *folder) {
  int rc = mdb_env_create(&s->env);
  if (rc == 0) rc = mdb_env_set_maxdbs(s->env, 16);
  if (rc == 0) rc = mdb_env_set_mapsize(s->env, (size_t)16 << 30);
  if (rc == 0) rc = mdb_env_open(s->env, folder, MDB_NOTLS | MDB_NORDAHEAD, 0600);
  if (rc == 0) rc = mdb_txn_begin(s->env, 0, 0, &s->txn);
  if (rc == 0) rc = mdb_dbi_open(s->txn, "log", MDB_CREATE, &s->dbi);
  return rc ? rc : mdb_txn_commit(s->txn);
}

static char *read_file(const char *path, size_t *count) {
  struct stat info;
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0 || fstat(file, &info) != 0) return 0;
  char *bytes = malloc((size_t)info.st_size + 1);
  *count = 0;
  while (*count < (size_t)info.st_size) {
    ssize_t got = read(file, bytes + *count, (size_t)info.st_size - *count);
    if (got <= 0) break;
    *count += (size_t)got;
  }
  close(file);
  return bytes;
}

struct baseline_import baseline_import(const char *table, const char *folder) {
  struct baseline_import out = {0, 0, 0};
  static struct import s;
  int at[wanted];
  size_t size = 0;
  uint64_t start = now();
  memset(&s, 0, sizeof s);
  s.first = 1;
  s.length = header_bytes;
  char *bytes = read_file(table, &size);
  if (!bytes) { out.error = -1; return out; }
  s.at = bytes;
  s.end = bytes + size;
  int rc = open_log(&s, folder);
  if (rc == 0) rc = find_columns(&s, at);
  while (rc == 0 && next_line(&s)) rc = take_row(&s, at);
  if (rc == 0 && s.rows % batch != 0) {
    rc = put_block(&s);
    if (rc == 0) rc = mdb_txn_commit(s.txn);
  }
  mdb_env_close(s.env);
  free(bytes);
  out.nanoseconds = now() - start;
  out.rows = s.rows;
  out.error = rc;
  return out;
}
