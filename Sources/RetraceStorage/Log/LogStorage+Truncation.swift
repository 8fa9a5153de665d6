import LMDBFile
import RetraceLMDB
import RetraceSystem
import Synchronization

extension LogStorage {
  /// Checks that the data file has not shrunk since the last transaction.
  ///
  /// Each transaction begins with this check, because reading a mapped page past the end of the
  /// file raises SIGBUS. A file that is truncated during a transaction still crashes the process;
  /// the next open then reports the damage.
  ///
  /// - Complexity: One system call.
  /// - Throws: ``StoreError/Code/damaged(sequence:)`` if pages in use are missing.
  func requireNotTruncated() throws(StoreError) {
    let bytes = try StoreError.lmdb(
      try environment.dataFileBytes(), in: path, doing: "be read")
    let known = knownSize.note(bytes)
    guard bytes < known, !isInMemory else { return }
    do throws(StructureFailure) {
      // Perhaps only free pages are missing.
      guard try StructureCheck.check(store.file("data.mdb")) != nil else { return }
      knownSize.lower(to: bytes)
    } catch {
      throw StoreError(error, in: store, of: storeID)
    }
  }

  /// Returns an error for the same failure, with the first damaged record if LMDB found damage.
  ///
  /// LMDB cannot tell which records a page contains. Other errors are returned unchanged.
  func locatingDamage(_ error: StoreError) -> StoreError {
    guard error.code == .damaged(sequence: 1), error.underlying != nil, !isInMemory else {
      return error
    }
    do throws(StructureFailure) {
      _ = try StructureCheck.check(store.file("data.mdb"))
      return error
    } catch {
      return StoreError(error, in: store, of: storeID)
    }
  }
}

/// The largest size of a data file that a transaction saw, in bytes.
struct KnownSize: ~Copyable, Sendable {
  private let bytes = Atomic<Int>(0)

  /// Notes a size and returns the largest size noted before.
  borrowing func note(_ size: Int) -> Int { bytes.max(size, ordering: .relaxed).oldValue }

  borrowing func lower(to size: Int) { bytes.store(size, ordering: .relaxed) }
}
