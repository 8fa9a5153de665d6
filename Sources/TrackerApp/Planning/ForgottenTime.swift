package import Retrace
package import RetraceStorage
package import TimeTracking
import TrackerFeatures

/// The time of a running entry that its user has not confirmed.
package struct ForgottenTime: Sendable {
  /// Why the user is asked about the time.
  package enum Cause: Hashable, Sendable {
    /// The machine slept for at least this time.
    case slept(ElapsedTime)
    /// The entry runs for longer than the time after which its user wants to be asked.
    case long(ElapsedTime)
  }

  /// The entry.
  package let id: TimeEntryID
  /// The fields of the entry.
  package let entry: TimeEntry
  /// The start of the time.
  package let start: Moment
  /// The present, in which it ends.
  package let now: Moment
  private let asksAfter: ElapsedTime?

  /// Finds the time of the running entry of a user; `nil` if nothing runs.
  package init?(of user: UserID, in domain: DomainState, at now: Moment) {
    guard let (id, entry) = domain.runningEntry(of: user) else { return nil }
    start = domain.unconfirmedStart(of: entry)
    (self.id, self.entry, self.now) = (id, entry, now)
    asksAfter = domain.preferences(of: user)?.set.asksAfter
  }

  /// Returns why the user is asked about the time; `nil` if nothing is to be asked.
  ///
  /// - Parameters:
  ///   - clock: The reading of the clocks of the machine.
  ///   - slept: Returns how long the machine slept since a moment, at least. It is called only if
  ///     the machine slept for longer than `Forgotten.sleepMax` since it was started.
  package func cause(
    by clock: SleepClock, slept: (_ since: Moment) throws(StoreError) -> ElapsedTime
  ) throws(StoreError) -> Cause? {
    guard start < now else { return nil }
    let time = now.elapsed(since: start)
    if clock.slept > Forgotten.sleepMax {
      let slept = try slept(start)
      // Another time would mean that the clock was set.
      if slept > Forgotten.sleepMax, slept < time { return .slept(slept) }
    }
    guard let asksAfter, time > asksAfter else { return nil }
    return .long(asksAfter)
  }
}

extension TrackerStore {
  /// Returns how long this machine slept since a moment, at least, by a store that is not open.
  ///
  /// - Parameters:
  ///   - moment: The moment.
  ///   - path: The directory of the store, which is opened read-only.
  ///   - clock: The reading of the clocks of the machine.
  /// - Complexity: As `ReadView.slept(since:by:)`.
  /// - Throws: The errors of opening; `damaged` for a record that cannot be read.
  package static func slept(
    since moment: Moment, at path: String, by clock: SleepClock
  ) throws(StoreError) -> ElapsedTime {
    let storage = try LogStorage.open(at: path, access: .read)
    defer { storage.close() }
    return try storage.withReadView { view throws(StoreError) in
      try view.slept(since: moment, by: clock)
    }
  }
}
