public import CivilTime
public import RetraceState
import TimeTracking

extension CalendarFile {
  /// Returns the occurrences of all events that have a moment of a range.
  ///
  /// An event of no length is in the range if it begins in it. Cancelled events are left out.
  ///
  /// - Parameters:
  ///   - range: The moments.
  ///   - zone: The zone of the user, in which are whole days and times without a zone.
  ///   - limit: The maximum number of occurrences. The event that would exceed it is a rejection.
  /// - Complexity: O(events), and for each rule O(its periods in the range), at most
  ///   ``stepsMax`` for all.
  public func occurrences(
    in range: Range<Moment>, floating zone: ZoneRules, limit: Int = 1_000
  ) -> CalendarOccurrences {
    var collector = OccurrenceCollector(zones: zones, floating: zone, range: range, limit: limit)
    for series in series { collector.collect(series) }
    return collector.finish()
  }

  /// The maximum number of periods and times of rules that are looked at for a range.
  ///
  /// Events whose rules need more are rejections.
  public static let stepsMax = 2_000_000
}

/// Collects occurrences in a range.
private struct OccurrenceCollector {
  private let zones: [ZoneRules]
  private let floating: ZoneRules
  private let range: Range<Moment>
  private let limit: Int
  /// The seconds on any clock in the range.
  private let clocks: ClosedRange<Int64>
  /// The clocks of the zone of the user, and after it of the zones of the file, once they are used.
  private var zoneClocks: [ZoneClock?]
  private var steps = CalendarFile.stepsMax
  private var result = CalendarOccurrences()
  private var rejections: LimitedRejections

  /// The maximum number of steps for one rule.
  private static var ruleStepsMax: Int { 200_000 }

  init(zones: [ZoneRules], floating: ZoneRules, range: Range<Moment>, limit: Int) {
    (self.zones, self.floating, self.range, self.limit) = (zones, floating, range, limit)
    rejections = LimitedRejections(limit: limit)
    zoneClocks = Array(repeating: nil, count: zones.count + 1)
    let first = range.lowerBound.microseconds / 1_000_000 - 1
    let last = range.upperBound.microseconds / 1_000_000 + 1
    clocks = first - ZoneClock.offsetMax...last + ZoneClock.offsetMax
  }

  mutating func finish() -> CalendarOccurrences {
    (result.rejections, result.rejectedCount) = (rejections.list, rejections.count)
    result.occurrences.sort {
      ($0.event.start, $0.event.end, $0.event.id) < ($1.event.start, $1.event.end, $1.event.id)
    }
    return result
  }

  mutating func collect(_ series: CalendarFile.Series) {
    for (key, change) in zip(series.changed, series.changes) where !change.isCancelled {
      guard let kind = change.changed?.kind else { continue }
      let id = Self.id(series.id, key, kind)
      if !add(change, change.start, change.length, id: id) { reject(change, .tooMany(limit)) }
    }
    guard let event = series.event, !event.isCancelled else { return }
    let before = result.occurrences.count
    do throws(Excess) {
      try collect(event, of: series)
    } catch {
      result.occurrences.removeSubrange(before...)
      reject(event, error)
    }
  }

  // MARK: Events that recur

  /// The reason why an event is left out.
  private enum Excess: Error {
    case tooMany(Int)
    case steps
  }

  private mutating func reject(_ item: CalendarItem, _ excess: Excess) {
    let reason =
      switch excess {
      case .tooMany(let limit): "more than \(limit) occurrences are in the range"
      case .steps: "the rule takes too long to compute"
      }
    rejections.append(
      RowRejection(
        line: item.line, column: "RRULE", value: String(item.title.prefix(200)),
        reason: .other(reason)))
  }

  private mutating func collect(
    _ event: CalendarItem, of series: CalendarFile.Series
  ) throws(Excess) {
    let recurs = !event.rules.isEmpty || !event.additions.isEmpty
    var seen: Set<Int64> = []
    // The start is an occurrence, whether a rule gives it or not.
    try collect(event.start, nil, event, series, recurs, &seen)
    guard recurs else { return }
    let reach = series.reach
    for addition in event.additions {
      let clock = addition.start.clock
      let before = max(reach.before, addition.length?.reach(from: addition.start) ?? 0)
      guard clock >= clocks.lowerBound - before, clock <= clocks.upperBound + reach.after else {
        continue
      }
      try collect(addition.start, addition.length, event, series, recurs, &seen)
    }
    let window = window(of: event, reach)
    for rule in event.rules {
      var zone = zoneClock(of: event.start.kind)
      let last = min(
        window.upperBound, rule.lastClock ?? .max,
        (rule.lastSecond ?? .max / 2) + ZoneClock.offsetMax)
      guard window.lowerBound <= last else { continue }
      var expansion = RecurrenceExpansion(rule, start: event.start.clock)
      let stepsBefore = min(steps, Self.ruleStepsMax)
      var stepsLeft = stepsBefore
      var found: [Int64] = []
      let isDone = expansion.forEach(
        from: window.lowerBound, through: last, steps: &stepsLeft
      ) { clock in
        // Section 3.3.10: a time that clocks skip is no occurrence.
        let (second, isSkipped) = event.start.kind == .day ? (clock, false) : zone.shown(clock)
        if !isSkipped, second <= rule.lastSecond ?? .max { found.append(clock) }
        return true
      }
      steps -= stepsBefore - stepsLeft
      zoneClocks[Self.place(of: event.start.kind)] = zone
      guard isDone else { throw .steps }
      for clock in found {
        let start = CalendarTime(clock: clock, kind: event.start.kind)
        try collect(start, nil, event, series, recurs, &seen)
      }
    }
  }

