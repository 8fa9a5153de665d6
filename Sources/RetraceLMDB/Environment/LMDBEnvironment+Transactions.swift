import Synchronization

extension LMDBEnvironment {
  /// Begins a read transaction: a view of the last commit that later ones do not change.
  ///
  /// Keep it short: pages that it can see are not reused, so the file grows while it is open.
  ///
  /// - Complexity: O(1).
  /// - Returns: The transaction; its end is the end of its life.
  /// - Throws: ``LMDBError/Code/readersFull``, ``LMDBError/Code/panic``,
  ///   ``LMDBError/Code/mapResized`` if another process made the data grow beyond the map and a
  ///   transaction of this process keeps the map from being enlarged, ``LMDBError/Code/closed``,
  ///   ``LMDBError/Code/forked``.
  public func beginRead() throws(LMDBError) -> ReadTransaction {
    try enter(.beginRead)
    do throws(LMDBError) {
      return ReadTransaction(try beginResizing(readOnly: true), of: self)
    } catch {
      leave(wasWriting: false)
      throw error
    }
  }

  /// Begins the write transaction; waits while another thread or process has one.
  ///
  /// The thread that begins has to commit or drop it: LMDB's lock belongs to the thread.
  ///
  /// - Complexity: O(1), without the wait.
  /// - Returns: The transaction; unless committed, the end of its life gives it up.
  /// - Throws: ``LMDBError/Code/nestedWrite`` if this thread has one already,
  ///   ``LMDBError/Code/wrongThread`` if one was given up on a thread that had not begun it, and
  ///   what ``beginRead()`` throws.
  public func beginWrite() throws(LMDBError) -> WriteTransaction {
    try enter(.beginWrite)
    do throws(LMDBError) {
      let transaction = try beginResizing(readOnly: false)
      noteWriter()
      return WriteTransaction(transaction, of: self)
    } catch {
      leave(wasWriting: false)
      throw error
    }
  }

  /// Begins, and if another process enlarged the data takes over its map size once.
  func beginResizing(readOnly: Bool) throws(LMDBError) -> Handle {
    do throws(LMDBError) {
      return try beginFitting(readOnly: readOnly)
    } catch {
      guard error.code == .mapResized else { throw error }
      try adoptMapSize(error)
      return try beginFitting(readOnly: readOnly)
    }
  }

  /// Begins, and refuses a transaction whose number does not fit the newest meta page.
  ///
  /// LMDB numbers transactions by a counter in the lock file. A counter lower than that of the data
  /// file would let a reader see an old commit and a writer overwrite pages in use. The counter of
  /// a reader may lack the newest commit, whose writer has not counted it yet; a writer's may not,
  /// since it holds LMDB's write lock.
  private func beginFitting(readOnly: Bool) throws(LMDBError) -> Handle {
    // Unsafe: the transaction being begun keeps the handle from being closed.
    let newestBefore = try unsafe calls.newestTransaction(handle.pointer)
    let transaction = unsafe Handle(
      pointer: try calls.begin(handle.pointer, readOnly: readOnly))
    let number = unsafe calls.number(transaction.pointer)
    let fits =
      readOnly
      ? number + 1 >= newestBefore
      : number == (try? unsafe calls.newestTransaction(handle.pointer)).map { $0 + 1 }
    if fits { return transaction }
    unsafe calls.abort(transaction.pointer)
    throw LMDBError(.lockFileStale, during: readOnly ? .beginRead : .beginWrite)
  }

  /// Maps as much as the data file now has.
  ///
  /// The map moves, so no other transaction of this process may be open: with one, the error is
  /// passed on. The state's lock keeps others from beginning meanwhile.
  private func adoptMapSize(_ error: LMDBError) throws(LMDBError) {
    try state.withLock { state throws(LMDBError) in
      guard state.openTransactions == 1 else { throw error }
      // Unsafe: the handle is open, and no transaction uses the map that is replaced.
      let data = try calls.status(ofDescriptor: unsafe calls.fileDescriptor(handle.pointer))
      let size: Int
      do throws(LMDBError) {
        size = try AddressSpace.largerMapBytes(dataBytes: data.sizeBytes)
      } catch {
        // LMDB unmaps the old map before it makes the new one, so it is not asked.
        throw LMDBError(.mapResized, during: .setMapSize)
      }
      try unsafe calls.setMapSize(handle.pointer, size)
    }
  }
}
