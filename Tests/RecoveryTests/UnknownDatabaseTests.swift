import RetraceLMDB
import Testing
import ToolTestSupport

/// A data file in which another program made a database.
@Suite struct UnknownDatabaseTests {
  @Test func `verify and doctor name the database, and the store stays sound`() throws {
    try withTemporaryDirectory { folder in
      let store = try RecordedStore.record(in: folder)
      func lines(_ tool: String, _ command: String) throws -> [Substring] {
        let result = try run(tool, [command, "--store", store.path])
        #expect(result.status == 0, "\(result.errors)")
        return result.output.split(separator: "\n").filter { $0.contains("unrelated") }
      }
      #expect(try lines("audit", "verify").isEmpty && lines("replay", "doctor").isEmpty)
      let environment = try LMDBEnvironment.open(store.path)
      _ = try environment.createDatabases(["unrelated"])
      environment.close()
      #expect(
        try lines("audit", "verify") == [
          "The data file also has the database unrelated, which is not part of the log."
        ])
      #expect(
        try lines("replay", "doctor") == [
          "not ours       the database unrelated, which is not read"
        ])
      for (tool, command) in [("audit", "verify"), ("replay", "doctor")] {
        let found = try run(tool, [command, "--store", store.path, "--json"]).json()
        #expect(found["unknownDatabases"] as? [String] == ["unrelated"])
      }
    }
  }
}
