import Foundation
import Testing
import ToolTestSupport

/// Reports of the app as files and on the clipboard of a terminal.
@Suite struct SavedReportTests {
  private static let clock = ["--now", "2026-03-06T12:00:00Z"]

  /// Makes a store with entries of a week, one of which runs, and calls the body with its folder.
  private func withStore(_ body: (_ folder: String, _ options: [String]) throws -> Void) throws {
    try withTemporaryDirectory { folder in
      let options = ["--store", "\(folder)/store", "--user", "ada"] + Self.clock
      let words = [
        ["add", "2026-03-02", "9:00", "-", "10:30", "mail", "@=shop, \"b\"", "#deep"],
        ["add", "2026-03-02", "11:00", "-", "11:40", "plan", "@site", "#deep,#x"],
        ["add", "2026-03-04", "8:00", "-", "9:00", "a, \"b\"", "@site"],
        ["add", "2026-02-24", "8:00", "-", "9:00", "old", "@site"],
      ]
      try expectFine(["track", "projects", "create", "=shop, \"b\"", "--rate", "85.50"] + options)
      for words in words { try expectFine(["track"] + words + options) }
      try expectFine(["track", "start", "run", "#deep", "--at", "11:00"] + options)
      try body(folder, options)
    }
  }

  /// Presses keys in the app, and returns the screen.
  private func press(
    _ keys: [String], _ options: [String], environment: [String: String] = [:]
  ) throws -> [String] {
    let result = try ToolRunner.process.run(
      "track", ["app", "--size", "80x24"] + options, environment,
      (keys + ["screen"]).joined(separator: "\n"))
    #expect(result.status == 0 && result.errors == "", "\(result.errors)")
    return result.output.lines
  }

  @Test func `a saved report has what the command line prints for its range, groups and filter`()
    throws
  {
    try withStore { folder, options in
      let reports: [(keys: [String], words: [String])] = [
        ([], [":week", "--by", "project"]),
        (["text:g", "left"], [":lastweek", "--by", "client,project"]),
        // A new report has the groups of the last one.
        (["text:g", "text:m"], [":month", "--by", "project,task"]),
        (
          ["text:/", "text:#deep and duration>50m", "enter", "text:a"] + [
            "text:G", "text:G", "text:G",
          ],
          [":all", "--by", "month", "--filter", "#deep and duration>50m"]
        ),
        (
          ["text:g", "text:/", "text:nothing", "enter", "text:r", "text:2026-03-02", "enter"],
          ["2026-03-02", "--by", "project", "--filter", "nothing"]
        ),
      ]
      for (number, report) in reports.enumerated() {
        let path = "\(folder)/report \(number).csv"
        let screen = try press(
          (number == 0 ? [] : ["escape"]) + ["text:r"] + report.keys
            + ["text:s", "ctrl-u", "text:\(path)", "enter"], options)
        let printed = try expectFine(["track", "report"] + report.words + ["--csv"] + options)
        let saved = try String(contentsOfFile: path, encoding: .utf8)
        #expect(saved == printed, "\(report.words)")
        let count = printed.lines.count - 1
        #expect(
          screen.contains { $0.contains("Saved \(count == 1 ? "a line" : "\(count) lines")") })
      }
    }
  }

  @Test func `a file is replaced only after a second enter, and an error says what to do`() throws {
    try withStore { folder, options in
      let path = "\(folder)/report.csv"
      try Data("mine\n".utf8).write(to: URL(fileURLWithPath: path))
      let typed = ["ctrl-u", "text:\(path)", "enter"]
      var screen = try press(["text:r", "text:s"] + typed, options)
      // The path is that of a temporary folder, so the text can be on two lines.
      let text = screen.joined(separator: " ").split(separator: " ").joined(separator: " ")
      #expect(text.contains("Press enter again to replace it."))
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine\n")
      // The question is in the state, so a new process knows it.
      screen = try press(["enter"], options)
      #expect(screen.contains { $0.contains("Saved 3 lines") })
      #expect(try String(contentsOfFile: path, encoding: .utf8).hasPrefix("project,entries,hours,"))
      #expect(try filesInTree(folder).keys.filter { $0.hasSuffix(".new") }.isEmpty)
      for (name, words) in [
        ("none/report.csv", ["No such file or directory", "Name a folder that exists."]),
        ("report.csv/x", ["Not a directory", "Name a folder that exists."]),
      ] {
        screen = try press(["text:s", "ctrl-u", "text:\(folder)/\(name)", "enter"], options)
        for word in words {
          #expect(screen.joined(separator: " ").contains(word), "\(name): \(word)")
        }
        #expect(screen.contains { $0.hasPrefix("File: ") })
        _ = try press(["escape"], options)
      }
      // A folder exists, and is never replaced.
      screen = try press(["text:s", "ctrl-u", "text:\(folder)", "enter", "enter"], options)
      #expect(screen.joined(separator: " ").contains("Name a file."))
      screen = try press(
        ["ctrl-u", "text:~/own.csv", "enter"], options, environment: ["HOME": folder])
      #expect(FileManager.default.fileExists(atPath: "\(folder)/own.csv"))
    }
  }

  @Test func `a key copies the selected line to the clipboard of a terminal that says what it is`()
    throws
  {
    try withStore { _, options in
      let refused = try TerminalScript(
        arguments: ["app"] + options,
        steps: [
          .expect("Timer of ada"), .send("r"), .expect("Report of ada"), .send("c"),
          .expect("no terminal with a clipboard"), .send("q"), .expect("Timer of ada"), .send("q"),
        ]
      ).run()
      #expect(refused.missing == nil && !refused.output.contains("]52;"))
      let text = Data("site  1:40:00  40 %".utf8).base64EncodedString()
      let copied = try TerminalScript(
        arguments: ["app"] + options,
        steps: [
          .expect("\u{1B}[c"), .send("\u{1B}[?1;2c"), .expect("Timer of ada"), .send("r"),
          .expect("Report of ada"), .send("c"), .expect("\u{1B}]52;c;\(text)\u{1B}\\"),
          .expect("Sent to"), .send("q"), .send("q"),
        ]
      ).run()
      #expect(copied.missing == nil && copied.leftCleanly, "\(copied.output)")
      // A pipe and a replay have no clipboard.
      let screen = try press(["text:r", "text:c"], options)
      #expect(screen.contains { $0.contains("no terminal with a clipboard") })
    }
  }
}
