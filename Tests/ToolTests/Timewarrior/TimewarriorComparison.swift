import Foundation
import Testing
import ToolTestSupport

/// A script that runs against timewarrior and against `track`, command by command.
struct TimewarriorComparison {
  /// How often a verb was accepted by both, refused by both, or differed by design.
  struct Count {
    var accepted = 0
    var refused = 0
    var different = 0
  }

  /// Why a script ends.
  struct Mismatch: Error, CustomStringConvertible {
    let description: String
  }

  /// A change that both can undo.
  private struct Change {
    var before: PairedTrackers.State
    var snapshot: PairedTrackers.Snapshot
    var changesOfTrack: Int
    var adjusts: Bool
  }

  private(set) var counts: [TimewarriorCommand.Verb: Count] = [:]
  private(set) var differences: [TimewarriorDifference: Int] = [:]
  /// How many accepted commands had the hint to adjust.
  private(set) var adjusted = 0
  private(set) var state: PairedTrackers.State
  private let trackers: PairedTrackers
  private var history: [Change] = []
  private var commands: [String] = []

  init(_ trackers: PairedTrackers) throws {
    self.trackers = trackers
    state = try trackers.state()
  }

  /// The intervals, the same in both.
  var spans: [TrackedSpan] { state.track }

  /// Performs a command with both and compares the intervals.
  ///
  /// A command whose results differ by design is rolled back on both sides.
  mutating func perform(_ command: TimewarriorCommand) throws {
    let step = try step(command)
    let (seen, results) = (step.seen, step.results)
    guard results.timewarrior.signal == nil, results.track.signal == nil,
      [0, 1, 64].contains(results.track.status)
    else { throw mismatch("a crash or an unexpected exit code", step) }
    if command.verb == .undo, let change = history.popLast() {
      return try finishUndo(of: change, step)
    }
    if let expected = Self.now(command, step.before.track, step.present),
      seen.isAcceptedByTimewarrior, seen.isAcceptedByTrack
    {
      guard expected(seen.timewarrior), expected(seen.track) else {
        throw mismatch("the present differs", step)
      }
      counts[command.verb, default: Count()].accepted += 1
      return try rollBack(step)
    }
    if let difference = TimewarriorDifference.of(seen) {
      differences[difference, default: 0] += 1
      counts[command.verb, default: Count()].different += 1
      return difference == .bothAnnotations ? try dropAnnotations(step) : try rollBack(step)
    }
    guard seen.isAcceptedByTimewarrior == seen.isAcceptedByTrack else {
      throw mismatch("one accepts the command, the other one refuses it", step)
    }
    guard seen.timewarrior == seen.track else { throw mismatch("the intervals differ", step) }
    let isChanged = seen.track != step.before.track || results.trackChanges > 0
    guard seen.isAcceptedByTrack == isChanged else {
      throw mismatch("accepted without a change, or refused with one", step)
    }
    guard isChanged else {
      counts[command.verb, default: Count()].refused += 1
      return
    }
    counts[command.verb, default: Count()].accepted += 1
    if command.adjusts { adjusted += 1 }
    remember(step, changesOfTrack: results.trackChanges)
    state = step.after
  }

  /// A command that both have performed.
  private struct Step {
    var before: PairedTrackers.State
    var snapshot: PairedTrackers.Snapshot
    var results: PairedTrackers.Results
    var after: PairedTrackers.State
    /// The seconds in which both ran.
    var present: ClosedRange<Int>
    var seen: TimewarriorDifference.Comparison
  }

  private mutating func step(_ command: TimewarriorCommand) throws -> Step {
    let snapshot = try trackers.snapshot()
    let words = command.track(ids: state.ids, changes: history.last?.changesOfTrack ?? 1)
    let line = "timew \(command.timewarrior.joined(separator: " "))  |  track "
    commands.append(line + words.joined(separator: " "))
    let first = Int(Date().timeIntervalSince1970)
    let results = try trackers.perform(timewarrior: command.timewarrior, track: words)
    let last = Int(Date().timeIntervalSince1970)
    let after = try trackers.state()
    let seen = TimewarriorDifference.Comparison(
      command: command, before: state.track, timewarrior: after.timewarrior, track: after.track,
      isAcceptedByTimewarrior: results.timewarrior.status == 0,
      isAcceptedByTrack: results.track.status == 0, trackErrors: results.track.errors)
    return Step(
      before: state, snapshot: snapshot, results: results, after: after, present: first...last,
      seen: seen)
  }

