import RetraceFixtures
import Testing
import TimeTracking
import ToolTestSupport
import TrackerFormats

/// The published time log of 246 people, and one that looks like it.
@Suite
struct CesawTests {
  @Test
  func `A small look-alike of the time log is read in full, whatever the pieces`() throws {
    var bytes: [UInt8] = []
    let expected = SyntheticTimeLog(seed: 3, rows: 5_000).forEachLine { line in
      bytes += Array(line.utf8) + [0x0a]
    }
    let file = try ImportedFile(bytes, columns: ImportedFile.cesaw)
    #expect(file.rows.count == expected.created)
    #expect(file.minutes == expected.minutes)
    #expect(Set(file.rows.map(\.user)).count == expected.users)
    #expect(Set(file.rows.map(\.project)).count == expected.projects)
    #expect(Set(file.rows.map(\.id)).count == expected.created)
    #expect(file.rejected.map(\.line) == expected.rejectedLines)
    #expect(file.rejected.map(\.column) == ["time_log_start_date", "time_log_start_date"])
    #expect(file.rejected.map(\.value) == ["\\N", "0016-01-11 16:22:26"])
    let pieces = try ImportedFile(bytes, columns: ImportedFile.cesaw, piece: 7)
    #expect(pieces.rows == file.rows && pieces.rejected == file.rejected)
  }

  @Test(.enabled(if: CesawFile.isNamed))
  func `The published time log is read in full`() throws {
    let bytes = try #require(try CesawFile.bytes())
    let file = try ImportedFile(bytes, columns: ImportedFile.cesaw)
    #expect(file.rows.count == 203_619)
    #expect(file.rejected.map(\.line) == [64_345, 116_215])
    #expect(file.minutes == 7_920_064)
    #expect(Set(file.rows.map(\.user)).count == 246)
    #expect(Set(file.rows.map(\.project)).count == 39)
  }
}
