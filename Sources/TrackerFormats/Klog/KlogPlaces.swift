import CivilTime
import RetraceState
import TimeTracking

/// A converter of entries of klog to rows, which gives durations a start.
struct KlogPlaces {
  private let user: Name
  private let zone: ZoneRules
  /// The start of the next duration of each day.
  private var begins: [CivilDate: Moment] = [:]
  /// The ranges so far within which the clocks were changed.
  private var changed: (count: Int, klog: ElapsedTime, passed: ElapsedTime) = (0, .zero, .zero)

  /// A note on the ranges so far within which the clocks were changed, if any.
  ///
  /// klog counts the time on the clock.
  var notes: [String] {
    let (count, klog, passed) = changed
    guard count > 0 else { return [] }
    return [
      "the clocks were changed within \(count == 1 ? "1 range" : "\(count) ranges"): klog counts "
        + "\(klog.clock), and \(passed.clock) passed"
    ]
  }

  /// Computes the start of the first duration of each day.
  ///
  /// - Complexity: O(entries).
  init(_ entries: [KlogEntry], user: Name, zone: ZoneRules) {
    (self.user, self.zone) = (user, zone)
    var ranges: [CivilDate: [Range<Moment>]] = [:]
    var durations: [CivilDate: ElapsedTime] = [:]
    for entry in entries {
      switch entry.span {
      case .range(let start, let end):
        let first = zone.firstMoment(notBefore: start)
        let range = first..<max(first, zone.firstMoment(notBefore: end))
        // A range may begin on the previous day, or end on the next one.
        for date in Set([entry.date, start.date, end.date]) {
          ranges[date, default: []].append(range)
        }
      case .open, .deduction: break
      case .duration(let duration):
        durations[entry.date] = (durations[entry.date] ?? .zero).adding(duration)
      }
    }
    for (date, duration) in durations {
      let day = zone.startOfDay(date)..<zone.startOfDay(date.adding(days: 1))
      begins[date] = Self.place(of: duration, in: day, beside: ranges[date] ?? [])
    }
  }

  /// Returns the end of the last range after which a duration fits into the day without overlapping
  /// a range, or else the start of the day.
  private static func place(
    of duration: ElapsedTime, in day: Range<Moment>, beside ranges: [Range<Moment>]
  ) -> Moment {
    let ends = ranges.map(\.upperBound).sorted(by: >)
    let free = ends.first { start in
      let end = start.adding(duration)
      return start >= day.lowerBound && end <= day.upperBound
        && !ranges.contains { $0.lowerBound < end && start < $0.upperBound }
    }
    return free ?? day.lowerBound
  }

  /// Returns the row of an entry.
  ///
  /// - Precondition: The entry is a range with an end, or a duration.
  mutating func row(
    of entry: KlogEntry, repeated: inout RepeatedTimes
  ) throws(RowRejection) -> ImportedRow {
    let start: Moment
    let end: Moment
    let (own, shared) = (entry.summary, entry.recordSummary)
    // A note keeps its tags, which may be words of a sentence. A note of tags alone says nothing.
    let notes = own.text.isEmpty || shared.text.isEmpty ? [] : [shared.whole]
    switch entry.span {
    case .range(let first, let last):
      start = try moment(of: first, of: entry, repeated: &repeated)
      end = try moment(of: last, notBefore: start, of: entry, repeated: &repeated)
      let passed = end.elapsed(since: start)
      if passed != entry.length {
        changed.count += 1
        changed.klog = changed.klog.adding(entry.length)
        changed.passed = changed.passed.adding(passed)
      }
    case .open, .deduction:
      preconditionFailure("a range without an end and a deduction are no rows")
    case .duration(let duration):
      start = begins[entry.date] ?? zone.startOfDay(entry.date)
      end = start.adding(duration)
      begins[entry.date] = end
    }
    var row = ImportedRow(
      user: user,
      description: own.text.isEmpty ? shared.text : own.text, start: start, end: end,
      zone: RecordedZone(id: zone.id, offsetSeconds: zone.offset(at: start)))
    row.annotations = notes.filter { !$0.isEmpty }
    if case .duration = entry.span { row.annotate("A duration without times in klog.") }
    row.annotations += entry.deductions.map { "Taken off the end in klog: \($0)" }
    row.tags = own.tags + shared.tags.filter { !own.tags.contains($0) }
    return try row.checked(line: entry.line) { _ in (nil, entry.text) }
  }

  /// Returns the beginning of the id of an entry: the start of a range, or the day of a duration.
  func sharedID(of entry: KlogEntry) -> SharedID {
    switch entry.span {
    case .range(let start, _), .open(let start):
      SharedID("\(start.date)T\(start.clock)", of: user)
    case .duration, .deduction:
      SharedID("\(entry.date) duration", of: user, hasMadeUpTimes: true)
    }
  }

  private func moment(
    of local: LocalTime, notBefore start: Moment? = nil, of entry: KlogEntry,
    repeated: inout RepeatedTimes
  ) throws(RowRejection) -> Moment {
    guard let moment = zone.moment(of: local, notBefore: start, repeated: &repeated) else {
      throw entry.rejection(.skippedByZone(zone.id), time: entry.length)
    }
    return moment
  }
}
