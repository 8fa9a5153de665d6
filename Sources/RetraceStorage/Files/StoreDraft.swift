import RetracePlatform

/// A directory in which a store, or a copy of one, is made before it gets its name.
///
/// Whoever makes it holds a lock in it meanwhile, so that one which nobody has locked was left
/// behind by a process that ended.
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

  /// Makes a directory beside the place of a store, with a lock file in it that is locked.
  static func make(
    for purpose: Purpose, beside store: StorePath
  ) throws(PlatformError) -> StoreDraft {
    let path = try FileSystem.makeTemporaryDirectory(purpose.prefix, in: store.parent)
    do throws(PlatformError) {
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
  private static func lock(_ path: String) throws(PlatformError) -> RangeLock {
    let lock = RangeLock(
      try OpenFile.open(
        "\(path)/\(newLock)", [.read, .write, .create, .exclusive, .noFollow], mode: 0o600))
    guard try lock.tryExclusive(at: OwnerLock.creationByte) else {
      throw PlatformError(.busy, during: .fcntl, path: path)
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
    let names = (try? FileSystem.list(store.parent)) ?? []
    let length = purpose.prefix.utf8.count + 6
    let drafts = names.filter { $0.hasPrefix(purpose.prefix) && $0.utf8.count == length }
    return drafts.map { "\(store.parent)/\($0)" }.filter { holdLeft($0) { _ in } }
  }

  /// Removes what creations left behind beside a store.
  static func removeLeftCreations(beside store: StorePath) {
    for draft in left(by: .creation, beside: store) {
      _ = holdLeft(draft) { try? FileSystem.removeTree($0) }
    }
  }

  /// Does something with a directory that was left behind while no other process can; answers
  /// whether it is one.
  private static func holdLeft(_ path: String, _ body: (String) -> Void) -> Bool {
    do throws(PlatformError) {
      let info = try FileSystem.linkInfo(path)
      let names = try FileSystem.list(path)
      guard info.isDirectory, info.owner == ThisProcess.userIdentifier, info.mode == 0o700,
        names.allSatisfy(isOfStore)
      else { return false }
      // The lock file is made first, a moment after the directory.
      guard names.contains(OwnerLock.name) else {
        guard names.isEmpty || names == [newLock], info.modified < WallClock.now() - 3_600_000_000
        else { return false }
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
