import RetraceArchitecture
import RetraceAvro
import RetraceFixtures
import RetraceLog
import RetraceRecording
import RetraceReplay
import RetraceState
import RetraceStorage
import RetraceSystem
import RetraceTesting
import RetraceToolCommands
import RetraceToolSupport
import Testing

/// What the log tells of the real time of its records.
@Suite struct RecordClocksTests {
  private typealias Kiosk = Store<KioskApp>

  /// What a plain loop over the log finds.
  private struct Known {
    var sequence: UInt64
    var moment: Moment
    var realTime: Moment?
  }

  /// The clock of a session.
  private enum SessionClock: CaseIterable {
    /// The machine's.
    case running
    /// A fixed one, with the real time in the records.
    case fixed
    /// A fixed one, without real times, as in logs of the format's version 2.
    case fixedInVersion2
  }

  /// Records sessions, each with the seconds of its clock; the machine shows 1000 seconds less the
  /// fixed ones.
  private func withLog(
    of sessions: [(clock: SessionClock, seconds: [Int64])], _ body: (LogStorage) throws -> Void
  ) throws {
    try CounterLog.withDirectory { path in
      var items = 0
      for (kind, seconds) in sessions {
        var configuration = StoreConfiguration()
        configuration.origin.isClockFixed = kind != .running
        let clock = Lock(seconds[0])
        configuration.clock = {
          clock.withLock { Moment(microseconds: $0 * 1_000_000) }
        }
        if kind == .fixed {
          configuration.realClock = {
            clock.withLock { Moment(microseconds: (1_000 - $0) * 1_000_000) }
          }
        }
        let store = try Kiosk.openBlocking(at: path, configuration: configuration)
        for second in seconds {
          clock.withLock { $0 = second }
          try store.performBlocking(.add(name: "item \(items)"))
          items += 1
        }
        try store.closeBlocking()
      }
      try CounterLog.reading(path, body)
    }
  }

  private func known(_ storage: LogStorage) throws -> [Known] {
    var fixed: Set<UInt64> = []
    var found: [Known] = []
    try storage.withReadView { (view) throws(StoreError) in
      try view.forEachRecord(from: 1, through: view.head.sequence) {
        (envelope, payload) throws(StoreError) in
        if envelope.kind == .sessionOpened,
          (try? SessionOpened(encoded: payload, version: view.version))?.origin?.isClockFixed
            == true
        {
          fixed.insert(envelope.session)
        }
        let isUnknown = envelope.realTime == nil && fixed.contains(envelope.session)
        found.append(
          Known(
            sequence: envelope.sequence, moment: envelope.moment,
            realTime: isUnknown ? nil : envelope.realTime ?? envelope.moment))
      }
    }
    return found
  }

  private func past(_ seconds: Int64, _ storage: LogStorage) throws -> RecordClocks.Past {
    try storage.withReadView { (view) throws(StoreError) in
      try RecordClocks.past(at: Moment(microseconds: seconds * 1_000_000), in: view)
    }
  }

  @Test func `a record with a fixed earlier moment opens nothing that came before it`() throws {
    // A session at second 100, one with the clock fixed at second 10, and one at second 200.
    try withLog(of: [(.running, [100]), (.fixedInVersion2, [10]), (.running, [200])]) { storage in
      let records = try known(storage)
      #expect(try past(50, storage) == RecordClocks.Past(last: 0))
      let second = try #require(records.first { $0.moment.microseconds == 200_000_000 })
      #expect(try past(150, storage) == RecordClocks.Past(last: second.sequence - 1))
      #expect(try past(200, storage) == RecordClocks.Past(last: UInt64(records.count)))
    }
  }

