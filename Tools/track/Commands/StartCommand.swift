import ArgumentParser
import RetraceToolSupport
import TimeTracking
import TrackerApp

/// Starts an entry.
struct StartCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "start",
    abstract: "Start an entry; a running one stops at the same instant.",
    discussion: """
      A user, project or tag that is not known yet is created. Write a description that begins \
      with a hyphen after --, at the end.

      EXAMPLES
        track start "write the report"
        track start review --project thesis --tag focus --tag reading --billable
        track start -- "-5 degrees: defrost the pump"
      """)

  @OptionGroup var options: TrackerOptions
  @OptionGroup var user: UserOption

  @Option(name: .long, help: ArgumentHelp("The project.", valueName: "name"))
  var project: String?

  @Option(
    name: .long, help: ArgumentHelp("A tag; repeat the option for several.", valueName: "name"))
  var tag: [String] = []

  @Flag(name: .long, help: "Mark the entry as billable.")
  var billable = false

  @Argument(help: "A description of the work.")
  var description: String

  func perform() throws(ToolFailure) {
    let name = try user.name()
    let request = StartRequest(
      user: name, description: description, project: project, tags: tag, isBillable: billable)
    try RequestRunner(options).run(
      .start(request), creating: true, what: "The entry was not started.")
  }
}

/// Stops the running entry.
struct StopCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "stop",
    abstract: "Stop the running entry.",
    discussion: """
      With nothing running, the stop is refused with exit code 1 and nothing is written.

      EXAMPLE
        track stop
      """)

  @OptionGroup var options: TrackerOptions
  @OptionGroup var user: UserOption

  func perform() throws(ToolFailure) {
    let name = try user.name()
    try RequestRunner(options).run(.stop(user: name), creating: false, what: "Nothing was stopped.")
  }
}

/// Continues the latest entry.
struct ContinueCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "continue",
    abstract: "Start a new entry like the latest one.",
    discussion: """
      EXAMPLE
        track continue
      """)

  @OptionGroup var options: TrackerOptions
  @OptionGroup var user: UserOption

  func perform() throws(ToolFailure) {
    let name = try user.name()
    try RequestRunner(options).run(
      .continue(user: name), creating: false, what: "No entry was continued.")
  }
}
