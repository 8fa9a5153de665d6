public import Retrace
public import TimeTracking

/// The offer to take a deletion back, for a few seconds.
///
/// The entries are deleted already, so every process agrees on that. The offer ends by itself: no
/// record says so.
public struct DeletionOffer: Recordable, Hashable {
  /// The deleted entries, the lowest id first; 256 at most.
  public var entries: [TimeEntryID]
  /// The moment at which the offer ends.
  public var until: Moment
  /// The entry that was selected on the timer.
  public var selection: TimeEntryID? = nil
  /// The group that was selected on the timer.
  public var group: EntryGroupKey? = nil

  /// The most entries that are deleted at once.
  static var entriesMax: Int { 256 }
  /// The time for which a deletion can be taken back.
  private static var time: ElapsedTime { .seconds(5) }

  /// Creates the offer of a deletion.
  ///
  /// - Parameters:
  ///   - entries: The deleted entries.
  ///   - moment: The moment of the deletion.
  public init(_ entries: [TimeEntryID], at moment: Moment) {
    (self.entries, until) = (entries, moment.adding(Self.time))
  }

  /// Returns whether it has not ended, and all of its entries are deleted.
  ///
  /// - Complexity: O(entries).
  func isOpen(in domain: DomainState, at moment: Moment) -> Bool {
    moment < until && !entries.isEmpty
      && entries.allSatisfy { (domain.timeEntries.read($0) { $0.deleted } ?? nil) != nil }
  }

  /// Returns the line that says what was deleted and how long that can be taken back, in few words
  /// if it is wider than some cells.
  func line(at moment: Moment, fitting columns: Int) -> Screen.Line {
    let seconds = (until.elapsed(since: moment).microseconds + 999_999) / 1_000_000
    let count = entries.count
    let text =
      count == 1
      ? "Deleted. z takes it back (\(seconds) s)."
      : "Deleted \(count) entries. z takes them back (\(seconds) s)."
    let brief = count == 1 ? "Deleted. z: undo" : "\(count) deleted. z: undo"
    return Screen.Line(
      TextWidth.of(text) <= columns ? text : "\(brief) (\(seconds) s)",
      Style(foreground: .success))
  }
}

extension Scene {
  /// Returns the offer that the shown screen makes, if any.
  func offer(in domain: DomainState, at moment: Moment) -> DeletionOffer? {
    let made: DeletionOffer? =
      switch stack.top {
      case .timer(let route): route.offer
      case .calendar(let route): route.offer
      default: nil
      }
    guard let made, made.isOpen(in: domain, at: moment) else { return nil }
    return made
  }

  /// Selects on the timer what was selected when entries were deleted, once they are back, and ends
  /// their offer.
  mutating func selectRestored(by notice: Notice?) {
    guard case .undone(unrestored: _, let restored?)? = notice,
      case .entry(let id) = restored.first, case .timer(var timer) = stack.top,
      let offer = timer.offer, offer.entries.contains(id),
      offer.selection != nil || offer.group != nil
    else { return }
    (timer.selection, timer.group, timer.offer) = (offer.selection, offer.group, nil)
    stack.top = .timer(timer)
  }
}