  @Test func `a clock that was set back is named with the record before it`() throws {
    try withLog(of: [(.running, [100, 300, 120])]) { storage in
      let records = try known(storage)
      let later = try #require(records.first { $0.moment.microseconds == 300_000_000 })
      let back = try #require(
        records.first { $0.sequence > later.sequence && $0.moment.microseconds == 120_000_000 })
      #expect(
        try past(150, storage)
          == RecordClocks.Past(last: later.sequence - 1, exception: back.sequence))
      var lines: [String] = []
      var members: [JSONValue] = []
      try RecordDescription.forEach(in: storage, from: 1, through: back.sequence) { record in
        lines.append(record.line)
        members.append(record.json)
        return true
      }
      #expect(lines[lines.count - 1].contains("(earlier than record \(back.sequence - 1))"))
      #expect(members[members.count - 1]["earlierThan"] == .integer(Int64(back.sequence - 1)))
      #expect(lines.filter { $0.contains("earlier than record") }.count == 1)
    }
  }

  @Test func `the real time of a record decides, not its moment`() throws {
    // The machine shows the seconds 100, 400 and 500.
    try withLog(of: [(.running, [100]), (.fixed, [600]), (.running, [500])]) { storage in
      let records = try known(storage)
      let fixed = try #require(records.first { $0.moment.microseconds == 600_000_000 })
      #expect(fixed.realTime?.microseconds == 400_000_000)
      #expect(try past(399, storage) == RecordClocks.Past(last: fixed.sequence - 1))
      let third = try #require(records.first { $0.moment.microseconds == 500_000_000 })
      #expect(try past(450, storage) == RecordClocks.Past(last: third.sequence - 1))
    }
  }

  /// Returns the time that texts show for a second, which depends on the zone of the machine.
  private static func localTime(ofSecond second: Int64) -> String {
    Moment(microseconds: second * 1_000_000).localTimestamp
  }

  @Test func `every record of a session with a fixed clock is marked in every listing`() throws {
    let sessions: [(SessionClock, [Int64])] = [
      (.running, [100]), (.fixedInVersion2, [10]), (.fixed, [700]),
    ]
    try withLog(of: sessions) { storage in
      let records = try known(storage)
      let fixed = records.filter { $0.realTime != $0.moment }.map(\.sequence)
      #expect(fixed.count >= 8)
      var marked: [UInt64] = []
      let unknownTime = "(fixed clock, real time unknown)"
      let knownTime = "(fixed clock, recorded at \(Self.localTime(ofSecond: 300)))"
      let last = try storage.head().sequence
      try RecordDescription.forEach(in: storage, from: 1, through: last) { record in
        let isUnknown = record.line.contains(unknownTime)
        let isKnown = record.line.contains(knownTime)
        #expect((record.json["isClockFixed"] == .bool(true)) == (isUnknown || isKnown))
        #expect((record.json["realTime"] == .string("1970-01-01T00:05:00.000000Z")) == isKnown)
        if isUnknown || isKnown { marked.append(record.envelope.sequence) }
        return true
      }
      #expect(marked == fixed)
      let history = try RecordedHistory(
        of: MentionedID("KioskItemID=1", in: storage), asOf: HistoryEnd(nil), in: storage)
      #expect(history.lines[0].contains("\(Self.localTime(ofSecond: 10)) \(unknownTime)"))
      #expect(history.json[0]["isClockFixed"] == .bool(true))
      let blame = try #require(history.blameLines.first)
      #expect(blame.contains("\(Self.localTime(ofSecond: 10)) \(unknownTime)"))
      let remarks = try SessionSummary.all(in: storage).map { $0.clock?.text }
      #expect(
        remarks == [
          nil, "fixed clock, real time unknown",
          "fixed clock, recorded at 1970-01-01T00:05:00Z",
        ])
      let later = try RecordedHistory(
        of: MentionedID("KioskItemID=2", in: storage), asOf: HistoryEnd(nil), in: storage)
      #expect(later.lines[0].contains("\(Self.localTime(ofSecond: 700)) \(knownTime)"))
    }
  }

  @Test func `a list of changes marks the first one after the clock was set back`() throws {
    // The start of the second session is earlier than the record before it, and its change is not.
    // The third one has a fixed clock, and the fourth is later than the second.
    let sessions: [(SessionClock, [Int64])] = [
      (.running, [100]), (.running, [50]), (.fixedInVersion2, [10]), (.running, [60]),
    ]
    try withLog(of: sessions) { storage in
      let end = try #require(known(storage).last { $0.moment.microseconds == 100_000_000 })
      let starts = try SessionSummary.all(in: storage)
      let remarks = [
        nil, "earlier than record \(end.sequence)", "fixed clock, real time unknown", nil,
      ]
      #expect(starts.map { $0.clock?.text } == remarks)
      let changes = try (0..<4).map { item in
        let history = try RecordedHistory(
          of: MentionedID("KioskItemID=\(item)", in: storage), asOf: HistoryEnd(nil), in: storage)
        #expect(history.entries.count == 1)
        return history.json[0]
      }
      let first = changes[0]["sequence"]?.integerValue
      #expect(changes.map { $0["earlierThan"]?.integerValue } == [nil, first, nil, nil])
      #expect(changes.map { $0["isClockFixed"] == .bool(true) } == [false, false, true, false])
    }
  }

  @Test("For random logs, as-of is a prefix by real time, and every odd moment is marked")
  func randomClocks() throws {
    try withSeed("clocks") { random in
      for _ in 0..<repetitions(200, few: 20) {
        let sessions = (0..<Int.random(in: 1...6, using: &random)).map { _ in
          (
            clock: SessionClock.allCases.randomElement(using: &random) ?? .running,
            seconds: (0..<Int.random(in: 1...4, using: &random)).map { _ in
              Int64.random(in: 480...520, using: &random)
            }
          )
        }
        try withLog(of: sessions) { storage in
          let records = try known(storage)
          for _ in 0..<20 {
            let second = Int64.random(in: 478...522, using: &random)
            let instant = Moment(microseconds: second * 1_000_000)
            let first = records.first { record in record.realTime.map { $0 > instant } ?? false }
            let last = first.map { $0.sequence - 1 } ?? UInt64(records.count)
            let exception = first.flatMap { first in
              records.first { record in
                record.sequence > first.sequence
                  && record.realTime.map { $0 <= instant } ?? false
              }
            }
            #expect(
              try past(second, storage)
                == RecordClocks.Past(last: last, exception: exception?.sequence))
          }
          try checkRemarks(records, storage, &random)
        }
      }
    }
  }

  /// Compares the remarks in order and at random places with those of a plain loop.
  private func checkRemarks(
    _ records: [Known], _ storage: LogStorage, _ random: inout SeededGenerator
  ) throws {
    var expected: [UInt64: RecordClocks.Remark] = [:]
    var latest: Known?
    for record in records {
      guard let realTime = record.realTime else {
        expected[record.sequence] = RecordClocks.Remark(fixed: .unknown)
        continue
      }
      var remark = RecordClocks.Remark()
      if realTime != record.moment { remark.fixed = .realTime(realTime) }
      if let before = latest?.realTime, realTime < before {
        remark.earlierThan = latest?.sequence
      }
      if remark != RecordClocks.Remark() { expected[record.sequence] = remark }
      latest = record
    }
    let places = records.map(\.sequence) + records.map(\.sequence).shuffled(using: &random)
    try storage.withReadView { (view) throws(StoreError) in
      var clocks = RecordClocks()
      for place in places {
        try view.forEachRecord(from: place, through: place) {
          (envelope, _) throws(StoreError) in
          let remark = try clocks.remark(on: envelope, in: view)
          #expect(remark == expected[place], "record \(place)")
        }
      }
    }
  }
}
