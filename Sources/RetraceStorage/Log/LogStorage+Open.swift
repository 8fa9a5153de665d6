package import RetraceLMDB
import RetraceLog
import RetracePlatform
import Synchronization

extension LogStorage {
  /// The size of the map: the most that a log can grow to, in address space and not on disk.
  public static var defaultMapBytes: Int { 64 << 30 }

  /// Opens a store.
  ///
  /// What is there is looked at before it is touched, no link is followed, and nothing is repaired
  /// or made anew in place of something that is missing. A new store is on disk, whole, when this
  /// returns.
  ///
  /// - Parameters:
  ///   - path: The store's directory.
  ///   - access: What it is opened for.
  ///   - mapBytes: The most bytes that the data file can grow to.
  /// - Returns: The open store.
  /// - Complexity: O(bytes of one block).
  /// - Throws: ``StoreError``; see <doc:RetraceStorage> for which fault is which error.
  public static func open(
    at path: String, access: Access, mapBytes: Int = defaultMapBytes
  ) throws(StoreError) -> LogStorage {
    try open(at: path, access: access, mapBytes: mapBytes, faults: nil)
  }

  /// Opens a store whose calls into LMDB fail by a plan, for tests.
  package static func open(
    at path: String, access: Access, mapBytes: Int = defaultMapBytes, faults: LMDBFaultPlan?
  ) throws(StoreError) -> LogStorage {
    let store = StorePath(path)
    var options = LMDBEnvironment.Options(
      mapSizeBytes: mapBytes, maxDatabases: 8, isReadOnly: false)
    options.faults = faults
    if access == .create, try isFree(store) {
      try StoreCreation.create(store, options: options)
    }
    options.isReadOnly = access == .read
    let format = try look(at: store)
    let lock = try takeLock(store, access: access)
    try DataFileCheck.check(store)
    let environment: LMDBEnvironment
    do {
      environment = try LMDBEnvironment.open(store.directory, options: options)
    } catch {
      throw StoreError(error, in: store.directory, doing: "be opened")
    }
    let databases: LogDatabases
    do {
      databases = try LogDatabases.open(in: environment, path: store.directory)
    } catch {
      environment.close()
      throw error
    }
    let storage = LogStorage(
      store, access: access, format: format, lock: lock, environment: environment,
      databases: databases)
    do {
      try storage.checkEnd()
    } catch {
      storage.close()
      throw error
    }
    return storage
  }

  /// Whether a store can be made: nothing is there, or an empty directory.
  private static func isFree(_ store: StorePath) throws(StoreError) -> Bool {
    guard let info = try store.directoryInfo() else { return true }
    guard info.isDirectory else { return false }
    return try store.list().isEmpty
  }

  /// Looks at the directory and the small files; answers what `FORMAT` says.
  private static func look(at store: StorePath) throws(StoreError) -> FormatFile {
    let path = store.directory
    guard let info = try store.directoryInfo() else {
      throw StoreError(
        .storeMissing(.directory), what: "The store \(path) could not be opened.",
        why: "There is no such directory.",
        advice: "Record something first, or name the directory of a store.")
    }
    guard info.isDirectory else {
      throw StoreError(
        .notPlainFile, what: "The store \(path) could not be opened.",
        why: info.kind == .symbolicLink
          ? "It is a symbolic link." : "It is a file, and not a directory.",
        advice: "Name the directory itself.")
    }
    guard info.mode & 0o022 == 0 else {
      throw StoreError(
        .permissionDenied, what: "The store \(path) could not be opened.",
        why: "Others may write to its directory.", advice: "Run: chmod go-w '\(path)'.")
    }
    guard let format = try store.info(FormatFile.name) else { throw try withoutFormat(store) }
    try store.requirePlain(FormatFile.name, format)
    if let lock = try store.info("lock.mdb") { try store.requirePlain("lock.mdb", lock) }
    let bytes: [UInt8]
    do {
      bytes = try FileSystem.readWhole(
        store.file(FormatFile.name), limitBytes: FormatFile.maximumBytes)
    } catch {
      throw StoreError(error, in: path, doing: "be opened")
    }
    return try FormatFile(bytes, in: path)
  }

  /// What a directory without a file `FORMAT` is.
  private static func withoutFormat(_ store: StorePath) throws(StoreError) -> StoreError {
    let names = try store.list()
    let what = "The store \(store.directory) could not be opened."
    if names.isEmpty {
      return StoreError(
        .storeMissing(.directory), what: what, why: "The directory is empty.",
        advice: "Record something first, or name the directory of a store.")
    }
    if names.contains("data.mdb") {
      return StoreError(
        .notAStore, what: what, why: "Its file FORMAT is missing, though a data file is there.",
        advice: "Restore FORMAT from a backup; nothing is made in its place.")
    }
    return StoreError(
      .notAStore, what: what, why: "The directory has other files in it, and no file FORMAT.",
      advice: "Name the directory of a store.")
  }

  /// Takes the locks; a reader of a file system that is mounted to be read only needs none.
  private static func takeLock(
    _ store: StorePath, access: Access
  ) throws(StoreError) -> OwnerLock? {
    do {
      return try OwnerLock.open(store, forWriting: access != .read)
    } catch {
      if access == .read && error.code == .readOnly { return nil }
      throw error
    }
  }

  /// Checks that the data file is the one that `FORMAT` names, and that the last block ends where
  /// the head says, by the chain.
  private func checkEnd() throws(StoreError) {
    try withSnapshot { snapshot throws(StoreError) in
      let stored = try snapshot.metaBytes(LogDatabases.storeKey)
      guard stored == storeID.bytes else {
        throw StoreError.damaged(1, "FORMAT and the data file name different stores", in: path)
      }
      let head = snapshot.head
      anchored.withLock { $0 = head.sequence }
      try Anchor.check(snapshot, store)
      guard head.sequence > 0 else { return }
      var last: UInt64 = 0
      try snapshot.scanBlocks(from: .max) { key, block throws(StoreError) in
        let records = try BlockScan.cursor(over: block, at: key, in: path)
        last = records.header.lastSequence
        guard key == head.tail else {
          throw StoreError.damaged(
            min(key, head.tail), "The last block is not the one that the head names", in: path)
        }
        return true
      }
      guard last == head.sequence else {
        throw StoreError.damaged(
          min(last, head.sequence) + 1,
          "The head is at record \(head.sequence), the log ends at \(last)", in: path)
      }
      guard try snapshot.chain(at: last) == head.chain else {
        throw StoreError.damaged(head.tail, "The head has another chain", in: path)
      }
    }
  }
}
