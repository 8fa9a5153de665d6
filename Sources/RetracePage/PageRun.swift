import Retrace

/// A condition at which a run through the log stops.
struct PageBreak {
  enum Kind {
    /// A value at a path of the state changes.
    case change
    /// An action or a command is recorded.
    case action
    /// A text appears on the screen.
    case screen
  }

  var kind: Kind
  /// What occurs in the path, in the call of the action, or on a line of the screen.
  var search: TextSearch

  /// Creates a condition from what a page asks for.
  init?(_ json: JSONValue) {
    guard let text = json["text"]?.stringValue, !text.utf8.isEmpty else { return nil }
    switch json["kind"]?.stringValue {
    case "change": kind = .change
    case "action": kind = .action
    case "screen": kind = .screen
    default: return nil
    }
    search = TextSearch(text)
  }
}

/// A run from a record to the next one, or the one before, at which a condition holds.
struct PageRun {
  /// Where a run stopped.
  struct Stop {
    var record: UInt64
    /// The index of the condition.
    var condition: Int
    /// What the condition found.
    var text: String
  }

  let breaks: [PageBreak]
  let isBackwards: Bool
  /// The scene whose screen is read; `nil` for the one with the lowest id.
  let scene: SceneID?
  /// The record to look at next; 0 or one after the last record if all were looked at.
  private(set) var next: UInt64
  private(set) var stop: Stop?

  /// Creates a run that looks at a record first.
  init(_ breaks: [PageBreak], from first: UInt64, isBackwards: Bool, scene: SceneID?) {
    (self.breaks, self.isBackwards, self.scene) = (breaks, isBackwards, scene)
    next = first
  }

  /// Returns whether the run ended.
  func isComplete(in log: PageLog) -> Bool { stop != nil || next == 0 || next > log.last }

  /// Looks at further records.
  mutating func goOn<App: ReplayableApp>(
    records: UInt64, in log: PageLog, with replay: inout PageReplay<App>
  ) throws(PageFailure) {
    guard !isComplete(in: log) else { return }
    let count = max(1, records)
    if isBackwards {
      let first = next - min(next - 1, count - 1)
      stop = try stops(from: first, through: next, in: log, with: &replay).last
      next = first - 1
    } else {
      let last = min(log.last, next + count - 1)
      stop = try stops(from: next, through: last, in: log, with: &replay).first
      next = last + 1
    }
  }

  /// Returns where a condition holds: forwards the first place, backwards all, in order.
  private func stops<App: ReplayableApp>(
    from first: UInt64, through last: UInt64, in log: PageLog, with replay: inout PageReplay<App>
  ) throws(PageFailure) -> [Stop] {
    let readsScreen = breaks.contains { $0.kind == .screen }
    let readsState = breaks.contains { $0.kind == .change }
    var stops: [Stop] = []
    var shown: [Bool] = []
    if readsScreen {
      shown = try isShown(at: try log.batchEnd(atOrBefore: first - 1), in: &replay)
    }
    var sequence = first
    while sequence <= last, isBackwards || stops.isEmpty {
      if let stop = try stopByCall(at: sequence, in: log, with: &replay) { stops.append(stop) }
      if readsState, let stop = try stopByChange(at: sequence, with: &replay) {
        stops.append(stop)
      }
      if readsScreen, try log.batchEnd(atOrBefore: sequence) == sequence {
        let now = try isShown(at: sequence, in: &replay)
        if let index = breaks.indices.first(where: { now[$0] && !shown[$0] }) {
          stops.append(Stop(record: sequence, condition: index, text: breaks[index].search.text))
        }
        shown = now
      }
      sequence += 1
    }
    return stops
  }

  private func stopByCall<App: ReplayableApp>(
    at sequence: UInt64, in log: PageLog, with replay: inout PageReplay<App>
  ) throws(PageFailure) -> Stop? {
    guard breaks.contains(where: { $0.kind == .action }) else { return nil }
    guard let call = try replay.timeline.call(at: sequence, in: log) else { return nil }
    guard
      let index = breaks.firstIndex(where: { $0.kind == .action && $0.search.occurs(in: call) })
    else { return nil }
    return Stop(record: sequence, condition: index, text: call)
  }

  private func stopByChange<App: ReplayableApp>(
    at sequence: UInt64, with replay: inout PageReplay<App>
  ) throws(PageFailure) -> Stop? {
    for path in try replay.changedPaths(by: sequence) {
      let index = breaks.firstIndex { $0.kind == .change && $0.search.occurs(in: path) }
      if let index { return Stop(record: sequence, condition: index, text: path) }
    }
    return nil
  }

  /// Returns for each condition whether its text is on the screen at the end of a batch.
  private func isShown<App: ReplayableApp>(
    at end: UInt64, in replay: inout PageReplay<App>
  ) throws(PageFailure) -> [Bool] {
    let lines = try replay.lines(of: scene, atEndOfBatch: end)
    return breaks.map { condition in
      condition.kind == .screen && lines.contains { condition.search.occurs(in: $0) }
    }
  }
}
