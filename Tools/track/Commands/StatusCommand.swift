import CivilTime
import RetraceArchitecture
import RetraceAvro
import RetraceCommandLine
import RetraceState
import RetraceToolSupport
import TimeTracking
import TrackerFeatures

/// Prints the running entry.
struct StatusCommand: TrackCommand {
  static let name = "status"
  static let formatOption = CommandOption(
    "format", value: "template",
    "The line to print, such as \"{project} {elapsed}\", for prompts and status bars; nothing is "
      + "printed if nothing is running.")
  static let syntax = CommandSyntax(
    "track status", summary: "Print the running entry and its duration.",
    discussion: """
      Nothing is written. If nothing is running, the exit code is still 0. The fields of a \
      template are {id}, {description}, {client}, {project}, {task}, {tags}, {start}, {elapsed} \
      as 1:05 and {minutes}.

      EXAMPLES
        track status
        track status --json
        track status --format "{description} {elapsed}"
      """,
    options: TrackerOptions.ofUser + [formatOption] + DisplayOptions.all)

  let options: TrackerOptions
  let display: DisplayOptions
  private let template: EntryTemplate?

  init(_ arguments: CommandArguments) throws(ToolFailure) {
    options = TrackerOptions(arguments)
    display = DisplayOptions(arguments)
    if let text = arguments[Self.formatOption] {
      template = try EntryTemplate(text)
    } else {
      template = nil
    }
    guard template == nil || !options.json else {
      throw .usage("The output is a template or JSON.", advice: "Leave out --format or --json.")
    }
  }

  func perform() throws(ToolFailure) {
    let name = try options.userName()
    let moment = try options.currentMoment()
    let (running, missing): (EntryText?, MissingUser?) = try options.read { domain in
      let running = domain.user(named: Name(name)).flatMap { domain.runningEntry(of: $0) }
      return .success(
        (
          running.map { EntryText($0.id, $0.entry, in: domain, at: moment) },
          MissingUser(name, in: domain)
        ))
    }
    if options.json {
      Output.print(["user": .string(name), "running": running?.json ?? .null])
    } else if let template {
      if let running { Output.print(template.text(of: running)) }
    } else {
      if let running {
        Output.print(running.line, running.tints, display.style())
      } else {
        Output.print("Nothing is running for \(name).")
      }
      if let missing { Output.print(missing.text) }
    }
  }
}
