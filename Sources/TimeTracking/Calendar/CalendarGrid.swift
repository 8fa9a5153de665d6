public import CivilTime
public import RetraceState

/// The day of a calendar in which entries are moved and resized with a pointer.
///
/// What a pointer asks for is brought within bounds; whether the entry may be there is decided by
/// the command, as for every correction.
public struct CalendarGrid: Hashable, Sendable {
  /// The time of the day.
  public var range: Range<Moment>
  /// The rules of the zone in which the day is shown.
  public var rules: ZoneRules
  /// The time to whose multiples, from the start of the day on, a pointer is rounded; it is not if
  /// this is not positive.
  public var step: ElapsedTime

  /// Makes the grid of a day.
  public init(_ range: Range<Moment>, _ rules: ZoneRules, step: ElapsedTime = .seconds(5 * 60)) {
    self.range = range
    self.rules = rules
    self.step = step
  }

  /// Returns the time of a new entry at a pointer: 30 minutes within the day.
  public func newEntry(at pointer: Moment) -> Range<Moment> {
    let length = min(.seconds(30 * 60), range.upperBound.elapsed(since: range.lowerBound))
    let start = clamp(snapped(pointer), range.lowerBound, range.upperBound.subtracting(length))
    return start..<start.adding(length)
  }

  /// Returns the correction that moves an entry by a pointer, and keeps its duration.
  ///
  /// The entry stays within the day, as far as it was within it.
  ///
  /// - Parameters:
  ///   - entry: The entry as it is shown.
  ///   - grabbed: Where the pointer was pressed.
  ///   - pointer: Where it is now.
  /// - Returns: `nil` if the entry runs, because it has no duration to keep, or stays where it is.
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

  /// Returns the correction that moves the start of an entry to a pointer, and keeps its end.
  ///
  /// The start stays within the day and not after the end, nor after the present for a running
  /// entry, and the entry not longer than ``TimeEntry/durationMax``.
  ///
  /// - Parameters:
  ///   - entry: The entry as it is shown.
  ///   - pointer: Where the pointer is.
  ///   - moment: The present.
  /// - Returns: `nil` if the start stays where it is.
  public func resizingStart(
    of entry: TimeEntry, to pointer: Moment, at moment: Moment
  ) -> TimeEntryCorrection? {
    let last = entry.end ?? max(entry.start, moment)
    let first = max(range.lowerBound, last.subtracting(TimeEntry.durationMax))
    let start = clamp(snapped(pointer), min(first, last), min(last, range.upperBound))
    return correction(of: entry, start: start, end: entry.end)
  }

  /// Returns the correction that moves the end of an entry to a pointer, and keeps its start.
  ///
  /// The end stays within the day and not before the start, and the entry not longer than
  /// ``TimeEntry/durationMax``.
  ///
  /// - Parameters:
  ///   - entry: The entry as it is shown.
  ///   - pointer: Where the pointer is.
  /// - Returns: `nil` if the entry runs, because stopping it is another command, or the end stays
  ///   where it is.
  public func resizingEnd(of entry: TimeEntry, to pointer: Moment) -> TimeEntryCorrection? {
    guard entry.end != nil else { return nil }
    let first = max(range.lowerBound, entry.start)
    let last = min(range.upperBound, entry.start.adding(TimeEntry.durationMax))
    let end = clamp(snapped(pointer), first, max(first, last))
    return correction(of: entry, start: entry.start, end: end)
  }

  /// Returns the moment nearest to a pointer that is a multiple of the step after the start of the
  /// day; the later one of two.
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
    // The recorded offset is that at the start, which may lie beyond a change of the clocks now.
    if start != entry.start, entry.zone.id.utf8.elementsEqual(rules.id.utf8) {
      changed.zone = rules.recorded(at: start)
    }
    var correction = TimeEntryCorrection()
    correction.changes = TimeEntryChanges(from: entry, to: changed)
    return correction.changes.isEmpty ? nil : correction
  }
}

extension Moment {
  /// Returns the moment earlier by a time that is not negative.
  fileprivate func subtracting(_ time: ElapsedTime) -> Moment {
    adding(ElapsedTime(microseconds: -time.microseconds))
  }
}
