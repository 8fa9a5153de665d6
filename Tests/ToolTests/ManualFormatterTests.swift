import Foundation
import Testing
import ToolTestSupport

/// The manual pages of `track`, read by the formatters themselves.
///
/// They need `mandoc` and `groff`, which `Tools/prepare test` installs.
@Suite struct ManualFormatterTests {
  private static var commands: [String] {
    HelpTests.commands.filter { $0[0] == "track" }.map { $0[1] }
  }

  @Test(arguments: [[]] + Self.commands.map { [$0] })
  func `the formatters have no warnings, and show what the help says`(command: [String]) throws {
    let page = try expectFine(["track", "man"] + command)
    #expect(page.utf8.allSatisfy { $0 < 0x7f })
    let lint = try runProgram(
      "/usr/bin/mandoc", ["-T", "lint", "-W", "warning"], input: Data(page.utf8))
    // A page without a date is the same every day.
    let warnings = lint.output.lines.filter { !$0.contains("missing date") }
    #expect(warnings.isEmpty, "\(lint.output)")
    let groff = try runProgram(
      "/usr/bin/groff", ["-ww", "-man", "-T", "utf8", "-P", "-cbou", "-rLL=500n", "-Z"],
      input: Data(page.utf8))
    #expect(groff.status == 0 && groff.errors.isEmpty, "\(groff.errors)")
    let shown = try runProgram(
      "/usr/bin/mandoc", ["-T", "ascii", "-O", "width=1000"], input: Data(page.utf8))
    // Bold and underlined letters are overstruck.
    let text = words(shown.output.replacing(/.\x{8}/, with: ""))
    let help = try expectFine(["track", "help"] + command)
    for line in help.replacing("`", with: "").lines {
      for word in line.split(separator: " ") where word.hasPrefix("--") {
        #expect(text.contains(word), "\(word)")
      }
      if line.hasPrefix("  track ") { #expect(text.contains(words(line)), "\(line)") }
    }
    let name = (["track"] + command).joined(separator: "-")
    #expect(text.contains("NAME \(name) - "), "\(text.prefix(200))")
    if command.isEmpty {
      for command in Self.commands { #expect(text.contains("track-\(command)(1)")) }
    }
  }

  /// A text with one blank between words.
  private func words(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  @Test func `an unknown command has no page`() throws {
    try expectFailure(["track", "man", "strat"], exit: 64, mentions: ["strat", "start"])
  }

  @Test func `the commands with pages are offered, as the installation needs it`() throws {
    let result = try run("track", ["__complete", "--", "man", ""])
    #expect(Set(result.output.lines) == Set(Self.commands))
  }
}
