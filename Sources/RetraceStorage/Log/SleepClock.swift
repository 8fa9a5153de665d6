package import Retrace
import RetraceSystem

/// What the clocks of this machine say about the time for which it was suspended.
package struct SleepClock: Sendable {
  /// How long the machine was suspended since it was started.
  package var slept: ElapsedTime
  /// When the machine was started.
  package var start: Moment
  /// The name of the machine.
  package var host: String

  /// Creates a reading of the clocks.
  package init(slept: ElapsedTime, start: Moment, host: String) {
    (self.slept, self.start, self.host) = (slept, start, host)
  }

  /// Reads the clocks.
  package static func now() -> SleepClock {
    SleepClock(
      slept: ElapsedTime(microseconds: MachineSleep.milliseconds() * 1_000),
      start: Moment(microseconds: MachineSleep.machineStart()), host: Machine.name)
  }
}

extension ReadView {
  /// Returns how long this machine was suspended since a moment, at least.
  ///
  /// A session records how long the machine had been suspended when it began. Two sessions are
  /// asked: that of the last record before the moment, and that of the first record from the moment
  /// on. If a session began before the moment, the machine may have been suspended between the two,
  /// and this time does not count. Sessions of another machine, and those before the machine was
  /// started, say nothing.
  ///
  /// - Parameters:
  ///   - moment: The moment, by the clock of the records.
  ///   - clock: The present reading of the clocks.
  /// - Returns: The time; zero if no session knows of any.
  /// - Complexity: O(log records), each time O(bytes of one block). A clock that was set back makes
  ///   the search find another pair of records.
  /// - Throws: `damaged` with the sequence of a record that cannot be read.
  package func slept(
    since moment: Moment, by clock: SleepClock
  ) throws(StoreError) -> ElapsedTime {
    var (first, end) = (UInt64(1), head.sequence + 1)
    while first < end {
      let middle = first + (end - first) / 2
      if try withRecord(at: middle, { $0.moment }) < moment {
        first = middle + 1
      } else {
        end = middle
      }
    }
    var longest = ElapsedTime.zero
    for sequence in [first - 1, first] where (1...head.sequence).contains(sequence) {
      let session = try withRecord(at: sequence) { $0.session }
      longest = max(longest, try slept(since: moment, session, by: clock))
    }
    return longest
  }

  /// Returns how long this machine was suspended since a moment, at least, as a session knows.
  private func slept(
    since moment: Moment, _ session: UInt64, by clock: SleepClock
  ) throws(StoreError) -> ElapsedTime {
    try withRecord(at: session) { (record) throws(StoreError) in
      guard record.kind == .sessionOpened else { return .zero }
      let opened = try record.storedPayload(as: SessionOpened.self)
      guard let before = opened.sleptMilliseconds, opened.origin?.host == clock.host,
        record.realTime ?? record.moment > clock.start
      else { return .zero }
      let early = max(ElapsedTime.zero, moment.elapsed(since: record.moment))
      let slept = clock.slept.microseconds - before * 1_000 - early.microseconds
      return ElapsedTime(microseconds: max(0, slept))
    }
  }
}
