import Foundation
import Testing
import ToolTestSupport

@Suite struct SchemaCommandTests {
  @Test func `schema prints both schemas with their fingerprints`() throws {
    let found = try run("replay", ["schema", "--json"]).json()
    for name in ["action", "state"] {
      let part = try #require(found[name] as? [String: Any])
      #expect(part.isDigest("fingerprint"))
      let schema = try #require(part["schema"] as? [String: Any])
      #expect(schema["type"] as? String == "record")
    }
    let text = try run("replay", ["schema"])
    #expect(text.output.contains("\"TrackerAction\"") && text.output.contains("\"TrackerState\""))
  }

  @Test func `schema tells the verdict of what a log holds`() throws {
    try RecordedSession.with { session in
      let text = try session.replay(["schema", "--stored"])
      #expect(text.output == "schema 1  same\n")
    }
  }

  @Test func `a folder without the schema of this build is refused until it is written`() throws {
    try withTemporaryDirectory { folder in
      let empty = try run("replay", ["schema", "--check", folder])
      #expect(empty.status == 4)
      #expect(empty.errors.contains("--write"))
      let written = try run("replay", ["schema", "--write", folder])
      #expect(written.status == 0 && written.output.contains("was written"))
      let again = try run("replay", ["schema", "--write", folder])
      #expect(again.output.contains("is there already"))
      let checked = try run("replay", ["schema", "--check", folder])
      #expect(checked.status == 0 && checked.output.contains(".json  same"))
    }
  }

  @Test func `a released schema that became unreadable is reported by type and field`() throws {
    try withTemporaryDirectory { folder in
      _ = try run("replay", ["schema", "--write", folder])
      let fields = #"[{"name":"when","type":"long"}]"#
      let schema = #"{"type":"record","name":"TrackerAction","fields":\#(fields)}"#
      let path = "\(folder)/old.json"
      try schema.write(toFile: path, atomically: true, encoding: .utf8)
      let misnamed = try run("replay", ["schema", "--check", folder])
      #expect(misnamed.status == 3 && misnamed.errors.contains("does not match the file's name"))
      // The SHA-256 of the schema's canonical form.
      let name = "305a637c2506ed0679ed91e65bd102bb7cc08c99bc86bc8b11fc64f01496cba1"
      try FileManager.default.moveItem(atPath: path, toPath: "\(folder)/\(name).json")
      let result = try run("replay", ["schema", "--check", folder])
      #expect(result.status == 4)
      #expect(result.output.contains("impossible"))
      #expect(result.errors.contains("TrackerAction.case: was not recorded and has no default"))
    }
  }

  @Test func `only one thing is asked at a time`() throws {
    #expect(try run("replay", ["schema", "--stored", "--check", "x"]).status == 64)
  }
}
