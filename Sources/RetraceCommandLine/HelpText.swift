import RetraceScreen

/// The help of a tool and of its commands, on 80 columns.
public enum HelpText {
  static var columns: Int { 80 }
  /// The column at which meanings begin.
  static var indent: Int { 26 }

  /// Returns the help of a command.
  public static func of(_ syntax: CommandSyntax) -> String {
    var lines = wrapped("OVERVIEW: \(syntax.summary)", indent: 0) + [""]
    lines += paragraphs(syntax.discussion) + [""]
    let parts = syntax.options.map { "[\($0.usage)\($0.repeats ? " ..." : "")]" }
    let usage = (["USAGE: \(syntax.name)"] + parts + syntax.operands.map(\.usage))
    lines += [usage.joined(separator: " "), ""]
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

  /// Returns a page of help; lines that begin with a blank stay as they are.
  public static func page(_ text: String) -> String {
    paragraphs(text).joined(separator: "\n") + "\n"
  }

  /// Returns the help of a tool.
  public static func of(_ tool: ToolSyntax) -> String {
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
  static func entry(_ term: String, _ meaning: String) -> [String] {
    let lines = wrapped(meaning, indent: indent)
    let start = "  \(term)"
    guard start.utf8.count + 1 < indent, let first = lines.first else { return [start] + lines }
    return [TextWidth.padded(start, to: indent) + first.dropFirst(indent)] + lines.dropFirst()
  }

  /// Returns paragraphs with their lines wrapped; lines that begin with a blank stay as they are.
  static func paragraphs(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
      line.isEmpty || line.hasPrefix(" ") ? [String(line)] : wrapped(String(line), indent: 0)
    }
  }

  /// Returns the words of a text on lines of at most 80 columns, each after some blanks.
  static func wrapped(_ text: String, indent: Int) -> [String] {
    let blanks = String(repeating: " ", count: indent)
    return text.isEmpty ? [] : TextWidth.lines(of: blanks + text, fitting: columns, indent: indent)
  }
}
