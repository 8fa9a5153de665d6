public import CivilTime
public import RetraceState

/// A day of the calendar in which entries are moved and resized with a pointer.
///
/// Positions are clamped to bounds. The command decides whether the entry may be there, as for
/// every correction.
public struct CalendarGrid: Hashable, Sendable {
  /// The time of the day.
  public var range: Range<Moment>
  /// The rules of the zone in which the day is shown.
  public var rules: ZoneRules
  /// The step to which positions are rounded, from the start of the day.
  ///
  /// There is no rounding if it is not positive.
  public var step: ElapsedTime

  /// Creates the grid of a day.
  public init(_ range: Range<Moment>, _ rules: ZoneRules, step: ElapsedTime = .seconds(5 * 60)) {
    self.range = range
    self.rules = rules
    self.step = step
  }

  /// Returns the time of a new entry at a position: 30 minutes within the day.
  public func newEntry(at pointer: Moment) -> Range<Moment> {
    let length = min(.seconds(30 * 60), range.upperBound.elapsed(since: range.lowerBound))
    let start = clamp(snapped(pointer), range.lowerBound, range.upperBound.subtracting(length))
    return start..<start.adding(length)
  }

  /// Returns the times of an entry that is moved and keeps its duration.
  ///
  /// Both ends stay within the day, unless they were outside it.
  ///
  /// - Parameters:
  ///   - times: The times on screen.
  ///   - grabbed: The position where the pointer was pressed.
  ///   - pointer: Its present position.
  /// - Returns: `nil` for times without an end, because these have no duration to keep.
  public func moved(
    _ times: EntryTimes, from grabbed: Moment, to pointer: Moment
  ) -> EntryTimes? {
    guard let end = times.end else { return nil }
    let duration = end.elapsed(since: times.start)
    let offset = pointer.microseconds.subtractingReportingOverflow(grabbed.microseconds)
    guard !offset.overflow else { return nil }
    if offset.partialValue == 0 { return times }
    let wanted = snapped(times.start.adding(ElapsedTime(microseconds: offset.partialValue)))
    let first = min(range.lowerBound, times.start)
    let last = max(range.upperBound, end).subtracting(duration)
    let start = clamp(wanted, first, last)
    return EntryTimes(start: start, end: start.adding(duration))
  }

  /// Returns the times of an entry whose start is moved to a position.
  ///
  /// The start stays within the day, and at or before the end, or the present for a running entry.
  /// The entry stays within ``TimeEntry/durationMax``.
  ///
  /// - Parameters:
  ///   - times: The times on screen.
  ///   - pointer: The position.
  ///   - moment: The present.
  public func withStart(
    of times: EntryTimes, at pointer: Moment, now moment: Moment
  ) -> EntryTimes {
    let last = times.end ?? max(times.start, moment)
    let first = max(range.lowerBound, last.subtracting(TimeEntry.durationMax))
    let start = clamp(snapped(pointer), min(first, last), min(last, range.upperBound))
    return EntryTimes(start: start, end: times.end)
  }

  /// Returns the times of an entry whose end is moved to a position.
  ///
  /// The end stays within the day, and at or after the start. The entry stays within
  /// ``TimeEntry/durationMax``.
  ///
  /// - Parameters:
  ///   - times: The times on screen.
  ///   - pointer: The position.
  /// - Returns: `nil` for times without an end, because stopping an entry is another command.
  public func withEnd(of times: EntryTimes, at pointer: Moment) -> EntryTimes? {
    guard times.end != nil else { return nil }
    let first = max(range.lowerBound, times.start)
    let last = min(range.upperBound, times.start.adding(TimeEntry.durationMax))
    return EntryTimes(start: times.start, end: clamp(snapped(pointer), first, max(first, last)))
  }

  /// Returns the correction that gives an entry other times.
  ///
  /// - Parameters:
  ///   - entry: The entry with the times that the user saw.
  ///   - times: The other times.
  ///   - rules: The zone in which the user saw the times.
  /// - Returns: `nil` if nothing changes.
  public static func correction(
    of entry: TimeEntry, to times: EntryTimes, in rules: ZoneRules
  ) -> TimeEntryCorrection? {
    var changed = entry
    (changed.start, changed.end) = (times.start, times.end)
    // The recorded offset belongs to the start, which may have moved across a change of the clocks.
    if times.start != entry.start, entry.zone.id.utf8.elementsEqual(rules.id.utf8) {
      changed.zone = rules.recorded(at: times.start)
    }
    var correction = TimeEntryCorrection()
    correction.changes = TimeEntryChanges(from: entry, to: changed)
    return correction.changes.isEmpty ? nil : correction
  }

  /// Rounds a position to the nearest multiple of the step after the start of the day, half up.
  func snapped(_ pointer: Moment) -> Moment {
    let step = step.microseconds
    let offset = pointer.microseconds.subtractingReportingOverflow(range.lowerBound.microseconds)
    guard step > 0, !offset.overflow else { return pointer }
    let rest = (offset.partialValue % step + step) % step
    return pointer.adding(
      ElapsedTime(microseconds: rest >= step - rest ? step - rest : -rest))
  }

  private func clamp(_ moment: Moment, _ first: Moment, _ last: Moment) -> Moment {
    max(first, min(moment, last))
  }
}

/// The start and the end of an entry.
public struct EntryTimes: Hashable, Sendable {
  /// The start.
  public var start: Moment
  /// The end; `nil` while the entry runs.
  public var end: Moment?

  /// Creates times.
  public init(start: Moment, end: Moment?) { (self.start, self.end) = (start, end) }

  /// Returns the times some days later, at the same time of the clocks and with the same duration.
  ///
  /// - Parameters:
  ///   - days: The number of days; negative for earlier ones.
  ///   - rules: The zone of the clocks.
  /// - Returns: `nil` for times without an end, because these have no duration to keep.
  public func moved(byDays days: Int, in rules: ZoneRules) -> EntryTimes? {
    guard let end else { return nil }
    let duration = end.elapsed(since: start)
    let first = start.moved(byDays: days, in: rules)
    return EntryTimes(start: first, end: first.adding(duration))
  }
}

extension Moment {
  /// Returns the moment some days later at the same time of the clocks, or the first one after a
  /// time that the clocks skip.
  ///
  /// - Parameters:
  ///   - days: The number of days; negative for earlier ones.
  ///   - rules: The zone of the clocks.
  public func moved(byDays days: Int, in rules: ZoneRules) -> Moment {
    guard days != 0 else { return self }
    let second = wholeSecond
    let seconds = rules.local(at: second).secondsSince1970 + Int64(days) * 86_400
    return rules.firstMoment(notBefore: LocalTime(secondsSince1970: seconds))
      .adding(elapsed(since: second))
  }

  /// Returns the moment earlier by a nonnegative time.
  fileprivate func subtracting(_ time: ElapsedTime) -> Moment {
    adding(ElapsedTime(microseconds: -time.microseconds))
  }
}
