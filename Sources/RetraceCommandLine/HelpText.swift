import RetraceScreen

/// The help of a tool and of its commands, on 80 columns, or on the fewer ones of a terminal.
public struct HelpText: Sendable {
  private let columns: Int
  /// The column at which meanings begin.
  private let indent: Int

  /// Creates help for lines of a width.
  ///
  /// - Parameter columns: The cells of a line; `nil` for the usual and greatest width.
  public init(columns: Int? = nil) {
    self.columns = min(max(columns ?? Self.columnsMax, Self.columnsMin), Self.columnsMax)
    indent = self.columns < Self.columnsBesideTerms ? 6 : 26
  }

  private static var columnsMax: Int { 80 }
  /// The width below which words do not fit into a line.
  private static var columnsMin: Int { 20 }
  /// The fewest columns on which a meaning is beside its term.
  private static var columnsBesideTerms: Int { 60 }

  /// Returns the help of a command.
  public func of(_ syntax: CommandSyntax) -> String {
    var lines = wrapped("OVERVIEW: \(syntax.summary)", indent: 0) + [""]
    lines += paragraphs(syntax.discussion) + [""]
    let parts = syntax.options.map { "[\($0.usage)\($0.repeats ? " ..." : "")]" }
    let usage = (["USAGE: \(syntax.name)"] + parts + syntax.operands.map(\.usage))
    lines += joined(usage, indent: 7) + [""]
    if !syntax.operands.isEmpty {
      lines.append("ARGUMENTS:")
      for operand in syntax.operands { lines += entry("<\(operand.name)>", operand.help) }
      lines.append("")
    }
    lines.append("OPTIONS:")
    for option in syntax.options { lines += entry(option.listing, option.helpWithChoices) }
    lines += entry("-h, --help", CommandSyntax.help.help)
    return lines.joined(separator: "\n") + "\n"
  }

  /// Returns a page of help; lines that begin with a blank are paragraphs of their own.
  public func page(_ text: String) -> String {
    paragraphs(text).joined(separator: "\n") + "\n"
  }

  /// Returns the help of a tool.
  public func of(_ tool: ToolSyntax) -> String {
    var lines = wrapped("OVERVIEW: \(tool.summary)", indent: 0) + [""]
    lines += paragraphs(tool.discussion) + ["", "USAGE: \(tool.name) <command>", "", "OPTIONS:"]
    lines += entry("--version", "Show the version.")
    lines += entry("-h, --help", CommandSyntax.help.help)
    for group in tool.commands {
      lines += ["", "\(group.heading):"]
      for command in group.commands { lines += entry(command.name, command.summary) }
    }
    lines += ["", "  See '\(tool.name) help <command>' for detailed help."]
    return lines.joined(separator: "\n") + "\n"
  }

  /// Returns a term and its meaning, beside each other if the term is short.
  private func entry(_ term: String, _ meaning: String) -> [String] {
    let lines = wrapped(meaning, indent: indent)
    let start = "  \(term)"
    guard start.utf8.count + 1 < indent, let first = lines.first else { return [start] + lines }
    return [TextWidth.padded(start, to: indent) + first.dropFirst(indent)] + lines.dropFirst()
  }

  /// Returns paragraphs with their lines wrapped; a line that begins with a blank is one of its
  /// own.
  private func paragraphs(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
      line.hasPrefix(" ") ? row(line) : line.isEmpty ? [""] : wrapped(String(line), indent: 0)
    }
  }

  /// Returns an example or a row of a table with its further lines indented by more.
  ///
  /// On few columns, the meaning after a gap is below its term.
  private func row(_ line: Substring) -> [String] {
    let blanks = line.prefix { $0 == " " }.count
    guard columns < Self.columnsBesideTerms else {
      return TextWidth.lines(of: String(line), fitting: columns, indent: blanks + 4)
    }
    let text = line.dropFirst(blanks)
    guard blanks <= indent else { return wrapped(String(text), indent: indent) }
    let gap = text.firstRange(of: "   ")
    let term = wrapped(String(text[..<(gap?.lowerBound ?? text.endIndex)]), indent: blanks)
    guard let gap else { return term }
    let meaning = text[gap.upperBound...].drop { $0 == " " }
    return term + wrapped(String(meaning), indent: indent)
  }

  /// Returns words on lines that break only between them, with blanks before each line but the
  /// first.
  private func joined(_ words: [String], indent: Int) -> [String] {
    var lines = [words[0]]
    for word in words.dropFirst() {
      let last = lines[lines.count - 1]
      if TextWidth.of(last) + 1 + TextWidth.of(word) <= columns {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append(String(repeating: " ", count: indent) + word)
      }
    }
    return lines
  }

  /// Returns the words of a text on lines that fit, each after some blanks.
  private func wrapped(_ text: String, indent: Int) -> [String] {
    let blanks = String(repeating: " ", count: indent)
    return text.isEmpty ? [] : TextWidth.lines(of: blanks + text, fitting: columns, indent: indent)
  }
}
