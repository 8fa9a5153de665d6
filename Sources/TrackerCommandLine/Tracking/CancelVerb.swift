import Retrace
import RetraceCommandLine
import RetraceToolSupport
import TimeTracking

/// Deletes the running entry.
struct CancelVerb: Verb {
  static let name = "cancel"
  static let syntax = CommandSyntax(
    "track cancel", summary: "Delete the running entry.",
    discussion: """
      With nothing running, it is refused with exit code 1. `track undo` brings the entry back. A \
      project and tags that were created with the entry stay, and are named if no other entry has \
      them.

      EXAMPLES
        track cancel
        track cancel --reason "started by mistake" --dry-run
        track cancel --json
      """,
    options: TrackerOptions.ofUser + [
      EditVerb.reasonOption, yesOption, EntryTimeOptions.dryRunOption,
    ])

  private static let yesOption = CommandOption(
    "yes", colonWords: ["yes"], "Changes nothing here, because no question is asked.")

  let performer: PlanPerformer
  private let reason: String?

  init(_ arguments: CommandArguments, in context: VerbContext) {
    reason = arguments[EditVerb.reasonOption]
    performer = PlanPerformer(arguments, in: context, what: "Nothing was canceled.")
  }

  func perform() throws(ToolFailure) {
    try performer.perform { (context) throws(ToolFailure) in
      guard let user = context.user, let (id, entry) = context.domain.runningEntry(of: user) else {
        throw context.nothingRunning(performer.what)
      }
      return EntryRequest(
        [.delete(id, reason: reason)], remarks: Self.remarks(on: id, entry, in: context.domain))
    }
  }

  /// Returns a remark for the project and each tag that only an entry has and that its last change
  /// created, often by a typing error.
  ///
  /// - Complexity: O(entries) if there are such names; else O(1).
  private static func remarks(
    on id: TimeEntryID, _ entry: TimeEntry, in domain: DomainState
  ) -> [String] {
    var project = entry.project.flatMap { id in
      domain.projects[id].flatMap { $0.modified == entry.modified ? id : nil }
    }
    var tags = entry.tags.filter { domain.tags[$0]?.modified == entry.modified }
    guard project != nil || !tags.isEmpty else { return [] }
    var visible = VisibleEntries(domain)
    domain.timeEntries.forEach { other, entry in
      guard other != id, visible.contains(entry) else { return }
      if entry.project == project { project = nil }
      tags.removeAll { entry.tags.contains($0) }
    }
    func remark(_ noun: String, _ name: String) -> String {
      "the \(noun) \(name) has no entries; `track \(noun)s delete \(commandWord(name))` deletes it"
    }
    let projects = project.flatMap { domain.projects[$0] }.map { project in
      remark("project", project.name.text)
    }
    return (projects.map { [$0] } ?? [])
      + tags.compactMap { domain.tags[$0] }.map { tag in
        remark("tag", tag.name.text)
      }
  }
}
