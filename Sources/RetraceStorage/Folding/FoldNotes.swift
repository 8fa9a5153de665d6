import RetraceAvro
import RetraceSystem
import Synchronization

/// What this process and those that ended noted about folding the log, in the marks of their opens.
///
/// A record that an older reducer folded can end the program under a newer one, at every start.
/// A process notes that it folds, and by which reducer. The next that folds by the same one notes
/// each record before, so that what ends it again has a name.
final class FoldNotes: Sendable {
  private let mark: OpenMark?
  private let store: StorePath
  private let state: Mutex<State>

  private struct State {
    var ends: [UncleanEnd]
    var notesAll = false
  }

  init(_ mark: OpenMark?, _ ends: [UncleanEnd], in store: StorePath) {
    self.mark = mark
    self.store = store
    state = Mutex(State(ends: ends.filter { $0.reducer != nil }))
  }

  /// Whether a process ended while it folded the log by a reducer.
  func hasEnd(of reducer: Digest) -> Bool {
    state.withLock { $0.ends.contains { $0.reducer == reducer } }
  }

  /// Notes each record from now on.
  func noteAll() { state.withLock { $0.notesAll = true } }

  /// Notes that a fold begins.
  ///
  /// - Returns: Whether each record is to be noted.
  /// - Throws: ``StoreError/Code/reducerTrapped(sequence:)`` if two processes ended at one record.
  func begin(_ reducer: Digest) throws(StoreError) -> Bool {
    let (ends, notesAll) = state.withLock { state in
      // What another build came to says nothing about this one.
      for end in state.ends where end.reducer != reducer { OpenMark.remove(end, in: store) }
      state.ends.removeAll { $0.reducer != reducer }
      return (state.ends, state.notesAll)
    }
    let noted = ends.filter { $0.sequence > 0 }.map(\.sequence)
    if !notesAll, let twice = noted.first(where: { one in noted.count { $0 == one } > 1 }) {
      // A reducer without a fingerprint may be another one by now: it is tried again next time.
      if reducer == .zero, let end = ends.first(where: { $0.sequence == twice }) {
        OpenMark.remove(end, in: store)
      }
      throw StoreError.reducerTrapped(twice, in: store.directory)
    }
    let notes = notesAll || !ends.isEmpty
    mark?.note(0)
    mark?.note(notes ? .foldingNoted(reducer: reducer) : .folding(reducer: reducer))
    return notes
  }

  /// Notes the record that is about to be folded.
  func note(_ sequence: UInt64) { mark?.note(sequence) }

  /// Notes that a fold is over; one that reached its end takes back what others noted.
  func end(_ reducer: Digest, isWhole: Bool) {
    mark?.note(.using)
    if isWhole { forget(reducer) }
  }

  /// Removes what processes left that ended while they folded the log by a reducer.
  func forget(_ reducer: Digest) {
    state.withLock { state in
      for end in state.ends where end.reducer == reducer { OpenMark.remove(end, in: store) }
      state.ends.removeAll { $0.reducer == reducer }
    }
  }
}

extension StoreError {
  /// The error for a record at which the reducer ends the program.
  public static func reducerTrapped(_ sequence: UInt64, in path: String) -> StoreError {
    StoreError(
      .reducerTrapped(sequence: sequence), what: "The log of \(path) cannot be folded.",
      why: "The reducer of this build ends the program at record \(sequence).",
      advice: "Use the build that recorded it, or correct the reducer; `audit` reads every record.")
  }
}
