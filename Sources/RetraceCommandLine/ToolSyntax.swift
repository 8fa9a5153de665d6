/// A tool and its commands, for its help.
public struct ToolSyntax: Sendable {
  /// The name of the tool.
  public let name: String
  /// The summary, as a sentence.
  public let summary: String
  /// More about it: paragraphs, examples.
  public let discussion: String
  /// The name and summary of each command, in order, under headings.
  public let commands: [(heading: String, commands: [(name: String, summary: String)])]

  /// Creates the syntax of a tool.
  public init(
    _ name: String, summary: String, discussion: String,
    commands: [(heading: String, commands: [(name: String, summary: String)])]
  ) {
    self.name = name
    self.summary = summary
    self.discussion = discussion
    self.commands = commands
  }
}
