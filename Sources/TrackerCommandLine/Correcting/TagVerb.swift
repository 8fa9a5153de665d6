import RetraceCommandLine
import RetraceToolSupport
import TimeTracking

/// Adds tags to entries.
struct TagVerb: Verb {
  static let name = "tag"
  static let syntax = TagCorrection.syntax(
    name, "Add tags to entries.",
    """
      track tag 12 focus
      track tag 12 13 focus "deep work"
      track tag +meeting --reason "asked by the client"
      track tag --filter "@thesis or #draft" deep --dry-run
    """)

  let tags: TagCorrection

  init(_ arguments: CommandArguments, in context: VerbContext) {
    tags = TagCorrection(arguments, in: context, what: "Nothing was tagged.")
  }

  func perform() throws(ToolFailure) {
    try tags.perform { entry, names, domain in
      var correction = TimeEntryCorrection()
      correction.addTags(names.map { Name($0, in: domain.tags) }, to: entry, in: domain)
      return correction
    }
  }
}
