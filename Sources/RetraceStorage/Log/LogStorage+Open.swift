import LMDBFile
import Retrace
package import RetraceLMDB
import RetraceSystem

extension LogStorage {
  /// The default size of the map, in bytes.
  ///
  /// It limits the size of the log. It reserves address space, but no space on disk.
  public static var defaultMapBytes: Int { 64 << 30 }

  /// Opens a store.
  ///
  /// Opening inspects the files before it changes anything, follows no symbolic link, and neither
  /// repairs damage nor replaces a missing file. A new store is complete and on disk when this
  /// returns.
  ///
  /// If a process ended without closing the store, all pages of the data file are checked before
  /// LMDB reads them; see ``openingReport``.
  ///
  /// - Parameters:
  ///   - path: The store's directory.
  ///   - access: The access to open it for.
  ///   - mapBytes: The largest size of the data file in bytes; smaller if the address space of the
  ///     process is limited.
  ///   - checkingPages: Whether to check the pages of the data file even after a clean close.
  ///   - checkingEnd: Whether to compare the last block with the head and with the end noted at the
  ///     last close. `false` opens a log with a damaged end, so that the records before the damage
  ///     can be read. Ignored unless `access` is `.read`.
  /// - Returns: The open store.
  /// - Complexity: O(bytes of one block); O(pages of the data file) if they are checked.
  /// - Throws: ``StoreError``; <doc:RetraceStorage> lists which fault causes which error.
  public static func open(
    at path: String, access: Access, mapBytes: Int = defaultMapBytes, checkingPages: Bool = false,
    checkingEnd: Bool = true
  ) throws(StoreError) -> LogStorage {
    try open(
      at: path, access: access, mapBytes: mapBytes, checkingPages: checkingPages,
      checkingEnd: checkingEnd || access != .read, faults: nil)
  }

  /// Opens a store; tests can pass a plan according to which LMDB calls fail.
  package static func open(
    at path: String, access: Access, mapBytes: Int = defaultMapBytes, checkingPages: Bool = false,
    checkingEnd: Bool = true, removingUncleanShutdowns: Bool = true, faults: LMDBFaultPlan?,
    openingTimeoutMilliseconds: Int64 = OpeningLock.timeoutMilliseconds
  ) throws(StoreError) -> LogStorage {
    let store = StorePath(path)
    ClosingStores.wait(for: store)
    var options = LMDBEnvironment.Options(
      mapSizeBytes: mapBytes, maxDatabases: 8, isReadOnly: false, readahead: false)
    options.faults = faults
    if access == .create, try StoreCreation.isFree(store) {
      try StoreCreation.create(store, options: options)
    }
    options.isReadOnly = access == .read
    let format = try inspectFiles(of: store)
    try requireVersion(format, store, access)
    let locks = try takeLocks(store, access, openingTimeoutMilliseconds)
    options.openingLock = locks.openingLock
    // Before the first LMDB call, because LMDB can crash on a damaged file.
    var (mark, openingReport) = try OpenMark.begin(
      store, writing: access != .read, under: locks.openingLock)
    let environment: LMDBEnvironment
    let databases: LogDatabases
    do throws(StoreError) {
      environment = try openEnvironment(
        store, format, options, locks.openingLock, checkingPages: checkingPages, &openingReport)
      databases = try openDatabases(store, format, environment, checkingPages, &openingReport)
    } catch {
      mark?.end()
      throw error
    }
    let storage = LogStorage(
      store, access: access, format: format, locks: locks.storeLocks, environment: environment,
      databases: databases, mark: mark, openingReport: openingReport)
    do {
      if checkingEnd { try storage.checkEnd() }
    } catch {
      storage.close()
      throw error
    }
    if removingUncleanShutdowns { storage.removeUncleanShutdowns() }
    return storage
  }

  /// Refuses to write a log of an older version.
  private static func requireVersion(
    _ format: FormatFile, _ store: StorePath, _ access: Access
  ) throws(StoreError) {
    guard access != .read, format.version != LogFormat.version else { return }
    throw StoreError(
      .incompatible, what: "The store \(store.directory) could not be opened for writing.",
      why: "It has format version \(format.version); this program writes version "
        + "\(LogFormat.version), and only reads older ones.",
      advice: "Copy it to the new version first.", remedy: .migrate(directory: store.directory))
  }

