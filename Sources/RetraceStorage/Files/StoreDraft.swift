import RetraceSystem

/// A directory in which a store, or a copy of one, is made before it gets its name.
///
/// The process that makes it holds a lock in it meanwhile. It makes the directory and takes that
/// lock under a lock on the directory above. So a process that has the lock above, and finds a
/// draft that is not locked, knows that the draft was left behind by a process that was killed.
struct StoreDraft: ~Copyable {
  /// What is made in a directory.
  enum Purpose: String {
    /// A new store.
    case creation = ".retrace-"
    /// A copy of a store.
    case backup = ".retrace-backup-"

    /// How the names of the directories begin; six letters follow.
    var prefix: String { rawValue }
  }

  /// The name of the lock file before it is locked.
  private static let newLock = OwnerLock.name + ".new"

  /// The path of the directory.
  let path: String
  private let lock: RangeLock

  /// The lock on the directory above a store; empty where this user may not list that directory,
  /// so that nothing can be locked there.
  struct Place: ~Copyable {
    fileprivate let lock: DirectoryLock?

    /// Whether there is a lock.
    var isLocked: Bool {
      switch lock {
      case .some: true
      case nil: false
      }
    }
  }

  /// Waits for the lock on the directory above a store, for at most ten seconds.
  static func lockPlace(of store: StorePath) throws(StoreError) -> Place {
    let limit: Int64 = 10_000
    do throws(SystemError) {
      return Place(lock: try DirectoryLock.wait(for: store.parent, limitMilliseconds: limit))
    } catch {
      if error.code == .accessDenied { return Place(lock: nil) }
      guard error.operation == .flock, error.code == .busy else {
        throw StoreError(error, in: store.directory, doing: "be created")
      }
      throw StoreError(
        .inUse(pids: []), what: "The store \(store.directory) could not be created.",
        why: "Another process holds a lock on the directory \(store.parent) and does not go on.",
        advice: "Let that process go on if it was stopped, or end it; `lslocks` names it.",
        underlying: "\(error)")
    }
  }

  /// Removes what killed processes left for the same purpose, and makes a directory beside the
  /// place of a store, with a lock file in it that is locked.
  static func make(
    for purpose: Purpose, beside store: StorePath, in place: borrowing Place
  ) throws(SystemError) -> StoreDraft {
    if place.isLocked {
      for draft in drafts(for: purpose, beside: store) {
        _ = holdLeft(draft, isLockedAbove: true) { try? FileSystem.removeTree($0) }
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

  private init(path: String, lock: consuming RangeLock) {
    self.path = path
    self.lock = lock
  }

  /// Makes the lock file of the store and locks it; it gets its name when it is locked, so that
  /// one that nobody has locked was left behind.
  private static func lock(_ path: String) throws(SystemError) -> RangeLock {
    let lock = RangeLock(
      try OpenFile.open(
        "\(path)/\(newLock)", [.read, .write, .create, .exclusive, .noFollow], mode: 0o600))
    guard try lock.tryExclusive(at: OwnerLock.creationByte) else {
      throw SystemError(.busy, during: .fcntl, path: path)
    }
    try lock.file.synchronize()
    try FileSystem.rename("\(path)/\(newLock)", to: "\(path)/\(OwnerLock.name)")
    return lock
  }

  /// Gives the lock back: the store has its name.
  func release() { try? lock.release(at: OwnerLock.creationByte) }

  /// Removes the directory with all that is in it.
  func remove() { try? FileSystem.removeTree(path) }

  /// The directories beside a store that were left behind: of this user, named as such, with
  /// nothing in them but files of a store, and held by no process.
  ///
  /// - Complexity: O(names in the directory above).
  static func left(by purpose: Purpose, beside store: StorePath) -> [String] {
    guard let place = try? lockPlace(of: store) else { return [] }
    let isLockedAbove = place.isLocked
    return drafts(for: purpose, beside: store).filter {
      holdLeft($0, isLockedAbove: isLockedAbove) { _ in }
    }
  }

  private static func drafts(for purpose: Purpose, beside store: StorePath) -> [String] {
    let names = (try? FileSystem.list(store.parent)) ?? []
    let length = purpose.prefix.utf8.count + 6
    return names.filter { $0.hasPrefix(purpose.prefix) && $0.utf8.count == length }
      .map { "\(store.parent)/\($0)" }
  }

  /// Calls `body` with a directory that was left behind, while no other process can.
  ///
  /// - Parameter isLockedAbove: Whether this process has the lock on the directory above.
  /// - Returns: Whether it was left behind.
  private static func holdLeft(
    _ path: String, isLockedAbove: Bool, _ body: (String) -> Void
  ) -> Bool {
    do throws(SystemError) {
      let info = try FileSystem.linkInfo(path)
      let names = try FileSystem.list(path)
      guard info.isDirectory, info.owner == ThisProcess.userIdentifier, info.mode == 0o700,
        names.allSatisfy(isOfStore)
      else { return false }
      // The lock file is made and locked first.
      guard names.contains(OwnerLock.name) else {
        guard isLockedAbove, names.isEmpty || names == [newLock] else { return false }
        body(path)
        return true
      }
      let lock = try RangeLock.openExisting("\(path)/\(OwnerLock.name)")
      guard try lock.tryExclusive(at: OwnerLock.creationByte) else { return false }
      body(path)
      return true
    } catch {
      return false
    }
  }

  /// Whether a file may be there: those of a new store, and those that a copy is verified with.
  private static func isOfStore(_ name: String) -> Bool {
    [FormatFile.name, OwnerLock.name, newLock, "data.mdb", "lock.mdb"].contains(name)
      || name == Anchor.name || name.hasPrefix(Anchor.name + ".")
      || name.hasPrefix(OpenMark.prefix)
  }
}
