import Retrace
import RetraceCommandLine
import RetraceToolSupport
import TimeTracking
import TrackerFeatures

/// Lists and changes workspaces.
struct WorkspacesVerb: EntityVerb {
  static let name = "workspaces"
  static let fields = [EntityVerbOptions.currencyOption, EntityVerbOptions.rateOption]
  static let syntax = CommandSyntax(
    "track \(name)",
    summary: "List workspaces, or create, change, archive and delete them.",
    discussion: """
      A workspace has clients, projects and tags of its own, and the currency of their rates. \
      `track users set NAME --workspace WORKSPACE` puts a user's new entries into it, and the \
      user's entries without a workspace then have its currency. Its rate applies to billable \
      entries if neither their project nor their user has one, and a new project in it is then \
      billable. Without words, workspaces are listed. A workspace that is in use cannot be \
      deleted, and none can be merged. If entries have rates, only --yes changes their currency.

      EXAMPLES
        track workspaces
        track workspaces create studio --currency USD --rate 90
        track projects create website --workspace studio
      """,
    operands: EntityVerbOptions.operands(.workspace, canMerge: canMerge),
    options: TrackerOptions.ofAnyUser + EntityVerbOptions.all
      + fields)

  static let noun = "workspace"
  static let canMerge = false

  let options: EntityVerbOptions

  init(_ options: EntityVerbOptions) { self.options = options }

  func table(in domain: DomainState) -> EntityTable<WorkspaceID, Workspace> { domain.workspaces }

  func domainCommand(_ command: EntityCommand<WorkspaceID, WorkspaceChanges>) -> DomainCommand {
    .workspace(command)
  }

  func entity(named name: Name, in domain: DomainState) -> Workspace { Workspace(name: name) }

  func setFields(of workspace: inout Workspace, in domain: DomainState) throws(ToolFailure) {
    if let code = options.arguments[EntityVerbOptions.currencyOption] {
      workspace.currency = RateText.currency(code)
    }
    if let rate = try options.rate(in: workspace.currency) { workspace.rate = rate }
  }

  func details(
    of workspace: Workspace, in domain: DomainState, _ longNames: [ProjectID: String]
  ) -> [EntityDetail] {
    var details = [EntityDetail("currency", workspace.currency)]
    if let rate = workspace.rate { details.append(EntityDetail("rate", Amount.decimal(rate))) }
    return details
  }

  func remarks(
    on id: WorkspaceID, from before: Workspace?, to after: Workspace, in domain: DomainState
  ) -> [String] {
    guard after.rate != nil, after.rate != before?.rate else { return [] }
    var areAllBillable = true
    domain.projects.forEach { _, project in
      if project.workspace == id, project.deleted == nil, !project.isBillable {
        areAllBillable = false
      }
    }
    return areAllBillable ? [] : [DomainState.rateRemark]
  }
}
