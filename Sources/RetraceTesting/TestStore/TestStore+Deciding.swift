public import RetraceArchitecture
import RetraceState
public import Testing

extension TestStore {
  /// Returns a store that has folded facts, to test a decision on the state after them.
  ///
  /// ```swift
  /// TestStore<HeaterApp>.given([]).when(.warm(to: 21)).then([.degreesChanged(from: 20, to: 21)])
  /// TestStore<HeaterApp>.given([]).when(.warm(to: 99)).then(refused: .tooHot(limit: 30))
  /// ```
  ///
  /// An issue is recorded if the state breaks an invariant after a fact. In an `UndoableApp` also
  /// if a fact tells an edit that the state does not show: a field did not have the value before,
  /// or does not have the one after.
  ///
  /// - Complexity: As the reducer and the invariants for each fact.
  public static func given(
    _ facts: [App.Action], clock: VirtualClock = VirtualClock(),
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> TestStore {
    var store = TestStore(clock: clock)
    for fact in facts {
      let before = store.fold.state
      _ = store.apply(fact)
      var what: String { "the given fact \(ValueText.text(of: fact))" }
      var problems: [String] = []
      if let app = App.self as? any UndoableApp.Type,
        let field = firstUntrueField(app, of: fact, before, store.fold.state)
      {
        problems.append("\(what) tells an edit of \(field) that the state does not show")
      }
      store.report(problems + store.violations(after: what), at: sourceLocation)
    }
    return store
  }

  /// Returns the first field or entity whose edit by a fact the states before and after it do not
  /// show.
  private static func firstUntrueField<Undoable: UndoableApp>(
    _ app: Undoable.Type, of fact: Any, _ before: Any, _ after: Any
  ) -> String? {
    guard let fact = fact as? Undoable.Action, let before = before as? Undoable.State,
      let after = after as? Undoable.State
    else { return nil }
    var (start, end) = (Undoable.undoablePart(of: before), Undoable.undoablePart(of: after))
    let edits = Undoable.edits(of: fact)
    for edit in edits {
      let conflicts = edit.restorable(on: start, excluding: []).unrestored
      // A new entity cannot be restored; the state after the fact shows whether it was inserted.
      if let field = conflicts.first(where: { $0.field != nil }) { return text(field) }
      edit.apply(to: &start)
    }
    for edit in edits.reversed() {
      let inverted = edit.inverted
      if let field = inverted.restorable(on: end, excluding: []).unrestored.first {
        return text(field)
      }
      inverted.apply(to: &end)
    }
    return nil
  }

  private static func text(_ field: UnrestoredField) -> String {
    let entity = "\(field.type)=\(field.id)"
    return field.field.map { "\($0) of \(entity)" } ?? entity
  }

  /// Decides a command on the state, which stays as it is.
  public func when(_ command: App.Command) -> Decision {
    do throws(App.Refusal) {
      let facts = try App._decide(command, on: fold, at: clock.moment)
      return Decision(command: command, outcome: facts.map { .accepted($0) } ?? .unhandled)
    } catch {
      return Decision(command: command, outcome: .refused(error))
    }
  }

  /// The outcome of deciding a command.
  public struct Decision {
    enum Outcome {
      case accepted([App.Action])
      case refused(App.Refusal)
      case unhandled
    }

    let command: App.Command
    let outcome: Outcome

    /// The facts; none if the command was refused.
    public var facts: [App.Action] {
      if case .accepted(let facts) = outcome { facts } else { [] }
    }

    /// The refusal; `nil` if the command was accepted.
    public var refusal: App.Refusal? {
      if case .refused(let refusal) = outcome { refusal } else { nil }
    }

    /// Compares the facts with the expected ones, and records an issue if they differ or if the
    /// command was refused.
    public func then(
      _ expected: [App.Action], sourceLocation: SourceLocation = #_sourceLocation
    ) where App.Action: Equatable {
      guard let problem = problem(expected) else { return }
      Issues.record(problem, at: sourceLocation)
    }

    /// Compares the refusal with the expected one, and records an issue if it differs or if the
    /// command was accepted.
    public func then(
      refused expected: App.Refusal, sourceLocation: SourceLocation = #_sourceLocation
    ) {
      guard let problem = problem(refused: expected) else { return }
      Issues.record(problem, at: sourceLocation)
    }

    /// Returns how the facts differ from the expected ones; `nil` if they are as expected.
    func problem(_ expected: [App.Action]) -> String? where App.Action: Equatable {
      guard case .accepted(let facts) = outcome else {
        return "\(name) \(result), but was expected to lead to \(ValueText.list(of: expected))"
      }
      let lines = ValueText.differences(of: facts, from: expected) { "fact \($0 + 1)" }
      guard !lines.isEmpty else { return nil }
      return (["the facts of \(name) are not as expected:"] + lines).joined(separator: "\n")
    }

    /// Returns how the refusal differs from the expected one; `nil` if it is as expected.
    func problem(refused expected: App.Refusal) -> String? {
      if case .refused(expected) = outcome { return nil }
      return "\(name) \(result), but was expected to be refused as \(ValueText.text(of: expected))"
    }

    var isAccepted: Bool {
      if case .accepted = outcome { true } else { false }
    }

    var name: String { ValueText.text(of: command) }

    var result: String {
      switch outcome {
      case .accepted(let facts): "led to \(ValueText.list(of: facts))"
      case .refused(let refusal): "was refused as \(ValueText.text(of: refusal))"
      case .unhandled: "is handled by no decider"
      }
    }
  }
}
