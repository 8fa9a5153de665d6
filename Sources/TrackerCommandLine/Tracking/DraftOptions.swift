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
    "A tag; repeat the option for several.")
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
  let signed: Int
  private let project: String?
  private let task: String?
  private let tags: [String]
  private let notes: [String]
  private let isBillable: Bool
  private let record: EntityVerbOptions

  init(_ arguments: CommandArguments, in context: VerbContext) {
    record = EntityVerbOptions(arguments, in: context)
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
  ///   - remarks: Gets what is worth saying about the words.
  func draft(
    _ rest: ArraySlice<String>, start: Moment, in context: EntryContext, remarks: inout [String]
  ) throws(ToolFailure) -> TimeEntryDraft {
    let words = try EntryWords.read(
      rest, signed: signed - (self.words.count - rest.count),
      isAfterTime: rest.count < self.words.count, in: context.domain)
    remarks = words.remarks + words.timeRemarks
    try words.refuseSecond(project: project, task: task)
    var draft = TimeEntryDraft(
      user: .name(Name(context.userName, in: context.domain.users)), description: words.description,
      zone: context.rules.recorded(at: start))
    let workspace = try record.workspace(in: context.domain)
    if let workspace { draft.workspace = workspace }
    if let name = project ?? words.project {
      draft.project = try context.domain.project(
        for: name, in: workspace ?? context.workspace, orElsewhere: workspace == nil,
        "No entry was recorded.")
      if case .name(let name) = draft.project {
        try ToolFailure.refuseClient(in: name, "No entry was recorded.")
      }
    }
    draft.task = (task ?? words.task).map { .name(Name($0, in: context.domain.tasks)) }
    guard draft.task == nil || draft.project != nil else {
      throw .usage(
        "The task has no project.", advice: "Give the project of the task: --project NAME.")
    }
    guard !notes.contains(where: \.isEmpty) else {
      throw .usage("A note is empty.", advice: "Give it a text, or leave out --note.")
    }
    draft.tags = (words.tags + tags).map { .name(Name($0, in: context.domain.tags)) }
    draft.annotations = notes
    // Without the option, the project says it.
    draft.isBillable = isBillable ? true : nil
    return draft
  }

  /// Starts an entry.
  func start(
    _ runner: EntryCommandRunner, requiresRunning: Bool = false
  ) throws(ToolFailure) {
    var remarks: [String] = []
    try runner.run(remarks: remarks) { (context) throws(ToolFailure) in
      if requiresRunning {
        guard let user = context.user, context.domain.runningEntry(of: user) != nil else {
          throw context.nothingRunning(runner.what)
        }
      }
      var rest = words[...]
      var time: TimeExpression?
      // Words after `--` are text.
      if signed > 0 {
        var signedWords = words.prefix(signed)
        try LeadingTime.refuseRange(in: signedWords, before: rest, context.expressions)
        time = try LeadingTime.takeTime(
          from: &signedWords, in: context.stopExpressions, context.readings)
        try LeadingTime.refuseDay(
          at: signedWords, in: words.prefix(signed),
          of: requiresRunning ? SwitchVerb.name : StartVerb.name)
        rest = words.dropFirst(signed - signedWords.count)
      }
      let at = try runner.placing.moment(in: context, leading: time)
      let draft = try draft(rest, start: at ?? context.now, in: context, remarks: &remarks)
      return [.start(draft, at: at, policy: .refuse)]
    }
  }
}

extension EntryContext {
  /// The workspace of the user's new entries.
  fileprivate var workspace: WorkspaceID? {
    let usual = user.flatMap { domain.users.read($0) { $0.workspace } ?? nil }
    return usual.flatMap { domain.workspaces.live($0).map { _ in usual } } ?? nil
  }
}