  /// Checks the data file and opens it with LMDB.
  private static func openEnvironment(
    _ store: StorePath, _ format: FormatFile, _ options: LMDBEnvironment.Options,
    _ lock: OpeningLock?, checkingPages: Bool, _ openingReport: inout OpeningReport
  ) throws(StoreError) -> LMDBEnvironment {
    try DataFileCheck.check(store, of: format.storeID)
    if checkingPages || !openingReport.wasClean {
      openingReport.structure = try checkPages(store, of: format)
    }
    do {
      return try LMDBEnvironment.open(store.directory, options: options)
    } catch {
      throw lock?.failure(error) ?? StoreError(error, in: store.directory, doing: "be opened")
    }
  }

  /// Opens the databases, and closes the environment if that fails.
  ///
  /// If all pages have to be checked, but commits of other processes prevented that so far, it
  /// first checks them under a read transaction.
  private static func openDatabases(
    _ store: StorePath, _ format: FormatFile, _ environment: LMDBEnvironment,
    _ checkingPages: Bool, _ openingReport: inout OpeningReport
  ) throws(StoreError) -> LogDatabases {
    do throws(StoreError) {
      if (checkingPages || !openingReport.wasClean) && openingReport.structure == nil {
        openingReport.structure = try checkPages(store, of: format, keptBy: environment)
      }
      return try LogDatabases.open(in: environment, path: store.directory)
    } catch {
      environment.close()
      throw error
    }
  }

  /// Checks the pages of the data file; returns `nil` if other processes commit too often.
  private static func checkPages(
    _ store: StorePath, of format: FormatFile
  ) throws(StoreError) -> StructureReport? {
    do throws(StructureFailure) {
      return try StructureCheck.check(store.file("data.mdb"))
    } catch {
      throw StoreError(error, in: store, of: format.storeID)
    }
  }

  /// Checks the pages of the data file, which a read transaction protects from reuse.
  ///
  /// To begin the transaction, LMDB reads only the meta pages, which are already checked.
  private static func checkPages(
    _ store: StorePath, of format: FormatFile, keptBy environment: LMDBEnvironment
  ) throws(StoreError) -> StructureReport? {
    for _ in 0..<100 {
      let transaction = try StoreError.lmdb(
        try environment.beginRead(), in: store.directory, doing: "be checked")
      do throws(StructureFailure) {
        let report = try StructureCheck.check(
          store.file("data.mdb"), transaction: transaction.number)
        if let report { return report }
      } catch {
        throw StoreError(error, in: store, of: format.storeID)
      }
    }
    throw StoreError(
      .storageFailed, what: "The store \(store.directory) could not be checked.",
      why: "Other processes commit faster than its pages can be checked.",
      advice: "Try again when other processes write less.")
  }

  /// The databases in the data file that are not part of a store, which other programs made.
  ///
  /// Empty if the pages of the data file were not checked on opening.
  package var unknownDatabases: [String] {
    let names = LogDatabases.names
    let known = [names.log, names.meta, names.schemas, KeyIndex.names.batches, KeyIndex.names.ages]
    return (openingReport.structure?.databases ?? []).filter { !known.contains($0) }
  }

  /// Removes the marks of crashed processes after the store was found intact.
  ///
  /// A mark of a crash during a fold stays until the log has been folded.
  private func removeUncleanShutdowns() {
    for shutdown in openingReport.uncleanShutdowns where shutdown.reducer == nil {
      OpenMark.remove(shutdown, in: store)
    }
  }

  static func missingStoreError(_ store: StorePath) -> StoreError {
    StoreError(
      .storeMissing(.directory), what: "The store \(store.directory) could not be opened.",
      why: "There is no such directory.",
      advice: "Record something first, or give the path of a store.")
  }

