import RetraceSystem

/// A temporary directory in which a store, or a copy of one, is created before it is renamed.
///
/// The creating process holds a lock in the directory. It creates the directory and takes that lock
/// under a lock on the parent directory. So the holder of the parent's lock knows that an unlocked
/// draft was left by a killed process.
struct StoreDraft: ~Copyable {
  enum Purpose: String {
    case creation = ".retrace-"
    case backup = ".retrace-backup-"

    /// The prefix of the directories' names; six letters or digits follow.
    var prefix: String { rawValue }
  }

  /// The name of the lock file before it is locked.
  private static let newLock = StoreLocks.name + ".new"

  let path: String
  private let lock: ByteRangeLock

  /// The lock on the parent directory of a store; empty if this user may not list that directory,
  /// and so cannot lock it.
  struct ParentLock: ~Copyable {
    fileprivate let lock: DirectoryLock?

    var isLocked: Bool {
      switch lock {
      case .some: true
      case nil: false
      }
    }
  }

  /// Waits at most ten seconds for the lock on the parent directory of a store.
  static func lockParent(of store: StorePath) throws(StoreError) -> ParentLock {
    let limit: Int64 = 10_000
    do throws(SystemError) {
      return ParentLock(
        lock: try DirectoryLock.acquire(for: store.parent, timeoutMilliseconds: limit))
    } catch {
      if error.code == .accessDenied { return ParentLock(lock: nil) }
      guard error.operation == .flock, error.code == .busy else {
        throw StoreError(error, in: store.directory, doing: "be created")
      }
      throw StoreError(
        .inUse(pids: []), what: "The store \(store.directory) could not be created.",
        why: "Another process holds a lock on the directory \(store.parent) and does not "
          + "release it.",
        advice: "Resume that process if it was stopped, or end it; `lslocks` shows it.",
        underlying: "\(error)")
    }
  }

  /// Removes the leftover drafts of the same purpose, and creates a draft beside a store, with a
  /// locked lock file in it.
  static func make(
    for purpose: Purpose, beside store: StorePath, under parentLock: borrowing ParentLock
  ) throws(SystemError) -> StoreDraft {
    if parentLock.isLocked {
      for draft in drafts(for: purpose, beside: store) {
        _ = withOrphanedDraft(draft, isLockedAbove: true) { try? FileSystem.removeTree($0) }
      }
    }
    let path = try FileSystem.makeTemporaryDirectory(purpose.prefix, in: store.parent)
    do throws(SystemError) {
      return StoreDraft(path: path, lock: try lock(path))
    } catch {
      try? FileSystem.removeTree(path)
      throw error
    }
  }

  private init(path: String, lock: consuming ByteRangeLock) {
    self.path = path
    self.lock = lock
  }

  /// Creates and locks the store's lock file.
  ///
  /// It gets its final name only after it is locked, so an unlocked one was left by a killed
  /// process.
  private static func lock(_ path: String) throws(SystemError) -> ByteRangeLock {
    let lock = ByteRangeLock(
      try OpenFile.open(
        "\(path)/\(newLock)", [.read, .write, .create, .exclusive, .noFollow], mode: 0o600))
    guard try lock.tryExclusive(at: StoreLocks.creationByte) else {
      throw SystemError(.busy, during: .fcntl, path: path)
    }
    try lock.file.synchronize()
    try FileSystem.rename("\(path)/\(newLock)", to: "\(path)/\(StoreLocks.name)")
    return lock
  }

  func release() { try? lock.release(at: StoreLocks.creationByte) }

  func remove() { try? FileSystem.removeTree(path) }

  /// Returns the leftover drafts beside a store.
  ///
  /// A leftover draft belongs to this user, has a draft's name, contains only files of a store, and
  /// is not locked.
  ///
  /// - Complexity: O(names in the parent directory).
  static func orphans(for purpose: Purpose, beside store: StorePath) -> [String] {
    guard let parentLock = try? lockParent(of: store) else { return [] }
    let isLockedAbove = parentLock.isLocked
    return drafts(for: purpose, beside: store).filter {
      withOrphanedDraft($0, isLockedAbove: isLockedAbove) { _ in }
    }
  }

  private static func drafts(for purpose: Purpose, beside store: StorePath) -> [String] {
    let names = (try? FileSystem.list(store.parent)) ?? []
    let length = purpose.prefix.utf8.count + 6
    return names.filter { $0.hasPrefix(purpose.prefix) && $0.utf8.count == length }
      .map { "\(store.parent)/\($0)" }
  }

  /// Calls `body` with a directory if it is a leftover draft, while no other process can use it.
  ///
  /// - Parameter isLockedAbove: Whether this process holds the lock on the parent directory.
  /// - Returns: Whether it is a leftover draft.
  private static func withOrphanedDraft(
    _ path: String, isLockedAbove: Bool, _ body: (String) -> Void
  ) -> Bool {
    do throws(SystemError) {
      let info = try FileSystem.linkInfo(path)
      let names = try FileSystem.list(path)
      guard info.isDirectory, info.owner == ThisProcess.userIdentifier, info.mode == 0o700,
        names.allSatisfy(mayBeInDraft)
      else { return false }
      // The lock file is created and locked before any other file.
      guard names.contains(StoreLocks.name) else {
        guard isLockedAbove, names.isEmpty || names == [newLock] else { return false }
        body(path)
        return true
      }
      let name = "\(path)/\(StoreLocks.name)"
      let lock = try ByteRangeLock.openExisting(name)
      guard try lock.tryExclusive(at: StoreLocks.creationByte) else { return false }
      // A store that was finished after its lock file was opened has another path, and no lock.
      guard try FileSystem.linkInfo(name).identity == lock.file.info().identity else {
        return false
      }
      body(path)
      return true
    } catch {
      return false
    }
  }

  /// Returns whether a draft may contain a file of this name: one of a new store, or one that
  /// verifying a copy creates.
  private static func mayBeInDraft(_ name: String) -> Bool {
    [FormatFile.name, StoreLocks.name, newLock, "data.mdb", "lock.mdb"].contains(name)
      || name == Anchor.name || name.hasPrefix(OpenMark.prefix)
  }
}
