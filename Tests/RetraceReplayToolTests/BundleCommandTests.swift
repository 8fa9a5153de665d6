import Foundation
import Testing
import ToolTestSupport

/// `replay bundle`, and every reading command on the file that it writes.
@Suite struct BundleCommandTests {
  @Test func `each command reads a bundle as it reads the store [L13]`() throws {
    try RecordedSession.with { session in
      let file = "\(session.path)-plain.bundle"
      let made = try session.replay(["bundle", "--plain", "--output", file])
      #expect(made.output.contains("stays "), "\(made.output)")
      #expect(made.output.contains("the same routes, screens and failures"), "\(made.output)")
      let bundle = RecordedSession(path: file, screen: session.screen)
      let (left, right) = (try session.object(["verify"]), try bundle.object(["verify"]))
      #expect(right["stateHash"] as? String == left["stateHash"] as? String)
      #expect(right["records"] as? Int == left["records"] as? Int)
      #expect(right["bundle"] as? String == "anonymous" && right.isDigest("chain"))
      for command in [
        ["screen", "--at", "\(RecordedSession.lastOfApp)"], ["route"], ["state"],
        ["step", "--lines", "goto", "5", "diff", "next", "screen"], ["show", "--kind", "action"],
        ["schema", "--stored"],
      ] {
        let (store, file) = (try session.replay(command), try bundle.replay(command))
        #expect(file.output == store.output, "\(command)")
      }
      // What says who recorded it has nothing to say.
      for command in [["history", "TimeEntry=0"], ["export", "--changes"]] {
        let count = try session.replay(command).output.count { $0 == "\n" }
        #expect(try bundle.replay(command).output.count { $0 == "\n" } == count, "\(command)")
      }
      #expect(try bundle.replay(["sessions"]).output.contains("track"))
      #expect(try run("audit", ["verify", "--store", file]).status == 0)
      // A file is not replaced, and --dry-run writes none.
      let again = try session.replay(["bundle", "--plain", "--output", file], status: 64)
      #expect(again.errors.contains("exists already"))
      let dry = try session.object(["bundle", "--dry-run"])
      #expect(dry["contents"] as? String == "redacted" && dry["output"] is NSNull)
      #expect(
        try FileManager.default.contentsOfDirectory(
          atPath: (file as NSString).deletingLastPathComponent
        ).count == 2)
      for arguments in [
        ["bundle"], ["bundle", "--output", "x", "--dry-run"],
        ["bundle", "--plain", "--allow", "A.b", "--dry-run"],
      ] { _ = try session.replay(arguments, status: 64) }
    }
  }

  @Test func `a redacted bundle has no word of the user, and says what it is [L10, L13]`() throws {
    try RecordedSession.with { session in
      let file = "\(session.path)-redacted.bundle"
      let made = try session.replay(["bundle", "--output", file])
      #expect(made.output.contains("the same routes, screens and failures"), "\(made.output)")
      let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
      // The schemas have other words of the session.
      #expect(bytes.range(of: Data("anna".utf8)) == nil)
      let bundle = RecordedSession(path: file, screen: session.screen)
      let verified = try bundle.replay(["verify"])
      #expect(verified.output.hasPrefix("bundle "), "\(verified.output)")
      #expect(verified.output.contains("chain and hashes are its own"))
      let shown = try bundle.replay(["show"]).output
      #expect(!shown.contains("anna") && !shown.contains("draft"))
    }
  }

  @Test func `the name of an imported file is in no bundle, not even in a plain one`() throws {
    try withTemporaryDirectory { folder in
      let (store, table) = ("\(folder)/store", "\(folder)/Steuerakte.csv")
      try Data("Begin,Minutes,What\n1.2.2026 09:30,45,planning\n".utf8)
        .write(to: URL(fileURLWithPath: table))
      let imported = try run(
        "track",
        [
          "import", table, "--column", "start=Begin", "--column", "duration=Minutes", "--column",
          "description=What", "--date-format", "d.M.yyyy HH:mm", "--duration-unit", "minutes",
          "--user", "bo", "--store", store, "--now", RecordedSession.clock,
        ])
      #expect(imported.status == 0, "\(imported.errors)")
      for option in [["--plain"], []] {
        let file = "\(folder)/\(option.count).bundle"
        let made = try run("replay", ["bundle", "--output", file, "--store", store] + option)
        #expect(made.status == 0, "\(made.errors)")
        #expect(made.output.contains("replaced "), "\(made.output)")
        let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
        #expect(bytes.range(of: Data("Steuerakte".utf8)) == nil)
        #expect((bytes.range(of: Data("planning".utf8)) != nil) == !option.isEmpty)
        #expect(try run("replay", ["verify", "--store", file]).status == 0)
      }
    }
  }

  @Test func `a damaged bundle has one verdict, and no file is taken for one`() throws {
    try RecordedSession.with { session in
      let file = "\(session.path).bundle"
      _ = try session.replay(["bundle", "--plain", "--output", file])
      let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: file)))
      for place in [0, 5, bytes.count / 2, bytes.count - 40, bytes.count - 1] {
        var changed = bytes
        changed[place] ^= 4
        try Data(changed).write(to: URL(fileURLWithPath: file))
        let verdicts = try ["replay", "audit"].map {
          try run($0, ["verify", "--store", file]).status
        }
        // Without its first bytes, it is not even a file of records.
        #expect(verdicts[0] == verdicts[1] && verdicts[0] != 0, "byte \(place): \(verdicts)")
        if place > 4 { #expect(verdicts == [3, 3], "byte \(place)") }
      }
    }
  }
}
