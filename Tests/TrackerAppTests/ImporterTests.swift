import CivilTime
import Foundation
import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceRecording
import RetraceState
import RetraceStorage
import RetraceSystem
import Testing
import TimeTracking
import TrackerFeatures
import TrackerFormats

@testable import TrackerApp

/// Imports of CSV files into a store.
@Suite struct ImporterTests {
  private static let header = "Start date,Start time,Took,Who,What,Key\n"
  private static let good = """
    Start date,Start time,Took,Who,What,Key
    2026-03-01,09:00,30,anna,write,k1
    2026-03-01,10:00,0,anna,pause,k2
    2026-03-01,09:10,10,anna,call,k3
    2026-03-01,09:10,10,bob,call,k4

    """
  private static let bad = good + "2026-03-01,nine,10,bob,call,k5\n"

  private static let columns: [(field: ImportField, column: String)] = [
    (.start, "Start date"), (.start, "Start time"), (.duration, "Took"), (.user, "Who"),
    (.description, "What"), (.id, "Key"),
  ]
  private static let columnsWithoutID = columns.filter { $0.field != .id }

  private func csv(
    _ path: String, columns: [(field: ImportField, column: String)] = Self.columns,
    _ unit: DurationFormat = .minutes, _ zone: ZoneRules = .utc, isStrict: Bool = false
  ) throws(Importer.Failure) -> Importer {
    var options = ImportOptions(user: Name("me"), zone: zone)
    (options.columns, options.durationFormat) = (columns, unit)
    options.dateFormat = try? DateFormat("yyyy-MM-dd HH:mm")
    return try Importer.open(path, as: ImportSources.standard, options, isStrict: isStrict)
  }

  private func run(
    _ path: String, columns: [(field: ImportField, column: String)] = Self.columns,
    source: String = "toggl", into tracker: TrackerStore
  ) throws(Importer.Failure) -> ImportReport {
    try csv(path, columns: columns).run(into: tracker, system: Name(source), name: "rows.csv")
  }

