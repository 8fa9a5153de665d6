import RetraceCommandLine
import RetraceToolSupport
import TimeTracking

/// Lists and changes tags.
struct TagsVerb: Verb {
  static let name = "tags"
  static let syntax = EntityVerbOptions.syntax(
    name, .tag, "List tags, or create, rename, merge, archive and delete them.",
    """
      track tags
      track tags rename metting meeting
      track tags merge mtg meeting
    """, [EntityVerbOptions.workspaceOption])

  let options: EntityVerbOptions

  init(_ arguments: CommandArguments, in context: VerbContext) {
    options = EntityVerbOptions(arguments, in: context)
  }

  func perform() throws(ToolFailure) { try options.perform(Self.kind(options)) }

  /// The tags that options are about.
  static func kind(_ options: EntityVerbOptions) -> EntityKind<TagID, TagChanges> {
    EntityKind(
      noun: "tag", table: { $0.tags }, command: DomainCommand.tag,
      make: { (name, domain) throws(ToolFailure) in
        Tag(name: name, workspace: try options.workspace(in: domain) ?? nil)
      },
      place: { (domain) throws(ToolFailure) in
        let workspace = try options.workspace(in: domain)
        return { entity in
          entity.mergedInto == nil && (workspace.map { entity.workspace == $0 } ?? true)
        }
      },
      placeOption: options.given([EntityVerbOptions.workspaceOption]).first?.name,
      given: [], set: { _, _ in },
      details: { tag, domain, _ in
        domain.name(of: tag.workspace).map { [EntityDetail("workspace", $0)] } ?? []
      }, owners: { entry, aliases in aliases.tags(entry.tags) }, target: { $1.tags.target(of: $0) })
  }
}
