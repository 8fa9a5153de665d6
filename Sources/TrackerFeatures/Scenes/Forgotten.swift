public import Retrace
public import TimeTracking

/// A sleep of the machine while an entry ran, which the user is asked about.
///
/// It is asked about while the entry runs and its user has not confirmed the time of the sleep. So
/// the answer in one window ends the question in all, and an undo of the answer brings it back.
public enum Forgotten: Recordable, Hashable {
  /// The machine slept from a moment to another one, as the open app saw.
  case slept(TimeEntryID, from: Moment, to: Moment)
  /// The machine slept for at least this time before a moment, while no app was open.
  case sleptFor(TimeEntryID, ElapsedTime, until: Moment)
}

extension Forgotten {
  /// The longest sleep about which the user is not asked: a minute.
  public static var sleepMax: ElapsedTime { .seconds(60) }
  /// The longest time between two sleeps that belong together, because a machine wakes up for
  /// work of its own.
  private static var wakeMax: ElapsedTime { .seconds(300) }

  /// Finds the sleep of a machine in the time of a running entry; `nil` if the machine slept for at
  /// most ``sleepMax``, or if the clock was set meanwhile.
  ///
  /// - Parameters:
  ///   - entry: The entry.
  ///   - from: The moment before which the machine did not sleep.
  ///   - to: The moment at which the sleep is over.
  ///   - time: How long the machine slept.
  public init?(of entry: IdentifiedEntry, from: Moment, to: Moment, for time: ElapsedTime) {
    let from = max(from, entry.entry.start).wholeSecond
    let to = to.wholeSecond
    guard time > Self.sleepMax, from < to else { return nil }
    let whole = to.elapsed(since: from).microseconds
    let awake = whole - time.microseconds
    guard awake >= -Self.sleepMax.microseconds else { return nil }
    self =
      awake <= Self.sleepMax.microseconds
      ? .slept(entry.id, from: from, to: to) : .sleptFor(entry.id, time, until: to)
  }

  /// The entry.
  var entry: TimeEntryID {
    switch self {
    case .slept(let id, from: _, to: _), .sleptFor(let id, _, until: _): id
    }
  }

  /// The moment at which the sleep was over.
  var end: Moment {
    switch self {
    case .slept(_, from: _, let to): to
    case .sleptFor(_, _, let until): until
    }
  }

  /// How long the machine slept.
  var time: ElapsedTime {
    switch self {
    case .slept(_, let from, let to): to.elapsed(since: from)
    case .sleptFor(_, let time, until: _): time
    }
  }

  /// Returns both sleeps as one.
  ///
  /// - Parameter later: A later sleep during the same entry.
  func joined(with later: Forgotten) -> Forgotten {
    if case .slept(let id, let from, let to) = self, case .slept(_, let next, let end) = later,
      next.elapsed(since: to) <= Self.wakeMax
    {
      return .slept(id, from: from, to: end)
    }
    return .sleptFor(entry, time.adding(later.time), until: later.end)
  }

  /// Returns whether the user is still asked.
  public func isOpen(in domain: DomainState) -> Bool { openEntry(in: domain) != nil }

  /// Returns the running entry that the user is asked about; `nil` if the question is answered.
  func openEntry(in domain: DomainState) -> IdentifiedEntry? {
    guard let found = domain.timeEntries[entry], found.isRunning, domain.isVisible(found),
      domain.unconfirmedStart(of: found) < end
    else { return nil }
    return IdentifiedEntry(id: entry, entry: found)
  }
}

extension Scene {
  /// Returns a sleep together with the one that the user is asked about already, if any.
  public func asking(about sleep: Forgotten, in domain: DomainState) -> Forgotten {
    guard let known = forgotten, known.entry == sleep.entry, known.openEntry(in: domain) != nil
    else { return sleep }
    return known.joined(with: sleep)
  }
}
