import RetraceArchitecture
import RetraceState

extension TestStore {
  typealias AppLeaf = AnyEffectLeaf<App.Action, App.Environment>

  /// Folds what leaves send, and starts the leaves that are due, in order.
  ///
  /// - Parameters:
  ///   - time: How long to wait for leaves of which all wait for something.
  ///   - isEnough: Whether enough has arrived.
  /// - Returns: What went wrong in leaves.
  mutating func runLeaves(
    within time: Duration, until isEnough: (TestStore) -> Bool
  ) async -> [String] {
    var problems: [String] = []
    while !isEnough(self), !Task.isCancelled {
      if let event = runs.next() {
        problems += handle(event)
      } else if let busy = runs.busy {
        let isStream = leaves[busy]?.leaf.base is any StreamingLeaf
        let clock = clock
        let isWaiting = await !runs.waitForEvent(
          within: isStream ? .milliseconds(100) : .seconds(1),
          unless: { clock.sleepingLeaves.contains(busy) })
        if isWaiting { runs.setIdle() }
      } else if let (id, leaf) = dueLeaves.first(where: { canStart($0.leaf) }) {
        if let actions = leaf.immediateActions {
          problems += handle(.ended(id, .success(actions)))
        } else if let environment {
          runs.start(leaf, id, in: environment)
        }
      } else {
        let (running, clock) = (runs.running, clock)
        guard !running.isEmpty, time > .zero,
          await runs.waitForEvent(
            within: time, unless: { running.isSubset(of: clock.sleepingLeaves) })
        else { break }
      }
    }
    return problems
  }

  /// The leaves that can start now, the one that is due first at the front.
  var dueLeaves: [(id: EffectLeafID, leaf: AppLeaf)] {
    let (running, now) = (runs.running, clock.moment)
    var reached: [UInt64: Set<UInt32>] = [:]
    let due = fold.inFlight.leaves.filter { leaf in
      guard leaf.due <= now, !running.contains(leaf.id) else { return false }
      let cause = leaf.id.cause
      if reached[cause] == nil { reached[cause] = walk(of: cause).reached }
      return reached[cause]?.contains(leaf.id.ordinal) == true
    }
    return due.sorted { ($0.due, $0.id) < ($1.due, $1.id) }.compactMap { leaf in
      leaves[leaf.id].map { (leaf.id, $0.leaf) }
    }
  }

  private func canStart(_ leaf: AppLeaf) -> Bool {
    environment != nil || leaf.immediateActions != nil
  }

  /// Folds what a leaf sent.
  ///
  /// - Returns: What went wrong.
  mutating func handle(_ event: LeafEvent<App.Action>) -> [String] {
    guard fold.inFlight.contains(event.id), let leaf = leaves[event.id]?.leaf else {
      if case .batch(_, _, let reply) = event { reply.resume(throwing: CancellationError()) }
      return []
    }
    switch event {
    case .batch(let id, let actions, let reply):
      if let problem = fold(answer: actions, of: leaf, id) {
        reply.resume(throwing: LeafProblem(text: problem))
        return [problem]
      }
      reply.resume()
    case .ended(let id, .success(let actions)):
      end(id)
      return fold(answer: actions, of: leaf, id).map { [$0] } ?? []
    case .ended(let id, .failure(let error)):
      end(id)
      if error is LeafProblem { return [] }
      return [
        "the leaf \(leaf) threw \(error). A failed leaf leaves the state as it is: catch the error "
          + "in the leaf and answer with an action, or expect it with `failing`"
      ]
    }
    return []
  }

  /// Folds an answer of a leaf, as the store does.
  ///
  /// - Returns: What is wrong with it; `nil` if it was folded.
  mutating func fold(
    answer actions: [App.Action], of leaf: AppLeaf, _ id: EffectLeafID
  ) -> String? {
    let answer: EffectAnswer<App>
    do throws(InvalidEffectAnswer) {
      answer = try EffectAnswer(actions)
    } catch {
      return "the leaf \(leaf) answered \(ValueText.list(of: actions)). \(error)"
    }
    switch answer {
    case .actions(let actions):
      for action in actions {
        let before = fold.state
        _ = apply(action)
        received.append(Received(action: action, before: before, after: fold.state, id: id))
      }
    case .command(let command):
      let (before, decision) = (fold.state, when(command))
      if case .unhandled = decision.outcome {
        return "\(decision.name) of \(leaf) \(decision.result)"
      }
      _ = skipRecord()
      for fact in decision.facts { _ = apply(fact) }
      received.append(
        Received(
          action: actions[0], before: before, after: fold.state, refusal: decision.refusal, id: id))
    }
    return nil
  }

  /// Tells why nothing arrives.
  var reasonForSilence: String {
    guard !fold.inFlight.isEmpty else { return "no effect is in flight" }
    let (running, asleep, now) = (runs.running, clock.sleepingLeaves, clock.moment)
    let due = Set(dueLeaves.map(\.id))
    let reasons = fold.inFlight.leaves.map { flying in
      let name = leaves[flying.id].map { Self.text(of: $0.leaf) } ?? "\(flying.id)"
      if asleep.contains(flying.id) { return "\(name) sleeps on the clock: advance the clock" }
      if running.contains(flying.id) { return "\(name) runs and has not answered" }
      if flying.due > now {
        let time = Self.text(of: flying.due.microseconds - now.microseconds)
        return "\(name) is due in \(time): advance the clock"
      }
      if !due.contains(flying.id) {
        return "\(name) waits for an earlier part of its concatenation"
      }
      return "\(name) needs an environment: make the store with one"
    }
    return reasons.joined(separator: "; ")
  }

  /// Returns a leaf as it was made, or the action that it sends.
  static func text(of leaf: AppLeaf) -> String {
    leaf.immediateActions.map { "send(\(ValueText.list(of: $0)))" } ?? "\(leaf)"
  }

  /// Returns a time in seconds, such as `0.5 s`.
  static func text(of microseconds: Int64) -> String {
    let (seconds, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
    guard rest != 0 else { return "\(seconds) s" }
    var digits = String(String(rest + 1_000_000).dropFirst())
    while digits.last == "0" { digits.removeLast() }
    return "\(seconds).\(digits) s"
  }
}

/// What was wrong with a batch of a streaming leaf, thrown to that leaf.
struct LeafProblem: Error, CustomStringConvertible {
  let text: String

  var description: String { text }
}
