/// The manual pages of a tool and of its commands, in the macros of `man`.
///
/// The text is ASCII; other characters are written as escapes, so that every formatter reads them.
public enum ManualPage {
  /// Returns the page of a command, such as `track-start(1)`.
  ///
  /// - Parameters:
  ///   - syntax: The syntax of the command.
  ///   - version: The program and its version, for the foot of the page.
  /// - Complexity: O(bytes).
  public static func of(_ syntax: CommandSyntax, version: String) -> String {
    let words = syntax.name.split(separator: " ").map(String.init)
    let title = words.joined(separator: "-")
    var lines = head(title, syntax.summary, version) + [".SH SYNOPSIS"]
    var parts = syntax.options.map { "[\(usage($0))]" + ($0.repeats ? " ..." : "") }
    parts += syntax.operands.map { operand in
      let text = "\(italic(operand.name))" + (operand.repeats ? " ..." : "")
      return operand.isOptional ? "[\(text)]" : text
    }
    lines += [bold(syntax.name)] + parts + [".SH DESCRIPTION", text(syntax.summary)]
    lines += body(syntax.discussion) { heading in
      // The arguments and options come before the examples.
      heading.hasPrefix("EXAMPLE") ? arguments(of: syntax) : []
    }
    if !syntax.discussion.contains("EXAMPLE") { lines += arguments(of: syntax) }
    if let tool = words.first { lines += [".SH \"SEE ALSO\"", ".BR \(escaped(tool)) (1)"] }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Returns the page of a tool.
  ///
  /// - Parameters:
  ///   - tool: The tool and its commands.
  ///   - version: The program and its version, for the foot of the page.
  /// - Complexity: O(bytes).
  public static func of(_ tool: ToolSyntax, version: String) -> String {
    var lines = head(tool.name, tool.summary, version) + [".SH SYNOPSIS", bold(tool.name)]
    lines += [italic("command"), "[" + italic("argument") + " ...]"]
    lines += [".SH DESCRIPTION", text(tool.summary)]
    var isListed = false
    // Returns the options and the commands once, before the first heading or at the end.
    func list() -> [String] {
      guard !isListed else { return [] }
      isListed = true
      var lines = [".SH OPTIONS"] + entry(bold("--version"), "Show the version.")
      lines += entry("\(bold("-h")), \(bold("--help"))", CommandSyntax.help.help)
      for group in tool.commands {
        lines.append(".SH \(quoted(group.heading))")
        for command in group.commands {
          let page = escaped("\(tool.name)-\(command.name)")
          lines += [".TP", ".BR \(page) (1)", text(command.summary)]
        }
      }
      return lines
    }
    lines += body(tool.discussion) { _ in list() } + list()
    return lines.joined(separator: "\n") + "\n"
  }

  private static func arguments(of syntax: CommandSyntax) -> [String] {
    var lines: [String] = []
    if !syntax.operands.isEmpty { lines.append(".SH ARGUMENTS") }
    for operand in syntax.operands { lines += entry(italic(operand.name), operand.help) }
    lines.append(".SH OPTIONS")
    for option in syntax.options {
      let letter = option.letter.map { bold("-\($0)") + ", " } ?? ""
      lines += entry(letter + usage(option), option.helpWithChoices)
    }
    return lines + entry("\(bold("-h")), \(bold("--help"))", CommandSyntax.help.help)
  }

  private static func head(_ title: String, _ summary: String, _ version: String) -> [String] {
    let name = summary.hasSuffix(".") ? String(summary.dropLast()) : summary
    return [
      // The page has no date, so that builds are reproducible.
      ".TH \(quoted(title.uppercased())) 1 \"\" \(quoted(version))",
      // Turns off hyphenation, which changes the names of files, and justification.
      ".nh", ".ad l",
      ".SH NAME", "\(escaped(title)) \\- \(text(name))",
    ]
  }

  private static func usage(_ option: CommandOption) -> String {
    bold("--\(option.name)") + (option.value.map { " " + italic($0) } ?? "")
  }

  private static func entry(_ term: String, _ meaning: String) -> [String] {
    [".TP", term, text(meaning)]
  }

  /// Returns a discussion.
  ///
  /// Lines that begin with a space are examples. Lines without a lowercase letter are headings. The
  /// others are paragraphs.
  ///
  /// - Parameter before: Returns the lines before a heading.
  private static func body(
    _ discussion: String, before: (_ heading: String) -> [String]
  ) -> [String] {
    var lines: [String] = []
    var isExample = false
    var isParagraph = true
    for line in discussion.split(separator: "\n", omittingEmptySubsequences: false) {
      let isShown = line.hasPrefix(" ") || isExample && line.isEmpty
      if isShown != isExample {
        lines.append(isShown ? ".EX" : ".EE")
        isExample = isShown
      }
      if isShown {
        lines.append(startOfLine(escaped(String(line))))
      } else if line.isEmpty {
        isParagraph = true
      } else if !line.utf8.contains(where: { (0x61...0x7a).contains($0) }) {
        lines += before(String(line)) + [".SH \(quoted(String(line)))"]
        isParagraph = false
      } else {
        if isParagraph { lines.append(".PP") }
        isParagraph = false
        lines.append(text(String(line)))
      }
    }
    if isExample { lines.append(".EE") }
    return lines
  }

  /// Returns a line of text, with what stands between backticks in bold.
  private static func text(_ text: String) -> String {
    let parts = text.split(separator: "`", omittingEmptySubsequences: false).map(String.init)
    guard parts.count % 2 == 1 else { return startOfLine(escaped(text)) }
    let line = parts.enumerated().map { index, part in
      index % 2 == 1 ? bold(part) : escaped(part)
    }
    return startOfLine(line.joined())
  }

  private static func bold(_ text: String) -> String { "\\fB\(escaped(text))\\fR" }
  private static func italic(_ text: String) -> String { "\\fI\(escaped(text))\\fR" }
  private static func quoted(_ text: String) -> String { "\"\(escaped(text))\"" }

  /// Returns a line that is no request of the formatter, even if it begins with a dot or an
  /// apostrophe.
  private static func startOfLine(_ line: String) -> String {
    line.hasPrefix(".") || line.hasPrefix("'") ? "\\&\(line)" : line
  }

  /// Returns text in which every character stands for itself in the formatter.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "'": result += "\\(aq"
      case "\"": result += "\\(dq"
      case "`": result += "\\(ga"
      case "^": result += "\\(ha"
      case "~": result += "\\(ti"
      case " "..."}": result.unicodeScalars.append(scalar)
      default:
        let digits = String(scalar.value, radix: 16, uppercase: true)
        result += "\\[u\(String(repeating: "0", count: max(0, 4 - digits.utf8.count)))\(digits)]"
      }
    }
    return result
  }
}
