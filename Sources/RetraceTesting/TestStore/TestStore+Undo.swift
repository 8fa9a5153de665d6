public import RetraceArchitecture
import RetraceState
public import Testing

extension TestStore where App: UndoableApp {
  /// Undoes the newest change that was performed and is not undone, and compares the new state with
  /// the expected one.
  ///
  /// ```swift
  /// var store = TestStore<ShelfApp>(clock: VirtualClock())
  /// store.undo()
  /// ```
  ///
  /// - Parameters:
  ///   - sourceLocation: The line of the call.
  ///   - change: Changes the previous state to the expected one.
  public mutating func undo(
    sourceLocation: SourceLocation = #_sourceLocation,
    _ change: (inout App.State) -> Void = { _ in }
  ) {
    report(restore(isRedo: false, change), at: sourceLocation)
  }

  /// Redoes the newest undo after which nothing was changed, and compares the new state with the
  /// expected one.
  ///
  /// - Parameters:
  ///   - sourceLocation: The line of the call.
  ///   - change: Changes the previous state to the expected one.
  public mutating func redo(
    sourceLocation: SourceLocation = #_sourceLocation,
    _ change: (inout App.State) -> Void = { _ in }
  ) {
    report(restore(isRedo: true, change), at: sourceLocation)
  }

  private mutating func restore(
    isRedo: Bool, _ change: (inout App.State) -> Void
  ) -> [String] {
    var problems = leaveReceived("before the \(isRedo ? "redo" : "undo")")
    var next = history
    guard let target = isRedo ? next.redoable.popLast() : next.undoable.popLast() else {
      return problems + ["there is nothing to \(isRedo ? "redo" : "undo")"]
    }
    let edits = (next.facts[target] ?? []).flatMap { App.edits(of: $0) }
    let links = RestoreLinks(
      target: Int64(target), isRedo: isRedo, nextUndo: next.undoable.last.map { Int64($0) },
      nextRedo: next.redoable.last.map { Int64($0) }, change: Int64(next.change(of: target)))
    let command = App.command(
      for: Restore(
        links: links, expectedCount: App.editCount(in: fold.state),
        edits: edits.reversed().map(\.inverted)))
    let (before, decision) = (fold.state, when(command))
    let sequence = fold.sequence + 1
    _ = record(decision)
    guard case .accepted(let facts) = decision.outcome else {
      return problems + ["\(decision.name) \(decision.result)"]
    }
    next.restore(facts, at: sequence, of: target, isRedo: isRedo)
    history = next
    problems += compare(fold.state, from: before, change, after: isRedo ? "a redo" : "an undo")
    return problems
  }
}

/// The commands of a test store that can be undone and redone, by their sequences.
struct ChangeHistory<Action: Sendable>: Sendable {
  private(set) var facts: [UInt64: [Action]] = [:]
  var undoable: [UInt64] = []
  var redoable: [UInt64] = []
  /// The changes that undos and redos take back or bring back.
  private var changes: [UInt64: UInt64] = [:]

  /// Adds a change, after which nothing can be redone.
  mutating func add(_ facts: [Action], at sequence: UInt64) {
    self.facts[sequence] = facts
    undoable.append(sequence)
    redoable = []
  }

  /// Adds an undo or a redo.
  mutating func restore(
    _ facts: [Action], at sequence: UInt64, of target: UInt64, isRedo: Bool
  ) {
    self.facts[sequence] = facts
    changes[sequence] = change(of: target)
    if isRedo { undoable.append(sequence) } else { redoable.append(sequence) }
  }

  /// Returns the command whose change an undo or a redo is about.
  func change(of sequence: UInt64) -> UInt64 { changes[sequence] ?? sequence }
}
