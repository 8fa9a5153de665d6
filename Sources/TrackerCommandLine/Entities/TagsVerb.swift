import Retrace
import RetraceCommandLine
import RetraceToolSupport
import TimeTracking
import TrackerFeatures

/// Lists and changes tags.
struct TagsVerb: EntityVerb {
  static let name = "tags"
  static let syntax = EntityVerbOptions.syntax(
    name, .tag, "List tags, or create, rename, merge, archive and delete them.",
    """
      track tags
      track tags rename metting meeting
      track tags merge mtg meeting
    """, [EntityVerbOptions.workspaceOption])

  static let noun = "tag"
  static let placeOption: CommandOption? = EntityVerbOptions.workspaceOption

  let options: EntityVerbOptions

  init(_ options: EntityVerbOptions) { self.options = options }

  func table(in domain: DomainState) -> EntityTable<TagID, Tag> { domain.tags }

  func domainCommand(_ command: EntityCommand<TagID, TagChanges>) -> DomainCommand {
    .tag(command)
  }

  func entity(named name: Name, in domain: DomainState) throws(ToolFailure) -> Tag {
    Tag(name: name, workspace: try options.workspace(in: domain) ?? nil)
  }

  func details(
    of tag: Tag, in domain: DomainState, _ longNames: [ProjectID: String]
  ) -> [EntityDetail] { domain.details(of: tag) }

  func place(in domain: DomainState) throws(ToolFailure) -> (Tag) -> Bool {
    try isInWorkspace({ $0.workspace }, in: domain)
  }

  func owners(of entry: TimeEntry, _ aliases: inout AliasResolver) -> [TagID] {
    aliases.tags(entry.tags)
  }

  func target(of id: TagID, in domain: DomainState) -> TagID? { domain.tags.target(of: id) }
}
