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
  case lastEntry = "`tag`, `untag` and `annotate` without an id change the last entry"
  case otherContinued = "`continue` without an id goes on with the entry that ended last"
  case localTime = "A local time that clocks skip or show twice is refused"
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
    let (before, action) = (seen.before, seen.command.action)
    let running = before.last.flatMap { $0.end == nil ? $0 : nil }
    let onlyTimewarrior =
      seen.isAcceptedByTimewarrior && !seen.isAcceptedByTrack && seen.track == before
    func spans(_ positions: [Int]) -> [TrackedSpan] {
      if positions.isEmpty, let running { return [running] }
      return positions.compactMap { position in
        let index = before.count - position
        return before.indices.contains(index) ? before[index] : nil
      }
    }
    switch self {
    case .sameAgain:
      guard let running, seen.isAcceptedByTimewarrior, seen.timewarrior == before,
        let instant = seen.command.stamps.first?.instants.last, running.start <= instant
      else { return false }
      switch action {
      case .start(_, let tags): return Set(tags) == running.tags
      case .resume(.position(let number), _): return spans([number]).first?.tags == running.tags
      case .resume(.tags(let tags), _):
        let found = before.last { $0.tags.isSuperset(of: tags) }
        return found?.tags == running.tags
      default: return false
      }
    case .noChange:
      guard onlyTimewarrior, seen.timewarrior == before else { return false }
      switch action {
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
    case .unknownTag:
      guard onlyTimewarrior, case .untag(let numbers, let tags) = action else { return false }
      return spans(numbers).contains { !$0.tags.isSuperset(of: tags) }
    case .tooLong:
      guard onlyTimewarrior, seen.trackErrors.contains("would take") else { return false }
      return seen.timewarrior.contains { span in
        guard let end = span.end, end - span.start > 12 * 3_600 else { return false }
        return !before.contains { $0.start == span.start && $0.end == span.end }
      }
    case .inFuture:
      guard onlyTimewarrior, case .track(let start, _, _) = action else { return false }
      return start.wall / 86_400 > LocalStamp.day(2060, 1, 1)
    case .noDuration:
      return seen.timewarrior.contains(where: \.isEmpty) || seen.track.contains(where: \.isEmpty)
    case .lastEntry:
      guard running == nil, !seen.isAcceptedByTimewarrior, seen.isAcceptedByTrack else {
        return false
      }
      switch action {
      case .tag(let numbers, _), .untag(let numbers, _), .annotate(let numbers, _):
        return numbers.isEmpty
      default: return false
      }
    case .otherContinued:
      guard case .resume(.newest, let stamp) = action, let newest = before.last,
        seen.timewarrior != seen.track
          || seen.isAcceptedByTimewarrior != seen.isAcceptedByTrack
      else { return false }
      return running != nil
        || stamp.map { $0.instants.contains { $0 < newest.end ?? .max } } ?? false
    case .localTime:
      return onlyTimewarrior && seen.command.stamps.contains { $0.instants.count != 1 }
        && seen.trackErrors.contains("Clocks")
    case .bothAnnotations:
      guard case .join(let one, let other) = action, seen.isAcceptedByTimewarrior,
        seen.isAcceptedByTrack
      else { return false }
      let (older, newer) = (spans([max(one, other)]), spans([min(one, other)]))
      guard let first = older.first, let second = newer.first, !second.notes.isEmpty else {
        return false
      }
      var expected = seen.timewarrior
      guard let index = expected.firstIndex(where: { $0.start == first.start }),
        expected[index].notes == first.notes
      else { return false }
      expected[index].notes += second.notes
      return expected == seen.track
    case .undoAlways: return false
    }
  }
}
