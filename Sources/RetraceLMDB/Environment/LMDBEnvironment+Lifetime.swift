import Glibc
import Synchronization

// Who may use the environment when: begin, end, close.
extension LMDBEnvironment {
  /// Closes the environment; calls after the first do nothing.
  ///
  /// While transactions are open, no new one can begin and the files are closed when the last one
  /// ends.
  public func close() {
    let closesNow = state.withLock { state in
      state.isClosing = true
      abortStranded(&state)
      return becomesClosed(&state)
    }
    if closesNow { closeHandle() }
  }

  /// Notes that a transaction is about to begin.
  func enter(_ operation: LMDBError.Operation) throws(LMDBError) {
    if getpid() != processIdentifier { throw LMDBError(.forked, during: operation) }
    try state.withLock { state throws(LMDBError) in
      if state.isClosing { throw LMDBError(.closed, during: operation) }
      if operation == .beginWrite {
        abortStranded(&state)
        if state.stranded != nil { throw LMDBError(.wrongThread, during: operation) }
        if state.writer == pthread_self() {
          throw LMDBError(.nestedWrite, during: operation)
        }
      }
      state.openTransactions += 1
    }
  }

  /// Notes that this thread now has the write transaction.
  func noteWriter() {
    state.withLock { $0.writer = pthread_self() }
  }

  /// Notes that a transaction ended, or could not begin.
  func leave(wasWriting: Bool) {
    let closesNow = state.withLock { state in
      // Another thread may have the write transaction that this one failed to get.
      if wasWriting && state.writer == pthread_self() { state.writer = nil }
      state.openTransactions -= 1
      return becomesClosed(&state)
    }
    if closesNow { closeHandle() }
  }

  /// Takes over a write transaction that was given up on another thread than its own.
  ///
  /// LMDB's lock belongs to the thread that began: only that thread can give the transaction up.
  func strand(_ transaction: Handle) {
    state.withLock { $0.stranded = transaction }
  }

  /// Gives up a stranded transaction if this is the thread that began it.
  private func abortStranded(_ state: inout State) {
    // Unsafe: the stranded transaction is owned by the state, and this is its thread.
    guard let stranded = state.stranded, state.writer == pthread_self() else { return }
    unsafe calls.abort(stranded.pointer)
    state.stranded = nil
    state.writer = nil
    state.openTransactions -= 1
  }

  /// Whether the caller has to close C's handle now; true once.
  private func becomesClosed(_ state: inout State) -> Bool {
    guard state.isClosing && !state.isClosed && state.openTransactions == 0 else { return false }
    state.isClosed = true
    return true
  }

  private func closeHandle() {
    // A child process must leave its parent's locks alone.
    guard getpid() == processIdentifier else { return }
    var hasEntered = false
    do throws(LMDBError) {
      try gate?.enter()
      hasEntered = true
    } catch {
      // Another process does not finish: the end of this one closes the files.
      if error.code == .openingStalled { return }
    }
    defer { if hasEntered { gate?.leave() } }
    Registry.close(fileIdentity) {
      // Unsafe: no transaction is open, and this happens once.
      unsafe calls.close(handle.pointer)
    }
  }

  /// Answers a question of C's handle while it cannot be closed.
  func withHandle<Result>(
    _ operation: LMDBError.Operation, _ body: (Handle) throws(LMDBError) -> Result
  ) throws(LMDBError) -> Result {
    try enter(operation)
    defer { leave(wasWriting: false) }
    return try body(handle)
  }
}
