public import RetraceLog
import RetraceLMDB
import RetracePlatform

/// A copy of a store that was made and checked.
public struct StoreBackup: Hashable, Sendable {
  /// The directory of the copy, itself a store.
  public var path: String
  /// Where the log of the copy ends.
  public var head: Head
  /// The bytes of its data file.
  public var bytes: Int
}

extension LogStorage {
  /// Copies the store into a new directory, while others read and write it.
  ///
  /// The copy holds the log as of one commit, without free pages, and opens as a store of its own.
  /// It has the identity of the original, which the chain covers, and says in its `anchor` where it
  /// ends. Attempt files and `derived/` are left out: the first are of sessions that the copy does
  /// not have, the other can be made again.
  ///
  /// The copy is written into a directory of another name beside the destination, brought to the
  /// disk, opened, verified from the first record to the last, and then gets its name. So whoever
  /// finds the name finds a whole copy, on disk once this returns; a backup that is killed leaves
  /// `.retrace-backup-` and six letters, which the next backup beside it removes.
  ///
  /// - Parameter destination: The directory to make; the one above has to exist.
  /// - Returns: What was copied.
  /// - Complexity: O(bytes of the log), read twice, hashed once and written once. Pages in use when
  ///   it begins are not reused while the copying lasts.
  /// - Throws: ``StoreError/Code/destinationExists`` if anything has the name; `diskFull`,
  ///   `permissionDenied`, `storageFailed`; `invalidConfiguration` for a store in memory; `damaged`
  ///   if the copy does not verify. No name is left.
  public func backup(to destination: String) throws(StoreError) -> StoreBackup {
    let target = StorePath(destination)
    guard !isInMemory else {
      throw StoreError(
        .invalidConfiguration, what: "No backup was made.", why: "The store is in memory only.",
        advice: "Record into a directory.")
    }
    try Self.requireFree(target)
    let draft = try makeDraft(of: target)
    do throws(StoreError) {
      try copyFiles(into: StorePath(draft.path))
      var backup = try Self.verify(draft.path, copyOf: self)
      try publish(draft.path, as: target)
      draft.release()
      backup.path = target.directory
      return backup
    } catch {
      draft.remove()
      throw error
    }
  }

  private func makeDraft(of target: StorePath) throws(StoreError) -> StoreDraft {
    let place = try StoreDraft.lockPlace(of: target)
    do throws(PlatformError) {
      return try StoreDraft.make(for: .backup, beside: target, in: place)
    } catch {
      throw StoreError(error, in: path, doing: "be copied to \(target.directory)")
    }
  }

  private static func requireFree(_ target: StorePath) throws(StoreError) {
    guard try target.directoryInfo() != nil else { return }
    throw StoreError(
      .destinationExists, what: "No backup was made.", why: "\(target.directory) exists already.",
      advice: "Name another directory, or remove that one.")
  }

  /// Writes the files of the copy and brings them to the disk.
  private func copyFiles(into draft: StorePath) throws(StoreError) {
    let doing = "be copied"
    do throws(PlatformError) {
      let format = try FileSystem.readWhole(
        store.file(FormatFile.name), limitBytes: FormatFile.maximumBytes)
      let file = try OpenFile.open(
        draft.file(FormatFile.name), [.write, .create, .exclusive, .noFollow], mode: 0o600)
      try file.write(format.span, at: 0)
      try file.synchronize()
    } catch {
      throw StoreError(error, in: path, doing: doing)
    }
    // LMDB copies through its map, for which nothing is read ahead.
    try? OpenFile.open(store.file("data.mdb"), [.read, .noFollow, .nonBlocking]).expectReads()
    do {
      let data = try OpenFile.open(
        draft.file("data.mdb"), [.write, .create, .exclusive, .noFollow], mode: 0o600)
      try environment.copy(to: data.descriptor)
      try data.synchronize()
    } catch let error as LMDBError {
      throw StoreError(error, in: path, doing: doing)
    } catch let error as PlatformError {
      throw StoreError(error, in: path, doing: doing)
    } catch {
      throw StoreError(
        .storageFailed, what: "No backup was made.", why: "\(error)", advice: "Try again.")
    }
  }

  /// Opens the copy, checks it whole, and that its end is a place of the original's log.
  private static func verify(
    _ draft: String, copyOf original: LogStorage
  ) throws(StoreError) -> StoreBackup {
    let copy = try LogStorage.open(at: draft, access: .read, checkingPages: true)
    defer { copy.close() }
    let head = try copy.withSnapshot { (snapshot) throws(StoreError) in
      try snapshot.verify()
      return snapshot.head
    }
    let chain = try original.withSnapshot { (snapshot) throws(StoreError) in
      try snapshot.chain(at: head.sequence)
    }
    guard chain == head.chain else {
      throw StoreError.damaged(head.sequence, "The copy ends with another chain", in: draft)
    }
    let store = StorePath(draft)
    Anchor.write(head, store, by: nil)
    guard let info = try store.info("data.mdb") else {
      throw StoreError.damaged(1, "The data file of the copy is gone", in: draft)
    }
    return StoreBackup(path: draft, head: head, bytes: info.sizeBytes)
  }

  /// Gives the copy its name.
  private func publish(_ draft: String, as target: StorePath) throws(StoreError) {
    try Self.requireFree(target)
    do throws(PlatformError) {
      try FileSystem.syncDirectory(draft)
      try FileSystem.rename(draft, to: target.directory)
      try FileSystem.syncDirectory(target.parent)
    } catch {
      throw StoreError(error, in: path, doing: "be copied to \(target.directory)")
    }
  }
}
