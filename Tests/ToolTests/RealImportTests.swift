import Foundation
import RetraceFixtures
import RetraceTesting
import Testing
import ToolTestSupport

/// The published time log, or a look-alike of its size, is imported row by row as it should be.
///
/// Memory and time are those of the release tools; the debug tools take minutes.
@Suite(
  .serialized, .enabled(if: Tools.areOthers, "needs the release tools: Tools/test --release"))
struct RealImportTests {
  /// The file to import and the expected result.
  private struct Input {
    var name: String
    var lines: [String]
    var created: Int
    var minutes: Int64
    var users: Int
    var projects: Int
    /// The two bad rows: their lines and values.
    var rejected: [(line: Int, value: String)]
  }

  /// The real file where `RETRACE_CESAW` names it, else the look-alike with its own expectation.
  private static func input() throws -> Input {
    if let bytes = try CesawFile.bytes() {
      let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map {
        String($0.last == "\r" ? $0.dropLast() : $0)
      }
      return Input(
        name: "the published time log", lines: lines, created: 203_619, minutes: 7_920_064,
        users: 246, projects: 39,
        rejected: [(64_345, "\\N"), (116_215, "0016-01-11 16:22:26")])
    }
    var lines: [String] = []
    let expected = SyntheticTimeLog().forEachLine { lines.append($0) }
    let values = ["\\N", "0016-01-11 16:22:26"]
    return Input(
      name: "a look-alike of the time log (RETRACE_CESAW is not set)", lines: lines,
      created: expected.created, minutes: expected.minutes, users: expected.users,
      projects: expected.projects, rejected: Array(zip(expected.rejectedLines, values)))
  }

  /// What an import answered, and the peak of memory and the seconds that it took.
  private struct Import {
    var answer: [String: Any]
    var peakBytes: Int
    var seconds: Double
  }

  private func importFile(_ file: String, into store: String) throws -> Import {
    let result = try shell(
      """
      exec /usr/bin/time -v track import "$1" --store "$2" --json --format csv \
        --source cesaw --column start=time_log_start_date --column duration=time_log_delta_minutes \
        --column user=person_key --column project=project_key \
        --column description=phase_short_name --column id=time_log_fact_key \
        --date-format 'M/d/yyyy H:mm' --duration-unit minutes --zone UTC
      """, [file, store])
    try #require(result.status == 0, "\(result.errors)")
    // The output of `time` is the first on standard error, so the tool printed nothing there.
    #expect(result.errors.hasPrefix("\tCommand being timed"), "\(result.errors.prefix(500))")
    func figure(_ name: String) throws -> String {
      let line = try #require(result.errors.lines.first { $0.contains(name) })
      return String(line.split(separator: " ").last ?? "")
    }
    let clock = try figure("Elapsed (wall clock)").split(separator: ":").compactMap { Double($0) }
    return Import(
      answer: try object(result.output),
      peakBytes: 1024 * (try #require(Int(try figure("Maximum resident set size")))),
      seconds: clock.reduce(0) { $0 * 60 + $1 })
  }

  private func write(_ lines: [String], to path: String) throws {
    try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(fileURLWithPath: path))
  }

  private func bytesOfLog(_ store: String) throws -> Int {
    let result = try shell("mdb_stat -e -s log \"$1\"", [store])
    try #require(result.status == 0, "\(result.errors)")
    func figure(_ name: String, in text: Substring) throws -> Int {
      let line = try #require(text.split(separator: "\n").first { $0.contains(name) })
      return try #require(Int(line.split(separator: " ").last ?? ""))
    }
    let part = try #require(result.output.firstRange(of: "Status of log"))
    let log = result.output[part.lowerBound...]
    let pages = try ["Branch pages", "Leaf pages", "Overflow pages"].reduce(0) { sum, name in
      try sum + figure(name, in: log)
    }
    return pages * (try figure("Page size", in: result.output[...]))
  }

  private func count(_ import: Import, _ key: String) throws -> Int {
    try #require(`import`.answer[key] as? Int)
  }

  @Test func `the whole log is imported once, and again only what is new`() throws {
    let input = try Self.input()
    try withTemporaryDirectory { folder in
      let store = "\(folder)/store"
      try write(input.lines, to: "\(folder)/log.csv")
      let first = try importFile("\(folder)/log.csv", into: store)
      #expect(
        Set(first.answer.keys) == [
          "created", "resumed", "skipped", "deleted", "clashing", "differingCount", "differing",
          "overlaps", "overlapping", "notes", "zone",
          "zeroDurations", "repeatedTimes", "secondsLeftOut", "rejectedCount", "rejected",
        ])
      #expect(try count(first, "created") == input.created)
      #expect(try count(first, "skipped") == 0)
      let rejected = try #require(first.answer["rejected"] as? [[String: Any]])
      try #require(rejected.count == 2 && input.rejected.count == 2)
      for (told, expected) in zip(rejected, input.rejected) {
        #expect(Set(told.keys) == ["line", "column", "value", "reason"])
        #expect(told["line"] as? Int == expected.line)
        #expect(told["column"] as? String == "time_log_start_date")
        #expect(told["value"] as? String == expected.value)
        #expect(told["reason"] as? String == "not in the format M/d/yyyy H:mm")
      }
      let totals = try expectFine(["track", "log", "--totals", "--json", "--store", store])
      let seconds = input.minutes * 60
      #expect(
        totals == """
          {"entries":\(input.created),"running":0,"seconds":\(seconds),\
          "users":\(input.users),"projects":\(input.projects)}

          """)
      let bytes = try bytesOfLog(store)
      let perRow = Double(bytes) / Double(input.created)
      print(
        "import of \(input.name): \(input.created) rows in \(first.seconds) s, "
          + "peak \(first.peakBytes >> 20) MiB, \(perRow) bytes of the log's pages per row")
      #expect(perRow <= 75)
      #expect(first.peakBytes < 300 << 20)
      try importAgain(input, folder: folder, store: store)
      #expect(try object(expectFine(["replay", "verify", "--store", store, "--json"])).count == 12)
    }
  }

  /// The rows in another order create nothing; one row with a new id is one entry.
  private func importAgain(_ input: Input, folder: String, store: String) throws {
    try withSeed("RealImportTests") { random in
      var rows = Array(input.lines.dropFirst())
      rows.shuffle(using: &random)
      try write([input.lines[0]] + rows, to: "\(folder)/shuffled.csv")
      let second = try importFile("\(folder)/shuffled.csv", into: store)
      #expect(try count(second, "created") == 0)
      #expect(try count(second, "skipped") == input.created)
      #expect((second.answer["rejected"] as? [Any])?.count == 2)

      let copied = input.lines[1].split(separator: ",", omittingEmptySubsequences: false)
      let new = (["new-\(UInt32.random(in: 0...UInt32.max, using: &random))"] + copied.dropFirst())
        .joined(separator: ",")
      rows.insert(new, at: Int.random(in: 0...rows.count, using: &random))
      try write([input.lines[0]] + rows, to: "\(folder)/one-more.csv")
      let third = try importFile("\(folder)/one-more.csv", into: store)
      #expect(try count(third, "created") == 1)
      #expect(try count(third, "skipped") == input.created)
      print("imported again in \(second.seconds) s, with one new row in \(third.seconds) s")
    }
  }
}
