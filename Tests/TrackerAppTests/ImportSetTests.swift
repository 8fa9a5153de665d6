import CivilTime
import RetraceAvro
import RetraceLog
import RetraceRecording
import RetraceState
import RetraceTesting
import Testing
import TimeTracking
import TrackerFormats

@testable import TrackerApp

/// Random files that have grown, in another order and another form, create only their new rows.
@Suite struct ImportSetTests {
  /// A row, whose values are so few that equal ones occur.
  private struct Row: Hashable {
    var user: String
    var hour: Int
    var minutes: Int
    var project: String
    var tags: [String]
    var text: String
    var isBillable: Bool

    init(_ random: inout SeededGenerator) {
      user = ["ann", "bob"].randomElement(using: &random) ?? ""
      hour = Int.random(in: 0...6, using: &random)
      minutes = [0, 0, 30, 90].randomElement(using: &random) ?? 0
      project = ["", "web", "Thesis"].randomElement(using: &random) ?? ""
      tags = ["a", "b c", "z"].filter { _ in Bool.random(using: &random) }
      text = ["", "say \"hi\", all", "write"].randomElement(using: &random) ?? ""
      isBillable = Bool.random(using: &random)
    }

    /// The time after a number of minutes, such as `2026-03-02 09:30`.
    private func local(_ minutes: Int) -> LocalTime {
      LocalTime(secondsSince1970: 1_772_442_000 + Int64(hour * 3_600 + minutes * 60))
    }

