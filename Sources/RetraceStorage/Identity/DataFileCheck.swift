import LMDBFile
import Retrace
import RetraceSystem

/// Checks of `data.mdb` before LMDB maps it, because LMDB crashes on a truncated file.
enum DataFileCheck {
  /// Checks that LMDB can open the file without crashing.
  ///
  /// It must be a plain, nonempty file with valid meta pages, and must contain every page in use.
  /// The trees that every open reads are checked too, except those that grow with the log: the log
  /// itself and the idempotency keys.
  ///
  /// - Complexity: A few page reads; all pages of the trees if the file is shorter than its page
  ///   count.
  static func check(_ store: StorePath, of identity: StoreID) throws(StoreError) {
    guard let info = try store.info("data.mdb") else {
      throw missing(.dataFile, "Its file data.mdb is missing", store)
    }
    try store.requirePlain("data.mdb", info)
    guard info.sizeBytes > 0 else {
      throw missing(.dataFileEmpty, "Its file data.mdb is empty", store)
    }
    do throws(StructureFailure) {
      try StructureCheck.check(
        only: [LogDatabases.names.meta, LogDatabases.names.schemas], of: store.file("data.mdb"))
    } catch {
      throw StoreError(error, in: store, of: identity)
    }
  }

  private static func missing(
    _ part: StoreError.Code.Missing, _ why: String, _ store: StorePath
  ) -> StoreError {
    StoreError(
      .storeMissing(part), what: "The store \(store.directory) could not be opened.",
      why: "\(why), although the directory is a store.",
      advice: "Restore the file from a backup; no new store is made in its place.")
  }
}
