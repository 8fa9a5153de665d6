import Glibc
import RetraceSystem

// The lifetime of an environment: beginning and ending transactions, and closing.
extension LMDBEnvironment {
  /// Closes the environment; later calls do nothing.
  ///
  /// No transaction can begin after this. If transactions are still open, the files are closed when
  /// the last of them ends.
  public func close() {
    let closesNow = state.withLock { state in
      state.isClosing = true
      abortStranded(&state)
      return markClosedIfUnused(&state)
    }
    if closesNow { closeHandle() }
  }

  /// Registers a transaction that is about to begin.
  func registerTransaction(_ operation: LMDBError.Operation) throws(LMDBError) {
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

  func setWriter() {
    state.withLock { $0.writer = pthread_self() }
  }

  /// Unregisters a transaction that ended or failed to begin.
  func unregisterTransaction(wasWriting: Bool) {
    let closesNow = state.withLock { state in
      // If this thread failed to begin, another one may have the write transaction.
      if wasWriting && state.writer == pthread_self() { state.writer = nil }
      state.openTransactions -= 1
      return markClosedIfUnused(&state)
    }
    if closesNow { closeHandle() }
  }

  /// Stores a write transaction that was dropped on a thread that did not begin it.
  ///
  /// LMDB's lock belongs to the thread that began it, and only that thread can abort the
  /// transaction.
  func strand(_ transaction: Handle) {
    state.withLock { $0.stranded = transaction }
  }

  /// Aborts a stranded transaction if this thread began it.
  private func abortStranded(_ state: inout State) {
    // Unsafe: the state owns the stranded transaction, and this is its thread.
    guard let stranded = state.stranded, state.writer == pthread_self() else { return }
    unsafe calls.abort(stranded.pointer)
    state.stranded = nil
    state.writer = nil
    state.openTransactions -= 1
  }

  /// Marks a closing environment without transactions as closed.
  ///
  /// - Returns: Whether this call did so; the caller then has to close C's handle.
  private func markClosedIfUnused(_ state: inout State) -> Bool {
    guard state.isClosing && !state.isClosed && state.openTransactions == 0 else { return false }
    state.isClosed = true
    return true
  }

  private func closeHandle() {
    // A child process must not release its parent's locks.
    guard getpid() == processIdentifier else { return }
    var hasEntered = false
    do throws(LMDBError) {
      try openingLock?.enter()
      hasEntered = true
    } catch {
      // Another process holds the opening lock for too long. Do not close the handle: the system
      // closes the files when this process ends.
      if error.code == .openingStalled { return }
    }
    defer { if hasEntered { openingLock?.leave() } }
    Registry.close(fileIdentity) {
      // Unsafe: no transaction is open, and this happens once.
      unsafe calls.close(handle.pointer)
    }
  }

  /// Calls `body` with C's handle, which stays open meanwhile.
  func withHandle<Result>(
    _ operation: LMDBError.Operation, _ body: (Handle) throws(LMDBError) -> Result
  ) throws(LMDBError) -> Result {
    try registerTransaction(operation)
    defer { unregisterTransaction(wasWriting: false) }
    return try body(handle)
  }
}
