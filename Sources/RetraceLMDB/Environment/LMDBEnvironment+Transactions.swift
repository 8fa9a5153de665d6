import RetraceSystem

extension LMDBEnvironment {
  /// Begins a read transaction, which sees the last commit and no later ones.
  ///
  /// Keep it short: LMDB cannot reuse the pages that it sees, so the file grows meanwhile.
  ///
  /// - Complexity: O(1).
  /// - Returns: The transaction, which ends when the value is destroyed.
  /// - Throws: ``LMDBError/Code/readersFull``, ``LMDBError/Code/panic``, ``LMDBError/Code/closed``,
  ///   ``LMDBError/Code/forked``; ``LMDBError/Code/mapResized`` if another process enlarged the
  ///   data beyond the map, and an open transaction of this process keeps the map from growing.
  public func beginRead() throws(LMDBError) -> ReadTransaction {
    try registerTransaction(.beginRead)
    do throws(LMDBError) {
      return ReadTransaction(try beginAdoptingMapSize(readOnly: true), of: self)
    } catch {
      unregisterTransaction(wasWriting: false)
      throw error
    }
  }

  /// Begins the write transaction; waits while another thread or process has one.
  ///
  /// The thread that begins it has to commit or drop it, because LMDB's lock belongs to the thread.
  ///
  /// - Complexity: O(1), without the wait.
  /// - Returns: The transaction, which is aborted if it is destroyed without a commit.
  /// - Throws: ``LMDBError/Code/nestedWrite`` if this thread already has one,
  ///   ``LMDBError/Code/wrongThread`` if a write transaction was dropped on a thread that did not
  ///   begin it, and what ``beginRead()`` throws.
  public func beginWrite() throws(LMDBError) -> WriteTransaction {
    try registerTransaction(.beginWrite)
    do throws(LMDBError) {
      let transaction = try beginAdoptingMapSize(readOnly: false)
      setWriter()
      return WriteTransaction(transaction, of: self)
    } catch {
      unregisterTransaction(wasWriting: false)
      throw error
    }
  }

  /// Begins a transaction.
  ///
  /// If another process enlarged the data beyond the map, this enlarges the map and tries again
  /// once.
  func beginAdoptingMapSize(readOnly: Bool) throws(LMDBError) -> Handle {
    do throws(LMDBError) {
      return try beginVerified(readOnly: readOnly)
    } catch {
      guard error.code == .mapResized else { throw error }
      try adoptMapSize(error)
      return try beginVerified(readOnly: readOnly)
    }
  }

  /// Begins a transaction, and refuses one whose number contradicts the newest meta page.
  ///
  /// LMDB numbers transactions with a counter in the lock file. If the counter were too low for the
  /// data file, a reader could see an old commit and a writer could overwrite pages in use. The
  /// number of a reader may be one too low, because a committing writer updates the counter after
  /// the meta page. The number of a writer has to fit exactly, because the writer holds LMDB's
  /// write lock.
  private func beginVerified(readOnly: Bool) throws(LMDBError) -> Handle {
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

  /// Enlarges the map so that the data file fits.
  ///
  /// The map moves, so no other transaction of this process may be open; otherwise this throws
  /// `error`. The state's lock keeps other transactions from beginning meanwhile.
  private func adoptMapSize(_ error: LMDBError) throws(LMDBError) {
    try state.withLock { state throws(LMDBError) in
      guard state.openTransactions == 1 else { throw error }
      // Unsafe: the handle is open, and no transaction uses the map that is replaced.
      let data = try calls.status(ofDescriptor: unsafe calls.fileDescriptor(handle.pointer))
      let size: Int
      do throws(LMDBError) {
        size = try AddressSpace.enlargedMapSize(dataBytes: data.sizeBytes)
      } catch {
        // LMDB would unmap the old map before it fails to create the new one.
        throw LMDBError(.mapResized, during: .setMapSize)
      }
      try unsafe calls.setMapSize(handle.pointer, size)
    }
  }
}
