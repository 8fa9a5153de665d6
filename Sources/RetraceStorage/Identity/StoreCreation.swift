import Retrace
import RetraceLMDB
import RetraceSystem

/// Creates a store in a directory with a temporary name, then renames it.
///
/// So a store exists completely or not at all, even after a power cut. A lock on the parent
/// directory serializes creations, so that each can remove the leftovers of killed ones.
enum StoreCreation {
  /// Creates a store, unless another process creates it first.
  static func create(
    _ store: StorePath, options: LMDBEnvironment.Options
  ) throws(StoreError) {
    // Syncs the parent directory even if it exists, because another process may have created it
    // without syncing its name yet.
    try StoreError.system(
      try FileSystem.makeDirectories(store.parent, syncing: true), in: store.directory,
      doing: "be created")
    let parentLock = try StoreDraft.lockParent(of: store)
    guard try isFree(store) else { return }
    let draft = try StoreError.system(
      try StoreDraft.make(for: .creation, beside: store, under: parentLock), in: store.directory,
      doing: "be created")
    do throws(StoreError) {
      var random = SystemRandomNumberGenerator()
      let format = FormatFile(
        storeID: StoreID(random.next(), random.next()),
        created: Moment(microseconds: WallClock.now()))
      try fill(draft.path, with: format, options: options)
      try publish(draft.path, as: store)
      draft.release()
    } catch {
      draft.remove()
      throw error
    }
  }

  /// Returns whether a store can be created: the path is unused, or is an empty directory.
  static func isFree(_ store: StorePath) throws(StoreError) -> Bool {
    guard let info = try store.directoryInfo() else { return true }
    guard info.isDirectory else { return false }
    return try store.list().isEmpty
  }

  /// Writes the files of an empty store and syncs them to disk.
  static func fill(
    _ draft: String, with format: FormatFile, options: LMDBEnvironment.Options
  ) throws(StoreError) {
    do throws(SystemError) {
      let file = try OpenFile.open(
        "\(draft)/\(FormatFile.name)", [.write, .create, .exclusive, .noFollow], mode: 0o600)
      try file.write(Array(format.text.utf8).span, at: 0)
      try file.synchronize()
    } catch {
      throw StoreError(error, in: draft, doing: "be created")
    }
    do throws(LMDBError) {
      let environment = try LMDBEnvironment.open(draft, options: options)
      defer { environment.close() }
      try LogDatabases.create(in: environment, store: format.storeID)
    } catch {
      throw StoreError(error, in: draft, doing: "be created")
    }
  }

  /// Renames the directory to the store's path.
  private static func publish(_ draft: String, as store: StorePath) throws(StoreError) {
    do throws(SystemError) {
      try FileSystem.syncDirectory(draft)
      try FileSystem.rename(draft, to: store.directory)
    } catch {
      // Another process was faster; its store serves as well.
      if error.code == .notEmpty || error.code == .fileExists {
        try? FileSystem.removeTree(draft)
        return
      }
      throw StoreError(error, in: store.directory, doing: "be created")
    }
    try StoreError.system(
      try FileSystem.syncDirectory(store.parent), in: store.directory, doing: "be created")
  }
}