  /// Returns the times on the clock at which occurrences by a rule have to start.
  private mutating func window(
    of event: CalendarItem, _ reach: CalendarFile.Series.Reach
  ) -> ClosedRange<Int64> {
    let loose = clocks.lowerBound - reach.before...clocks.upperBound + reach.after
    guard event.start.kind != .day, let length = seconds(of: event.length, from: event.start)
    else { return loose }
    // The clock is ahead of UTC by an offset that the zone has within the range.
    let place = Self.place(of: event.start.kind)
    let rules = place == 0 ? floating : zones[place - 1]
    let first = loose.lowerBound + ZoneClock.offsetMax + (reach.before - max(reach.moved, length))
    let last = loose.upperBound - ZoneClock.offsetMax
    var offsets = [Int64(rules.offset(at: Moment(second: first)))]
    var change = rules.change(after: Moment(second: first))
    while let next = change, next.moment <= Moment(second: last) {
      offsets.append(Int64(next.offsetAfter))
      guard offsets.count < 8 else { return loose }
      change = rules.change(after: next.moment)
    }
    return first + (offsets.min() ?? 0)...last + (offsets.max() ?? 0)
  }

  /// Returns the real length; `nil` if it depends on the day.
  private mutating func seconds(of length: CalendarLength, from start: CalendarTime) -> Int64? {
    switch length {
    case .end(let end): max(0, second(of: end) - second(of: start))
    case .duration(let days, let seconds): days == 0 ? seconds : nil
    }
  }

  /// Adds the occurrence with a start, unless it is left out, or changed.
  private mutating func collect(
    _ start: CalendarTime, _ length: CalendarLength?, _ event: CalendarItem,
    _ series: CalendarFile.Series, _ recurs: Bool, _ seen: inout Set<Int64>
  ) throws(Excess) {
    let key = key(of: start, in: event)
    guard !event.excluded.contains(key), !series.isChanged(key),
      event.excludedDays.isEmpty || !event.excludedDays.contains(day(of: start, in: event)),
      !recurs || seen.insert(key).inserted
    else { return }
    let id = recurs ? Self.id(series.id, key, event.start.kind) : series.id
    var isAdded = true
    if let change = series.lastingChange(before: key), let changed = change.changed {
      if change.isCancelled { return }
      // The occurrence moves by as much as the changed one did.
      let moved =
        clock(of: start, in: change.start.kind) + change.start.clock
        - clock(of: changed, in: change.start.kind)
      isAdded = add(
        change, CalendarTime(clock: moved, kind: change.start.kind), change.length, id: id)
    } else {
      isAdded = add(event, start, length ?? event.length, from: length == nil ? nil : start, id: id)
    }
    guard isAdded else { throw .tooMany(limit) }
  }

  /// Returns the time on a clock of another kind.
  private func clock(of time: CalendarTime, in kind: CalendarTime.Kind) -> Int64 {
    guard case .zone(let from) = time.kind, case .zone(let to) = kind, from != to else {
      return time.clock
    }
    let moment = Moment(second: zones[Int(from)].shown(time.clock).second)
    return zones[Int(to)].local(at: moment).secondsSince1970
  }

  private func day(of start: CalendarTime, in event: CalendarItem) -> Int {
    CalendarTime(clock: clock(of: start, in: event.start.kind), kind: .floating).day
  }

  private static func id(_ id: String, _ key: Int64, _ kind: CalendarTime.Kind) -> String {
    let local = LocalTime(secondsSince1970: key)
    return switch kind {
    case .day: "\(id) \(local.date)"
    case .floating: "\(id) \(local)"
    case .zone: "\(id) \(Moment(second: key).timestamp)"
    }
  }

  // MARK: Single occurrences

  private static func place(of kind: CalendarTime.Kind) -> Int {
    if case .zone(let index) = kind { Int(index) + 1 } else { 0 }
  }

  private func zoneClock(of kind: CalendarTime.Kind) -> ZoneClock {
    let place = Self.place(of: kind)
    return zoneClocks[place] ?? ZoneClock(place == 0 ? floating : zones[place - 1])
  }

