import RetraceLog
import RetraceSystem

/// A look at `data.mdb` before LMDB maps it: a file that is cut off would end the process.
enum DataFileCheck {
  /// Checks that the file is there, plain and not empty, that its meta pages are ones that LMDB can
  /// follow, and that all pages in use are in the file.
  ///
  /// The trees that every open reads are checked, too, but for those that grow with the log: the
  /// log itself and the idempotency keys.
  ///
  /// - Complexity: A few pages read; all pages of trees if the file is shorter than its page count.
  static func check(_ store: StorePath, of identity: StoreID) throws(StoreError) {
    guard let info = try store.info("data.mdb") else {
      throw missing(.dataFile, "Its file data.mdb is missing", store)
    }
    try store.requirePlain("data.mdb", info)
    guard info.sizeBytes > 0 else {
      throw missing(.dataFileEmpty, "Its file data.mdb is empty", store)
    }
    do throws(StructureFailure) {
      // LMDB may count pages at the end that a transaction took and gave back: only pages that are
      // in use have to be there.
      let path = store.file("data.mdb")
      if try StructureCheck.countsMoreThanThereIs(path) { _ = try StructureCheck.check(path) }
      try StructureCheck.check(
        only: [LogDatabases.names.meta, LogDatabases.names.schemas], of: path)
    } catch {
      throw StoreError(error, in: store, of: identity)
    }
  }

  private static func missing(
    _ part: StoreError.Code.Missing, _ why: String, _ store: StorePath
  ) -> StoreError {
    StoreError(
      .storeMissing(part), what: "The store \(store.directory) could not be opened.",
      why: "\(why), though the directory is a store's.",
      advice: "Restore the file from a backup; no new store is made in its place.")
  }
}
