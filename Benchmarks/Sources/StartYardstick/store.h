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
  int64_t running;   // the first user's entry that runs then
  struct table entries;
};

struct entry {
  int64_t id, user, project, start, duration; // -1: no project, running
  const uint8_t *text;
  int64_t text_count;
};

// The ids and starts to look for; both ends of each range are inclusive.
struct range { int64_t first_id, last_id, first_start, last_start; };

// Ends the program with a message unless `holds`.
void need(int holds, const char *what);

// Opens both environments, checks the newest snapshot, and checks and walks the records after it.
void store_open(struct store *s, const char *path, int writes);
// Checks the newest snapshot of a store of any app, and returns its sequence.
uint64_t store_newest_snapshot(const char *path);
// Returns the sequences of all snapshots, in memory that the caller frees.
uint64_t *store_snapshots(const char *path, size_t *count);
// Decodes the entries of all leaves that the range meets; each page is checked by its hash.
void store_entries(
    struct store *s, struct range range, void (*body)(void *, const struct entry *), void *context);
// Appends a record of `bytes` bytes in one commit that is synced to disk: writes the last block
// again, with its checksum, and the head with the chain.
void store_append(struct store *s, size_t bytes);
void store_close(struct store *s);
#endif
