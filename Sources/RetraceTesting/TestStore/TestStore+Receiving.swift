public import RetraceArchitecture
import RetraceAvro
import RetraceSchema
import RetraceState
public import Testing

extension TestStore {
  /// Receives actions that leaves send, in order, and compares them and the new state with the
  /// expected ones.
  ///
  /// The leaves that are due run, one after the other, until the actions are there. A leaf that has
  /// not sent anything within a second, or sleeps on ``clock``, does not hold up the next one. An
  /// action that asks for a command is received as such; the command is decided, and its facts are
  /// folded.
  ///
  /// ```swift
  /// var store = TestStore<NotesApp>(environment: value())
  /// await store.receive(.search(.found(3)), after: .seconds(2)) { $0.search?.hits = 3 }
  /// ```
  ///
  /// - Parameters:
  ///   - expected: The expected actions.
  ///   - time: How far the clock is advanced first.
  ///   - inAnyOrder: Whether the actions may come in any order.
  ///   - refusals: The expected refusals of commands that the leaves ask for.
  ///   - timeout: How long to wait for leaves that run; a test waits that long only if it fails.
  ///   - sourceLocation: The line of the call.
  ///   - change: Changes the state before the first action to the one after the last.
  public mutating func receive(
    _ expected: App.Action..., after time: Duration = .zero, inAnyOrder: Bool = false,
    refused refusals: [App.Refusal] = [], timeout: Duration = .seconds(10),
    sourceLocation: SourceLocation = #_sourceLocation,
    _ change: (inout App.State) -> Void = { _ in }
  ) async where App.Action: Equatable {
    report(
      await take(expected, after: time, inAnyOrder, refusals, timeout, change), at: sourceLocation)
  }

  /// Receives one action that a predicate accepts; otherwise as with an expected action.
  ///
  /// ```swift
  /// var store = TestStore<NotesApp>(environment: value())
  /// await store.receive(where: { if case .search = $0 { true } else { false } })
  /// ```
  ///
  /// - Parameters:
  ///   - isExpected: Whether an action is the expected one.
  ///   - time: How far the clock is advanced first.
  ///   - refusals: The expected refusals of commands that the leaves ask for.
  ///   - timeout: How long to wait for leaves that run.
  ///   - sourceLocation: The line of the call.
  ///   - change: Changes the state before the action to the one after it.
  public mutating func receive(
    where isExpected: (App.Action) -> Bool, after time: Duration = .zero,
    refused refusals: [App.Refusal] = [], timeout: Duration = .seconds(10),
    sourceLocation: SourceLocation = #_sourceLocation,
    _ change: (inout App.State) -> Void = { _ in }
  ) async {
    let problems = await take(
      "an action that the predicate accepts", after: time, refusals, timeout, isExpected, change)
    report(problems, at: sourceLocation)
  }

  /// Receives one action of a case; otherwise as with an expected action.
  ///
  /// ```swift
  /// var store = TestStore<NotesApp>(environment: value())
  /// await store.receive(case: "search.found")
  /// ```
  ///
  /// - Parameters:
  ///   - name: The names of the cases, outermost first, as `replay show` has them: `sheet.saved`.
  ///     The inner ones may be left out.
  ///   - time: How far the clock is advanced first.
  ///   - refusals: The expected refusals of commands that the leaves ask for.
  ///   - timeout: How long to wait for leaves that run.
  ///   - sourceLocation: The line of the call.
  ///   - change: Changes the state before the action to the one after it.
  public mutating func receive(
    case name: String, after time: Duration = .zero, refused refusals: [App.Refusal] = [],
    timeout: Duration = .seconds(10), sourceLocation: SourceLocation = #_sourceLocation,
    _ change: (inout App.State) -> Void = { _ in }
  ) async {
    guard let codec = try? SchemaCodec(App.Action.schema), codec.hasCase(named: name) else {
      return report(["no action has the case \(name)"], at: sourceLocation)
    }
    let problems = await take(
      "an action of the case \(name)", after: time, refusals, timeout,
      { ValueText.caseName(of: $0).map { $0 == name || $0.hasPrefix(name + ".") } ?? false },
      change)
    report(problems, at: sourceLocation)
  }

  /// Runs the leaves that are due, and skips the actions that they send and those that were
  /// received before.
  ///
  /// The skipped actions are listed in ``skipped``.
  public mutating func skipReceivedActions(
    sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    let problems = await runLeaves(within: .zero) { _ in false }
    if !received.isEmpty {
      skipped.append("received: \(ValueText.list(of: received.map(\.action)))")
    }
    received = []
    report(problems, at: sourceLocation)
  }

