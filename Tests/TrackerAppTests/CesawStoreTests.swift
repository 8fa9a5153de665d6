import CivilTime
import Foundation
import RetraceArchitecture
import RetraceRecording
import RetraceReplay
import RetraceState
import RetraceStorage
import RetraceFixtures
import RetraceTesting
import Testing
import TimeTracking
import ToolTestSupport
import TrackerApp
import TrackerFeatures
import TrackerFormats

/// The published time log of 246 people, and one that looks like it, in a store.
@Suite struct CesawStoreTests {
  private static let columns: [(field: ImportField, column: String)] = [
    (.start, "time_log_start_date"), (.duration, "time_log_delta_minutes"),
    (.user, "person_key"), (.project, "project_key"), (.description, "phase_short_name"),
    (.id, "time_log_fact_key"),
  ]

  private func run(_ path: String, into tracker: TrackerStore) throws -> ImportReport {
    var options = ImportOptions(user: Name("me"), zone: .utc)
    (options.columns, options.durationFormat) = (Self.columns, .minutes)
    options.dateFormat = try DateFormat("M/d/yyyy H:mm")
    return try Importer.open(path, as: ImportSources.standard, options)
      .run(into: tracker, system: Name("cesaw"), name: "log.csv")
  }

  @Test func `a second import creates nothing, and one more row creates one entry`() throws {
    try TrackerFixture.with { fixture in
      var lines: [String] = []
      let expected = SyntheticTimeLog(seed: 4, rows: 2_000).forEachLine { lines.append($0) }
      let path = try fixture.write(lines.joined(separator: "\n"))
      var random = SeededGenerator(seed: 5)
      let header = lines.removeFirst()
      lines.shuffle(using: &random)
      let shuffled = try fixture.write(
        ([header] + lines).joined(separator: "\r\n"), to: "shuffled.csv")
      lines.append("999999,C,10,90,1,1,1,1/2/2010 3:04,x,5,0,1,Test,1,P")
      let more = try fixture.write(([header] + lines).joined(separator: "\n"), to: "more.csv")
      try fixture.open { tracker in
        let first = try run(path, into: tracker)
        #expect(first.rows.created == expected.created)
        #expect(first.rejected.kept.map(\.line) == expected.rejectedLines)
        let totals = tracker.domain.totals()
        #expect(totals.entries == expected.created && totals.running == 0)
        #expect(totals.time == .seconds(expected.minutes * 60))
        #expect(totals.users == expected.users && totals.projects == expected.projects)
        let second = try run(shuffled, into: tracker)
        #expect(second.rows.created == 0 && second.rows.known == expected.created)
        let third = try run(more, into: tracker)
        #expect(third.rows.created == 1 && third.rows.known == expected.created)
        #expect(tracker.domain.totals().entries == expected.created + 1)
      }
    }
  }

  @Test func `a session that releases what is saved imports the same, and reads it again`() throws {
    try TrackerFixture.with { fixture in
      var lines: [String] = []
      // More rows than there are records between two saves.
      _ = SyntheticTimeLog(seed: 6, rows: 22_000).forEachLine { lines.append($0) }
      let path = try fixture.write(lines.joined(separator: "\n"))
      func imported(bulk: Bool) throws -> (report: ImportReport, domain: DomainState) {
        let store = fixture.directory + (bulk ? "/bulk" : "/store")
        let tracker = try TrackerStore.open(
          at: store, zone: .utc, login: "anna", now: TrackerFixture.morning, isBulk: bulk)
        defer { try? tracker.store.closeBlocking() }
        let report = try run(path, into: tracker)
        // The entry of the first row is read from its page.
        let first = try tracker.read { $0.timeEntries[TimeEntryID(value: 0)] }
        #expect(first != nil)
        let again = try run(try fixture.write(lines.joined(separator: "\r\n")), into: tracker)
        #expect(again.rows.known == report.rows.created && again.rows.created == 0)
        _ = try fixture.write(lines.joined(separator: "\n"))
        // The contents do not depend on the store after this.
        var domain = tracker.domain
        StatePages.loadAll(&domain)
        return (report, domain)
      }
      let (plain, bulk) = (try imported(bulk: false), try imported(bulk: true))
      #expect(plain.report.rows == bulk.report.rows && plain.report.rows.created > 20_000)
      #expect(plain.domain == bulk.domain)
    }
  }

  @Test(.enabled(if: CesawFile.isNamed))
  func `the published time log is imported and undone as one change, and verified`() throws {
    let bytes = try #require(try CesawFile.bytes())
    try TrackerFixture.with { fixture in
      let path = fixture.directory + "/log.csv"
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      try fixture.open { tracker in
        let summary = try run(path, into: tracker)
        #expect(summary.rows.created == 203_619)
        #expect(summary.rows.overlaps == 28_310)
        #expect(summary.rejected.kept.map(\.line) == [64_345, 116_215])
        let domain = tracker.domain
        let totals = domain.totals()
        #expect(totals.entries == 203_619 && totals.running == 0)
        #expect(totals.time == .seconds(7_920_064 * 60))
        #expect(totals.users == 246 && totals.projects == 39)
        // Nothing else was created.
        #expect(domain.timeEntries.count == 203_619)
        #expect(domain.users.count == 246 && domain.projects.count == 39)
        #expect(domain.importRuns.count == 1 && domain.externalSources.count == 1)
        try tracker.store.undoBlocking()
        #expect(tracker.domain.totals().entries == 0)
        try tracker.store.redoBlocking()
        #expect(tracker.domain.totals() == totals)
      }
      let storage = try LogStorage.open(at: fixture.store, access: .read)
      defer { storage.close() }
      let verification = try Verifier<TimeTracker>.verify(storage, decidingCommands: true)
      let decisions = try #require(verification.decisions)
      #expect(verification.firstDivergence == nil && decisions.firstDivergence == nil)
      #expect(verification.firstViolations == nil)
      // The rows are in the facts, so a command that imported some is counted and not decided.
      #expect(decisions.notComparable == (203_619 + 999) / 1_000)
      var replayer = try Replayer<TimeTracker>(storage)
      try withSeed { random in
        for _ in 0..<repetitions(20, few: 4) {
          let sequence = UInt64.random(in: 1...replayer.last, using: &random)
          try replayer.seek(to: sequence)
          #expect(replayer.sequence == sequence)
          #expect(TimeTracker.violations(of: replayer.state).isEmpty)
        }
      }
    }
  }
}
