package import Retrace

/// The relation of the moments in a log to the time of the machine.
///
/// The real time of a record is the time of the machine at which it was made. A record whose moment
/// is another has it. It is unknown in sessions of the format's versions 1 and 2 whose clock an
/// option fixed.
package struct RecordClocks: Sendable {
  /// Why the moment of a record is not the time that a reader expects.
  package struct Remark: Hashable, Sendable {
    /// The real time of a record whose moment is not, or may not be, the time of the machine.
    package enum FixedClock: Hashable, Sendable {
      /// The time of the machine at which the record was made.
      case realTime(Moment)
      /// The record does not have its real time.
      case unknown
    }

    /// The real time, if an option gave the moment.
    package var fixed: FixedClock?
    /// The sequence of the record before, if this record was made earlier than that one.
    ///
    /// The clock was set back, or the record waited for another process to write.
    package var earlierThan: UInt64?

    package init(fixed: FixedClock? = nil, earlierThan: UInt64? = nil) {
      self.fixed = fixed
      self.earlierThan = earlierThan
    }
  }

  /// The origins of the sessions that were met.
  package var origins = SessionOrigins()
  /// Whether the clock was fixed, by session; only sessions that were met.
  private var isFixed: [UInt64: Bool] = [:]
  /// The session that was met last.
  private var session: (number: UInt64, isFixed: Bool) = (0, false)
  /// The last record up to ``position`` with a known real time.
  private var latest: (sequence: UInt64, realTime: Moment)?
  /// The sequence of the record that was remarked on last.
  private var position: UInt64 = 0

  package init() {}

  /// Returns whether an option fixed the clock of a session.
  ///
  /// - Complexity: O(bytes of one block) for a session that was not met before, else O(1).
  /// - Throws: `damaged` if the first record of the session cannot be read.
  private mutating func isFixed(
    _ session: UInt64, in view: borrowing ReadView
  ) throws(StoreError) -> Bool {
    if session == self.session.number { return self.session.isFixed }
    let answer: Bool
    if let known = isFixed[session] {
      answer = known
    } else {
      answer = try origins.origin(of: session, in: view)?.isClockFixed ?? false
      isFixed[session] = answer
    }
    self.session = (session, answer)
    return answer
  }

  /// Returns what has to be said of the moment of a record.
  ///
  /// - Complexity: O(1) for a record that follows the last one, amortized. O(records from the
  ///   latest earlier record with a known real time) for another one.
  /// - Throws: `damaged` with the sequence of a record that cannot be read.
  package mutating func remark(
    on envelope: borrowing Envelope, in view: borrowing ReadView
  ) throws(StoreError) -> Remark? {
    let sequence = envelope.sequence
    if sequence != position + 1 { latest = try latestRecord(before: sequence, in: view) }
    position = sequence
    let hasFixedClock =
      envelope.realTime == nil ? try isFixed(envelope.session, in: view) : false
    return remark(onNext: envelope, isFixed: hasFixedClock)
  }

  /// Returns what has to be said of the moment of a record after the ones that were remarked on.
  ///
  /// - Parameters:
  ///   - envelope: The envelope of the record.
  ///   - isFixed: Whether an option fixed the clock of its session; a real time replaces it.
  package mutating func remark(onNext envelope: borrowing Envelope, isFixed: Bool) -> Remark? {
    let sequence = envelope.sequence
    if isFixed, envelope.realTime == nil { return Remark(fixed: .unknown) }
    let realTime = envelope.realTime ?? envelope.moment
    var remark = Remark()
    if realTime != envelope.moment { remark.fixed = .realTime(realTime) }
    if let latest, realTime < latest.realTime { remark.earlierThan = latest.sequence }
    latest = (sequence, realTime)
    return remark == Remark() ? nil : remark
  }

  /// Returns the last record before a sequence that has a known real time and a wanted kind.
  private mutating func latestRecord(
    before sequence: UInt64, in view: borrowing ReadView,
    where isWanted: (RecordKind) -> Bool = { _ in true }
  ) throws(StoreError) -> (sequence: UInt64, realTime: Moment)? {
    var end = sequence - 1
    while end > 0 {
      let fixed = isFixed
      let found = try view.lastRecord(in: 1...end) {
        isWanted($0.kind) && ($0.realTime != nil || fixed[$0.session] != true)
      }
      guard let found else { return nil }
      if let realTime = try realTime(of: found, in: view) { return (found, realTime) }
      end = found - 1
    }
    return nil
  }

  /// Returns the real time of a record; `nil` if it is unknown.
  private mutating func realTime(
    of sequence: UInt64, in view: borrowing ReadView
  ) throws(StoreError) -> Moment? {
    let (session, moment, realTime) = try view.withRecord(at: sequence) {
      ($0.session, $0.moment, $0.realTime)
    }
    if let realTime { return realTime }
    return try isFixed(session, in: view) ? nil : moment
  }

  /// Returns what has to be said of the moment of a record in a list of changes, which does not
  /// have the records of sessions: as ``remark(on:in:)``, or that the record is earlier than the
  /// last command or action before its batch.
  ///
  /// - Complexity: O(records of the batch), and O(records from the latest command or action before
  ///   it with a known real time).
  /// - Throws: `damaged` with the sequence of a record that cannot be read.
  package mutating func remark(
    onChange envelope: borrowing Envelope, in view: borrowing ReadView
  ) throws(StoreError) -> Remark? {
    let remark = try remark(on: envelope, in: view)
    if remark?.fixed == .unknown || remark?.earlierThan != nil { return remark }
    let realTime = envelope.realTime ?? envelope.moment
    let start = try view.lastRecord(in: 1...envelope.sequence) { $0.startsBatch }
    let before = try latestRecord(before: start ?? envelope.sequence, in: view) {
      $0 == .command || $0 == .action
    }
    guard let before, realTime < before.realTime else { return remark }
    return Remark(fixed: remark?.fixed, earlierThan: before.sequence)
  }

  /// The part of a log that existed at an instant.
  package struct Past: Hashable, Sendable {
    /// The sequence of the last record; 0 for none.
    package var last: UInt64
    /// A record after ``last`` whose real time is not after the instant: the clock was set back.
    package var exception: UInt64?

    package init(last: UInt64, exception: UInt64? = nil) {
      self.last = last
      self.exception = exception
    }
  }

  /// Returns the records that existed at an instant: those before the first one whose real time is
  /// later.
  ///
  /// The order of the log decides, so a later record with an earlier moment is not among them.
  ///
  /// - Complexity: O(records of the log), and one block for each session with a later moment.
  /// - Throws: `damaged` with the sequence of a record that cannot be read.
  package static func past(
    at instant: Moment, in view: borrowing ReadView
  ) throws(StoreError) -> Past {
    let head = view.head.sequence
    var clocks = RecordClocks()
    let later = try clocks.first(from: 1, in: view) { $0 > instant }
    guard let later else { return Past(last: head) }
    let exception = try clocks.first(from: later + 1, in: view) { $0 <= instant }
    return Past(last: later - 1, exception: exception)
  }

  /// Returns the first record from a sequence on whose real time is known and satisfies a
  /// predicate.
  private mutating func first(
    from start: UInt64, in view: borrowing ReadView, where fits: (Moment) -> Bool
  ) throws(StoreError) -> UInt64? {
    let head = view.head.sequence
    var start = start
    while start <= head {
      let fixed = isFixed
      let found = try view.firstRecord(in: start...head) { record in
        if let realTime = record.realTime { return fits(realTime) }
        return fixed[record.session] != true && fits(record.moment)
      }
      guard let found else { return nil }
      if try realTime(of: found, in: view) != nil { return found }
      start = found + 1
    }
    return nil
  }
}
