import LMDBFile
import RetraceSystem
import Testing
import ToolTestSupport

/// Which versions of LMDB wrote the files that can be read.
struct DataVersionTests {
  @Test func `a file of LMDB 0.9 from another program is read and passes`() throws {
    try withTemporaryDirectory { folder in
      let version = try LMDBPeer.write(folder + "/old", version: 0)
      #expect(version.hasPrefix("0.9."))
      let path = folder + "/old/data.mdb"
      let report = try #require(try StructureCheck.check(path))
      #expect(report.unusedPages == 0)
      #expect(report.overflowPages > 20)
      var file = try TreeFile.open(at: path)
      let tree = try #require(try file.tree(named: "meta"))
      #expect(tree.entries == 2001)
      let key = Array("long".utf8)
      #expect(try file.value(of: key.span, in: tree)?.count == 50_000)
    }
  }

  @Test func `a file of LMDB 1.0 is named, also if it is short`() throws {
    try withTemporaryDirectory { folder in
      let version = try LMDBPeer.write(folder + "/new", version: 1)
      #expect(version.hasPrefix("1.0."))
      let path = folder + "/new/data.mdb"
      try expectLaterLMDB(path)
      try OpenFile.open(path, [.read, .write]).truncate(to: 32)
      try expectLaterLMDB(path)
      try OpenFile.open(path, [.read, .write]).truncate(to: 27)
      do throws(StructureFailure) {
        _ = try StructureCheck.check(path)
        Issue.record("a file without a whole magic number passed")
      } catch {
        guard case .damaged = error else {
          Issue.record("\(error)")
          return
        }
      }
    }
  }

  private func expectLaterLMDB(_ path: String) throws {
    do throws(StructureFailure) {
      _ = try StructureCheck.check(path)
      Issue.record("a file of LMDB 1.0 passed")
    } catch {
      guard case .laterLMDB(let version) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(version == 3)
    }
    #expect(throws: TreeFileError.self) { _ = try TreeFile.open(at: path) }
  }
}