  /// Returns the second of UTC of a time, in the zone of the user if it has none.
  private mutating func second(of time: CalendarTime) -> Int64 {
    var clock = zoneClock(of: time.kind)
    defer { zoneClocks[Self.place(of: time.kind)] = clock }
    return clock.shown(time.clock).second
  }

  /// Returns the key of a start of an event; see ``CalendarTime/key(in:_:)``.
  private mutating func key(of start: CalendarTime, in event: CalendarItem) -> Int64 {
    switch (start.kind, event.start.kind) {
    case (.zone, .zone): second(of: start)
    default: start.key(in: zones, event.start.kind)
    }
  }

  /// Adds an occurrence if it is in the range, and returns whether there was room for it.
  ///
  /// - Parameters:
  ///   - item: The event or change.
  ///   - start: The start of the occurrence.
  ///   - length: The length of the occurrence.
  ///   - first: The start from which the length counts; `nil` for that of the item.
  ///   - id: The id of the occurrence.
  private mutating func add(
    _ item: CalendarItem, _ start: CalendarTime, _ length: CalendarLength,
    from first: CalendarTime? = nil, id: String
  ) -> Bool {
    let reach = length.reach(from: first ?? item.start)
    guard start.clock <= clocks.upperBound, start.clock + reach >= clocks.lowerBound else {
      return true
    }
    let moments = moments(start, length, from: first ?? item.start)
    guard moments.start < range.upperBound,
      moments.end > range.lowerBound
        || moments.start == moments.end && moments.start >= range.lowerBound
    else { return true }
    guard result.occurrences.count < limit else { return false }
    result.occurrences.append(
      CalendarOccurrence(
        event: CalendarEvent(id: id, title: item.title, start: moments.start, end: moments.end),
        isWholeDay: start.kind == .day, isTentative: item.isTentative, line: item.line))
    return true
  }

  private mutating func moments(
    _ start: CalendarTime, _ length: CalendarLength, from first: CalendarTime
  ) -> (start: Moment, end: Moment) {
    switch length {
    case .duration(let days, _) where start.kind == .day:
      let date = start.local.date
      return (floating.startOfDay(date), floating.startOfDay(date.adding(days: days)))
    case .duration(let days, let seconds):
      let begin = second(of: start)
      let later = CalendarTime(clock: start.clock + Int64(days) * 86_400, kind: start.kind)
      let end = days == 0 ? begin : second(of: later)
      return (Moment(second: begin), Moment(second: max(begin, end + seconds)))
    case .end(let end):
      let begin = second(of: start)
      let length = second(of: end) - second(of: first)
      return (Moment(second: begin), Moment(second: begin + max(0, length)))
    }
  }
}

extension CalendarLength {
  /// Returns a number of seconds on the clock that an occurrence does not exceed.
  fileprivate func reach(from start: CalendarTime) -> Int64 {
    switch self {
    case .end(let end): max(0, end.clock - start.clock) + 2 * ZoneClock.offsetMax
    case .duration(let days, let seconds):
      Int64(days) * 86_400 + seconds + ZoneClock.offsetMax
    }
  }
}

extension CalendarFile.Series {
  /// The seconds by which the start that a rule gives may be before the range in which the
  /// occurrence is, and after it.
  fileprivate struct Reach {
    var before: Int64
    var after: Int64 = 0
    /// What is needed before the range for occurrences that were moved.
    var moved: Int64 = 0
  }

  fileprivate var reach: Reach {
    var reach = Reach(before: event.map { $0.length.reach(from: $0.start) } ?? 0)
    for change in lasting.map({ changes[$0] }) {
      let moved = change.start.clock - (change.changed?.clock ?? change.start.clock)
      reach.moved = max(
        reach.moved,
        moved + change.length.reach(from: change.start) + 2 * ZoneClock.offsetMax)
      reach.after = max(reach.after, 2 * ZoneClock.offsetMax - moved)
    }
    reach.before = max(reach.before, reach.moved)
    return reach
  }

  /// Returns whether the occurrence with a start is changed.
  fileprivate func isChanged(_ key: Int64) -> Bool {
    let index = changed.indices.partitionPoint { changed[$0] >= key }
    return index < changed.count && changed[index] == key
  }

  /// Returns the last change before a start that is of later occurrences, too.
  fileprivate func lastingChange(before key: Int64) -> CalendarItem? {
    let index = lasting.indices.partitionPoint { changed[lasting[$0]] >= key }
    return index == 0 ? nil : changes[lasting[index - 1]]
  }
}

extension Range<Int> {
  /// Returns the first number for which a condition holds, as it does for all after it; the upper
  /// bound if there is none.
  ///
  /// - Complexity: O(log count).
  fileprivate func partitionPoint(where holds: (Int) -> Bool) -> Int {
    var (low, high) = (lowerBound, upperBound)
    while low < high {
      let middle = low + (high - low) / 2
      if holds(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
