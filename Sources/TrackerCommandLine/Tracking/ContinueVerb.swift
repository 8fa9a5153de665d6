import Retrace
import RetraceCommandLine
import RetraceToolSupport
import TimeTracking
import TrackerApp
import TrackerFeatures

/// Continues an entry.
struct ContinueVerb: Verb {
  static let name = "continue"
  static let syntax = CommandSyntax(
    "track continue", summary: "Start a new entry with the fields of an earlier one.",
    discussion: """
      Without words, the earlier entry is the one that ended last. An id names it, and other words \
      mean the newest entry that has them. A time may stand before those words. A running entry \
      stops at the same instant. The new entry is billed at the rate that its project has now. An \
      entry of another user is copied; that user's running entry goes on.

      EXAMPLES
        track continue
        track continue 12 9:00
        track continue @thesis +focus
        track continue report --at 9:00
      """,
    operands: [
      CommandOperand(
        "entry", isOptional: true, repeats: true, kind: .tracker(.entryThenWords),
        "An id, a time, words of the entry.")
    ],
    options: TrackerOptions.ofUser + EntryTimeOptions.starting)

  let words: [String]
  /// The number of words before `--`.
  let signed: Int
  let performer: PlanPerformer

  init(_ arguments: CommandArguments, in context: VerbContext) {
    words = arguments.operands
    signed = arguments.operandsBeforeEnd
    performer = PlanPerformer(
      arguments, in: context, what: "No entry was continued.", asks: .longAgo)
  }

  func perform() throws(ToolFailure) {
    try performer.perform { (context) throws(ToolFailure) in
      var words = words.prefix(signed)
      var remarks: [String] = []
      let named = try EntrySelection(in: context).takeIDs(
        from: &words, ofAnyUser: true, isBeforeWords: true)
      try LeadingTime.refuseRange(in: words, of: words, context.expressions)
      let time = try LeadingTime.takeTime(
        from: &words, in: context.stopExpressions, context.readings)
      let at = try performer.times.moment(in: context, leading: time)
      let rest = self.words.dropFirst(signed - words.count)
      let entry = try entry(
        named, rest, in: context, by: at ?? context.now, remarks: &remarks)
      let zone = context.rules.recorded(at: at ?? context.now)
      // Resuming would give the new entry the other user, so its fields are copied.
      guard entry.entry.user == context.user else {
        let draft = TimeEntryDraft(
          copying: entry.entry, for: context.reference, zone: zone, in: context.domain)
        remarks += context.deletedNotes(on: entry.entry)
        return EntryRequest([.start(draft, at: at, policy: .refuse)], remarks: remarks)
      }
      return EntryRequest(
        [.resume(entry.id, at: at, zone: zone, policy: .refuse)], remarks: remarks)
    }
  }

  private func entry(
    _ named: [IdentifiedEntry], _ rest: ArraySlice<String>, in context: EntryContext,
    by moment: Moment, remarks: inout [String]
  ) throws(ToolFailure) -> IdentifiedEntry {
    if let entry = named.first {
      guard named.count == 1, rest.isEmpty else {
        throw .usage("Only one entry can be continued.", advice: "Give one id.")
      }
      return entry
    }
    if !rest.isEmpty {
      let words = try EntryWords.read(
        rest, signed: signed - (words.count - rest.count), isAfterTime: rest.count < words.count,
        in: context.domain)
      remarks = words.timeRemarks
      return try EntrySelection(in: context).newest(words)
    }
    let last = context.user.flatMap { context.domain.lastEntry(of: $0, endedBy: moment) }
    guard let last else { throw context.nothingEnded(performer.what) }
    return last
  }
}

extension TimeEntryDraft {
  /// Creates a draft for a user with the fields of an entry of another user, except for deleted
  /// names.
  fileprivate init(
    copying entry: TimeEntry, for user: Reference<UserID>, zone: RecordedZone,
    in domain: DomainState
  ) {
    self.init(user: user, description: entry.description, zone: zone)
    let project = entry.project.flatMap { domain.projects.resolve($0) }
    let place =
      project.map { domain.projects[$0]?.workspace }
      ?? entry.workspace.flatMap { id in domain.workspaces.live(id).map { _ in id } }
    workspace = place
    self.project = project.map { .id($0) }
    if let id = entry.task.flatMap({ domain.tasks.resolve($0) }), let project,
      domain.tasks[id].flatMap({ domain.projects.resolve($0.project) }) == project
    {
      task = .id(id)
    }
    tags = entry.tags.compactMap { domain.tags.resolve($0) }
      .filter { domain.tags[$0]?.workspace == place }
      .map { .id($0) }
    isBillable = entry.isBillable
    annotations = entry.annotations
  }
}
