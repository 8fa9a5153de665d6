#ifndef RETRACE_FOLD_H
#define RETRACE_FOLD_H
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
#endif
