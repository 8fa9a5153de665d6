import LMDBFile
import Retrace

extension StoreError {
  /// Creates the store's error for damaged pages, with the first affected record.
  ///
  /// - Complexity: O(bytes of the log before the damage).
  init(_ damage: StructureDamage, in store: StorePath, of identity: StoreID) {
    var sequence: UInt64 = 1
    // Without its schemas no record is readable, even if the log itself is intact.
    if damage.part != .database(LogDatabases.names.schemas) {
      sequence = LogWalk.lastVerified(store.file("data.mdb"), store: identity) + 1
    }
    self = .damaged(sequence, "\(damage)", in: store.directory)
  }

  /// Creates the store's error for a failed check of the data file's pages.
  init(_ failure: StructureFailure, in store: StorePath, of identity: StoreID) {
    switch failure {
    case .damaged(let damage): self.init(damage, in: store, of: identity)
    case .unsupportedVersion(let version):
      self.init(
        .incompatible, what: "The store \(store.directory) could not be opened.",
        why: "Its data file has LMDB's data version \(version); this program reads version 1.",
        advice: "Use the version that wrote it.")
    case .laterLMDB(let version): self = .laterLMDB(version, in: store, doing: "be opened")
    case .unreadable(let error): self.init(error, in: store.directory, doing: "be checked")
    }
  }

  static func laterLMDB(
    _ version: UInt64, in store: StorePath, doing action: String
  ) -> StoreError {
    StoreError(
      .incompatible, what: "The store \(store.directory) could not \(action).",
      why: "Its data file was written by LMDB 1.0 (data version \(version)); this program reads "
        + "files of LMDB 0.9 (data version 1).",
      advice: "Restore a backup; or copy all databases of the file into a file of LMDB 0.9 with "
        + "LMDB's tools, and put that in its place.")
  }
}
