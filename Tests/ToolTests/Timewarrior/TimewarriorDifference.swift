/// What `track` does otherwise than timewarrior by design.
///
/// The raw values are in the list of differences of the page about the words of `track`, each with
/// its reason.
enum TimewarriorDifference: String, CaseIterable {
  case sameAgain = "A start with the tags of the running entry begins a new entry"
  case noChange = "A command that would change nothing is refused"
  case unknownTag = "`untag` refuses a tag that the entry does not have"
  case tooLong = "An entry of more than 12 hours needs a confirmation"
  case inFuture = "An entry in the future needs a confirmation"
  case noDuration = "An entry without a duration takes no time from others"
  case shortSplit = "`split` also cuts an entry of one second"
  case lastEntry = "`tag`, `untag` and `annotate` without an id change the last entry"
  case otherContinued = "`continue` without an id goes on with the entry that ended last"
  case localTime = "A local time that clocks skip or show twice is asked about"
  case bothAnnotations = "`join` keeps the annotations of both entries"
  case undoAlways = "Every change can be undone"

  /// A command with the intervals before it and after it.
  struct Comparison {
    var command: TimewarriorCommand
    var before: [TrackedSpan]
    var timewarrior: [TrackedSpan]
    var track: [TrackedSpan]
    var isAcceptedByTimewarrior: Bool
    var isAcceptedByTrack: Bool
    var trackErrors: String
  }

  /// Returns the difference that a comparison shows; `nil` if it shows none.
  static func of(_ seen: Comparison) -> TimewarriorDifference? {
    allCases.first { $0.explains(seen) }
  }

  private func explains(_ seen: Comparison) -> Bool {
    switch self {
    case .sameAgain: seen.startsSameAgain
    case .noChange: seen.isOnlyOfTimewarrior && seen.hasNoEffect
    case .unknownTag: seen.isOnlyOfTimewarrior && seen.hasUnknownTag
    case .tooLong: seen.isOnlyOfTimewarrior && seen.makesLongEntry
    case .inFuture: seen.isOnlyOfTimewarrior && seen.isInFuture
    case .noDuration: seen.isOnlyOfTimewarrior && seen.makesEmptySpan
    case .shortSplit: !seen.isAcceptedByTimewarrior && seen.isAcceptedByTrack && seen.splitsSecond
    case .lastEntry: seen.isOfLastEntry
    case .otherContinued: seen.continuesOther
    case .localTime:
      seen.isOnlyOfTimewarrior && seen.trackErrors.contains("Clocks")
        && seen.command.stamps.contains { $0.instants.count != 1 }
    case .bothAnnotations: seen.joinsAnnotations
    case .undoAlways: false
    }
  }
}

extension TimewarriorDifference.Comparison {
  private var running: TrackedSpan? { before.last.flatMap { $0.end == nil ? $0 : nil } }

  /// Whether only timewarrior accepts the command.
  fileprivate var isOnlyOfTimewarrior: Bool {
    isAcceptedByTimewarrior && !isAcceptedByTrack && track == before
  }

  /// Returns the intervals that a command is about; the running one if it gives no positions.
  private func spans(_ positions: [Int]) -> [TrackedSpan] {
    if positions.isEmpty, let running { return [running] }
    return positions.compactMap { position in
      let index = before.count - position
      return before.indices.contains(index) ? before[index] : nil
    }
  }

  fileprivate var startsSameAgain: Bool {
    guard let running, isAcceptedByTimewarrior, timewarrior == before,
      let instant = command.stamps.first?.instants.last, running.start <= instant
    else { return false }
    switch command.action {
    case .start(_, let tags): return Set(tags) == running.tags
    case .resume(let target, _) where target != .newest:
      return before.source(of: target)?.tags == running.tags
    default: return false
    }
  }

  fileprivate var hasNoEffect: Bool {
    guard timewarrior == before else { return false }
    switch command.action {
    case .tag(let numbers, let tags):
      return spans(numbers).allSatisfy { $0.tags.isSuperset(of: tags) }
    case .untag(let numbers, let tags):
      return spans(numbers).allSatisfy { $0.tags.isDisjoint(with: tags) }
    case .annotate(let numbers, let text):
      return spans(numbers).allSatisfy { $0.notes == (text.isEmpty ? [] : [text]) }
    case .move(let number, let stamp):
      return spans([number]).first.map { stamp.instants.contains($0.start) } ?? false
    case .undo: return true
    default: return false
    }
  }

  fileprivate var hasUnknownTag: Bool {
    guard case .untag(let numbers, let tags) = command.action else { return false }
    return spans(numbers).contains { !$0.tags.isSuperset(of: tags) }
  }

  fileprivate var makesLongEntry: Bool {
    if trackErrors.contains("would run since") {
      return timewarrior.contains { $0.end == nil && $0.start != running?.start }
    }
    guard trackErrors.contains("would take") else { return false }
    return timewarrior.contains { span in
      guard let end = span.end, end - span.start > 12 * 3_600 else { return false }
      return !before.contains { $0.start == span.start && $0.end == span.end }
    }
  }

  fileprivate var isInFuture: Bool {
    guard case .track(let start, _, _) = command.action else { return false }
    return start.wall / 86_400 > LocalStamp.day(2060, 1, 1)
  }

