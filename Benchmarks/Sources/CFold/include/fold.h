#ifndef RETRACE_FOLD_H
#define RETRACE_FOLD_H
#include <stddef.h>
#include <stdint.h>

/// What a fold of the workload's log found, and how long it took.
struct fold_result {
  uint64_t records;
  uint64_t actions;
  uint64_t bytes;       // of records, framing and envelopes included
  uint64_t entries;     // living at the end
  uint64_t checksum;    // of everything in the last state
  uint64_t chain;       // the first 8 bytes of the chain after the last record
  uint64_t nanoseconds; // of the calling thread, for all but the checksum of the state
  int error;            // 0, an LMDB code, or -1 for bytes that are not understood
};

/// Reads the log of a store in one read transaction: walks the records, checks each block's
/// checksum, recomputes the chain if asked to, decodes the actions and folds them into a state.
struct fold_result fold_workload(const char *_Nonnull store, int chains);

/// A place to seek to.
struct fold_place {
  uint64_t from;        // the sequence of a state that is known, at most `to`
  uint64_t to;
  uint64_t nanoseconds; // wall time from `from` to `to`
  uint64_t records;     // folded on the way
  uint64_t entries;     // present at `to`
};

/// Seeks to places, in their order: blocks are checked, records decoded and folded.
///
/// The state at each `from` comes from a fold that is not timed. One fold reaches all places with
/// the same `from`, and the time of each counts from there.
///
/// Returns 0, an LMDB code, or -1 for bytes that are not understood or places out of order.
int fold_seek(const char *_Nonnull store, struct fold_place *_Nonnull places, size_t count);

/// Opens a store and folds the records after `from`, on a state that comes from a fold which is not
/// timed. With `reads_all`, first reads every key, and the first byte of every value, of the log's
/// environment.
struct fold_result fold_recover(const char *_Nonnull store, uint64_t from, int reads_all);
#endif