  private static func digest(of path: String) throws -> Digest {
    SHA256Hasher.digest(of: [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))).span)
  }

  /// Returns the failure of a body that has to fail.
  private func failure<R: ~Copyable>(_ body: () throws(Importer.Failure) -> R) -> Importer.Failure?
  {
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
        let summary = try run(path, into: tracker)
        var rows = RowCounts()
        rows.created = 4
        rows.overlaps = 2
        rows.zeroDurations = 1
        #expect(summary.rows == rows)
        #expect(summary.rejected.count == 0)
        let domain = tracker.domain
        #expect(domain.totals().time == .seconds(3_000))
        // The store has only the users of the file.
        #expect(domain.users.count == 2 && domain.totals().users == 2)
        let first = try #require(domain.timeEntries[TimeEntryID(value: 0)])
        #expect(first.localStart.description == "2026-03-01 09:00:00")
        #expect(first.description == "write")
        #expect(first.externalIDs == [ExternalID(source: SourceID(value: 0), id: "k1")])
        #expect(domain.externalSources[SourceID(value: 0)]?.name == Name("toggl"))
        let run = try #require(domain.importRuns[ImportRunID(value: 0)])
        #expect(run.file == "rows.csv" && run.rows == 4 && run.isActive)
      }
    }
  }

  @Test func `a file without a column for users is of the user that is said`() throws {
    try TrackerFixture.with { fixture in
      let path = try fixture.write(Self.good)
      let columns = Self.columns.filter { $0.field != .user }
      try fixture.open { tracker in
        _ = try run(path, columns: columns, into: tracker)
        #expect(tracker.domain.users[UserID(value: 0)]?.name == Name("me"))
        #expect(tracker.domain.users.count == 1)
      }
    }
  }

  @Test func `a leading byte-order mark is no part of the first name`() throws {
    try TrackerFixture.with { fixture in
      let path = try fixture.write("\u{feff}" + Self.good)
      try fixture.open { tracker in
        let summary = try run(path, into: tracker)
        #expect(summary.rows.created == 4)
      }
    }
  }

  @Test func `a file that grows while it is read is imported as it was`() throws {
    try TrackerFixture.with { fixture in
      let path = try fixture.write(Self.good)
      try fixture.open { tracker in
        let file = try csv(path, columns: Self.columnsWithoutID)
        _ = try fixture.write(Self.good + "2026-03-02,09:00,1,cid,new,k9\n")
        let summary = try file.run(into: tracker, system: Name("toggl"), name: "rows.csv")
        #expect(summary.rows.created == 4)
        _ = try fixture.write(Self.good)
        let again = try run(path, columns: Self.columnsWithoutID, into: tracker)
        #expect(again.rows.created == 0 && again.rows.known == 4)
      }
    }
  }

  @Test func `an id makes the import idempotent, in any order, with one new row one`() throws {
    try TrackerFixture.with { fixture in
      let path = try fixture.write(Self.good)
      let rows = Self.good.split(separator: "\n").map(String.init)
      let shuffled = ([rows[0]] + rows.dropFirst().reversed()).joined(separator: "\r\n")
      let more = try fixture.write(
        shuffled + "\r\n2026-03-02,09:00,1,cid,new,k9\r\n", to: "more.csv")
      try fixture.open { _ = try run(path, into: $0) }
      let batches = try fixture.batches()
      // The same rows, in this order and another, write nothing.
      for path in [path, try fixture.write(shuffled, to: "shuffled.csv")] {
        try fixture.open { tracker in
          let before = tracker.store.sequence
          let summary = try run(path, into: tracker)
          var rows = RowCounts()
          rows.known = 4
          #expect(summary.rows == rows)
          #expect(tracker.store.sequence == before)
        }
        #expect(try fixture.batches() == batches)
      }
      // A changed file of the source creates the new row.
      try fixture.open { tracker in
        let summary = try run(more, into: tracker)
        #expect(summary.rows.created == 1 && summary.rows.known == 4)
        #expect(
          tracker.domain.entries == [
            "write 0:30:00", "pause 0:00:00", "call 0:10:00", "call 0:10:00", "new 0:01:00",
          ])
      }
      // The ids of another source are others, in another file.
      let other = try fixture.write(shuffled, to: "other.csv")
      try fixture.open { tracker in
        let summary = try run(other, source: "harvest", into: tracker)
        #expect(summary.rows.created == 4)
        #expect(tracker.domain.totals().entries == 9)
      }
    }
  }

  @Test func `an id that occurs twice in a file is one row`() throws {
    try TrackerFixture.with { fixture in
      let path = try fixture.write(Self.good + "2026-03-01,11:00,30,anna,again,k1\n")
      try fixture.open { tracker in
        let summary = try run(path, into: tracker)
        #expect(summary.rows.created == 4 && summary.rows.clashing == 1)
        #expect(tracker.domain.entries.first == "write 0:30:00")
      }
    }
  }

  @Test func `a file without ids creates nothing the second time, unless the import was undone`()
    throws
  {
    try TrackerFixture.with { fixture in
      let path = try fixture.write(Self.good)
      try fixture.open { tracker in
        let columns = Self.columnsWithoutID
        let first = try run(path, columns: columns, into: tracker)
        #expect(first.rows.created == 4)
        let before = tracker.domain
        for source in ["toggl", "TOGGL ", "other"] {
          let again = try run(path, columns: columns, source: source, into: tracker)
          #expect(again.rows.created == 0 && again.rows.known == 4)
        }
        #expect(tracker.domain == before)
        try tracker.store.undoBlocking()
        #expect(tracker.domain.entries.isEmpty)
        let second = try run(path, columns: columns, into: tracker)
        #expect(second.rows.created == 4)
        #expect(tracker.domain.totals().entries == 4)
      }
    }
  }

  @Test func `an interrupted import is not resumed with options that make other entries`() throws {
    try TrackerFixture.with { fixture in
      // Half of the rows have their duration as a clock, the others in minutes.
      var text = "Start date,Start time,Took,Who,What,Key\n"
      for number in 0..<3_000 {
        let took = number.isMultiple(of: 2) ? "1:30" : "90"
        let day = 1 + number / 1_440
        let hour = String(number % 1_440 / 60 + 100).suffix(2)
        let time = "\(hour):\(String(number % 60 + 100).suffix(2))"
        text += "2026-03-0\(day),\(time),\(took),anna,row \(number),\n"
      }
      let path = try fixture.write(text)
      func run(
        _ tracker: TrackerStore, _ unit: DurationFormat, _ zone: ZoneRules = .utc
      ) throws(Importer.Failure) -> ImportReport {
        try csv(path, columns: Self.columnsWithoutID, unit, zone)
          .run(into: tracker, system: Name("toggl"), name: "rows.csv")
      }
      try fixture.open { tracker in
        // The first batch of a run that is then cut off.
        var rows = try ImportSession(into: tracker, digest: Self.digest(of: path))
        for number in stride(from: 0, to: 2_000, by: 2) {
          let day = TrackerFixture.morning.adding(.seconds(-33 * 3_600))
          let start = day.adding(.seconds(Int64(number) * 60))
          try rows.add(
            ImportedRow(
              user: Name("anna"), description: "row \(number)", start: start,
              end: start.adding(.seconds(5_400)), zone: .utc))
        }
      }
      try fixture.open { tracker in
        let hour = ZoneRules(id: "UTC", offsetSeconds: 3_600)
        for (unit, zone) in [(DurationFormat.minutes, ZoneRules.utc), (.clock, hour)] {
          let before = tracker.store.sequence
          let failure = failure { () throws(Importer.Failure) in try run(tracker, unit, zone) }
          guard case .differs = failure else {
            Issue.record("\(unit): \(String(describing: failure))")
            continue
          }
          #expect(tracker.store.sequence == before)
        }
        let summary = try run(tracker, .clock)
        #expect(summary.rows.resumed == 1_000 && summary.rows.created == 500)
        #expect(summary.rejected.count == 1_500)
      }
    }
  }

  @Test func `an interrupted import is resumed although its project has a rival and a new rate`()
    throws
  {
    func perform(_ command: DomainCommand, in tracker: TrackerStore) throws {
      _ = try tracker.store.performBlocking(command, from: .commandLine)
    }
    /// Adds rows of a file without columns for clients and billable.
    func rows(_ count: Int, into tracker: TrackerStore) throws -> ImportSession {
      var rows = try ImportSession(
        into: tracker, digest: .zero, fields: [.start, .end, .project, .description],
        hasRates: false)
      for number in 0..<count {
        let start = TrackerFixture.morning.adding(.seconds(Int64(number) - 86_400))
        var row = ImportedRow(
          user: Name("anna"), description: "row \(number)", start: start, end: start, zone: .utc)
        row.project = Name("web")
        try rows.add(row)
      }
      return rows
    }
    try TrackerFixture.with { fixture in
      try fixture.open { tracker in
        for name in ["ACME", "Zeta"] {
          try perform(.client(.create(Client(name: Name(name)))), in: tracker)
        }
        var project = Project(name: Name("web"), client: ClientID(value: 0))
        (project.isBillable, project.rate) = (true, 8_500)
        try perform(.project(.create(project)), in: tracker)
      }
      try fixture.open(hour: 1) { _ = try rows(1_000, into: $0) }
      try fixture.open(hour: 2) { tracker in
        let rival = Project(name: Name("web"), client: ClientID(value: 1))
        try perform(.project(.create(rival)), in: tracker)
        var changes = ProjectChanges()
        changes.rate = Change(from: 8_500, to: 9_000)
        try perform(.project(.change(ProjectID(value: 0), changes, reason: nil)), in: tracker)
        let summary = try rows(1_001, into: tracker).finish().rows
        #expect(summary.resumed == 1_000 && summary.created == 1)
        #expect(summary.ambiguousProjects == [Name("web")])
        let entry = try #require(tracker.domain.timeEntries[TimeEntryID(value: 0)])
        #expect(entry.project == ProjectID(value: 0) && entry.rate == 8_500)
      }
    }
  }

  @Test func `an interrupted import with ids is not resumed without them, and then with them`()
    throws
  {
    try TrackerFixture.with { fixture in
      let digest = Digest([UInt8](repeating: 1, count: 32).span) ?? .zero
      func row(_ number: Int, hasID: Bool) -> ImportedRow {
        let start = TrackerFixture.morning.adding(.seconds(Int64(number) * 60))
        return ImportedRow(
          id: hasID ? "\(number)" : nil, user: Name("anna"), description: "row \(number)",
          start: start, end: start, zone: .utc)
      }
      func rows(_ tracker: TrackerStore) throws -> ImportSession {
        try ImportSession(into: tracker, digest: digest)
      }
      for (first, other) in [(true, false), (false, true)] {
        try fixture.open { tracker in
          var begun = try rows(tracker)
          for number in 0..<1_500 { try begun.add(row(number, hasID: first)) }
          let before = tracker.store.sequence
          var wrong = try rows(tracker)
          let failure: Importer.Failure?
          do throws(Importer.Failure) {
            for number in 0..<1_500 { try wrong.add(row(number, hasID: other)) }
            failure = nil
          } catch {
            failure = error
          }
          guard case .differs = failure else {
            Issue.record("\(String(describing: failure))")
            return
          }
          #expect(tracker.store.sequence == before)
          var again = try rows(tracker)
          for number in 0..<1_500 { try again.add(row(number, hasID: first)) }
          let summary = try again.finish().rows
          #expect(summary.resumed == 1_000 && summary.created == 500)
          // The counts of created entities cover the whole file.
          #expect(summary.zeroDurations == 1_500)
          try tracker.store.undoBlocking()
        }
      }
    }
  }

  @Test func `an import with a row in a closed period writes nothing`() throws {
    let yesterday = TrackerFixture.morning.adding(.seconds(-86_400))
    let period = DomainCommand.closing(
      .close(
        Closing(
          .all, from: yesterday, to: TrackerFixture.morning.adding(.seconds(-3_600)),
          login: "anna")))
    func isClosed(_ failure: Importer.Failure?, rows: Int64) -> Bool {
      guard case .closed(let row, .closed(let id, _, entry: nil), let found) = failure else {
        return false
      }
      return row.description == "inside" && id == ClosingID(value: 0) && found == rows
    }
    try TrackerFixture.with { fixture in
      // More rows than a batch has, and then one that is inside.
      let text =
        Self.header + (0..<1_100).map { "2026-02-01,10:00,5,anna,row,k\($0)\n" }.joined()
        + "2026-03-01,10:00,5,anna,inside,last\n"
      let path = try fixture.write(text)
      try fixture.open { tracker in
        try tracker.store.performBlocking(period, from: .commandLine)
        let before = tracker.store.sequence
        let importing = failure { () throws(Importer.Failure) in try run(path, into: tracker) }
        #expect(isClosed(importing, rows: 0), "\(String(describing: importing))")
        let previewing = failure { () throws(Importer.Failure) in
          try csv(path).preview(in: tracker.domain, system: Name("toggl"), name: "rows.csv")
        }
        #expect(isClosed(previewing, rows: 0), "\(String(describing: previewing))")
        #expect(tracker.store.sequence == before && tracker.domain.importRuns.isEmpty)
        try tracker.store.performBlocking(
          .closing(.reopen(ClosingID(value: 0), reason: nil)), from: .commandLine)
        #expect(try run(path, into: tracker).rows.created == 1_101)
        // Known rows are no entries of another import, so the closed period does not matter.
        try tracker.store.performBlocking(period, from: .commandLine)
        let more = try fixture.write(text + "2026-02-02,10:00,5,anna,outside,more\n")
        let report = try run(more, into: tracker)
        #expect(report.rows.created == 1 && report.rows.known == 1_101)
      }
    }
  }

  @Test func `an import is refused at its end if a period was closed meanwhile`()
    throws
  {
    let period = DomainCommand.closing(
      .close(
        Closing(
          .all, from: TrackerFixture.morning.adding(.seconds(-86_400)),
          to: TrackerFixture.morning, login: "anna")))
    try TrackerFixture.with { fixture in
      let path = try fixture.write(
        Self.header + (0..<1_500).map { "2026-03-01,10:00,5,anna,row,k\($0)\n" }.joined())
      try fixture.open { tracker in
        var isOpen = true
        let ended = failure { () throws(Importer.Failure) in
          try csv(path).run(
            into: tracker, system: Name("toggl"), name: "rows.csv",
            acknowledged: { _ in
              if isOpen { _ = try? tracker.store.performBlocking(period, from: .commandLine) }
              isOpen = false
            })
        }
        guard case .command(.refused(let refusal, after: _)) = ended,
          case .closing(.closed(_, _, entry: _)) = refusal
        else {
          Issue.record("\(String(describing: ended))")
          return
        }
        // The rows are in the log; a second run is refused before it writes anything.
        let before = tracker.store.sequence
        let again = failure { () throws(Importer.Failure) in try run(path, into: tracker) }
        guard case .closed(_, _, rows: 1_500) = again else {
          Issue.record("\(String(describing: again))")
          return
        }
        #expect(tracker.store.sequence == before)
        try tracker.store.performBlocking(
          .closing(.reopen(ClosingID(value: 0), reason: nil)), from: .commandLine)
        #expect(try run(path, into: tracker).rows.resumed == 1_500)
      }
    }
  }

  /// The counts of an import, or why it was refused.
  private func outcome(_ body: () throws(Importer.Failure) -> ImportReport) -> String {
    do throws(Importer.Failure) {
      var summary = try body()
      (summary.run, summary.planned) = (nil, [])
      return "\(summary)"
    } catch {
      guard case .command(.refused(let refusal, _)) = error else { return "\(error)" }
      return "\(refusal)"
    }
  }

  @Test func `a preview has the counts of the import, or its refusal`() throws {
    try TrackerFixture.with { fixture in
      try fixture.open { tracker in
        // Imports a file after a preview of it.
        func check(
          _ path: String, columns: [(field: ImportField, column: String)] = Self.columns,
          source: String = "toggl", _ expected: String, line: Int = #line
        ) {
          let before = tracker.domain
          let preview = outcome { () throws(Importer.Failure) in
            try csv(path, columns: columns).preview(
              in: before, system: Name(source), name: "rows.csv")
          }
          let real = outcome { () throws(Importer.Failure) in
            try run(path, columns: columns, source: source, into: tracker)
          }
          #expect(preview == real, "line \(line)")
          #expect(real.contains(expected), "line \(line): \(real)")
        }
        let withoutText = Self.columns.filter { $0.field != .description }
        let path = try fixture.write(Self.bad)
        check(path, "created: 4")
        check(path, "created: 0, known: 4")
        check(path, columns: Self.columnsWithoutID, "created: 0, known: 4")
        check(path, columns: withoutText.filter { $0.field != .id }, "created: 0, known: 4")
        check(path, source: "harvest", "alreadyImported")
        let more = try fixture.write(Self.good + "2026-03-02,09:00,1,cid,new,k9\n", to: "more.csv")
        check(more, "created: 1, known: 4")
        let days = Self.good.replacing("2026-03-01", with: "2026-03-03")
        let plain = try fixture.write(days, to: "plain.csv")
        check(plain, columns: Self.columnsWithoutID, source: "plain", "created: 4")
        check(plain, columns: Self.columnsWithoutID, source: "plain", "created: 0, known: 4")
        let others = withoutText.filter { $0.field != .id }
        check(plain, columns: others, source: "plain", "alreadyImported")

        let times = "Start date,Start time,Took,Who,What,Key\n"
        let rows = (0..<1_500).map { "2026-03-02,09:00,0,anna,row \($0),r\($0)\n" }
        let long = try fixture.write(times + rows.joined(), to: "long.csv")
        var begun = try ImportSession(into: tracker, digest: Self.digest(of: long))
        for number in 0..<1_000 {
          try begun.add(
            ImportedRow(
              id: "r\(number)", user: Name("anna"), description: "row \(number)",
              start: TrackerFixture.morning, end: TrackerFixture.morning, zone: .utc))
        }
        check(long, columns: withoutText, "differs")
        check(long, columns: Self.columnsWithoutID, "differs")
        check(long, source: "harvest", "anotherRuns")
        check(path, "created: 0, known: 4")
        let other = try fixture.write(Self.good + "2026-03-02,09:00,1,cid,x,k10\n", to: "x.csv")
        check(other, "anotherRuns")
        let head = try fixture.write(times + rows[..<500].joined(), to: "head.csv")
        check(head, "anotherRuns")
        check(long, "created: 500, known: 0, resumed: 1000")
        check(long, "created: 0, known: 1500")
        check(other, "created: 1, known: 4")
      }
    }
  }

  @Test func `an unterminated row rejects the file, and nothing is written`() throws {
    try TrackerFixture.with { fixture in
      let good = "2026-03-01,09:00,30,anna,write,k\n"
      let path = try fixture.write(
        Self.good + "2026-03-01,09:00,30,anna,\"5 inch,k9\n"
          + String(repeating: good, count: 40_000))
      let failure = failure { () throws(Importer.Failure) in
        try csv(path)
      }
      guard case .rejected(let rejected) = failure, rejected.more == 0 else {
        Issue.record("\(String(describing: failure))")
        return
      }
      let rows = rejected.kept
      #expect(rows.map(\.line) == [6] && rows.map(\.reason) == [.malformed(.unclosedQuote)])
    }
  }

  @Test func `a file that is being imported from one source waits for it in another`() throws {
    try TrackerFixture.with { fixture in
      let path = try fixture.write(Self.good)
      try fixture.open { tracker in
        let digest = try Self.digest(of: path)
        try tracker.store.performBlocking(
          .importRun(.begin(source: Name("toggl"), file: "rows.csv", digest: digest)))
        let failure = failure { () throws(Importer.Failure) in
          try run(path, source: "harvest", into: tracker)
        }
        guard case .command(.refused(let refusal, _)) = failure else {
          Issue.record("\(String(describing: failure))")
          return
        }
        #expect(refusal == .importRun(.anotherRuns(ImportRunID(value: 0))))
        #expect(tracker.domain.externalSources.count == 1)
      }
    }
  }

  @Test(arguments: [true, false])
  func `rows that another process imported meanwhile are not imported again`(
    haveIDs: Bool
  ) throws {
    try TrackerFixture.with { fixture in
      try fixture.open { tracker in
        func row(_ id: String) -> ImportedRow {
          ImportedRow(
            id: haveIDs ? id : nil, user: Name("anna"), description: id,
            start: TrackerFixture.morning, end: TrackerFixture.morning, zone: .utc)
        }
        func rows(_ digest: UInt8) throws -> ImportSession {
          try ImportSession(
            into: tracker, digest: Digest([UInt8](repeating: digest, count: 32).span) ?? .zero)
        }
        var first = try rows(1)
        try first.add(row("a"))
        try first.add(row("b"))
        var second = try rows(2)
        try second.add(row("b"))
        try second.add(row("c"))
        let other = try second.finish().rows
        #expect(other.created == 2)
        try first.add(row("c"))
        try first.add(row("d"))
        try first.add(row("a"))
        let summary = try first.finish().rows
        // Without ids, the second row `a` is another one.
        let others = haveIDs ? 0 : 1
        #expect(summary.created == 2 + others && summary.known == 3 - others)
        #expect(summary.zeroDurations == 2 + others)
        let entries = tracker.domain.entries.sorted()
        let names = (haveIDs ? ["a"] : ["a", "a"]) + ["b", "c", "d"]
        #expect(entries == names.map { "\($0) 0:00:00" })
      }
    }
  }

  @Test func `a bad row is reported and the others are imported`() throws {
    try TrackerFixture.with { fixture in
      let path = try fixture.write(Self.bad)
      try fixture.open { tracker in
        let summary = try run(path, into: tracker)
        #expect(summary.rows.created == 4)
        #expect(summary.rejected.kept.map(\.line) == [6])
        #expect(summary.rejected.kept.map(\.column) == ["Start date+Start time"])
        #expect(summary.rejected.kept.map(\.value) == ["2026-03-01 nine"])
        #expect(summary.rejected.count == 1)
      }
    }
  }

  @Test func `a file whose rows are all invalid creates nothing`() throws {
    try TrackerFixture.with { fixture in
      let header = try #require(Self.good.split(separator: "\n").first)
      let row = "\n2026-03-01,nine,10,bob,call,k5"
      let path = try fixture.write(
        header + String(repeating: row, count: RejectedRows.keptMax + 3) + "\n")
      try fixture.open { tracker in
        let failure = failure { () throws(Importer.Failure) in try run(path, into: tracker) }
        guard case .rejected(let rejected) = failure else {
          Issue.record("\(String(describing: failure))")
          return
        }
        let rows = rejected.kept
        #expect(rows.count == RejectedRows.keptMax && rejected.more == 3)
        #expect(rows.first?.line == 2 && rows.last?.line == RejectedRows.keptMax + 1)
        #expect(tracker.domain == DomainState())
      }
      #expect(try fixture.batches().isEmpty)
    }
  }

  @Test func `a strict check refuses before anything is written`() throws {
    try TrackerFixture.with { fixture in
      let path = try fixture.write(Self.bad)
      let refused = failure { () throws(Importer.Failure) in try csv(path, isStrict: true) }
      guard case .rejected(let rejected) = refused else {
        Issue.record("the file was taken")
        return
      }
      #expect(rejected.kept.map(\.line) == [6])
      #expect(rejected.more == 0)
      #expect(try !FileSystem.exists(fixture.store))
      let good = try fixture.write(Self.good, to: "good.csv")
      let found = failure { () throws(Importer.Failure) in
        try csv(good, isStrict: true)
      }
      #expect(found == nil)
    }
  }

  @Test func `missing files, empty files and files with other columns have different errors`()
    throws
  {
    try TrackerFixture.with { fixture in
      let empty = try fixture.write("", to: "empty.csv")
      let good = try fixture.write(Self.good)
      func check(
        _ path: String, _ columns: [(field: ImportField, column: String)] = Self.columns
      ) -> Importer.Failure? {
        failure { () throws(Importer.Failure) in
          try csv(path, columns: columns, isStrict: true)
        }
      }
      for path in ["\(fixture.directory)/none.csv", fixture.directory] {
        guard case .file = check(path) else {
          Issue.record("a missing file or a directory was taken")
          return
        }
      }
      guard case .format(_, .empty) = check(empty) else {
        Issue.record("an empty file was taken")
        return
      }
      let begin = check(good, [(.start, "Begin")])
      guard case .format(_, .columns(.unknownColumn("Begin", _), separator: nil)) = begin else {
        Issue.record("a missing column was taken")
        return
      }
    }
  }

  @Test func `a pipe is imported, which can be read once only`() throws {
    try TrackerFixture.with { fixture in
      let pipe = Pipe()
      try pipe.fileHandleForWriting.write(contentsOf: Data(Self.bad.utf8))
      try pipe.fileHandleForWriting.close()
      let path = "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)"
      try fixture.open { tracker in
        // It is read twice.
        let summary = try run(path, into: tracker)
        #expect(summary.rows.created == 4)
        // The same bytes in a file are the same import.
        let file = try fixture.write(Self.bad)
        let again = try run(file, into: tracker)
        #expect(again.rows.known == 4)
        let digest = tracker.domain.importRuns[ImportRunID(value: 0)]?.digest
        #expect(digest == SHA256Hasher.digest(of: Array(Self.bad.utf8).span))
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
        _ = try csv(path).run(
          into: tracker, system: Name("toggl"), name: "rows.csv",
          acknowledged: { sequence in
            #expect(sequence == tracker.store.sequence)
            #expect(tracker.domain.timeEntries.count == min(rows, (acknowledged.count + 1) * 1_000))
            acknowledged.append(sequence)
          },
          progress: { done, total in
            #expect(total == text.utf8.count)
            progress.append(done)
          })
      }
      // The session, the command that begins with its facts, and rows with the user.
      let first = UInt64(1 + 1 + 2 + 1 + 1 + Importer.batchSize + 1)
      #expect(acknowledged.count == 3)
      #expect(acknowledged.first == first)
      #expect(progress.last == text.utf8.count)
      #expect(progress == progress.sorted())
    }
  }
}
