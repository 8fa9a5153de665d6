import Retrace
import RetraceSystem

/// The notes on folding that this process and crashed ones wrote into their open marks.
///
/// A newer reducer can crash at a record that an older one folded, and then does so at every start.
/// So a process notes that it folds, and with which reducer. After a crash, the next fold with the
/// same reducer notes each record first, so that another crash shows the record.
final class FoldNotes: Sendable {
  private let mark: OpenMark?
  private let store: StorePath
  private let state: Lock<State>

  private struct State {
    var shutdowns: [UncleanShutdown]
    var notesAll = false
    /// The number of folds that have begun and not ended.
    var folds = 0

    /// Returns whether a process crashed while it folded the log with a reducer.
    func hasCrashed(with reducer: Digest) -> Bool {
      shutdowns.contains { $0.reducer == reducer }
    }
  }

  init(_ mark: OpenMark?, _ shutdowns: [UncleanShutdown], in store: StorePath) {
    self.mark = mark
    self.store = store
    state = Lock(State(shutdowns: shutdowns.filter { $0.reducer != nil }))
  }

  /// Returns whether a process crashed while it folded the log with a reducer.
  func hasCrashed(with reducer: Digest) -> Bool {
    state.withLock { $0.hasCrashed(with: reducer) }
  }

  /// Makes every fold from now on note each record.
  func noteAll() { state.withLock { $0.notesAll = true } }

  func notesEachRecord(foldedBy reducer: Digest) -> Bool {
    state.withLock { $0.notesAll || $0.hasCrashed(with: reducer) }
  }

  /// Notes that a fold begins.
  ///
  /// - Returns: Whether to note each record.
  /// - Throws: ``StoreError/Code/reducerTrapped(sequence:)`` if two processes crashed at one
  ///   record.
  func begin(_ reducer: Digest) throws(StoreError) -> Bool {
    let (shutdowns, notesAll) = state.withLock { state in
      // A crash of another build's reducer says nothing about this one.
      for shutdown in state.shutdowns where shutdown.reducer != reducer {
        OpenMark.remove(shutdown, in: store)
      }
      state.shutdowns.removeAll { $0.reducer != reducer }
      return (state.shutdowns, state.notesAll)
    }
    let noted = shutdowns.filter { $0.sequence > 0 }.map(\.sequence)
    if !notesAll, let twice = noted.first(where: { one in noted.count { $0 == one } > 1 }) {
      // A reducer without a fingerprint may have changed meanwhile, so the next open tries again.
      if reducer == .zero, let shutdown = shutdowns.first(where: { $0.sequence == twice }) {
        OpenMark.remove(shutdown, in: store)
      }
      throw StoreError.reducerTrapped(twice, in: store.directory)
    }
    let notes = notesAll || !shutdowns.isEmpty
    state.withLock { state in
      state.folds += 1
      mark?.note(notes ? .foldingRecordByRecord(reducer: reducer) : .folding(reducer: reducer))
    }
    return notes
  }

  /// Notes the record that is about to be folded.
  func noteFolding(_ sequence: UInt64) { mark?.note(sequence) }

  /// Notes the last record before the block that is about to be read.
  ///
  /// Does nothing during a fold: the mark has room for one sequence, and a fold uses it to name the
  /// record at which the reducer crashes.
  func noteReading(after sequence: UInt64) {
    state.withLock { state in
      if state.folds == 0 { mark?.note(sequence) }
    }
  }

  /// Notes that a fold ended; a complete one also removes the marks of crashed processes.
  func end(_ reducer: Digest, isWhole: Bool) {
    state.withLock { state in
      state.folds -= 1
      if state.folds == 0 { mark?.note(.using) }
    }
    if isWhole { forget(reducer) }
  }

  /// Removes the marks of processes that crashed while they folded the log with a reducer.
  func forget(_ reducer: Digest) {
    state.withLock { state in
      for shutdown in state.shutdowns where shutdown.reducer == reducer {
        OpenMark.remove(shutdown, in: store)
      }
      state.shutdowns.removeAll { $0.reducer == reducer }
    }
  }
}

extension StoreError {
  /// Returns the error for a record at which the reducer crashes the program.
  package static func reducerTrapped(_ sequence: UInt64, in path: String) -> StoreError {
    StoreError(
      .reducerTrapped(sequence: sequence), what: "The log of \(path) cannot be folded.",
      why: "The reducer of this build crashes the program at record \(sequence).",
      advice: "Use the build that recorded it, or correct the reducer; `audit` can read every "
        + "record without folding.")
  }
}
