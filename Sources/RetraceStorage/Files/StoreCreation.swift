import RetraceArchitecture
import RetraceLMDB
import RetraceLog
import RetracePlatform

/// Making a store: in a directory of another name, which then gets the store's name.
///
/// So a store is there whole or not at all, whenever the machine stops.
enum StoreCreation {
  /// How the names of the directories begin in which stores are made.
  private static let prefix = ".retrace-"
  /// The name of the lock file before it is locked.
  private static let newLock = OwnerLock.name + ".new"

  /// Makes a store, unless another process makes it first.
  ///
  /// What a creation left behind that was cut off is removed.
  static func create(
    _ store: StorePath, options: LMDBEnvironment.Options
  ) throws(StoreError) {
    let draft: String
    do throws(PlatformError) {
      if try !FileSystem.exists(store.parent) { try FileSystem.makeDirectories(store.parent) }
      removeLeftDrafts(beside: store)
      draft = try FileSystem.makeTemporaryDirectory(prefix, in: store.parent)
    } catch {
      throw StoreError(error, in: store.directory, doing: "be created")
    }
    do throws(StoreError) {
      // Held until the store has its name: no other process takes the draft for one left behind.
      let lock = try lock(draft, of: store)
      try fill(draft, of: store, options: options)
      try publish(draft, as: store)
      try? lock.release(at: OwnerLock.creationByte)
    } catch {
      try? FileSystem.removeTree(draft)
      throw error
    }
  }

  /// Makes the lock file of the store and locks it; it gets its name when it is locked, so that
  /// one that nobody has locked was left behind.
  private static func lock(_ draft: String, of store: StorePath) throws(StoreError) -> RangeLock {
    do throws(PlatformError) {
      let lock = RangeLock(
        try OpenFile.open(
          "\(draft)/\(newLock)", [.read, .write, .create, .exclusive, .noFollow], mode: 0o600))
      guard try lock.tryExclusive(at: OwnerLock.creationByte) else {
        throw PlatformError(.busy, during: .fcntl, path: draft)
      }
      try lock.file.synchronize()
      try FileSystem.rename("\(draft)/\(newLock)", to: "\(draft)/\(OwnerLock.name)")
      return lock
    } catch {
      throw StoreError(error, in: store.directory, doing: "be created")
    }
  }

  /// Writes the files of an empty store and brings them to the disk.
  private static func fill(
    _ draft: String, of store: StorePath, options: LMDBEnvironment.Options
  ) throws(StoreError) {
    var random = SystemRandomNumberGenerator()
    let format = FormatFile(
      store: StoreID(random.next(), random.next()),
      created: Moment(microseconds: WallClock.now()))
    do throws(PlatformError) {
      let file = try OpenFile.open(
        "\(draft)/\(FormatFile.name)", [.write, .create, .exclusive, .noFollow], mode: 0o600)
      try file.write(Array(format.text.utf8).span, at: 0)
      try file.synchronize()
    } catch {
      throw StoreError(error, in: store.directory, doing: "be created")
    }
    do throws(LMDBError) {
      let environment = try LMDBEnvironment.open(draft, options: options)
      defer { environment.close() }
      try LogDatabases.create(in: environment, store: format.store)
    } catch {
      throw StoreError(error, in: store.directory, doing: "be created")
    }
  }

  /// Gives the directory the store's name.
  private static func publish(_ draft: String, as store: StorePath) throws(StoreError) {
    do throws(PlatformError) {
      try FileSystem.syncDirectory(draft)
      try FileSystem.rename(draft, to: store.directory)
    } catch {
      // Another process was faster, and its store is as good.
      if error.code == .notEmpty || error.code == .fileExists {
        try? FileSystem.removeTree(draft)
        return
      }
      throw StoreError(error, in: store.directory, doing: "be created")
    }
    do throws(PlatformError) {
      try FileSystem.syncDirectory(store.parent)
    } catch {
      throw StoreError(error, in: store.directory, doing: "be created")
    }
  }

  // What is left of creations that were cut off

  /// The directories beside a store that creations left behind: of this user, named as such, with
  /// nothing else in them, and held by no process.
  ///
  /// - Complexity: O(names in the directory above).
  static func leftDrafts(beside store: StorePath) -> [String] {
    let names = (try? FileSystem.list(store.parent)) ?? []
    let drafts = names.filter { $0.hasPrefix(prefix) && $0.utf8.count == prefix.utf8.count + 6 }
    return drafts.map { "\(store.parent)/\($0)" }.filter { holdLeftDraft($0) { _ in } }
  }

  private static func removeLeftDrafts(beside store: StorePath) {
    for draft in leftDrafts(beside: store) {
      _ = holdLeftDraft(draft) { try? FileSystem.removeTree($0) }
    }
  }

  /// Does something with a directory that was left behind while no other process can; answers
  /// whether it is one.
  private static func holdLeftDraft(_ path: String, _ body: (String) -> Void) -> Bool {
    let known: Set<String> = [FormatFile.name, OwnerLock.name, newLock, "data.mdb", "lock.mdb"]
    do throws(PlatformError) {
      let info = try FileSystem.linkInfo(path)
      let names = try FileSystem.list(path)
      guard info.isDirectory, info.owner == ThisProcess.userIdentifier, info.mode == 0o700,
        known.isSuperset(of: names)
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
}
