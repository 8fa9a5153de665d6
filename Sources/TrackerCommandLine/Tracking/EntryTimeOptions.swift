import Retrace
import RetraceCommandLine
import RetraceToolSupport
import TimeTracking

/// The options of the start and the end of an entry, and of the policy for entries that it
/// overlaps.
struct EntryTimeOptions {
  static let atOption = CommandOption(
    "at", value: "time",
    "The time, such as 9:00, \"10min ago\" or \"yesterday 17:30\"; the default is now. See "
      + "`track help times`.")
  static let afterLastOption = CommandOption(
    "after-last", "Begin where the last entry ended.")
  static let policyOption = CommandOption(
    "policy", value: "policy", choices: ["refuse", "adjust", "allow"],
    colonWords: ["adjust"],
    "What to do if the entry overlaps others, lies in the future or takes more than 12 hours: "
      + "refuse it, adjust (which cuts, splits or deletes the other entries), or allow it; the "
      + "default is set by `track preferences`, which deletes whole entries only after a yes. "
      + "The word :adjust is short for --policy adjust.")
  static let yesOption = CommandOption(
    "yes", colonWords: ["yes"],
    "Answer yes to the question of a terminal: adjust entries that overlap, or allow an entry in "
      + "the future or of more than 12 hours. It answers one question: if an entry that starts "
      + "more than 12 hours ago also overlaps others, add --policy.")
  static let durationOption = CommandOption(
    "duration", value: "duration", "The same as --for.")
  static let dryRunOption = CommandOption(
    "dry-run", "Print what would change, and write nothing.")

  /// The options of commands that place an entry.
  static let placing = [policyOption, yesOption, dryRunOption]
  /// The options of commands that take one time.
  static let all = [atOption] + placing
  /// The options of commands that start an entry.
  static let starting = [atOption, afterLastOption] + placing

  /// The policy of the option; `nil` without it.
  private let given: Policy?
  let isDryRun: Bool
  private let at: String?
  private let afterLast: Bool
  /// Whether the questions on a terminal are answered with yes.
  let isYes: Bool
  /// Whether a filter selects the entries.
  let hasFilter: Bool

  init(_ arguments: CommandArguments) {
    at = arguments[Self.atOption]
    afterLast = arguments.has(Self.afterLastOption)
    isYes = arguments.has(Self.yesOption)
    hasFilter = arguments.has(EntrySelection.filterOption)
    isDryRun = arguments.has(Self.dryRunOption)
    given = arguments.policy(Self.policyOption)
  }

  /// Returns the given moment; `nil` for now.
  ///
  /// - Parameters:
  ///   - context: The entities, the present and the zone.
  ///   - words: Words that are a time, too.
  func moment(
    in context: EntryContext, _ words: [String] = []
  ) throws(ToolFailure) -> Moment? {
    var time: TimeExpression?
    if !words.isEmpty {
      time = try context.time(words.joinedByBlanks)
    }
    return try moment(in: context, leading: time)
  }

  /// Returns the given moment; `nil` for now.
  ///
  /// - Parameters:
  ///   - context: The entities, the present and the zone.
  ///   - time: A time in the words of the command.
  func moment(
    in context: EntryContext, leading time: TimeExpression?
  ) throws(ToolFailure) -> Moment? {
    let given = [time != nil, at != nil, afterLast].count { $0 }
    guard given <= 1 else { throw Self.twice }
    if let time { return time.moment }
    if let at { return try context.time(at, option: "--at").moment }
    return afterLast ? try Self.lastEnd(in: context) : nil
  }

  /// Returns the text of the start of a range, from an option or the end of the last entry; `nil`
  /// if no option gives one.
  ///
  /// - Parameters:
  ///   - from: The value of another option for the same time.
  ///   - context: The entities, the present and the zone.
  func start(or from: String?, in context: EntryContext) throws(ToolFailure) -> String? {
    guard [from != nil, at != nil, afterLast].count(where: { $0 }) <= 1 else { throw Self.twice }
    return afterLast ? try Self.lastEnd(in: context).timestamp : from ?? at
  }

  /// Returns where the last entry of the user ended.
  private static func lastEnd(in context: EntryContext) throws(ToolFailure) -> Moment {
    let last = context.user.flatMap { context.domain.lastEntry(of: $0, endedBy: context.now) }
    guard let end = last?.entry.end else {
      throw EntrySelection(in: context).noEntry("No entry has ended yet.")
    }
    return end
  }

  /// The failure for a time that is given twice.
  static var twice: ToolFailure {
    .usage("The time is given twice.", advice: "Give it once.")
  }

  /// Refuses a range whose end is before its start, was therefore read as one of the next day, and
  /// is too late there.
  ///
  /// - Parameters:
  ///   - range: The range.
  ///   - latest: The latest end; `nil` for the present.
  ///   - context: The present.
  ///   - what: The title of the failure.
  func refuseEarlyEnd(
    of range: RangeExpression, notAfter latest: Moment? = nil, in context: EntryContext,
    _ what: String
  ) throws(ToolFailure) {
    guard !isYes, policy(in: context) != .allow, let end = range.end, range.isEndOnNextDay,
      range.start.moment <= context.now, end.moment > latest ?? context.now
    else { return }
    throw .refused(
      "The end is before the start: it was read as \(end.local.date) \(end.local.clock)"
        + (end.moment > context.now ? ", which is in the future." : "."),
      advice: "Give an end after the start, with its day if it is on another one.", what: what)
  }

  /// Returns the policy of the option, or else of the user's preferences.
  func policy(in context: EntryContext) -> Policy {
    given ?? context.preferences?.policy ?? .refuse
  }

  /// Whether commands that need a yes are performed without a question.
  var isConfirmed: Bool { isYes || isDryRun }

  /// Whether an option gives the policy.
  var hasPolicy: Bool { given != nil }
}

extension CommandArguments {
  /// Returns the option that gives how long an entry took, and its value; `nil` without it.
  func entryDuration() throws(ToolFailure) -> (option: String, text: String)? {
    let given = [AddVerb.forOption, EntryTimeOptions.durationOption].compactMap { option in
      self[option].map { (option: "--\(option.name)", text: $0) }
    }
    guard given.count <= 1 else { throw EntryTimeOptions.twice }
    return given.first
  }

  /// Returns the policy that an option gives; `nil` without the option.
  func policy(_ option: CommandOption) -> Policy? {
    switch self[option] {
    case "adjust": .adjust
    case "allow": .allow
    case "refuse": .refuse
    default: nil
    }
  }
}
