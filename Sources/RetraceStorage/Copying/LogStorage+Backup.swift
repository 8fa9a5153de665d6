import RetraceLMDB
import RetraceLog
import RetraceSystem

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
    guard !isInMemory else {
      throw StoreError(
        .invalidConfiguration, what: "No backup was made.", why: "The store is in memory only.",
        advice: "Record into a directory.")
    }
    let copy = try StoreCopy(to: destination, of: path, doing: "be copied")
    do throws(StoreError) {
      try copyFiles(into: StorePath(copy.path))
    } catch {
      copy.abandon()
      throw error
    }
    return try copy.finish { (head) throws(StoreError) in
      let chain = try withSnapshot { (snapshot) throws(StoreError) in
        try snapshot.chain(at: head.sequence)
      }
      guard chain == head.chain else {
        throw StoreError.damaged(head.sequence, "The copy ends with another chain", in: path)
      }
    }
  }

  /// Writes the files of the copy and brings them to the disk.
  private func copyFiles(into draft: StorePath) throws(StoreError) {
    let doing = "be copied"
    do throws(SystemError) {
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
    } catch let error as SystemError {
      throw StoreError(error, in: path, doing: doing)
    } catch {
      throw StoreError(
        .storageFailed, what: "No backup was made.", why: "\(error)", advice: "Try again.")
    }
  }
}
