import CivilTime
import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceRecording
import RetraceReplay
import RetraceState
import RetraceStorage
import RetraceSystem
import RetraceTestSupport
import Testing
import TrackerDomain
import ToolTestSupport
import struct TimeTracking.CSVParser
import struct TimeTracking.CSVRecord
import struct TimeTracking.ImportMapping
import struct TimeTracking.ImportedEntry
import struct TimeTracking.ImportRejection

/// The published time log of 246 people.
@Suite struct CesawTests {
  private static let columns: [(field: ImportMapping.Field, column: String)] = [
    (.start, "time_log_start_date"), (.duration, "time_log_delta_minutes"),
    (.user, "person_key"), (.project, "project_key"), (.description, "phase_short_name"),
    (.id, "time_log_fact_key"),
  ]

  private func rows() throws -> [ImportedRow] {
    let bytes = try #require(try CesawFile.bytes())
    var parser = CSVParser()
    var mapping: ImportMapping?
    var rows: [ImportedRow] = []
    var names: [String: Name] = [:]
    func name(_ text: String) -> Name {
      if let name = names[text] { return name }
      let name = Name(text)
      names[text] = name
      return name
    }
    func take(_ record: CSVRecord) throws {
      guard let mapping else {
        mapping = try ImportMapping(
          columns: Self.columns, header: record, dateFormat: DateFormat("M/d/yyyy H:mm"),
          durationFormat: .minutes, zone: .utc)
        return
      }
      guard let entry = try? mapping.entry(record) else { return }
      var row = ImportedRow(
        id: entry.externalID, user: name(entry.user ?? "me"), description: entry.text,
        start: entry.start, end: entry.start.adding(entry.duration), zone: .utc)
      row.project = entry.project.map(name)
      rows.append(row)
    }
    try parser.feed(bytes.span, take)
    try parser.finish(take)
    return rows
  }

  /// The number, the time in seconds and the users and projects of the visible entries.
  private func totals(_ state: DomainState) -> [Int] {
    var (count, seconds) = (0, Int64(0))
    var (users, projects): (Set<UserID>, Set<ProjectID>) = ([], [])
    state.timeEntries.forEach { _, entry in
      guard state.isVisible(entry), let duration = entry.duration else { return }
      count += 1
      seconds += duration.seconds
      users.insert(entry.user)
      if let project = entry.project { projects.insert(project) }
    }
    return [count, Int(seconds), users.count, projects.count]
  }

  @Test(.enabled(if: CesawFile.isNamed))
  func `the published time log is imported and undone as one change, and verified`() throws {
    let rows = try rows()
    let folder = try FileSystem.makeTemporaryDirectory("retrace-cesaw")
    defer { try? FileSystem.removeTree(folder) }
    var configuration = StoreConfiguration()
    configuration.origin.login = "anna"
    let store = try Store<DomainApp>.openBlocking(
      at: folder + "/store", configuration: configuration)
    try store.performBlocking(
      .importRun(.begin(source: Name("cesaw"), file: "log.csv", digest: .zero)))
    let run = ImportRunID(value: 0)
    for first in stride(from: 0, to: rows.count, by: 1_000) {
      let part = Array(rows[first..<min(first + 1_000, rows.count)])
      try store.performBlocking(.importRun(.rows(run, ImportedRows(from: Int64(first), part))))
    }
    #expect(totals(store.state) == [0, 0, 0, 0])
    try store.performBlocking(.importRun(.finish(run)))
    let all = [203_619, 7_920_064 * 60, 246, 39]
    #expect(totals(store.state) == all)
    try store.undoBlocking()
    #expect(totals(store.state) == [0, 0, 0, 0])
    try store.redoBlocking()
    #expect(totals(store.state) == all)
    try store.closeBlocking()
    let storage = try LogStorage.open(at: folder + "/store", access: .read)
    defer { storage.close() }
    let verification = try Verifier<DomainApp>.verify(storage, decidingCommands: true)
    let decisions = try #require(verification.decisions)
    #expect(verification.firstDivergence == nil && decisions.firstDivergence == nil)
    #expect(verification.firstViolations == nil)
    // The rows are in the facts, so a command that imported some is counted and not decided.
    #expect(decisions.notComparable == (rows.count + 999) / 1_000)
    var replayer = try Replayer<DomainApp>(storage)
    try withSeed { random in
      for _ in 0..<20 {
        let sequence = UInt64.random(in: 1...replayer.last, using: &random)
        try replayer.seek(to: sequence)
        #expect(replayer.sequence == sequence)
        #expect(DomainEntities.violations(of: replayer.state).isEmpty)
      }
    }
  }
}
