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
    var isFixed: Bool
  }

  /// Records sessions, each with the seconds of its clock.
  private func withLog(
    of sessions: [(isFixed: Bool, seconds: [Int64])], _ body: (LogStorage) throws -> Void
  ) throws {
    try CounterLog.withDirectory { path in
      var items = 0
      for (isFixed, seconds) in sessions {
        var configuration = StoreConfiguration()
        configuration.origin.isClockFixed = isFixed
        let clock = Lock(seconds[0])
        configuration.clock = {
          clock.withLock { Moment(microseconds: $0 * 1_000_000) }
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
        found.append(
          Known(
            sequence: envelope.sequence, moment: envelope.moment,
            isFixed: fixed.contains(envelope.session)))
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
    try withLog(of: [(false, [100]), (true, [10]), (false, [200])]) { storage in
      let records = try known(storage)
      #expect(try past(50, storage) == RecordClocks.Past(last: 0))
      let second = try #require(records.first { $0.moment.microseconds == 200_000_000 })
      #expect(try past(150, storage) == RecordClocks.Past(last: second.sequence - 1))
      #expect(try past(200, storage) == RecordClocks.Past(last: UInt64(records.count)))
    }
  }

  @Test func `a clock that was set back is named with the record before it`() throws {
    try withLog(of: [(false, [100, 300, 120])]) { storage in
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

  @Test func `every record of a session with a fixed clock is marked in every listing`() throws {
    try withLog(of: [(false, [100]), (true, [10])]) { storage in
      let fixed = try known(storage).filter(\.isFixed).map(\.sequence)
      #expect(fixed.count >= 4)
      var marked: [UInt64] = []
      let last = try storage.head().sequence
      try RecordDescription.forEach(in: storage, from: 1, through: last) { record in
        let isMarked = record.line.contains("(fixed clock, real time unknown)")
        #expect((record.json["isClockFixed"] == .bool(true)) == isMarked)
        if isMarked { marked.append(record.envelope.sequence) }
        return true
      }
      #expect(marked == fixed)
      let history = try RecordedHistory(
        of: MentionedID("KioskItemID=1", in: storage), asOf: HistoryEnd(nil), in: storage)
      #expect(history.lines[0].contains("Z (fixed clock, real time unknown)"))
      #expect(history.json[0]["isClockFixed"] == .bool(true))
      #expect(history.blameLines.allSatisfy { $0.contains("Z (fixed clock, real time unknown)") })
      let remarks = try SessionSummary.all(in: storage).map { $0.clock?.text }
      #expect(remarks == [nil, "fixed clock, real time unknown"])
    }
  }

  @Test func `a list of changes marks the first one after the clock was set back`() throws {
    // The start of the second session is earlier than the record before it, and its change is not.
    // The third one has a fixed clock, and the fourth is later than the second.
    try withLog(of: [(false, [100]), (false, [50]), (true, [10]), (false, [60])]) { storage in
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
            isFixed: Bool.random(using: &random),
            seconds: (0..<Int.random(in: 1...4, using: &random)).map { _ in
              Int64.random(in: 1...60, using: &random)
            }
          )
        }
        try withLog(of: sessions) { storage in
          let records = try known(storage)
          for _ in 0..<20 {
            let second = Int64.random(in: 0...61, using: &random)
            let instant = Moment(microseconds: second * 1_000_000)
            let first = records.first { !$0.isFixed && $0.moment > instant }
            let last = first.map { $0.sequence - 1 } ?? UInt64(records.count)
            let exception = first.flatMap { first in
              records.first {
                $0.sequence > first.sequence && !$0.isFixed && $0.moment <= instant
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
      if record.isFixed {
        expected[record.sequence] = .fixed
      } else {
        if let latest, record.moment < latest.moment {
          expected[record.sequence] = .earlier(than: latest.sequence)
        }
        latest = record
      }
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
