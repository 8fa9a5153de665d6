import Foundation
import RetraceSystem
import Testing
import ToolTestSupport

/// A store whose data file LMDB 1.0 wrote: every tool names the version and changes nothing.
@Suite(.serialized) struct LaterLMDBTests {
  /// The commands that open a store, without the store's path.
  private static let commands: [(tool: String, words: [String])] = [
    ("track", ["status"]), ("track", ["start", "writing"]), ("track", ["stop"]),
    ("track", ["undo"]), ("track", ["log"]), ("track", ["report"]), ("track", ["history"]),
    ("replay", ["show"]), ("replay", ["state"]), ("replay", ["verify"]),
    ("replay", ["sessions"]), ("replay", ["doctor"]), ("replay", ["backup", "NEW"]),
    ("replay", ["migrate", "NEW"]), ("replay", ["salvage", "NEW"]), ("audit", ["verify"]),
    ("audit", ["list"]), ("audit", ["schemas"]),
  ]

  @Test func `every tool says that the file is incompatible, and it can be converted`() throws {
    try withTemporaryDirectory { folder in
      let store = try RecordedStore.record(in: folder, rows: 40)
      let files = FileManager.default
      try LMDBPeer.convert(store.path, to: folder + "/later")
      try store.moveAside("data.mdb")
      try files.copyItem(atPath: folder + "/later/data.mdb", toPath: store.data)
      try FileSystem.setMode(store.data, 0o600)
      let before = try Data(contentsOf: URL(fileURLWithPath: store.data))
      for (tool, words) in Self.commands {
        let words = words.map { $0 == "NEW" ? folder + "/new" : $0 }
        let result = try run(tool, words + ["--store", store.path, "--json"])
        let row = try FaultRow("LMDB 1.0", command: "\(tool) \(words[0])", result)
        row.expectFourParts()
        #expect(row.code == "incompatible", "\(row)")
        #expect(row.exitCode == 4, "\(row)")
        #expect(row.why.contains("LMDB 1.0 (data version 3)"), "\(row)")
        #expect(!files.fileExists(atPath: folder + "/new"))
      }
      #expect(try Data(contentsOf: URL(fileURLWithPath: store.data)) == before)

      // As the error advises.
      let names = ["log", "meta", "schemas", "keys", "keyAges"]
      try files.createDirectory(atPath: folder + "/converted", withIntermediateDirectories: false)
      let copied = try LMDBPeer.tool(
        ["rewrite", "-e", store.path, "-E", folder + "/converted"] + names)
      #expect(copied.status == 0, "\(copied.errors)")
      for name in ["data.mdb", "lock.mdb"] { try files.removeItem(atPath: store.file(name)) }
      try files.copyItem(atPath: folder + "/converted/data.mdb", toPath: store.data)
      try FileSystem.setMode(store.data, 0o600)
      try store.expectWhole("converted from LMDB 1.0")
    }
  }

  @Test func `a library of LMDB 1.0 is refused before a file is opened`() throws {
    try withTemporaryDirectory { folder in
      let store = folder + "/store"
      #expect(try SenderProcess(store).process.finish().status == 0)
      let before = try FileSystem.list(store).sorted()
      let (source, library) = (folder + "/version.c", folder + "/version.so")
      try Data(
        """
        const char *mdb_version(int *major, int *minor, int *patch) {
          *major = 1, *minor = 0, *patch = 2;
          return "LMDB 1.0.2";
        }
        """.utf8
      ).write(to: URL(fileURLWithPath: source))
      let built = try runProgram(
        "/usr/bin/env", ["clang", "-shared", "-fPIC", "-o", library, source])
      try #require(built.status == 0, "\(built.errors)")
      // The tests' app is linked dynamically.
      let result = try run(
        "testapp", ["verify", "--store", store, "--json"], environment: ["LD_PRELOAD": library])
      let row = try FaultRow("library of LMDB 1.0", command: "testapp verify", result)
      row.expectFourParts()
      #expect(row.code == "incompatible")
      #expect(row.exitCode == 4)
      #expect(row.why.contains("built for LMDB 0.9."), "\(row)")
      #expect(row.why.contains("library of LMDB 1.0.2"), "\(row)")
      #expect(try FileSystem.list(store).sorted() == before)
    }
  }
}
