/// The arguments of a command, and its help.
public struct CommandSyntax: Hashable, Sendable {
  /// The name of the tool and of the command.
  public let name: String
  /// The summary, as a sentence of one line.
  public let summary: String
  /// More about it: paragraphs, examples.
  public let discussion: String
  /// The operands, in order; only the last one may repeat.
  public let operands: [CommandOperand]
  /// The options, in the order of the help.
  public let options: [CommandOption]

  /// Creates the syntax of a command.
  public init(
    _ name: String, summary: String, discussion: String, operands: [CommandOperand] = [],
    options: [CommandOption]
  ) {
    self.name = name
    self.summary = summary
    self.discussion = discussion
    self.operands = operands
    self.options = options
  }

  /// The option that prints the help of any command.
  public static let help = CommandOption("help", "Show help information.")

  /// Returns whether words ask for help: by `--help`, `--help=VALUE` or `-h` before a `--`.
  public static func asksForHelp(_ words: ArraySlice<String>) -> Bool {
    words.prefix { !same($0, "--") }.contains { word in
      same(word, "--help") || same(word, "-h") || word.utf8.starts(with: "--help=".utf8)
    }
  }
}

/// Returns whether two texts have the same bytes.
func same(_ one: String, _ other: String) -> Bool { one.utf8.elementsEqual(other.utf8) }
