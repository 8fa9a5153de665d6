import RetraceState
import CivilTime
import RetraceScreen
import RetraceArchitecture
import RetraceRecording
import RetraceSystem
import RetraceStorage
import Testing
import TimeTracking

@testable import TrackerApp

@Suite struct ImporterTests {
  private static let good = """
    Start date,Start time,Took,Who,What,Key
    2026-03-01,09:00,30,anna,write,k1
    2026-03-01,10:00,0,anna,pause,k2
    2026-03-01,09:10,10,anna,call,k3
    2026-03-01,09:10,10,bob,call,k4

    """
  private static let bad = good + "2026-03-01,nine,10,bob,call,k5\n"

  private static let columns: [(field: ImportMapping.Field, column: String)] = [
    (.start, "Start date"), (.start, "Start time"), (.duration, "Took"), (.user, "Who"),
    (.description, "What"), (.id, "Key"),
  ]

  private func importer(
    _ path: String, columns: [(field: ImportMapping.Field, column: String)] = Self.columns
  ) throws(Importer.Failure) -> Importer {
    try Importer(path: path) { (header) throws(ImportMapping.Failure) in
      guard let format = try? DateFormat("yyyy-MM-dd HH:mm") else {
        throw .malformedHeader("the pattern of dates")
      }
      return try ImportMapping(
        columns: columns, header: header, dateFormat: format, durationFormat: .minutes, zone: .utc)
    }
  }

  private func checked(_ importer: consuming Importer) throws(Importer.Failure) {
    try importer.check()
  }

  /// The failure of a body that has to have one.
  private func failure<R>(_ body: () throws(Importer.Failure) -> R) -> Importer.Failure? {
    do throws(Importer.Failure) {
      _ = try body()
      return nil
    } catch {
      return error
    }
  }

  @Test func `rows become entries, a field given twice joins its columns with a blank`() throws {
    try TrackerFixture.with { fixture in
      let path = try fixture.write(Self.good)
      try fixture.open { tracker in
        let summary = try importer(path).run(on: tracker, defaultUser: "me")
        #expect(summary.created == 4)
        #expect(summary.skipped == 0)
        #expect(summary.overlaps == 2)
        #expect(summary.zeroDurations == 1)
        #expect(summary.rejected.isEmpty)
        let state = tracker.state
        #expect(state.library.user(named: "me") == nil)
        #expect(state.totals.seconds == 3_000)
        let first = try #require(state.timeline.entries[TimeEntryID(value: 0)])
        #expect(first.localStart.description == "2026-03-01 09:00:00")
        #expect(first.description == "write")
        #expect(first.externalID == "k1")
      }
    }
  }

  @Test func `a leading byte-order mark is no part of the first name`() throws {
    try TrackerFixture.with { fixture in
      let path = try fixture.write("\u{feff}" + Self.good)
      try fixture.open { tracker in
        let summary = try importer(path).run(on: tracker, defaultUser: "me")
        #expect(summary.created == 4)
      }
    }
  }

  @Test func `an id makes the import idempotent, in any order, with one new row one`() throws {
    try TrackerFixture.with { fixture in
      let path = try fixture.write(Self.good)
      let rows = Self.good.split(separator: "\n").map(String.init)
      let shuffled = ([rows[0]] + rows.dropFirst().reversed()).joined(separator: "\n")
      let more = try fixture.write(shuffled + "\n2026-03-02,09:00,1,cid,new,k9\n", to: "more.csv")
      try fixture.open { _ = try importer(path).run(on: $0, defaultUser: "me") }
      try fixture.open { tracker in
        let before = tracker.store.sequence
        let summary = try importer(path).run(on: tracker, defaultUser: "me")
        #expect(summary.created == 0)
        #expect(summary.skipped == 4)
        #expect(tracker.store.sequence == before)
      }
      try fixture.open { tracker in
        let summary = try importer(more).run(on: tracker, defaultUser: "me")
        #expect(summary.created == 1)
        #expect(summary.skipped == 4)
        #expect(tracker.state.totals.entries == 5)
      }
    }
  }

  @Test func `a bad row is reported and the others are imported`() throws {
    try TrackerFixture.with { fixture in
      let path = try fixture.write(Self.bad)
      try fixture.open { tracker in
        let summary = try importer(path).run(on: tracker, defaultUser: "me")
        #expect(summary.created == 4)
        #expect(summary.rejected.map(\.line) == [6])
        #expect(summary.rejected.map(\.column) == ["Start date+Start time"])
        #expect(summary.rejected.map(\.value) == ["2026-03-01 nine"])
      }
    }
  }

  @Test func `a strict check refuses before anything is written`() throws {
    try TrackerFixture.with { fixture in
      let path = try fixture.write(Self.bad)
      guard
        case .rejected(let rows, let more) = failure({ () throws(Importer.Failure) in
          try checked(importer(path))
        })
      else {
        Issue.record("the file was taken")
        return
      }
      #expect(rows.map(\.line) == [6])
      #expect(more == 0)
      #expect(try !FileSystem.exists(fixture.store))
      let good = try fixture.write(Self.good, to: "good.csv")
      #expect(failure { () throws(Importer.Failure) in try checked(importer(good)) } == nil)
    }
  }

  @Test func `files that are not there, are empty or have other columns are told apart`() throws {
    try TrackerFixture.with { fixture in
      let empty = try fixture.write("", to: "empty.csv")
      let good = try fixture.write(Self.good)
      func check(
        _ path: String, _ columns: [(field: ImportMapping.Field, column: String)] = Self.columns
      ) -> Importer.Failure? {
        failure { () throws(Importer.Failure) in try checked(importer(path, columns: columns)) }
      }
      guard case .file = check("\(fixture.directory)/none.csv") else {
        Issue.record("a missing file was taken")
        return
      }
      guard case .empty = check(empty) else {
        Issue.record("an empty file was taken")
        return
      }
      guard case .mapping(.unknownColumn("Begin", _)) = check(good, [(.start, "Begin")]) else {
        Issue.record("a missing column was taken")
        return
      }
    }
  }

  @Test func `each batch is acknowledged once it is durable`() throws {
    try TrackerFixture.with { fixture in
      var text = "Start date,Start time,Took,Who,What,Key\n"
      let rows = Importer.batchSize * 2 + 7
      for row in 0..<rows { text += "2026-03-01,09:00,1,anna,w,r\(row)\n" }
      let path = try fixture.write(text)
      var acknowledged: [UInt64] = []
      var progress: [Int] = []
      try fixture.open { tracker in
        _ = try importer(path).run(
          on: tracker, defaultUser: "me",
          acknowledged: { sequence in
            #expect(sequence == tracker.store.sequence)
            acknowledged.append(sequence)
          },
          progress: { done, total in
            #expect(total == text.utf8.count)
            progress.append(done)
          })
      }
      // One record opens the session, one creates the user.
      let size = UInt64(Importer.batchSize)
      #expect(acknowledged == [2 + size, 2 + 2 * size, 2 + UInt64(rows)])
      #expect(progress.last == text.utf8.count)
      #expect(progress == progress.sorted())
    }
  }
}
