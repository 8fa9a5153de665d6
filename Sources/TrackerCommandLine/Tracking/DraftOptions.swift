import Retrace
import RetraceCommandLine
import RetraceToolSupport
import TimeTracking
import TrackerFeatures

/// The fields of a new entry, from words and options.
struct DraftOptions {
  static let projectOption = CommandOption(
    "project", value: "name", kind: .tracker(.project), "The project.")
  static let taskOption = CommandOption(
    "task", value: "name", kind: .tracker(.task), "The task of the project.")
  static let tagOption = CommandOption(
    "tag", value: "name", repeats: true, kind: .tracker(.tag),
    "A tag, or several with commas between them.")
  static let noteOption = CommandOption(
    "note", value: "text", repeats: true, "An annotation; repeat the option for several.")
  static let billableOption = CommandOption("billable", "Mark the entry as billable.")
  static let workspaceOption = CommandOption(
    "workspace", value: "name", kind: .tracker(.workspace),
    "The workspace; the default is the workspace of the project or of the user.")
  static let all = [
    projectOption, taskOption, tagOption, noteOption, billableOption, workspaceOption,
  ]

  let words: [String]
  /// The number of words before `--`.
  ///
  /// Signs and times have a meaning only in these.
  let signed: Int
  private let project: String?
  private let task: String?
  private let tags: [String]
  private let notes: [String]
  private let isBillable: Bool
  private let entityOptions: EntityVerbOptions

  init(_ arguments: CommandArguments, in context: VerbContext) {
    entityOptions = EntityVerbOptions(arguments, in: context)
    words = arguments.operands
    signed = arguments.operandsBeforeEnd
    project = arguments[Self.projectOption]
    task = arguments[Self.taskOption]
    tags = arguments.all(Self.tagOption)
    notes = arguments.all(Self.noteOption)
    isBillable = arguments.has(Self.billableOption)
  }

  /// Returns a draft of some of the words.
  ///
  /// - Parameters:
  ///   - rest: The words after the time.
  ///   - start: When the entry begins.
  ///   - context: The user and the zone.
  /// - Returns: The draft, and the remarks about the words.
  func draft(
    _ rest: ArraySlice<String>, start: Moment, in context: EntryContext
  ) throws(ToolFailure) -> (TimeEntryDraft, remarks: [String]) {
    let words = try EntryWords.read(
      rest, signed: signed - (self.words.count - rest.count),
      isAfterTime: rest.count < self.words.count, in: context.domain)
    try words.refuseSecond(project: project, task: task)
    let workspace = try entityOptions.workspace(in: context.domain)
    var draft: TimeEntryDraft
    do throws(ProjectNameError) {
      draft = try context.domain.draft(
        of: words, project: project, task: task,
        tags: tags.flatMap(context.domain.tagNames), for: context.reference,
        in: workspace, zone: context.rules.recorded(at: start))
    } catch {
      throw .project(error, "No entry was recorded.", in: context.domain)
    }
    guard draft.task == nil || draft.project != nil else {
      throw .usage(
        "The task has no project.", advice: "Give the project of the task: --project NAME.")
    }
    guard !notes.contains(where: \.isEmpty) else {
      throw .usage("A note is empty.", advice: "Give it a text, or leave out --note.")
    }
    draft.annotations = notes
    // Without the option, the project decides.
    draft.isBillable = isBillable ? true : nil
    return (draft, words.remarks + words.timeRemarks)
  }

  /// Returns the request that starts an entry.
  ///
  /// - Parameters:
  ///   - verb: The name of the verb.
  ///   - times: The options of the time.
  ///   - context: The user and the zone.
  func start(
    _ verb: String, _ times: EntryTimeOptions, in context: EntryContext
  ) throws(ToolFailure) -> EntryRequest {
    var rest = words[...]
    var time: TimeExpression?
    // Words after `--` are text.
    if signed > 0 {
      var signedWords = words.prefix(signed)
      try LeadingTime.refuseRange(in: signedWords, of: rest, context.expressions)
      time = try LeadingTime.takeTime(
        from: &signedWords, in: context.stopExpressions, context.readings)
      try LeadingTime.refuseDay(at: signedWords, in: words.prefix(signed), of: verb)
      rest = words.dropFirst(signed - signedWords.count)
    }
    let at = try times.moment(in: context, leading: time)
    let (draft, remarks) = try draft(rest, start: at ?? context.now, in: context)
    return EntryRequest([.start(draft, at: at, policy: .refuse)], remarks: remarks)
  }
}
