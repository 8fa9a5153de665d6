import Retrace
import RetraceCommandLine
import RetraceToolSupport
import TimeTracking

/// Removes tags from entries.
struct UntagVerb: Verb {
  static let name = "untag"
  static let syntax = TagCorrection.syntax(
    name, "Remove tags from entries.",
    """
      track untag 12 focus
      track untag 12 13 draft
      track untag -1 draft --reason "it was sent" --dry-run
    """)

  let tags: TagCorrection

  init(_ arguments: CommandArguments, in context: VerbContext) {
    tags = TagCorrection(arguments, in: context, what: "Nothing was untagged.")
  }

  func perform() throws(ToolFailure) {
    try tags.perform { (entry, names, domain) throws(ToolFailure) in
      let removed = try entry.tagIDs(named: names, in: domain)
      var correction = TimeEntryCorrection()
      correction.changes.tags = Change(
        from: entry.tags, to: entry.tags.filter { !removed.contains($0) })
      return correction
    }
  }
}
