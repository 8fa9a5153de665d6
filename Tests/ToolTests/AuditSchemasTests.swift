import Foundation
import Testing
import ToolTestSupport

@Suite struct AuditSchemasTests {
  @Test func `the schemas of a log are listed, and printed as they were recorded`() throws {
    try withTemporaryDirectory { folder in
      let store = ["--store", "\(folder)/store"]
      #expect(try run("track", ["start", "write", "--user", "bo"] + store).status == 0)
      let own = try run("replay", ["schema", "--json"]).json()
      let action = try #require(own["action"] as? [String: Any])
      let fingerprint = try #require(action["fingerprint"] as? String)
      let list = try run("audit", ["schemas"] + store)
      let lines = list.output.split(separator: "\n")
      #expect(lines.first == "schema 1  \(fingerprint)")
      #expect(
        lines.count == 3 && lines[1].hasPrefix("schema 2147483649  ")
          && lines[1].hasSuffix("  commands or refusals"))
      let commands = try run("audit", ["schemas", "--number", "2147483649", "--json"] + store)
      #expect(try commands.json()["type"] as? String == "record")
      let printed = try run("audit", ["schemas", "--number", "1", "--json"] + store).json()
      let schema = try #require(action["schema"] as? [String: Any])
      #expect(NSDictionary(dictionary: printed) == NSDictionary(dictionary: schema))
      #expect(try run("audit", ["schemas", "--number", "2"] + store).status == 7)
    }
  }
}
