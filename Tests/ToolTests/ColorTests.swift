import Foundation
import Testing
import ToolTestSupport

/// Colors of projects in the output of `track`: on terminals that want them, and nowhere else.
@Suite struct ColorTests {
  private static let now = ["--now", "2026-03-02T12:00:00Z"]

  private func withStore(_ body: ([String]) throws -> Void) throws {
    try withTemporaryDirectory { folder in
      let store = ["--store", "\(folder)/s", "--user", "anna"] + Self.now
      try expectFine(["track", "add", "8:00", "-", "9:00", "write", "@thesis", "+deep"] + store)
      try expectFine(["track", "start", "11:00", "call", "@日本"] + store)
      try body(store)
    }
  }

  /// What a command writes on a terminal of 60 columns.
  private func terminal(
    _ words: [String], _ environment: [String: String] = [:]
  ) throws -> String {
    let session = try TerminalScript(arguments: words, environment: environment, steps: []).run()
    #expect(session.missing == nil && session.status == 0, "\(session)")
    // The helper gives the bytes as Latin-1, and terminals end lines by two characters.
    let bytes = session.output.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    return String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n")
  }

  private static let commands = [["log"], ["day"], ["week"], ["report"], ["status"]]

  @Test(arguments: commands)
  func `projects are colored on a terminal`(words: [String]) throws {
    try withStore { (store) throws in
      let direct = try terminal(words + store, ["COLORTERM": "truecolor"])
      #expect(direct.contains(/\x{1B}\[38;2;\d+;\d+;\d+m *@?日本/), "\(direct)")
      let indexed = try terminal(words + store, ["TERM": "xterm-256color"])
      #expect(indexed.contains(/\x{1B}\[38;5;\d+m *@?日本/), "\(indexed)")
      #expect(try terminal(words + store).contains(/\x{1B}\[3[1-6]m *@?日本/))
      // Without the sequences the text is the same as without colors.
      let plain = try terminal(words + store, ["NO_COLOR": "1", "COLORTERM": "truecolor"])
      #expect(direct.replacing(/\x{1B}\[[0-9;]*m/, with: "") == plain)
      #expect(!plain.contains("\u{1B}"))
    }
  }

  @Test(arguments: commands)
  func `without a terminal, on a dumb one, and in JSON there are no colors`(words: [String]) throws
  {
    try withStore { (store) throws in
      let piped = try expectFine(
        ["track"] + words + store, environment: ["TERM": "xterm", "COLORTERM": "truecolor"])
      #expect(!piped.contains("\u{1B}"))
      for environment in [["TERM": "dumb"], ["TERM": ""], ["NO_COLOR": "1"]] {
        #expect(try !terminal(words + store, environment).contains("\u{1B}"))
      }
      #expect(try !terminal(words + store + ["--json", "--color", "always"]).contains("\u{1B}"))
    }
  }

  @Test func `the option has precedence over the environment, and that over the file`() throws {
    try withTemporaryDirectory { folder in
      let config = "\(folder)/track.toml"
      func write(_ text: String) throws {
        try text.write(toFile: config, atomically: true, encoding: .utf8)
      }
      try withStore { (store) throws in
        let log = ["track", "log"] + store
        var environment = ["RETRACE_CONFIG": config, "COLORTERM": "truecolor"]
        try write("color = \"always\"")
        #expect(try expectFine(log, environment: environment).contains("\u{1B}[38;2;"))
        #expect(
          try !expectFine(log + ["--color", "never"], environment: environment)
            .contains("\u{1B}"))
        environment["NO_COLOR"] = "1"
        #expect(try !expectFine(log, environment: environment).contains("\u{1B}"))
        #expect(
          try expectFine(log + ["--color", "always"], environment: environment)
            .contains("\u{1B}[38;2;"))
        environment["NO_COLOR"] = ""
        try write("color = \"never\"")
        #expect(try !terminal(Array(log.dropFirst()), environment).contains("\u{1B}"))
        // The theme changes the colors.
        var shown: Set<String> = []
        for theme in ["auto", "dark", "light"] {
          try write("color = \"always\"\ntheme = \"\(theme)\"")
          shown.insert(try expectFine(log, environment: environment))
        }
        #expect(shown.count == 3)
        try expectFailure(log + ["--color", "nevr"], exit: 64, mentions: ["auto, always, never"])
      }
    }
  }

  @Test func `text of other people cannot reach the terminal as control characters`() throws {
    try withStore { (store) throws in
      let hostile = "@x\u{1B}]0;t\u{7}\u{202E}"
      try expectFine(["track", "switch", "x", "--project", String(hostile.dropFirst())] + store)
      for words in Self.commands {
        let shown = try terminal(words + store, ["COLORTERM": "truecolor"])
        #expect(!shown.contains("\u{1B}]") && !shown.contains("\u{7}"), "\(shown)")
        #expect(!shown.unicodeScalars.contains("\u{202E}"))
      }
    }
  }
}