    /// The values as cells of CSV, by their columns.
    var cells: [String: String] {
      func cell(_ text: String) -> String {
        "\"\(text.replacing("\"", with: "\"\""))\""
      }
      func time(_ minutes: Int) -> String { "\(local(minutes).date) \(local(minutes).clock)" }
      return [
        "Who": user, "Start": time(0), "End": time(minutes), "Project": project,
        "Tags": cell(tags.joined(separator: ",")), "What": cell(text),
        "Billable": isBillable ? "yes" : "",
      ]
    }

    /// The times of timewarrior, the tags and the text.
    private var interval: (start: String, end: String, tags: [String], text: String) {
      func time(_ minutes: Int) -> String {
        let (date, clock) = ("\(local(minutes).date)", local(minutes).clock)
        return "\(date.replacing("-", with: ""))T\(clock.replacing(":", with: ""))00Z"
      }
      func quoted(_ text: String) -> String {
        "\"\(text.replacing("\"", with: "\\\""))\""
      }
      return (time(0), time(minutes), tags.map(quoted), quoted(text))
    }

    /// The row as `timew export` writes it.
    var exported: String {
      let (start, end, tags, text) = interval
      return """
        {"start":"\(start)","end":"\(end)","tags":[\(tags.joined(separator: ","))],\
        "annotation":\(text)}
        """
    }

    /// The row as a line of timewarrior's data.
    var line: String {
      let (start, end, tags, text) = interval
      return "inc \(start) - \(end) # \(tags.joined(separator: " ")) # \(text)"
    }

    /// The row as an entry of klog, with times or as a duration.
    var klog: String {
      isBillable
        ? "    \(local(0).clock) - \(local(minutes).clock) \(text)".trimmed
        : "    \(minutes)m \(text)".trimmed
    }
  }

  /// Imports each of three files, in which rows are added and put into another order, twice.
  private func check(
    _ label: String, repeating count: Int, zone: ZoneRules = .utc,
    _ format: any ImportSource.Type, _ options: ImportOptions,
    _ text: ([Row], inout SeededGenerator) -> String
  ) throws {
    try withSeed(label) { random in
      for number in 0..<count {
        try TrackerFixture.with { fixture in
          try fixture.open { tracker in
            var rows: [Row] = []
            for step in 0..<3 {
              let new = (0..<Int.random(in: 1...12, using: &random)).map { _ in Row(&random) }
              rows = (rows + new).shuffled(using: &random)
              for isAgain in [false, true] {
                let name =
                  format.format.system == nil && !format.format.hasColumns
                  ? "rows" : "rows \(step) \(isAgain)"
                let path = try fixture.write(text(rows, &random), to: name)
                let report = try Importer.open(path, as: format, options)
                  .run(into: tracker, system: Name(format.format.system ?? name), name: name)
                let expected = isAgain ? 0 : new.count
                #expect(report.rejected.count == 0, "\(number), step \(step)")
                #expect(
                  report.rows.created == expected && report.rows.clashing == 0,
                  "\(number), step \(step): \(report.rows)")
                rows.shuffle(using: &random)
              }
              var seconds: Int64 = 0
              var entries = 0
              tracker.domain.timeEntries.forEach { _, entry in
                guard tracker.domain.isVisible(entry) else { return }
                entries += 1
                seconds += entry.duration?.seconds ?? 0
              }
              #expect(entries == rows.count)
              #expect(seconds == rows.reduce(0) { $0 + Int64($1.minutes * 60) })
            }
          }
        }
      }
    }
  }

  private static func options() -> ImportOptions { ImportOptions(user: Name("me"), zone: .utc) }

  @Test func `CSV without ids, in any order of rows and columns, with any line ends`() throws {
    var options = Self.options()
    options.columns = [
      (.user, "Who"), (.start, "Start"), (.end, "End"), (.project, "Project"), (.tags, "Tags"),
      (.description, "What"), (.billable, "Billable"),
    ]
    options.dateFormat = try DateFormat("yyyy-MM-dd HH:mm")
    try check("CSV", repeating: repetitions(100), ImportSources.standard, options) { rows, random in
      let columns = options.columns.map(\.column).shuffled(using: &random)
      let end = ["\n", "\r\n"].randomElement(using: &random) ?? "\n"
      let lines = rows.map { row in columns.map { row.cells[$0] ?? "" }.joined(separator: ",") }
      return ([columns.joined(separator: ",")] + lines).joined(separator: end) + end
    }
  }

  @Test func `intervals of timewarrior, from an export or from its data`() throws {
    let format = try #require(ImportSources.named("timewarrior"))
    try check("timewarrior", repeating: repetitions(100), format, Self.options()) { rows, random in
      Bool.random(using: &random)
        ? "[\(rows.map(\.exported).joined(separator: ",\n"))]"
        : rows.map(\.line).joined(separator: "\n")
    }
  }

  @Test func `entries of klog, with times and without`() throws {
    let format = try #require(ImportSources.named("klog"))
    try check("klog", repeating: repetitions(100), format, Self.options()) { rows, random in
      let end = ["\n", "\r\n"].randomElement(using: &random) ?? "\n"
      return (["2026-03-02"] + rows.map(\.klog)).joined(separator: end) + end
    }
  }

  @Test func `a row is known after its entry, its project and its tags were changed`() throws {
    var options = Self.options()
    options.columns = [
      (.start, "S"), (.end, "E"), (.project, "P"), (.tags, "T"), (.description, "D"),
    ]
    options.dateFormat = try DateFormat("yyyy-MM-dd HH:mm")
    let text = """
      S,E,P,T,D
      2026-03-01 09:00,2026-03-01 10:00,a,x,one
      2026-03-01 09:00,2026-03-01 10:00,a,x,one
      2026-03-01 11:00,2026-03-01 12:00,a,y,two

      """
    try TrackerFixture.with { fixture in
      try fixture.open { tracker in
        func run(_ text: String, to name: String) throws -> RowCounts {
          let path = try fixture.write(text, to: name)
          return try Importer.open(path, as: ImportSources.standard, options)
            .run(into: tracker, system: Name(name), name: name).rows
        }
        func perform(_ command: DomainCommand) throws {
          _ = try tracker.store.performBlocking(command, from: .commandLine)
        }
        #expect(try run(text, to: "a").created == 3)
        var correction = TimeEntryCorrection()
        correction.changes.end = Change(
          from: TrackerFixture.morning.adding(.seconds(-23 * 3_600)),
          to: TrackerFixture.morning.adding(.seconds(-22 * 3_600 - 1_800)))
        try perform(
          .entry(.correct(TimeEntryID(value: 0), correction, policy: .allow, reason: nil)))
        try perform(.entry(.delete(TimeEntryID(value: 2), reason: nil)))
        var project = ProjectChanges()
        project.name = Change(from: Name("a"), to: Name("b"))
        try perform(.project(.change(ProjectID(value: 0), project, reason: nil)))
        var counts = try run(text + "\n", to: "other")
        #expect(counts.created == 0 && counts.known == 2 && counts.deleted == 1)
        // One more of the equal rows, and the rows without their tags are others.
        let lines = text.split(separator: "\n").map(String.init)
        counts = try run((lines + [lines[1]]).joined(separator: "\r\n"), to: "more")
        #expect(counts.created == 1 && counts.known == 2 && counts.deleted == 1)
        counts = try run(text.replacing(",x,", with: ",,"), to: "less")
        #expect(counts.created == 2 && counts.deleted == 1)
        // An import that was undone leaves nothing that is known.
        try tracker.store.undoBlocking()
        #expect(try run(text.replacing(",x,", with: ",,"), to: "again").created == 2)
      }
    }
  }

  @Test func `entries that an older build imported are known by their values`() throws {
    var options = Self.options()
    options.columns = [
      (.start, "S"), (.end, "E"), (.project, "P"), (.tags, "T"), (.description, "D"),
    ]
    options.dateFormat = try DateFormat("yyyy-MM-dd HH:mm")
    let line = "2026-03-02 09:00,2026-03-02 10:00,A,x,one\n"
    try TrackerFixture.with { fixture in
      try fixture.open { tracker in
        func run(_ text: String, _ format: any ImportSource.Type) throws -> RowCounts {
          let path = try fixture.write(text, to: "new")
          return try Importer.open(path, as: format, options)
            .run(into: tracker, system: Name(format.format.system ?? "new"), name: "new").rows
        }
        /// Imports a row twice, as builds did that gave a row without an id none.
        func importAsBefore(_ row: ImportedRow, _ source: String, _ run: Int64) throws {
          let id = ImportRunID(value: run)
          let digest = Digest([UInt8](repeating: UInt8(run), count: 32).span) ?? .zero
          let rows = row.id == nil ? [row, row] : [row]
          for command: ImportCommand in [
            .begin(source: Name(source), file: "old", digest: digest),
            .rows(id, ImportedRows(from: 0, rows)), .finish(id),
          ] {
            _ = try tracker.store.performBlocking(.importRun(command), from: .importing)
          }
        }
        let start = TrackerFixture.morning
        var row = ImportedRow(
          user: Name("me"), description: "one", start: start, end: start.adding(.seconds(3_600)),
          zone: .utc)
        (row.project, row.tags) = (Name("a"), [Name("X")])
        try importAsBefore(row, "old", 0)
        let header = "S,E,P,T,D\n"
        var counts = try run(header + line + line + line, ImportSources.standard)
        #expect(counts.created == 1 && counts.known == 2)
        // An interval without a length took the id, and the other one of that start was lost.
        let empty = ImportedRow(
          id: "20260303T090000Z me", user: Name("me"), description: "mail",
          start: start.adding(.seconds(86_400)), end: start.adding(.seconds(86_400)), zone: .utc)
        try importAsBefore(empty, "timewarrior", 2)
        let timewarrior = try #require(ImportSources.named("timewarrior"))
        counts = try run(
          """
          inc 20260303T090000Z - 20260303T103000Z # # "code"
          inc 20260303T090000Z - 20260303T090000Z # # "mail"
          """, timewarrior)
        #expect(counts.created == 1 && counts.known == 1 && counts.differing == 0)
        #expect(tracker.domain.entries.last == "code 1:30:00")
      }
    }
  }
}

extension String {
  /// The text without the blank at its end.
  fileprivate var trimmed: String { hasSuffix(" ") ? String(dropLast()) : self }
}
