import Retrace
import RetraceLMDB
import RetraceSystem

extension LogStorage {
  /// Copies the store into a new directory, while other processes read and write it.
  ///
  /// The copy contains the log as of one commit, without free pages, and is a store of its own. It
  /// keeps the identity of the original, which the chain covers, and stores its end in its
  /// `anchor`. It omits attempt files, which belong to sessions of the original, and `derived/`,
  /// which can be rebuilt.
  ///
  /// The copy is written into a temporary directory beside the destination, synced, opened,
  /// verified from the first record to the last, and then renamed. So the destination only ever
  /// contains a complete copy, which is on disk when this returns. A killed backup leaves a
  /// directory `.retrace-backup-XXXXXX` (six letters or digits), which the next backup beside it
  /// removes.
  ///
  /// - Parameter destination: The directory to create; its parent must exist.
  /// - Returns: A description of the copy.
  /// - Complexity: O(bytes of the log), read twice, hashed once and written once. Pages that are in
  ///   use at the start are not reused until the copy is done.
  /// - Throws: ``StoreError/Code/destinationExists``; `diskFull`, `permissionDenied`,
  ///   `storageFailed`; `invalidConfiguration` for a store in memory; `damaged` if the copy does
  ///   not verify. The destination is then not created.
  package func backup(to destination: String) throws(StoreError) -> CopiedStore {
    guard !isInMemory else {
      throw StoreError(
        .invalidConfiguration, what: "No backup was made.", why: "The store is in memory only.",
        advice: "Open a store in a directory to make backups of it.")
    }
    guard bundle == nil else {
      throw StoreError(
        .invalidConfiguration, what: "No backup was made.",
        why: "\(path) is a bundle, not a store.", advice: "Copy the file.")
    }
    let copy = try StoreCopy(to: destination, of: path, doing: "be copied")
    do throws(StoreError) {
      try copyFiles(into: StorePath(copy.path))
    } catch {
      copy.abandon()
      throw error
    }
    return try copy.finish { (head) throws(StoreError) in
      let chain = try withReadView { (view) throws(StoreError) in
        try view.chain(at: head.sequence)
      }
      guard chain == head.chain else {
        throw StoreError.damaged(
          head.sequence, "The copy's chain differs from the original's", in: path)
      }
    }
  }

  /// Writes the files of the copy and syncs them to disk.
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
    // LMDB copies through its map, which has no readahead.
    try? OpenFile.open(store.file("data.mdb"), [.read, .noFollow, .nonBlocking]).prefetch()
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
