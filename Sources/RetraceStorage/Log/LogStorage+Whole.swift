import RetraceLMDB
import RetraceSystem
import Synchronization

extension LogStorage {
  /// Checks that the data file has not become shorter since a transaction looked at it last.
  ///
  /// It is asked at the beginning of each transaction: LMDB reads pages in a map of the file, and
  /// one behind the end would end the process. A file that is cut off in the middle of a
  /// transaction still does, and the next open names the damage.
  ///
  /// - Complexity: One system call.
  /// - Throws: ``StoreError/Code/damaged(sequence:)`` if pages in use are gone.
  func requireWhole() throws(StoreError) {
    let bytes: Int
    do {
      bytes = try environment.dataFileBytes()
    } catch {
      throw StoreError(error, in: path, doing: "be read")
    }
    let known = knownSize.note(bytes)
    guard bytes < known, !isInMemory else { return }
    do throws(StructureFailure) {
      // It may be that only pages are gone that nobody uses.
      guard try StructureCheck.check(store.file("data.mdb")) != nil else { return }
      knownSize.lower(to: bytes)
    } catch {
      throw StoreError(error, in: store, of: storeID)
    }
  }

  /// An error with the first record that damage concerns, where LMDB could not tell.
  func naming(_ error: StoreError) -> StoreError {
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

/// The size of a data file as a transaction saw it last, in bytes.
struct KnownSize: ~Copyable, Sendable {
  private let bytes = Atomic<Int>(0)

  /// Notes a size, and returns the largest one that was known before.
  borrowing func note(_ size: Int) -> Int { bytes.max(size, ordering: .relaxed).oldValue }

  /// Notes that the file may be that short.
  borrowing func lower(to size: Int) { bytes.store(size, ordering: .relaxed) }
}
