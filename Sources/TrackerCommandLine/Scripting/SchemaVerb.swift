import RetraceCommandLine
import RetraceToolSupport

/// Prints the JSON Schema of the output of commands.
struct SchemaVerb: Verb {
  static let name = "schema"
  static let syntax = CommandSyntax(
    "track schema", summary: "Print the JSON Schema of what commands print with --json.",
    discussion: """
      It is version \(OutputSchema.version), with a definition for each command. Members may be \
      added to a version; a member that goes or changes makes a new one.

      EXAMPLES
        track schema
        track schema > track.schema.json
        track schema --json
      """,
    options: TrackerOptions.ofNobody)

  private let output: Output

  init(_ arguments: CommandArguments, in context: VerbContext) { output = context.output }

  func perform() { output.print(OutputSchema.json, indented: true) }
}
