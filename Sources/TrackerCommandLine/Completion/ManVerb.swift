import Retrace
import RetraceCommandLine
import RetraceToolSupport

/// Prints a manual page.
struct ManVerb: Verb {
  static let name = "man"
  static let syntax = CommandSyntax(
    "track man", summary: "Print the manual page of a command, or of track itself.",
    discussion: """
      `Tools/install` stores all pages where man looks for them.

      EXAMPLES
        track man
        track man start > track-start.1
        track man > track.1
      """,
    operands: [
      CommandOperand(
        "command", isOptional: true, kind: .words(Track.verbs.map { $0.name }),
        "The command.")
    ],
    options: TrackerOptions.ofNobody)

  let options: TrackerOptions
  let command: (any Verb.Type)?

  init(_ arguments: CommandArguments, in context: VerbContext) throws(ToolFailure) {
    options = TrackerOptions(arguments, in: context)
    command = try arguments.operands.first.map { (name) throws(ToolFailure) in
      guard let command = Track.verb(named: name) else { throw Track.unknown(name) }
      return command
    }
  }

  func perform() {
    let version = ToolVersion.text
    let page =
      command.map { ManualPage.of($0.syntax, version: version) }
      ?? ManualPage.of(Track.syntax, version: version)
    if options.json {
      options.output.print(["page": .string(page)])
    } else {
      options.output.printRaw(page)
    }
  }
}
