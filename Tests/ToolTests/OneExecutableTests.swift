import Foundation
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

  @Test func `help and advice name the tool as the user starts it`() throws {
    let name = tool.joined(separator: " ")
    let texts =
      try HelpTests.commands.filter { $0[0] == "replay" }.map {
        try expectFine(tool + [$0[1], "--help"])
      } + [try expectFine(tool + ["--help"])]
    // Elsewhere the word is a noun, as in "the replay tool", or the end of a path.
    let commands = HelpTests.commands.filter { $0[0] == "replay" }.map { $0[1] }
      .joined(separator: "|")
    let named = try Regex("(^|[^./])replay (\(commands))\\b")
    let ownNamed = try Regex("\(name) (\(commands))\\b")
    for text in texts {
      let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(words.matches(of: named).count == words.matches(of: ownNamed).count, "\(text)")
      for line in text.lines where !line.hasPrefix("USAGE: ") && !line.contains("--store ") {
        #expect(line.count <= 80, "\(line)")
      }
    }
    #expect(texts[0].contains("USAGE: \(name) sessions "))
    try withStore { store in
      func errors(_ words: [String]) throws -> String {
        try ToolRunner.process.run(tool[0], Array(tool.dropFirst()) + words, [:]).errors
      }
      let script = try errors(["--generate-completion-script", "bash"])
      #expect(script.hasPrefix("\(name): ") && script.contains("this tool is a word of one"))
      let unknown = try errors(["show", "--none"])
      #expect(unknown.hasPrefix("\(name): ") && unknown.contains("`\(name) show --help`"))
      #expect(
        try errors(["show", "--at", "2001-01-01", "--store", store])
          .contains("`\(name) sessions` lists"))
      #expect(
        try errors(["history", "JarID=9", "--store", store])
          .contains("`\(name) export --changes`"))
      // The child process that verifies has the same name.
      let file = "\(store)/data.mdb"
      try FileHandle(forWritingTo: URL(fileURLWithPath: file)).truncate(atOffset: 4_096)
      let damaged = try errors(["verify", "--store", store])
      #expect(damaged.hasPrefix("\(name): "), "\(damaged)")
      #expect(!damaged.contains("replay salvage") || damaged.contains("\(name) salvage"))
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

  @Test func `another build of the program is called with the same words`() throws {
    try withStore { store in
      let other = TerminalScript.tool.deletingLastPathComponent().appending(path: "testapp").path
      let compared = try expectFine(tool + ["compare", "--with", other, "--store", store])
      #expect(compared == "There is no difference.\n")
      let rounds = ["bench", "--rounds", "3", "--with", other, "--store", store]
      #expect(try expectFine(tool + rounds).contains("visible from"))
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
