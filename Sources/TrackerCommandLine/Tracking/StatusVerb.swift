import Retrace
import RetraceCommandLine
import RetraceRecording
import RetraceStorage
import RetraceToolSupport
import TimeTracking
import TrackerApp
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
      If nothing is running, the exit code is still 0. An entry that begins in the future is shown \
      as planned. The fields of a template are {id}, {description}, {client}, {project}, {task}, \
      {tags}, {start} as 09:05, {elapsed} as 1:05, {minutes}, and {state}, which is running or \
      planned; {{ and }} are one brace each. The start is in the zone in which `track log` shows \
      it. With --format a directory of --store that does not exist yet is no error, so that a \
      prompt can stand before the first entry.

      If the machine slept while the entry ran, or the entry runs for longer than \
      `track preferences --ask-after` says, a terminal asks: the time can be kept, the time of the \
      sleep be taken off its end, or the time of its end be typed. Each is one change, which \
      `track undo` takes back. Return alone leaves the question for later. Commands that end the \
      entry now ask, too. Where nothing can be asked, it is one line on standard error; with \
      --format there is none. Nothing else is written.

      EXAMPLES
        track status
        track status --json
        track status --format "{description} {elapsed}"
      """,
    options: TrackerOptions.ofUser + [formatOption] + DisplayOptions.all)

  let options: TrackerOptions
  let display: DisplayOptions
  private let template: EntryTemplate?
  private let performer: PlanPerformer

  init(_ arguments: CommandArguments, in context: VerbContext) throws(ToolFailure) {
    options = TrackerOptions(arguments, in: context)
    display = DisplayOptions(arguments, in: context)
    var performer = PlanPerformer(arguments, in: context, what: "Nothing was stopped.")
    performer.asksAboutForgotten = false
    self.performer = performer
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
    var shown = try read()
    if template == nil, try askAboutForgotten(shown.question) { shown = try read() }
    try print(shown)
  }

  /// What is printed about the running entry.
  private struct Shown {
    var name: String
    var running: EntryText?
    var rules: ZoneRules?
    var missing: MissingUser?
    var question: ForgottenQuestion?
  }

  /// Reads the running entry.
  private func read() throws(ToolFailure) -> Shown {
    let name = try options.userName()
    let moment = try options.currentMoment()
    let zone = try options.givenZone()
    // Everything is read here, because the store checks what this closure read.
    //
    // A prompt may run before the first entry creates the store.
    return try options.read(creating: template != nil) { (domain) throws(ToolFailure) in
      var shown = Shown(name: name)
      shown.missing = MissingUser(name, in: domain)
      guard let user = domain.user(named: name), let entry = domain.runningEntry(of: user) else {
        return shown
      }
      shown.running = EntryText(entry.id, entry.entry, in: domain, at: moment)
      if template == nil {
        let context = try options.entryContext(of: name, in: domain, try options.zone(), moment)
        shown.question = ForgottenQuestion(of: user, in: context)
        shown.rules = context.rules
      } else {
        shown.rules = try options.context.calendar(of: name, in: domain, zone: zone).rules
      }
      return shown
    }
  }

  /// Asks about the running entry if it may have been forgotten, and records the answer.
  ///
  /// The log is searched after the state is read, because a process cannot open a store twice.
  ///
  /// - Returns: Whether something was recorded.
  private func askAboutForgotten(_ prepared: ForgottenQuestion?) throws(ToolFailure) -> Bool {
    guard var question = prepared else { return false }
    let path = try options.path()
    let isNeeded = try question.isNeeded { (moment, clock) throws(StoreError) in
      if let tracker = options.context.sharedStore {
        return try tracker.store.slept(since: moment, by: clock)
      }
      return try TrackerStore.slept(since: moment, at: path, by: clock)
    }
    guard isNeeded else { return false }
    guard options.mayAsk else {
      options.context.note(question.note)
      return false
    }
    switch try question.ask(performer.what, options.output) {
    case .later: return false
    case .keep: try keep(question)
    case .end(let end):
      let user = question.time.entry.user
      try performer.perform { _ throws(ToolFailure) in
        EntryRequest([.stop(user, at: end, policy: .refuse)])
      }
    }
    return true
  }

  /// Records that the user has confirmed the time of the running entry until now.
  private func keep(_ question: ForgottenQuestion) throws(ToolFailure) {
    let tracker = try options.open(creating: false)
    let user = question.time.entry.user
    do throws(CommandError<TimeTracker>) {
      let command = tracker.domain.confirming(user, until: question.time.now)
      _ = try tracker.perform(.user(command), closing: options.context.closesStore)
    } catch {
      throw ToolFailure("The time was not confirmed.", error, in: tracker.domain, options)
    }
    PlanPerformer.echo("kept     \(question.mention)", options.output)
  }

  private func print(_ shown: Shown) throws(ToolFailure) {
    if options.json {
      return options.output.print([
        "user": .string(shown.name),
        "running": shown.running?.json(options.context.zones) ?? .null,
      ])
    }
    if let running = shown.running, let rules = shown.rules {
      if let template { return options.output.print(template.text(of: running, in: rules)) }
      running.table(in: rules).print(display.style())
    } else if template == nil {
      options.output.print("Nothing is running for \(shown.name).")
    }
    if template == nil, let missing = shown.missing { options.output.print(missing.text) }
  }
}
