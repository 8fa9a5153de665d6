package import Retrace
import RetraceLMDB
import RetraceSystem

/// A verified copy of a store.
package struct CopiedStore: Hashable, Sendable {
  /// The directory of the copy, which is itself a store.
  package var path: String
  /// The end of the copy's log.
  package var head: Head
  package var bytes: Int
}

/// Creates a store in a temporary directory, verifies it from the first record to the last, and
/// renames it.
///
/// So the destination only ever contains a complete store that is on disk. A killed process leaves
/// a directory `.retrace-backup-XXXXXX` (six letters or digits), which the next copy beside it
/// removes.
struct StoreCopy: ~Copyable {
  private let target: StorePath
  private let draft: StoreDraft
  /// The verb phrase for error messages, such as `be copied`.
  private let action: String
  /// The path of the original, for error messages.
  private let origin: String

  /// Creates the temporary directory.
  ///
  /// - Throws: ``StoreError/Code/destinationExists`` if the destination exists.
  init(
    to destination: String, of origin: String, doing action: String
  ) throws(StoreError) {
    let target = StorePath(destination)
    try Self.requireFree(target, doing: action)
    let parentLock = try StoreDraft.lockParent(of: target)
    draft = try StoreError.system(
      try StoreDraft.make(for: .backup, beside: target, under: parentLock), in: origin,
      doing: "\(action) to \(target.directory)")
    self.target = target
    self.origin = origin
    self.action = action
  }

  var path: String { draft.path }

  /// Writes the files of a store without records.
  func fillEmpty(_ format: FormatFile, mapBytes: Int) throws(StoreError) {
    let options = LMDBEnvironment.Options(
      mapSizeBytes: mapBytes, maxDatabases: 8, isReadOnly: false, readahead: false)
    try StoreCreation.fill(draft.path, with: format, options: options)
  }

  /// Verifies the copy and renames it to the destination.
  ///
  /// - Parameter check: Checks the end of the copy.
  consuming func finish(
    _ check: (Head) throws(StoreError) -> Void
  ) throws(StoreError) -> CopiedStore {
    do throws(StoreError) {
      var copied = try verify(check)
      try publish()
      draft.release()
      copied.path = target.directory
      return copied
    } catch {
      draft.remove()
      // The copy has the bytes of the original, so the original is what to salvage.
      guard case .damaged(let sequence) = error.code else { throw error }
      var named = StoreError.damaged(sequence, "", in: origin)
      named.why = error.why
      throw named
    }
  }

  consuming func abandon() { draft.remove() }

  private func verify(
    _ check: (Head) throws(StoreError) -> Void
  ) throws(StoreError) -> CopiedStore {
    let copy = try LogStorage.open(at: draft.path, access: .read, checkingPages: true)
    defer { copy.close() }
    let head = try copy.withReadView { (view) throws(StoreError) in
      try view.verify()
      return view.head
    }
    try check(head)
    let store = StorePath(draft.path)
    Anchor.write(head, store)
    guard let info = try store.info("data.mdb") else {
      throw StoreError.damaged(1, "The data file of the copy is gone", in: draft.path)
    }
    return CopiedStore(path: draft.path, head: head, bytes: info.sizeBytes)
  }

  private func publish() throws(StoreError) {
    try Self.requireFree(target, doing: action)
    do throws(SystemError) {
      try FileSystem.syncDirectory(draft.path)
      try FileSystem.rename(draft.path, to: target.directory)
      try FileSystem.syncDirectory(target.parent)
    } catch {
      throw StoreError(error, in: origin, doing: "\(action) to \(target.directory)")
    }
  }

  private static func requireFree(
    _ target: StorePath, doing action: String
  ) throws(StoreError) {
    guard try target.directoryInfo() != nil else { return }
    throw StoreError(
      .destinationExists, what: "Nothing could \(action) to \(target.directory).",
      why: "\(target.directory) exists already.",
      advice: "Choose another directory, or remove that one.")
  }
}
