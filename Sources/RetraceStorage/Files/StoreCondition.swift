import RetraceArchitecture
public import RetraceLog
public import RetraceState
import RetraceSystem

/// Everything that can be told about a store and the files around it, sound or not.
///
/// It is what `replay doctor` prints. Nothing is changed, and what LMDB could not follow safely is
/// never given to it.
public struct StoreCondition: Sendable {
  /// A file of the store.
  public struct File: Hashable, Sendable {
    /// The name in the store's directory.
    public var name: String
    /// The size in bytes.
    public var sizeBytes: Int
    /// The permission bits, such as 0600.
    public var mode: UInt32
    /// When its bytes last changed.
    public var modified: Moment
  }

  /// The store's directory.
  public var path: String
  /// The identity that the file `FORMAT` names; `nil` if that cannot be read.
  public var storeID: StoreID?
  /// When the store was created; `nil` if `FORMAT` cannot be read.
  public var created: Moment?
  /// The files in the directory, by name.
  public var files: [File] = []
  /// The bytes that may still be written to the file system; `nil` if that cannot be told.
  public var freeBytes: Int?
  /// The processes of this user that have the store open, this one included if it has.
  public var holders: [Int32] = []
  /// The processes that ended without closing the store.
  public var uncleanEnds: [UncleanEnd] = []
  /// The sessions that noted what they were about to append, and whose processes ended.
  public var leftAttempts: [LeftAttempt] = []
  /// The directories beside the store that a creation which was cut off left behind.
  public var leftDrafts: [String] = []
  /// The directories beside the store that a backup which was cut off left behind; nothing in them
  /// is needed.
  public var leftBackups: [String] = []
  /// What the check of the pages of the data file found; `nil` if it could not be made, or found
  /// damage, which is the ``failure`` then.
  public var structure: StructureReport?
  /// Where the log ends; `nil` if it cannot be read.
  public var head: Head?
  /// Where the log ended when a writer closed it last, as the file `anchor` says; `nil` if there is
  /// none.
  public var anchor: Head?
  /// Why the store cannot be opened; `nil` if it can.
  public var failure: StoreError?

  /// Whether everyone who had the store open has closed it, or has it open still.
  public var isClean: Bool { uncleanEnds.isEmpty }

  /// Looks at a store: its files, its locks, the pages of its data file, its end.
  ///
  /// - Parameters:
  ///   - path: The store's directory.
  ///   - body: Looks at the records, if the store can be opened.
  /// - Complexity: O(pages of the data file), plus O(open files of all processes of this user).
  /// - Throws: ``StoreError/Code/storeMissing(_:)`` if there is no such directory; whatever else is
  ///   wrong is in the value.
  public static func inspect(
    _ path: String, _ body: (LogStorage) throws(StoreError) -> Void = { _ in }
  ) throws(StoreError) -> StoreCondition {
    let store = StorePath(path)
    guard try store.directoryInfo() != nil else { throw LogStorage.noDirectory(store) }
    var condition = StoreCondition(path: store.directory)
    condition.freeBytes = try? FileSystem.freeBytes(store.directory)
    condition.lookAtFiles(store)
    do throws(StoreError) {
      let storage = try LogStorage.open(
        at: path, access: .read, checkingPages: true, forgettingEnds: false, faults: nil)
      defer { storage.close() }
      condition.structure = storage.opening.structure
      condition.head = try storage.head()
      condition.leftAttempts = try storage.leftAttempts()
      try body(storage)
    } catch {
      condition.failure = error
    }
    return condition
  }

  private mutating func lookAtFiles(_ store: StorePath) {
    // Before this process opens the store itself.
    uncleanEnds = (try? OpenMark.left(in: store)) ?? []
    leftDrafts = StoreDraft.left(by: .creation, beside: store)
    leftBackups = StoreDraft.left(by: .backup, beside: store)
    anchor = (try? Anchor.read(store)) ?? nil
    if let lock = try? RangeLock.openExisting(store.file(OwnerLock.name)) {
      holders = (try? lock.holders()) ?? []
    }
    if let bytes = try? FileSystem.readWhole(
      store.file(FormatFile.name), limitBytes: FormatFile.maximumBytes),
      let format = try? FormatFile(bytes, in: store.directory)
    {
      storeID = format.store
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