  /// Runs the leaves that are due until all have ended; what they sent is then to be received.
  ///
  /// An issue is recorded if one still runs after `timeout`.
  public mutating func settle(
    timeout: Duration = .seconds(10), sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    var problems = await runLeaves(within: timeout) { _ in false }
    if !runs.running.isEmpty || !dueLeaves.isEmpty {
      problems.append("not settled: \(reasonForSilence)")
    }
    report(problems, at: sourceLocation)
  }
}

extension TestStore {
  /// Takes expected actions.
  mutating func take(
    _ expected: [App.Action], after time: Duration, _ inAnyOrder: Bool,
    _ refusals: [App.Refusal], _ timeout: Duration, _ change: (inout App.State) -> Void
  ) async -> [String] where App.Action: Equatable {
    guard isExhaustive else {
      return await takeSome(expected, after: time, inAnyOrder, refusals, timeout, change)
    }
    clock.advance(by: time)
    var problems = await runLeaves(within: timeout) { $0.received.count >= expected.count }
    let taken = Array(received.prefix(expected.count))
    received.removeFirst(taken.count)
    var what: String { ValueText.list(of: taken.map(\.action)) }
    var (found, wanted) = (taken.map(\.action), expected)
    if inAnyOrder {
      for action in expected {
        guard let index = found.firstIndex(of: action) else { continue }
        found.remove(at: index)
        if let other = wanted.firstIndex(of: action) { wanted.remove(at: other) }
      }
    }
    problems += ValueText.differences(of: found, from: wanted) { "received action \($0 + 1)" }
    if taken.count < expected.count { problems.append(reasonForSilence) }
    problems += compare(taken.compactMap(\.refusal), refusals, of: what)
    guard let first = taken.first, let last = taken.last else { return problems }
    return problems + compare(last.after, from: first.before, change, after: what)
  }

  /// Takes expected actions that others may precede.
  private mutating func takeSome(
    _ expected: [App.Action], after time: Duration, _ inAnyOrder: Bool,
    _ refusals: [App.Refusal], _ timeout: Duration, _ change: (inout App.State) -> Void
  ) async -> [String] where App.Action: Equatable {
    clock.advance(by: time)
    var problems: [String] = []
    for action in expected {
      problems += await runLeaves(within: timeout) { store in
        store.received.contains { $0.action == action }
      }
    }
    let before = state
    var end = 0
    for action in expected {
      let start = inAnyOrder ? 0 : end
      guard let index = received[start...].firstIndex(where: { $0.action == action }) else {
        problems.append(
          "received action is missing: \(ValueText.text(of: action)); \(reasonForSilence)")
        continue
      }
      end = max(end, index + 1)
    }
    let taken = Array(received.prefix(end))
    received.removeFirst(end)
    let others = taken.map(\.action).filter { !expected.contains($0) }
    if !others.isEmpty { skipped.append("received: \(ValueText.list(of: others))") }
    guard let last = taken.last else { return problems }
    var what: String { ValueText.list(of: taken.map(\.action)) }
    return problems + compare(taken.compactMap(\.refusal), refusals, of: what)
      + compare(last.after, from: before, change, after: what)
  }

  /// Takes one action that a predicate accepts.
  private mutating func take(
    _ description: String, after time: Duration, _ refusals: [App.Refusal], _ timeout: Duration,
    _ isExpected: (App.Action) -> Bool, _ change: (inout App.State) -> Void
  ) async -> [String] {
    clock.advance(by: time)
    let isExhaustive = isExhaustive
    var problems = await runLeaves(within: timeout) { store in
      isExhaustive
        ? !store.received.isEmpty : store.received.contains { isExpected($0.action) }
    }
    guard let first = received.first else {
      return problems + [
        "\(description) was expected, but nothing was received: \(reasonForSilence)"
      ]
    }
    var index = 0
    if let found = received.firstIndex(where: { isExpected($0.action) }), !isExhaustive {
      index = found
    }
    let taken = received[index]
    var what: String { ValueText.text(of: taken.action) }
    if index > 0 {
      skipped.append("received: \(ValueText.list(of: received[..<index].map(\.action)))")
    }
    received.removeFirst(index + 1)
    if !isExpected(taken.action) {
      problems.append("\(what) was received, but \(description) was expected")
    }
    return problems + compare([taken.refusal].compactMap { $0 }, refusals, of: what)
      + compare(taken.after, from: first.before, change, after: what)
  }

  func compare(
    _ refusals: [App.Refusal], _ expected: [App.Refusal], of what: @autoclosure () -> String
  ) -> [String] {
    guard refusals != expected else { return [] }
    let (found, wanted) = (ValueText.list(of: refusals), ValueText.list(of: expected))
    return ["refused commands of \(what()): \(found), but \(wanted) was expected"]
  }
}
