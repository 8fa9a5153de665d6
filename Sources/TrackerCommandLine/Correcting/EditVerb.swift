import Retrace
import RetraceCommandLine
import RetraceFilter
import RetraceToolSupport
import TimeTracking
import TrackerApp
import TrackerFeatures

/// Changes fields of entries.
struct EditVerb: Verb {
  static let name = "edit"
  static let descriptionOption = CommandOption("description", value: "text", "The description.")
  static let projectOption = CommandOption(
    "project", value: "name", kind: .tracker(.project), "The project; an empty name removes it.")
  static let taskOption = CommandOption(
    "task", value: "name", kind: .tracker(.task),
    "The task of the project; an empty name removes it.")
  static let untagOption = CommandOption(
    "untag", value: "name", repeats: true, kind: .tracker(.tag),
    "A tag to remove, or several with commas between them.")
  static let startOption = CommandOption("start", value: "time", "When it began.")
  static let endOption = CommandOption(
    "end", value: "time",
    "When it ended. An empty one lets it run again; if later entries overlap it then, --policy "
      + "says what happens.")
  static let forOption = CommandOption(
    AddVerb.forOption.name, value: "duration",
    "How long it took: moves its end, or with --end its start.")
  /// The options that give times.
  static let timeOptions = [
    startOption, endOption, forOption, EntryTimeOptions.durationOption,
  ]
  static let notBillableOption = CommandOption("not-billable", "Mark it as not billable.")
  static let rateOption = CommandOption(
    "rate", value: "amount", kind: .words([presentRate]),
    "The price of an hour, such as 85.50; project takes the present rate of the project, the user "
      + "or the workspace, and an empty one removes it.")
  /// The value of `--rate` for the rate that a new entry would have.
  static let presentRate = "project"
  static let workspaceOption = CommandOption(
    "workspace", value: "name", kind: .tracker(.workspace),
    "The workspace; an empty name removes it. A project is one of the same workspace.")
  static let reasonOption = CommandOption(
    "reason", value: "text", "Why; it is recorded, and `track history` shows it.")
  private static let yesOption = CommandOption(
    "yes", colonWords: ["yes"],
    "Answer yes to what is asked on a terminal. For --filter and for several entries, it answers "
      + "only whether to change them; the rest needs --policy.")
  static let editorOption = CommandOption(
    "editor", "Change the fields in the editor that VISUAL or EDITOR names.")
  static let syntax = CommandSyntax(
    "track edit", summary: "Change fields of entries.",
    discussion: """
      The entries are given by ids, by ranges of ids such as 52-54, by -1 or @1 for the one with \
      the latest end, or by --filter; without these, it is the running one or else the one that \
      ended last. Other \
      words are as in `track start`: a description replaces the old one, @NAME the project, and \
      #NAME or +NAME adds a tag. A range of two times before them replaces start and end. Fields \
      that are not given stay as they are. A time of day is on the day of the entry; if the entry \
      goes on after midnight and has the time on the next day only, it is there. \
      At most 1000 entries are changed at once; of more, nothing is changed. \
      Words describe several entries only after a question, or with --yes. A text that is only a \
      time, a day or a range, such as today, needs -- before it.

      An entry keeps the rate that held when it was recorded, until its project, its workspace or \
      whether it is billable changes; --rate corrects it.

      EXAMPLES
        track edit 12 write the paper @thesis
        track edit --start 8:45
        track edit -1 17:30 - 17:50
        track edit -1 --for 45m
        track edit 12 13 14 --project "big project" --untag draft
        track edit -1 --end "yesterday 17:30" --reason "forgot to stop"
        track edit -1 --end ""
        track edit 12 --task writing --note "chapter 2"
        track edit 12 13 --billable --rate 85.50
        track edit 12 13 --editor
        track edit --filter "@thesis month:2026-03" --billable --rate 85 --dry-run
      """,
    operands: [
      CommandOperand(
        "words", isOptional: true, repeats: true, kind: .tracker(.entryThenWords),
        "Ids, then words.")
    ],
    options: TrackerOptions.ofUser + [
      descriptionOption, projectOption, taskOption, DraftOptions.tagOption, untagOption,
    ] + timeOptions + [
      DraftOptions.noteOption, DraftOptions.billableOption,
      notBillableOption, rateOption, workspaceOption, reasonOption, editorOption,
      EntrySelection.filterOption,
      EntryTimeOptions.policyOption, yesOption, EntryTimeOptions.dryRunOption,
    ])

  /// The options that change a field other than the project.
  private static let fieldOptions =
    [
      descriptionOption, taskOption, DraftOptions.tagOption, untagOption, DraftOptions.noteOption,
      DraftOptions.billableOption, notBillableOption, rateOption, workspaceOption,
    ] + timeOptions

  let arguments: CommandArguments
  let performer: PlanPerformer

  init(_ arguments: CommandArguments, in context: VerbContext) {
    self.arguments = arguments
    performer = PlanPerformer(
      arguments, in: context, what: "Nothing was changed.",
      asks: arguments.has(Self.descriptionOption) ? [] : .described)
  }

  func perform() throws(ToolFailure) {
    if arguments.has(Self.editorOption) { return try performInEditor() }
    try performer.perform(request)
  }

  /// Returns the corrections that the words and the options ask for.
  ///
  /// - Parameter context: The context of the words.
  func request(in context: EntryContext) throws(ToolFailure) -> EntryRequest {
    let selection = EntrySelection(in: context)
    var (entries, rest, signed) = try selection.take(from: arguments)
    if signed == rest.count { try refuseTimes(in: rest, context) }
    let isCurrent = entries.isEmpty
    if isCurrent { entries = [try selection.current(by: context.now)] }
    var signedWords = rest.prefix(signed)
    let ranges = try ranges(from: &signedWords, of: entries, in: context)
    rest = rest.dropFirst(signed - signedWords.count)
    let words = try EntryWords.read(rest, signed: signedWords.count, in: context.domain)
    var remarks = words.remarks + words.quotedRemarks
    try words.refuseSecond(
      project: arguments[Self.projectOption], task: arguments[Self.taskOption])
    guard words.description.isEmpty || !arguments.has(Self.descriptionOption) else {
      throw .usage(
        "There are two descriptions: the words and --description.",
        advice: "Give one of them.")
    }
    if isCurrent, let project = words.project, words.isProject,
      Self.fieldOptions.contains(where: arguments.has)
    {
      let filter = commandWord("\(FilterTerm.project(project))")
      remarks.append(
        "\(commandWord("@\(project)")) is the project of this entry only; --filter \(filter) "
          + "changes all of its entries")
    }
    var commands: [TimeEntryCommand] = []
    for (index, entry) in entries.enumerated() {
      var correction = try correction(of: entry.entry, by: words, in: context)
      if let range = ranges?[index] { correction.setTimes(of: entry.entry, to: range) }
      guard correction != TimeEntryCorrection() else { continue }
      commands.append(
        .correct(entry.id, correction, policy: .refuse, reason: arguments[Self.reasonOption]))
    }
    guard !commands.isEmpty else {
      throw .refused(
        "The fields have these values already, or no field is given.",
        advice: "Give new values, as in `track edit --start 8:45`.", what: performer.what)
    }
    return EntryRequest(commands, remarks: remarks)
  }
}