  /// Checks the directory and the small files, and returns the contents of `FORMAT`.
  private static func inspectFiles(of store: StorePath) throws(StoreError) -> FormatFile {
    let path = store.directory
    guard let info = try store.directoryInfo() else { throw missingStoreError(store) }
    guard info.isDirectory else {
      throw StoreError(
        .notPlainFile, what: "The store \(path) could not be opened.",
        why: info.kind == .symbolicLink
          ? "It is a symbolic link." : "It is a file, and not a directory.",
        advice: "Give the path of the directory itself.")
    }
    // A directory of root is accepted, because root can change every file anyway.
    guard info.owner == ThisProcess.userIdentifier || info.owner == 0 else {
      throw StoreError(
        .permissionDenied, what: "The store \(path) could not be opened.",
        why: "Its directory belongs to another user (user ID \(info.owner)).",
        advice: "Use it as that user, or copy it to a directory of your own.")
    }
    guard info.mode & 0o022 == 0 else {
      throw StoreError(
        .permissionDenied, what: "The store \(path) could not be opened.",
        why: "Other users can write to its directory.",
        advice: "Remove the write permission of group and others.",
        remedy: .restrictWriting(directory: path))
    }
    try requireLocal(store, info)
    guard let format = try store.openIfPresent(FormatFile.name) else {
      throw try missingFormatError(store)
    }
    if let lock = try store.info("lock.mdb") { try store.requirePlain("lock.mdb", lock) }
    let bytes = try StoreError.system(
      try format.readWhole(limitBytes: FormatFile.maximumBytes), in: path, doing: "be opened")
    return try FormatFile(bytes, in: path)
  }

  /// Returns the error for a directory without a file `FORMAT`.
  private static func missingFormatError(_ store: StorePath) throws(StoreError) -> StoreError {
    let names = try store.list()
    let what = "The store \(store.directory) could not be opened."
    if names.isEmpty {
      return StoreError(
        .storeMissing(.directory), what: what, why: "The directory is empty.",
        advice: "Record something first, or give the path of a store.")
    }
    if names.contains("data.mdb") {
      return StoreError(
        .notAStore, what: what, why: "Its file FORMAT is missing, though a data file is there.",
        advice: "Restore FORMAT from a backup; or copy what can be verified into a new store.",
        remedy: .salvage(directory: store.directory))
    }
    return StoreError(
      .notAStore, what: what, why: "The directory contains files, but no file FORMAT.",
      advice: "Give the path of a store.")
  }

  private struct Locks: ~Copyable {
    var storeLocks: StoreLocks?
    var openingLock: OpeningLock?
  }

  /// Takes the locks; a reader on a read-only file system needs none.
  private static func takeLocks(
    _ store: StorePath, _ access: Access, _ openingTimeoutMilliseconds: Int64
  ) throws(StoreError) -> Locks {
    do {
      return Locks(
        storeLocks: try StoreLocks.open(store, forWriting: access != .read),
        openingLock: try OpeningLock(store, timeoutMilliseconds: openingTimeoutMilliseconds))
    } catch {
      if access == .read && error.code == .readOnly {
        return Locks(storeLocks: nil, openingLock: nil)
      }
      throw error
    }
  }

  /// Checks that the data file has the identity in `FORMAT`, and that the last block ends at the
  /// head, with the head's chain digest.
  private func checkEnd() throws(StoreError) {
    // Read before the log, because another process may commit, close and update the anchor in
    // between.
    let anchor = try Anchor.read(store)
    try withReadView { view throws(StoreError) in
      let stored = try view.metaBytes(LogDatabases.storeKey)
      guard stored == storeID.bytes else {
        throw StoreError.damaged(1, "FORMAT and the data file name different stores", in: path)
      }
      let head = view.head
      setHeadAtOpening(head.sequence)
      try Anchor.check(anchor, view, store)
      guard head.sequence > 0 else { return }
      var last: UInt64 = 0
      try view.scanBlocks(from: .max) { key, block throws(StoreError) in
        guard key == head.lastBlockKey else {
          throw StoreError.damaged(
            min(key, head.lastBlockKey), "The last block is not the one that the head names",
            in: path)
        }
        last = try BlockScan.cursor(over: block, at: key, in: path).header.lastSequence
        return true
      }
      guard last == head.sequence else {
        throw StoreError.damaged(
          min(last, head.sequence) + 1,
          "The head names record \(head.sequence) as the last one, but the log ends with record "
            + "\(last)", in: path)
      }
      guard try view.chain(at: last) == head.chain else {
        throw StoreError.damaged(
          head.lastBlockKey, "The head's chain digest does not match the last record", in: path)
      }
    }
  }
}