  private mutating func remember(_ step: Step, changesOfTrack: Int) {
    history.append(
      Change(
        before: step.before, snapshot: step.snapshot, changesOfTrack: changesOfTrack,
        adjusts: step.seen.command.adjusts))
  }

  private mutating func rollBack(_ step: Step) throws {
    try trackers.restore(step.snapshot)
    let changes = step.results.trackChanges
    if changes > 0 { try trackers.track(["undo", "\(changes)"]) }
    try keep(step.before)
  }

  private mutating func finishUndo(of change: Change, _ step: Step) throws {
    guard step.seen.isAcceptedByTrack, step.after.track == change.before.track else {
      throw mismatch("track does not undo", step)
    }
    if step.seen.isAcceptedByTimewarrior {
      counts[.undo, default: Count()].accepted += 1
    } else {
      // An interval that the change added and removed again is missing.
      guard change.adjusts, step.results.timewarrior.errors.contains("failed to find"),
        step.after.timewarrior == step.before.timewarrior
      else { throw mismatch("timewarrior does not undo", step) }
      differences[.undoAlways, default: 0] += 1
      counts[.undo, default: Count()].different += 1
      try trackers.restore(change.snapshot)
    }
    try keep(change.before)
  }

  /// Leaves the annotations that timewarrior has kept.
  private mutating func dropAnnotations(_ step: Step) throws {
    let (kept, all) = (step.after.timewarrior, step.after.track)
    guard let index = all.indices.first(where: { all[$0] != kept[$0] }) else {
      throw mismatch("no annotations", step)
    }
    let note = kept[index].notes.first ?? ""
    try trackers.track(["annotate", "\(step.after.ids[index])", "--replace", note])
    remember(step, changesOfTrack: step.results.trackChanges + 1)
    var expected = step.after
    expected.track = kept
    try keep(expected)
  }

  /// Checks that both have the intervals of an earlier state again.
  private mutating func keep(_ earlier: PairedTrackers.State) throws {
    state = try trackers.state()
    guard state.timewarrior == earlier.timewarrior, state.track == earlier.track else {
      throw mismatch("the intervals from before are not back", earlier, nil, state)
    }
  }

  /// Returns what a command without a time has to do at the present; `nil` if it has a time.
  private static func now(
    _ command: TimewarriorCommand, _ before: [TrackedSpan], _ present: ClosedRange<Int>
  ) -> (([TrackedSpan]) -> Bool)? {
    switch command.action {
    case .start(nil, _), .resume(_, nil):
      return { after in
        guard let started = after.last, Array(after.dropLast()) == before else { return false }
        if case .start(_, let tags) = command.action, started.tags != Set(tags) { return false }
        if case .resume(let target, _) = command.action,
          started.tags != before.source(of: target)?.tags
        {
          return false
        }
        return started.end == nil && present.contains(started.start)
      }
    case .split(1):
      guard let running = before.last, running.end == nil else { return nil }
      let middles =
        (running.start + present.lowerBound) / 2 - 1...(running.start + present.upperBound) / 2 + 1
      return { after in
        guard let rest = after.last, middles.contains(rest.start) else { return false }
        var (one, two) = (running, running)
        (one.end, two.start) = (rest.start, rest.start)
        return after == before.dropLast() + [one, two]
      }
    default: return nil
    }
  }

  private func mismatch(_ what: String, _ step: Step) -> Mismatch {
    mismatch(what, step.before, step.results, step.after)
  }

  private func mismatch(
    _ what: String, _ before: PairedTrackers.State, _ results: PairedTrackers.Results?,
    _ after: PairedTrackers.State
  ) -> Mismatch {
    func text(_ name: String, _ spans: [TrackedSpan]) -> String {
      let new = spans.filter { !before.track.contains($0) }.map { "  + \($0)\n" }
      let gone = before.track.filter { !spans.contains($0) }.map { "  - \($0)\n" }
      return "\(name):\n\(new.joined())\(gone.joined())"
    }
    let last = before.track.suffix(12).map { "  \($0)\n" }.joined()
    var lines = ["\(what), after \(commands.count) commands:"] + commands.suffix(20)
    lines += ["the newest intervals before:", last]
    lines += [text("changed by timewarrior", after.timewarrior)]
    lines += [text("changed by track", after.track)]
    if let results {
      lines += ["timewarrior: \(results.timewarrior.status) \(results.timewarrior.errors)"]
      lines += ["track: \(results.track.status) \(results.track.errors)"]
    }
    return Mismatch(description: lines.joined(separator: "\n"))
  }
}
