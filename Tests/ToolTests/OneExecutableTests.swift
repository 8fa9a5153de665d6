import Testing
import ToolTestSupport

/// A program that records, and that is the replay tool of its app, too.
@Suite struct OneExecutableTests {
  private let tool = ["testapp", "larder", "replay"]

  private func withStore(_ body: (String) throws -> Void) throws {
    try withTemporaryDirectory { folder in
      try expectFine(["testapp", "larder", "record", "\(folder)/s"])
      try body("\(folder)/s")
    }
  }

  @Test func `the arguments after a word are those of the replay tool`() throws {
    try withStore { store in
      let shown = try expectFine(tool + ["show", "--store", store])
      #expect(shown.contains("fact.edited.jar.inserted(0"))
      // It verifies in a child process, which is the same program.
      #expect(
        try expectFine(tool + ["verify", "--decide", "--store", store]).contains("intact"))
      let unknown = try ToolRunner.process.run("testapp", ["larder", "replay", "shw"], [:])
      #expect(unknown.status == 64 && unknown.errors.contains("There is no command shw."))
      #expect(try expectFine(tool + ["--help"]).contains("recorded sessions of larder"))
    }
  }

  @Test func `an entity has the same names in a history and in a filter`() throws {
    try withStore { store in
      let names = ["HoneyJar=0", "JarID=0", "Jar=0"]
      let histories = try names.map { try expectFine(tool + ["history", $0, "--store", store]) }
      #expect(histories[0].contains("spoons") && Set(histories).count == 1)
      let shown = try names.map {
        try expectFine(tool + ["show", "--filter", "mentions:\($0)", "--store", store])
      }
      #expect(shown[0].contains("take(0)") && Set(shown).count == 1)
      let audited = try names.map {
        try expectFine(["audit", "list", "--mentions", $0, "--store", store])
      }
      #expect(audited[0].contains("take(0)") && Set(audited).count == 1)
    }
  }

  @Test func `the store of another app is named`() throws {
    try withStore { store in
      try expectFailure(
        ["replay", "state", "--store", store], exit: 4,
        mentions: ["This is a store of larder, not of track."])
    }
  }
}
