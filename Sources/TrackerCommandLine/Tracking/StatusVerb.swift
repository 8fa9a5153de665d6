import Retrace
import RetraceCommandLine
import RetraceToolSupport
import TimeTracking
import TrackerFeatures

/// Prints the running entry.
struct StatusVerb: Verb {
  static let name = "status"
  static let formatOption = CommandOption(
    "format", value: "template",
    "The line to print, such as \"{project} {elapsed}\", for prompts and status bars; nothing is "
      + "printed if nothing is running.")
  static let syntax = CommandSyntax(
    "track status", summary: "Print the running entry and its duration.",
    discussion: """
      Nothing is written. If nothing is running, the exit code is still 0. An entry that begins \
      in the future is shown as planned. The fields of a template are {id}, {description}, \
      {client}, {project}, {task}, {tags}, {start} as 09:05, {elapsed} as 1:05, {minutes}, and \
      {state}, which is running or planned; {{ and }} are one brace each. The start is in the zone \
      in which `track log` shows it. With --format a directory of --store that does not exist yet \
      is no error, so that a prompt can stand before the first entry.

      EXAMPLES
        track status
        track status --json
        track status --format "{description} {elapsed}"
      """,
    options: TrackerOptions.ofUser + [formatOption] + DisplayOptions.all)

  let options: TrackerOptions
  let display: DisplayOptions
  private let template: EntryTemplate?

  init(_ arguments: CommandArguments, in context: VerbContext) throws(ToolFailure) {
    options = TrackerOptions(arguments, in: context)
    display = DisplayOptions(arguments, in: context)
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
    let zone = try options.givenZone()
    // Everything is read here, because the store checks what this closure read.
    //
    // A prompt may run before the first entry creates the store.
    let (running, rules, missing) = try options.read(creating: template != nil) {
      (domain) throws(ToolFailure) in
      let running = domain.user(named: name).flatMap { domain.runningEntry(of: $0) }
        .map { EntryText($0.id, $0.entry, in: domain, at: moment) }
      let rules =
        running == nil || options.json
        ? nil : try options.context.calendar(of: name, in: domain, zone: zone).rules
      return (running, rules, MissingUser(name, in: domain))
    }
    if options.json {
      return options.output.print([
        "user": .string(name), "running": running?.json(options.context.zones) ?? .null,
      ])
    }
    if let running, let rules {
      if let template { return options.output.print(template.text(of: running, in: rules)) }
      running.table(in: rules).print(display.style())
    } else if template == nil {
      options.output.print("Nothing is running for \(name).")
    }
    if template == nil, let missing { options.output.print(missing.text) }
  }
}
