import LMDBFile
package import Retrace
import RetraceSystem

/// The condition of a store and the files around it, whether intact or damaged.
///
/// `replay doctor` prints it. Inspecting a store only moves the attempts of crashed processes into
/// files of their own, changes nothing else, and passes nothing to LMDB that could crash it.
package struct StoreCondition: Sendable {
  package struct File: Hashable, Sendable {
    package var name: String
    package var sizeBytes: Int
    /// The permission bits, such as 0600.
    package var mode: UInt32
    /// The time of the last change of the contents.
    package var modified: Moment
  }

  package var path: String
  /// The identity in the file `FORMAT`; `nil` if that is unreadable.
  package var storeID: StoreID?
  /// The time of the store's creation; `nil` if `FORMAT` is unreadable.
  package var created: Moment?
  /// The files in the directory, by name.
  package var files: [File] = []
  /// The free bytes of the file system; `nil` if unknown.
  package var freeBytes: Int?
  /// The processes of this user that had the store open before the inspection opened it.
  package var holders: [Int32] = []
  /// The processes that ended without closing the store.
  package var uncleanShutdowns: [UncleanShutdown] = []
  /// The attempts of sessions whose processes ended.
  package var orphanedAttempts: [OrphanedAttempt] = []
  /// The directories beside the store that interrupted creations left.
  package var orphanedDrafts: [String] = []
  /// The directories beside the store that interrupted backups left; they can be deleted.
  package var orphanedBackups: [String] = []
  /// The result of checking the pages of the data file; `nil` if the check was impossible or found
  /// damage, which ``failure`` then describes.
  var structure: StructureReport?
  /// The databases in the data file that are not part of a store, if it can be opened.
  package var unknownDatabases: [String] = []
  /// The end of the log; `nil` if unreadable.
  package var head: Head?
  /// The end of the log at the last close by a writer, from the file `anchor`, if any.
  package var anchor: Head?
  /// The reason why the store cannot be opened; `nil` if it can.
  package var failure: StoreError?

  /// The pages of the data file; `nil` if their check was impossible or found damage.
  ///
  /// Pages on the free list, and pages that no tree and no list names, count as free.
  package var pages: (count: UInt64, free: UInt64, sizeBytes: Int)? {
    structure.map {
      (count: $0.pages, free: $0.freePages + $0.unusedPages, sizeBytes: $0.pageSizeBytes)
    }
  }

  /// Whether no process crashed while it had the store open.
  package var isClean: Bool { uncleanShutdowns.isEmpty }

  /// Inspects a store: its files, its locks, the pages of its data file, its end.
  ///
  /// - Parameters:
  ///   - path: The store's directory.
  ///   - body: Inspects the records, if the store can be opened.
  /// - Complexity: O(pages of the data file), plus O(open files of all processes of this user).
  /// - Throws: ``StoreError/Code/storeMissing(_:)`` if the directory does not exist; the returned
  ///   value describes every other fault.
  package static func inspect(
    _ path: String, _ body: (LogStorage) throws(StoreError) -> Void = { _ in }
  ) throws(StoreError) -> StoreCondition {
    let store = StorePath(path)
    guard try store.directoryInfo() != nil else { throw LogStorage.missingStoreError(store) }
    var condition = StoreCondition(path: store.directory)
    condition.freeBytes = try? FileSystem.freeBytes(store.directory)
    condition.inspectFiles(store)
    do throws(StoreError) {
      let storage = try LogStorage.open(
        at: path, access: .read, checkingPages: true, removingUncleanShutdowns: false, faults: nil)
      defer { storage.close() }
      condition.structure = storage.openingReport.structure
      condition.unknownDatabases = storage.unknownDatabases
      condition.head = try storage.head()
      condition.orphanedAttempts = try storage.orphanedAttempts()
      try body(storage)
    } catch {
      condition.failure = error
    }
    return condition
  }

  private mutating func inspectFiles(_ store: StorePath) {
    // Reads the marks before this process opens the store and creates its own mark.
    uncleanShutdowns = (try? OpenMark.uncleanShutdowns(in: store)) ?? []
    orphanedDrafts = StoreDraft.orphans(for: .creation, beside: store)
    orphanedBackups = StoreDraft.orphans(for: .backup, beside: store)
    anchor = (try? Anchor.read(store)) ?? nil
    if let lock = try? ByteRangeLock.openExisting(store.file(StoreLocks.name)) {
      holders = (try? lock.holders()) ?? []
    }
    if let bytes = try? FileSystem.readWhole(
      store.file(FormatFile.name), limitBytes: FormatFile.maximumBytes),
      let format = try? FormatFile(bytes, in: store.directory)
    {
      storeID = format.storeID
      created = format.created
    }
    for name in (try? store.list()) ?? [] {
      guard let info = try? FileSystem.linkInfo(store.file(name)) else { continue }
      files.append(
        File(
          name: name, sizeBytes: info.sizeBytes, mode: info.mode,
          modified: Moment(microseconds: info.modified)))
    }
  }
}
