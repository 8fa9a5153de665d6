import Foundation
import Testing
import ToolTestSupport

/// What tools print: harmless whatever the data, and never silently cut.
@Suite struct OutputTests {
  /// Control characters, line ends, direction marks, zero-width characters.
  static let hostile =
    "a\u{1B}[31mb\u{1B}]0;c\u{7}\nforged\r\u{9}d\u{9B}2Je\u{202E}f"
    + "\u{2066}g\u{200B}h\u{FEFF}\u{E0041}i"

  private func store(_ folder: String) throws -> [String] {
    let store = ["--store", "\(folder)/s"]
    try expectFine(
      [
        "track", "start", Self.hostile, "--project", "p\u{1B}c", "--tag", "t\nu", "--user",
        "v\u{202E}",
      ]
        + store)
    return store
  }

  private func expectHarmless(_ output: String, _ name: String, isWhole: Bool = true) {
    let bad = output.unicodeScalars.filter { scalar in
      if scalar == "\n" { return false }
      switch scalar.value {
      case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069, 0x200B, 0xFEFF,
        0xE0000...0xE0FFF:
        return true
      default: return false
      }
    }
    #expect(bad.isEmpty, "\(name): \(bad.map { String($0.value, radix: 16) })")
    #expect(!output.lines.contains { $0.hasPrefix("forged") }, "\(name): a forged line")
    if isWhole { #expect(output.contains("forged"), "\(name): the data is not there") }
  }

  @Test func `data with controls is shown harmlessly by every command`() throws {
    try withTemporaryDirectory { folder in
      let store = try store(folder)
      let commands: [[String]] = [
        ["track", "log", "--wide"], ["track", "status", "--user", "v\u{202E}"], ["replay", "show"],
        ["replay", "state"], ["audit", "list"],
      ]
      for command in commands {
        let text = try expectFine(command + store)
        expectHarmless(text, command.joined(separator: " "))
        let json = try expectFine(command + store + ["--json"])
        expectHarmless(json, command.joined(separator: " ") + " --json")
      }
      // Lines of 80 columns have only a part of the data.
      for command in [
        ["log"], ["day"], ["week", "--by", "tag"], ["month", "--by", "user"],
        ["report", "--by", "user,project,tag"],
        ["report", "--goals", "--user", "v\u{202E}"], ["history"], ["search", "forged"],
        ["projects"], ["tags"], ["clients"],
      ] {
        let text = try expectFine(["track"] + command + store)
        expectHarmless(text, command.joined(separator: " "), isWhole: false)
      }
      // A program gets the values as they are.
      let csv = try expectFine(["track", "report", "--by", "user", "--csv"] + store)
      #expect(csv.contains("\nv\u{202E},"), "\(csv)")
      // JSON has the text as it was given.
      let log = try json(expectFine(["track", "log", "--json"] + store)) as? [[String: Any]]
      #expect(log?.first?["description"] as? String == Self.hostile)
      #expect(log?.first?["user"] as? String == "v\u{202E}")
      let app = try PipedApp("\(folder)/s", size: "200x24")
      try app.press("down")
      try app.press("enter")
      expectHarmless(try app.screen().joined(separator: "\n") + "\n", "track app")
      app.end()
      let screen = try expectFine(["replay", "screen", "--size", "200x24"] + store)
      expectHarmless(screen, "replay screen")
    }
  }

  @Test func `errors show data harmlessly`() throws {
    try withTemporaryDirectory { folder in
      let name = "\(folder)/x\u{1B}[31m\u{202E}"
      for command in [
        ["audit", "verify", "--store", name], ["track", "log", Self.hostile],
        [
          "track", "import", name, "--column", "start=a", "--column", "duration=b", "--date-format",
          "y",
        ],
      ] {
        let result = try run(command[0], Array(command.dropFirst()))
        #expect(result.status != 0)
        #expect(!result.errors.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
        #expect(!result.errors.unicodeScalars.contains("\u{202E}"))
        #expect(result.errors.lines.count == 4, "\(result.errors)")
      }
    }
  }

  @Test func `a reader that closes the pipe early is no error`() throws {
    try withTemporaryDirectory { folder in
      let store = "\(folder)/s"
      // More than a pipe holds.
      let long = String(repeating: "x", count: 3_000)
      for _ in 0..<30 { try expectFine(["track", "start", long, "--store", store]) }
      for command in [
        "track log --limit 100", "track log --json", "replay show", "audit list --json",
        "replay state", "track --help",
      ] {
        let name = command.hasSuffix("help") ? "" : "--store \"$1\""
        let result = try shell("\(command) \(name) | head -1; echo ${PIPESTATUS[0]}", [store])
        #expect(result.errors == "", "\(command)")
        #expect(result.output.hasSuffix("\n0\n"), "\(command)")
      }
    }
  }

  @Test func `output that cannot be written is an error`() throws {
    try withTemporaryDirectory { folder in
      let store = "\(folder)/s"
      for command in [
        "track start a", "track log", "track history", "track week", "track report",
        "track projects",
        "track status", "audit list --json", "replay verify",
      ] {
        let full = try shell("\(command) --store \"$1\" >/dev/full", [store])
        #expect(full.status == 6, "\(command)")
        #expect(full.errors.contains("output is incomplete"), "\(full.errors)")
        #expect(full.errors.contains("No space left"), "\(full.errors)")
      }
    }
  }

  @Test(arguments: [">&-", "2>&-", "<&- >&- 2>&-", "<&-"])
  func `a tool started without its standard streams writes into none of its files`(
    closed: String
  ) throws {
    try withTemporaryDirectory { folder in
      let store = "\(folder)/s"
      try expectFine(["track", "start", "a", "--store", store])
      let lines = "text:anna\\nenter\\ntext:n\\nnokey\\nscreen\\n"
      let redirected = closed.contains("<") ? "" : "printf '\(lines)' |"
      _ = try shell("\(redirected) track app --store \"$1\" \(closed)", [store])
      for command in ["start b", "stop", "stop", "log", "nothing"] {
        let result = try shell("track \(command) --store \"$1\" \(closed)", [store])
        #expect(result.signal == nil)
        if closed == ">&-" {
          #expect(result.status == 6 && result.errors.contains("Standard output is closed."))
        }
      }
      for file in ["owner.lock", "lock.mdb", "data.mdb", "anchor"] {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(store)/\(file)"))
        for text in ["ok 1", "Timer of", "exit code", "error there"] {
          #expect(bytes.firstRange(of: Data(text.utf8)) == nil, "\(text) in \(file)")
        }
      }
      try expectFine(["audit", "verify", "--store", store])
      try expectFine(["replay", "verify", "--store", store])
      // A tool whose output is closed does nothing.
      let isDone = !closed.contains(">&-") || closed.hasPrefix("2")
      #expect(try expectFine(["track", "log", "--store", store]).contains("  b\n") == isDone)
    }
  }
}
