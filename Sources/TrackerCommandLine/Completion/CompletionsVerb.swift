import Retrace
import RetraceCommandLine
import RetraceToolSupport

/// Prints the script with which a shell completes the words of the tool.
struct CompletionsVerb: Verb {
  static let name = "completions"
  static let syntax = CommandSyntax(
    "track completions", summary: "Print the script that completes words in a shell.",
    discussion: """
      Commands, options, names, ids of entries and the latest changes are completed. After \
      `track start`, so are the descriptions of the last six weeks, and then the project and the \
      tags of the typed one. `Tools/install` stores the scripts where the shells look for them.

      EXAMPLES
        track completions bash > ~/.local/share/bash-completion/completions/track
        track completions zsh > ~/.local/share/zsh/site-functions/_track
        track completions fish > ~/.config/fish/completions/track.fish
      """,
    operands: [
      CommandOperand(
        "shell", kind: .words(CompletionShell.allCases.map(\.rawValue)), "bash, zsh or fish.")
    ],
    options: TrackerOptions.ofNobody)

  let options: TrackerOptions
  let shell: CompletionShell

  init(_ arguments: CommandArguments, in context: VerbContext) throws(ToolFailure) {
    options = TrackerOptions(arguments, in: context)
    let name = arguments.operands.first ?? ""
    guard let shell = CompletionShell(rawValue: name) else {
      throw .usage("There are no completions for \(name).", advice: "Name bash, zsh or fish.")
    }
    self.shell = shell
  }

  func perform() {
    let script = CompletionScript.of(shell, tool: "track")
    if options.json {
      options.output.print(["script": .string(script)])
    } else {
      options.output.printRaw(script)
    }
  }
}