  fileprivate var splitsSecond: Bool {
    guard case .split(let number) = command.action, let span = spans([number]).first else {
      return false
    }
    return span.end.map { $0 - span.start == 1 } ?? false
  }

  fileprivate var isOfLastEntry: Bool {
    guard running == nil, !isAcceptedByTimewarrior, isAcceptedByTrack else { return false }
    switch command.action {
    case .tag(let numbers, _), .untag(let numbers, _), .annotate(let numbers, _):
      return numbers.isEmpty
    default: return false
    }
  }

  /// Whether timewarrior has an interval without a duration, which it cuts out of the others.
  fileprivate var makesEmptySpan: Bool {
    var expected = before
    switch command.action {
    case .track(let start, let end, let tags):
      guard start == end, start.instants.count == 1,
        trackErrors.contains("is not later than the start")
      else { return false }
      let instant = start.instants[0]
      if command.adjusts { expected = before.cut(at: instant) }
      expected.append(TrackedSpan(start: instant, end: instant, tags: Set(tags), notes: []))
    case .shorten(let number, let minutes):
      let index = before.count - number
      guard before.indices.contains(index), before[index].end == before[index].start + minutes * 60,
        trackErrors.contains("Nothing would be left")
      else { return false }
      expected[index].end = before[index].start
    default: return false
    }
    return expected.isSame(as: timewarrior)
  }

  /// Whether both do exactly what they do for `continue` without an id, and that is not the same.
  fileprivate var continuesOther: Bool {
    guard case .resume(.newest, let stamp?) = command.action, stamp.instants.count == 1,
      timewarrior != track || isAcceptedByTimewarrior != isAcceptedByTrack
    else { return false }
    let expected = before.continuedByTimewarrior(at: stamp.instants[0], command.adjusts)
    let expectedOfTrack = before.continuedByTrack(at: stamp.instants[0], command.adjusts)
    return (expected != nil) == isAcceptedByTimewarrior
      && (expectedOfTrack != nil) == isAcceptedByTrack
      && (expected ?? before).isSame(as: timewarrior)
      && (expectedOfTrack ?? before).isSame(as: track)
  }

  fileprivate var joinsAnnotations: Bool {
    guard case .join(let one, let other) = command.action, isAcceptedByTimewarrior,
      isAcceptedByTrack, let older = spans([max(one, other)]).first,
      let newer = spans([min(one, other)]).first, !newer.notes.isEmpty
    else { return false }
    var expected = timewarrior
    guard let index = expected.firstIndex(where: { $0.start == older.start }),
      expected[index].notes == older.notes
    else { return false }
    expected[index].notes += newer.notes
    return expected == track
  }
}

extension [TrackedSpan] {
  /// Returns the interval that is continued.
  func source(of target: TimewarriorCommand.Target) -> TrackedSpan? {
    switch target {
    case .newest: last
    case .position(let number): indices.contains(count - number) ? self[count - number] : nil
    case .tags(let tags): last { $0.tags.isSuperset(of: tags) }
    }
  }

  /// Returns whether both have the same intervals, in whatever order.
  fileprivate func isSame(as other: [TrackedSpan]) -> Bool {
    func counts(_ spans: [TrackedSpan]) -> [TrackedSpan: Int] {
      Dictionary(spans.map { ($0, 1) }, uniquingKeysWith: +)
    }
    return counts(self) == counts(other)
  }

  /// Returns the intervals without an instant, as timewarrior adjusts them: one that begins there
  /// is deleted, one around it is cut in two.
  fileprivate func cut(at instant: Int) -> [TrackedSpan] {
    flatMap { span -> [TrackedSpan] in
      if span.start == instant { return [] }
      guard span.start < instant, instant < span.end ?? .max else { return [span] }
      var (one, two) = (span, span)
      (one.end, two.start) = (instant, instant)
      return [one, two]
    }
  }

  /// Returns the intervals after timewarrior's `continue`, which takes the newest interval and is
  /// refused while one is open; `nil` if it is refused.
  fileprivate func continuedByTimewarrior(at start: Int, _ adjusts: Bool) -> [TrackedSpan]? {
    guard let newest = last, newest.end != nil else { return nil }
    return starting(newest, at: start, adjusts)
  }

  /// Returns the intervals after `track continue`, which takes the entry that ended last before the
  /// start and stops the running one; `nil` if it is refused.
  fileprivate func continuedByTrack(at start: Int, _ adjusts: Bool) -> [TrackedSpan]? {
    let ended = filter { $0.end ?? .max <= start }
    guard let source = ended.max(by: { $0.end ?? 0 < $1.end ?? 0 }) else { return nil }
    var spans = self
    if let running = last, running.end == nil, running.start < start {
      guard start - running.start <= 12 * 3_600 else { return nil }
      spans[spans.count - 1].end = start
    }
    return spans.starting(source, at: start, adjusts)
  }

  /// Returns the intervals with an open one from an instant on; `nil` if others are in the way and
  /// nothing is adjusted.
  private func starting(_ source: TrackedSpan, at start: Int, _ adjusts: Bool) -> [TrackedSpan]? {
    guard adjusts || allSatisfy({ $0.end ?? .max <= start }) else { return nil }
    var (spans, new) = (filter { $0.start < start }, source)
    for index in spans.indices { spans[index].end = Swift.min(spans[index].end ?? start, start) }
    (new.start, new.end) = (start, nil)
    return spans + [new]
  }
}
