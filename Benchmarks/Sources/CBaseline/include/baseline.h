#ifndef RETRACE_BASELINE_H
#define RETRACE_BASELINE_H
#include <stdint.h>

/// What a fold of a tracker's log found, and how long its parts took.
struct baseline_result {
  uint64_t records;
  uint64_t actions;
  uint64_t bytes;    // of records, framing and envelopes included
  uint64_t entries;  // visible at the end
  uint64_t seconds;  // the sum of the ended ones' durations
  uint64_t scan_ns;  // blocks and records walked
  uint64_t whole_ns; // walked, decoded and folded
  int error;         // 0, an LMDB code, or -1 for bytes that are not understood
};

/// Nanoseconds that the calling thread has run.
uint64_t baseline_now(void);

/// Reads and folds the log of a tracker's store in one read transaction.
struct baseline_result baseline_fold(const char *store);

/// The result of an import, and its wall time.
struct baseline_import {
  uint64_t nanoseconds;
  uint64_t rows; // that could be imported
  int error;     // 0, an LMDB code, or -1 for a table that cannot be read
};

/// Imports a time log into a log in an empty folder.
struct baseline_import baseline_import(const char *table, const char *folder);
#endif
