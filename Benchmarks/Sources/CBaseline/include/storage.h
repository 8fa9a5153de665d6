#ifndef RETRACE_BASELINE_STORAGE_H
#define RETRACE_BASELINE_STORAGE_H
#include <stddef.h>
#include <stdint.h>

/// Records that lie one after another.
struct storage_records {
  const uint8_t *_Nonnull bytes;
  /// Where each begins; one more than there are records.
  const uint32_t *_Nonnull offsets;
  uint64_t count;
};

/// What a run did; error is an LMDB or system code.
struct storage_result {
  uint64_t nanoseconds;
  uint64_t records;
  uint64_t checksum;
  int error;
};

/// Opens an environment in an empty folder and appends one key (8 bytes, big-endian, from 1) per
/// record, in transactions of `batch` records that are not synced to disk.
struct storage_result storage_append(
  const char *_Nonnull folder, struct storage_records records, uint64_t batch);

/// Appends blocks of 16 KiB of records shorter than 126 bytes, in transactions of `batch` records,
/// each of which writes the last block again and is synced to disk, where the file system does so.
struct storage_result storage_append_blocks(
  const char *_Nonnull folder, struct storage_records records, uint64_t batch);

/// The same, timed by the wall clock, which includes the waits for the disk.
struct storage_result storage_commit_groups(
  const char *_Nonnull folder, struct storage_records records, uint64_t group);

/// Reads all values with a cursor, in one read transaction, and sums the first byte of each.
struct storage_result storage_scan(const char *_Nonnull folder);

/// Appends records to a plain file in writes of `batch` records, each followed by fdatasync.
struct storage_result storage_file(
  const char *_Nonnull path, struct storage_records records, uint64_t batch);

/// Commits each record by itself and syncs it to disk, as the log does: a commit writes the block
/// of the record again, and a head of 72 bytes. With `on_thread`, the
/// caller wakes another thread, which commits, and waits for it.
struct storage_result storage_commit(
  const char *_Nonnull folder, struct storage_records records, int on_thread);

/// Returns the checksum that ours and C compute: the sum of all lengths and first bytes.
uint64_t storage_checksum(struct storage_records records);
#endif
