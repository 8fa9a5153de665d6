import RetraceArchitecture
import RetraceTestSupport
import Testing
import TimeTracking
import ToolTestSupport

@Suite
struct CesawTests {
  @Test
  func `A small look-alike of the time log is imported in full`() throws {
    var bytes: [UInt8] = []
    let expected = SyntheticTimeLog(seed: 3, rows: 5_000).forEachLine { line in
      bytes += Array(line.utf8) + [0x0a]
    }
    var file = ImportedFile()
    try file.run(bytes, columns: ImportedFile.cesaw)
    #expect(file.created == expected.created)
    #expect(file.rejected.map(\.line) == expected.rejectedLines)
    #expect(file.rejected.map(\.column) == ["time_log_start_date", "time_log_start_date"])
    #expect(file.rejected.map(\.value) == ["\\N", "0016-01-11 16:22:26"])
    let totals = file.state.totals
    #expect(totals.entries == expected.created)
    #expect(totals.seconds == expected.minutes * 60)
    #expect(totals.users == expected.users)
    #expect(totals.projects == expected.projects)
    #expect(totals.running == 0)
  }

  @Test
  func `A second import creates nothing, and one more row creates one entry`() throws {
    var lines: [String] = []
    _ = SyntheticTimeLog(seed: 4, rows: 2_000).forEachLine { lines.append($0) }
    var file = ImportedFile()
    try file.run(Array(lines.joined(separator: "\n").utf8), columns: ImportedFile.cesaw)
    let created = file.created
    var random = SeededGenerator(seed: 5)
    let header = lines.removeFirst()
    lines.shuffle(using: &random)
    let shuffled = [header] + lines
    try file.run(
      Array(shuffled.joined(separator: "\r\n").utf8), columns: ImportedFile.cesaw, piece: 7)
    #expect(file.created == 0)
    #expect(file.skipped == created)
    let more = shuffled + ["999999,C,10,90,1,1,1,1/2/2010 3:04,x,5,0,1,Test,1,P"]
    try file.run(Array(more.joined(separator: "\n").utf8), columns: ImportedFile.cesaw)
    #expect(file.created == 1)
    #expect(file.state.totals.entries == created + 1)
  }

  @Test(.enabled(if: CesawFile.isNamed))
  func `The published time log is imported in full`() throws {
    let bytes = try #require(try CesawFile.bytes())
    var file = ImportedFile()
    try file.run(bytes, columns: ImportedFile.cesaw)
    #expect(file.created == 203_619)
    #expect(file.rejected.map(\.line) == [64_345, 116_215])
    let totals = file.state.totals
    #expect(totals.seconds == 7_920_064 * 60)
    #expect(totals.users == 246)
    #expect(totals.projects == 39)
    #expect(file.overlaps == 28_310)
    #expect(file.actions == 203_619 + 246 + 39)
  }
}
