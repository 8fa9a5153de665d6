// A store of the tracker as a C program opens it over the same liblmdb. Left out are the files and
// locks beside the two environments, sessions, schemas, effects, and the reducer.
#ifndef RETRACE_START_STORE_H
#define RETRACE_START_STORE_H
#include <lmdb.h>
#include <stddef.h>
#include <stdint.h>

struct table { uint64_t next, count; const uint8_t *groups; };

struct store {
  MDB_env *env, *derived;
  MDB_txn *txn, *pages_txn; // read transactions
  MDB_dbi blocks, meta, pages;
  uint8_t identity[16];
  uint64_t snapshot; // its sequence
  struct table users, entries;
  volatile uint64_t sum;
};

struct entry {
  int64_t id, user, project, start, end; // -1: no project; INT64_MAX: running
  const uint8_t *text;
  int64_t text_count;
};

struct user { const char *name; int64_t id; };

// The ids and ends to look for; both bounds of each range are inclusive.
struct range { int64_t first_id, last_id, first_end, last_end; };

// Ends the program with a message unless `holds`.
void need(int holds, const char *what);

// Opens both environments, checks the newest snapshot, and checks and walks the records after it.
void store_open(struct store *s, const char *path, int writes);
// Checks the newest snapshot of a store of any app, and returns its sequence.
uint64_t store_newest_snapshot(const char *path);
// Returns the sequences of all snapshots, in memory that the caller frees.
uint64_t *store_snapshots(const char *path, size_t *count);
// Decodes the entries of all leaves that the range meets, and calls the body with those in the
// range that are not deleted; each page is checked by its hash.
void store_entries(
    struct store *s, struct range range, void (*body)(void *, const struct entry *), void *context);
// Returns the id of the user of a name in small letters; -1 if there is none.
int64_t store_user(struct store *s, const char *name);
// Reads a number of pages of the table that no look-up read, and adds up their bytes.
void store_read_more(struct store *s, int64_t pages);
// Appends a record of `bytes` bytes in one commit that is synced to disk: writes the last block
// again, with its checksum, and the head with the chain.
void store_append(struct store *s, size_t bytes);
void store_close(struct store *s);
#endif
