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

  /// Returns the correction that moves an entry and keeps its duration.
  ///
  /// Both ends stay within the day, unless they were outside it.
  ///
  /// - Parameters:
  ///   - entry: The entry on screen.
  ///   - grabbed: The position where the pointer was pressed.
  ///   - pointer: Its present position.
  /// - Returns: `nil` if the entry runs, because it has no duration to keep, or if nothing changes.
  public func moving(
    _ entry: TimeEntry, from grabbed: Moment, to pointer: Moment
  ) -> TimeEntryCorrection? {
    guard let end = entry.end, let duration = entry.duration else { return nil }
    let offset = pointer.microseconds.subtractingReportingOverflow(grabbed.microseconds)
    guard !offset.overflow else { return nil }
    let wanted = snapped(entry.start.adding(ElapsedTime(microseconds: offset.partialValue)))
    let first = min(range.lowerBound, entry.start)
    let last = max(range.upperBound, end).subtracting(duration)
    let start = offset.partialValue == 0 ? entry.start : clamp(wanted, first, last)
    return correction(of: entry, start: start, end: start.adding(duration))
  }

  /// Returns the correction that moves the start of an entry to a position.
  ///
  /// The start stays within the day, and at or before the end, or the present for a running entry.
  /// The entry stays within ``TimeEntry/durationMax``.
  ///
  /// - Parameters:
  ///   - entry: The entry on screen.
  ///   - pointer: The position.
  ///   - moment: The present.
  /// - Returns: `nil` if nothing changes.
  public func resizingStart(
    of entry: TimeEntry, to pointer: Moment, at moment: Moment
  ) -> TimeEntryCorrection? {
    let last = entry.end ?? max(entry.start, moment)
    let first = max(range.lowerBound, last.subtracting(TimeEntry.durationMax))
    let start = clamp(snapped(pointer), min(first, last), min(last, range.upperBound))
    return correction(of: entry, start: start, end: entry.end)
  }

  /// Returns the correction that moves the end of an entry to a position.
  ///
  /// The end stays within the day, and at or after the start. The entry stays within
  /// ``TimeEntry/durationMax``.
  ///
  /// - Parameters:
  ///   - entry: The entry on screen.
  ///   - pointer: The position.
  /// - Returns: `nil` if the entry runs, because stopping it is another command, or if nothing
  ///   changes.
  public func resizingEnd(of entry: TimeEntry, to pointer: Moment) -> TimeEntryCorrection? {
    guard entry.end != nil else { return nil }
    let first = max(range.lowerBound, entry.start)
    let last = min(range.upperBound, entry.start.adding(TimeEntry.durationMax))
    let end = clamp(snapped(pointer), first, max(first, last))
    return correction(of: entry, start: entry.start, end: end)
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

  private func correction(
    of entry: TimeEntry, start: Moment, end: Moment?
  ) -> TimeEntryCorrection? {
    var changed = entry
    (changed.start, changed.end) = (start, end)
    // The recorded offset belongs to the start, which may have moved across a change of the clocks.
    if start != entry.start, entry.zone.id.utf8.elementsEqual(rules.id.utf8) {
      changed.zone = rules.recorded(at: start)
    }
    var correction = TimeEntryCorrection()
    correction.changes = TimeEntryChanges(from: entry, to: changed)
    return correction.changes.isEmpty ? nil : correction
  }
}

extension Moment {
  /// Returns the moment earlier by a nonnegative time.
  fileprivate func subtracting(_ time: ElapsedTime) -> Moment {
    adding(ElapsedTime(microseconds: -time.microseconds))
  }
}
