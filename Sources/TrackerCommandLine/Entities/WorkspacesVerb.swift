import Retrace
import RetraceCommandLine
import RetraceToolSupport
import TimeTracking

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
    operands: EntityVerbOptions.operandsWithoutMerge(.workspace),
    options: TrackerOptions.ofAnyUser + EntityVerbOptions.all
      + fields)

  static let noun = "workspace"
  static let canMerge = false

  let options: EntityVerbOptions

  init(_ options: EntityVerbOptions) { self.options = options }

  func table(in domain: DomainState) -> EntityTable<WorkspaceID, Workspace> { domain.workspaces }

  func domainCommand(_ command: RecordCommand<WorkspaceID, WorkspaceChanges>) -> DomainCommand {
    .workspace(command)
  }

  func entity(named name: Name, in domain: DomainState) -> Workspace { Workspace(name: name) }

  func setFields(of workspace: inout Workspace, in domain: DomainState) throws(ToolFailure) {
    if let code = options.arguments[EntityVerbOptions.currencyOption] { workspace.currency = code }
    if let rate = try options.rate() { workspace.rate = rate }
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
    var isBilled = true
    domain.projects.forEach { _, project in
      if project.workspace == id, project.deleted == nil, !project.isBillable { isBilled = false }
    }
    return isBilled ? [] : [DomainState.rateRemark]
  }

  func check(
    _ workspace: Workspace, _ id: WorkspaceID?, in domain: DomainState
  ) throws(ToolFailure) {
    guard let id, let before = domain.workspaces[id], !options.isConfirmed else { return }
    try domain.checkCurrency(from: before.currency, to: workspace.currency) { entry in
      (entry.workspace ?? domain.users.read(entry.user) { $0.workspace } ?? nil) == id
    }
  }
}

extension DomainState {
  func currency(of workspace: WorkspaceID?) -> String? {
    workspace.flatMap { workspaces.read($0) { $0.currency } }
  }

  /// Refuses to give the rates of entries another currency, because the numbers stay.
  ///
  /// - Parameters:
  ///   - old: The currency of the entries; with none, the rates only get one.
  ///   - new: The currency that they would have.
  ///   - isOf: Returns whether an entry is concerned.
  /// - Complexity: O(entries) if the currency changes.
  func checkCurrency(
    from old: String?, to new: String?, of isOf: (TimeEntry) -> Bool
  ) throws(ToolFailure) {
    guard let old, old != new else { return }
    var count = 0
    var visible = VisibleEntries(self)
    timeEntries.forEach { _, entry in
      if entry.rate != nil, isOf(entry), visible.contains(entry) { count += 1 }
    }
    guard count > 0 else { return }
    throw .refused(
      "\(count == 1 ? "1 entry has" : "\(count) entries have") a rate in \(old), and would "
        + "have the same number \(new.map { "in \($0)" } ?? "without a currency").",
      advice: "Repeat the command with --yes to change it all the same. "
        + "For entries in another currency, create another workspace: "
        + "`track workspaces create NAME --currency CODE`.")
  }
}
