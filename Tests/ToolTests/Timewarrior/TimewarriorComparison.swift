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
    let before = state
    let snapshot = try trackers.snapshot()
    let isUndo = command.verb == .undo
    let words = command.track(
      ids: before.ids, changes: isUndo ? history.last?.changesOfTrack ?? 1 : 1)
    let line = "timew \(command.timewarrior.joined(separator: " "))  |  track "
    commands.append(line + words.joined(separator: " "))
    let first = Int(Date().timeIntervalSince1970)
    let results = try trackers.perform(timewarrior: command.timewarrior, track: words)
    let last = Int(Date().timeIntervalSince1970)
    let after = try trackers.state()
    let seen = TimewarriorDifference.Comparison(
      command: command, before: before.track, timewarrior: after.timewarrior, track: after.track,
      isAcceptedByTimewarrior: results.timewarrior.status == 0,
      isAcceptedByTrack: results.track.status == 0, trackErrors: results.track.errors)
    func rollBack(_ run: inout TimewarriorComparison) throws {
      try run.trackers.restore(snapshot)
      if results.trackChanges > 0 { try run.trackers.track(["undo", "\(results.trackChanges)"]) }
      try run.keep(before)
    }
    func mismatch(_ what: String) -> Mismatch {
      self.mismatch(what, before, results, after)
    }
    guard results.timewarrior.signal == nil, results.track.signal == nil,
      [0, 1, 64].contains(results.track.status)
    else { throw mismatch("a crash or an unexpected exit code") }
    if isUndo, let change = history.last {
      history.removeLast()
      guard seen.isAcceptedByTrack, after.track == change.before.track else {
        throw mismatch("track does not undo")
      }
      if seen.isAcceptedByTimewarrior {
        counts[.undo, default: Count()].accepted += 1
      } else {
        // An interval that the change added and removed again is missing.
        guard change.adjusts, results.timewarrior.errors.contains("failed to find") else {
          throw mismatch("timewarrior does not undo")
        }
        differences[.undoAlways, default: 0] += 1
        counts[.undo, default: Count()].different += 1
        try trackers.restore(change.snapshot)
      }
      return try keep(change.before)
    }
    if let expected = Self.now(command, before.track, first...last),
      seen.isAcceptedByTimewarrior, seen.isAcceptedByTrack
    {
      guard expected(after.timewarrior), expected(after.track) else {
        throw mismatch("the present differs")
      }
      counts[command.verb, default: Count()].accepted += 1
      return try rollBack(&self)
    }
    if let difference = TimewarriorDifference.of(seen) {
      differences[difference, default: 0] += 1
      counts[command.verb, default: Count()].different += 1
      guard difference == .bothAnnotations else { return try rollBack(&self) }
      // Both go on with what timewarrior has kept.
      guard
        let index = after.track.indices.first(where: { after.track[$0] != after.timewarrior[$0] })
      else { throw mismatch("no annotations") }
      try trackers.track(
        [
          "annotate", "\(after.ids[index])", "--replace",
          after.timewarrior[index].notes.first ?? "",
        ]
      )
      state = after
      state.track = after.timewarrior
      history.append(
        Change(
          before: before, snapshot: snapshot, changesOfTrack: results.trackChanges + 1,
          adjusts: command.adjusts))
      return try keep(state)
    }
    guard seen.isAcceptedByTimewarrior == seen.isAcceptedByTrack else {
      throw mismatch("one accepts the command, the other one refuses it")
    }
    guard after.timewarrior == after.track else { throw mismatch("the intervals differ") }
    guard seen.isAcceptedByTrack else {
      guard after.track == before.track, results.trackChanges == 0 else {
        throw mismatch("a refused command changed intervals")
      }
      counts[command.verb, default: Count()].refused += 1
      return
    }
    guard after.track != before.track else { throw mismatch("an accepted command changed nothing") }
    counts[command.verb, default: Count()].accepted += 1
    if command.adjusts { adjusted += 1 }
    history.append(
      Change(
        before: before, snapshot: snapshot, changesOfTrack: results.trackChanges,
        adjusts: command.adjusts))
    state = after
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
