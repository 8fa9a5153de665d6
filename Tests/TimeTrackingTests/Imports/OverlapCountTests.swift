import RetraceArchitecture
import RetraceAvro
import RetraceState
import RetraceTesting
import Testing
import TimeTracking

/// The number of entries of an import that share time with others.
@Suite struct OverlapCountTests {
  private static func digest(_ byte: UInt8) -> Digest {
    Digest([UInt8](repeating: byte, count: 32).span) ?? .zero
  }

  /// Imports rows of users by name, from and to minutes; returns the import.
  private func importRows(
    _ rows: [(user: String, start: Int64, end: Int64)], into desk: inout ReportDesk
  ) throws -> ImportRunID {
    let run = desk.state.importRuns.nextID
    let digest = Self.digest(UInt8(run.value))
    try desk.perform(.importRun(.begin(source: Name("file"), file: "a.csv", digest: digest)))
    let imported = rows.map { row in
      ImportedRow(
        user: Name(row.user), description: "", start: time(row.start), end: time(row.end),
        zone: .utc)
    }
    try desk.perform(.importRun(.rows(run, ImportedRows(from: 0, imported))))
    #expect(desk.state.overlappingEntries(of: run) == 0, "it is invisible")
    let planned = imported.map { PlannedTimes(of: $0.user, from: $0.start, to: $0.end) }
    let expected = desk.state.overlappingEntries(planned: planned)
    try desk.perform(.importRun(.finish(run)))
    #expect(desk.state.overlappingEntries(of: run) == expected)
    return run
  }

  @Test func `touching entries, empty entries and entries of other users do not overlap`()
    throws
  {
    var desk = try ReportDesk()
    let first = try importRows(
      [("Ann", 0, 60), ("Ann", 60, 120), ("Bob", 30, 90), ("Ann", 90, 90), ("Ann", 60, 60)],
      into: &desk)
    #expect(desk.state.overlappingEntries(of: first) == 0)
    // One new entry overlaps two older ones, and two new entries overlap each other.
    let second = try importRows(
      [("ann", 59, 61), ("Bob", 1_500, 1_560), ("Bob", 1_530, 1_540)], into: &desk)
    #expect(desk.state.overlappingEntries(of: second) == 3)
    #expect(desk.state.overlappingEntries(of: first) == 2)
    // Deleted entries, and the entries of an undone import, overlap nothing.
    try desk.perform(.entry(.delete(TimeEntryID(value: 5), reason: nil)))
    #expect(desk.state.overlappingEntries(of: first) == 0)
    #expect(desk.state.overlappingEntries(of: second) == 2)
  }

  @Test func `long entries and running ones are met, however far they reach`() throws {
    var desk = try ReportDesk()
    desk.now = time(60_000)
    // It begins before the import and ends 900 hours after it; another began before and runs.
    try desk.entry(from: time(-10), to: time(54_000))
    try desk.entry(from: time(30), to: nil, of: desk.bob)
    let run = try importRows(
      [("Ann", 0, 5), ("Ann", 10, 12), ("Bob", 0, 5), ("Bob", 29, 31)], into: &desk)
    #expect(desk.state.overlappingEntries(of: run) == 3)
    #expect(desk.state.overlappingEntries(of: ImportRunID(value: 7)) == 0)
    let empty = try importRows([], into: &desk)
    #expect(desk.state.overlappingEntries(of: empty) == 0)
  }

  @Test func `the number is that of all overlapping pairs, also among many entries`() throws {
    try withSeed { random in
      for _ in 0..<repetitions(60) {
        var desk = try ReportDesk()
        let runs = [
          try importRows([], into: &desk), try importRows([], into: &desk),
        ]
        // The second one is given up.
        desk.state.importRuns.modify(runs[1]) { $0.isActive = false }
        let template = try ReportDesk.sampleEntry()
        let latest = Int64.random(in: 10...400, using: &random)
        for _ in 0..<Int.random(in: 0...60, using: &random) {
          var entry = template
          entry.user = Bool.random(using: &random) ? desk.ann : desk.bob
          entry.importRun = [nil, runs[0], runs[0], runs[1]].randomElement(using: &random) ?? nil
          let start = Int64.random(in: 0...latest, using: &random)
          entry.start = time(start)
          entry.end = time(start + Int64.random(in: 0...12, using: &random))
          if entry.importRun == nil, Int.random(in: 0..<30, using: &random) == 0 {
            entry.end = nil
          }
          if Int.random(in: 0..<10, using: &random) == 0 { entry.deleted = entry.start }
          desk.state.timeEntries.insert(entry)
        }
        var visible: [TimeEntry] = []
        desk.state.timeEntries.forEach { _, entry in
          if desk.state.isVisible(entry), entry.start != entry.end { visible.append(entry) }
        }
        var expected = 0
        for (index, entry) in visible.enumerated() where entry.importRun == runs[0] {
          let isMet = visible.enumerated().contains { other, rival in
            other != index && rival.user == entry.user
              && rival.start.microseconds < entry.sortKey
              && entry.start.microseconds < rival.sortKey
          }
          if isMet { expected += 1 }
        }
        #expect(desk.state.overlappingEntries(of: runs[0]) == expected)
      }
    }
  }
}
