import Retrace
import RetraceCommandLine
import RetraceToolSupport
import TimeTracking
import TrackerFeatures

/// Lists and changes users.
struct UsersVerb: EntityVerb {
  static let name = "users"
  static let workspaceOption = CommandOption(
    "workspace", value: "name", kind: .tracker(.workspace),
    "The workspace of new entries; an empty name for none.")
  static let fields = [workspaceOption, EntityVerbOptions.rateOption]
  static let syntax = CommandSyntax(
    "track \(name)",
    summary: "List users, or create, rename, change, archive and delete them.",
    discussion: """
      Without words they are listed. An archived user keeps the entries and is not offered any \
      more. A user with entries is deleted only with --yes, and not the user of the command line, \
      for whom the next entry would create another user of that name. Verbs are for the user with \
      the login name, or for the user of `track config`: change the setting after a rename. That \
      user can be set before the first entry, which creates the user otherwise. New entries are in \
      the workspace of their user, and rates without a workspace are in its currency; if entries \
      have such rates, only --yes changes the currency of these. The rate of a user applies to \
      billable entries of projects without a rate: see `track help projects`.

      EXAMPLES
        track users
        track users rename jon john
        track users delete jhon
        track users set anna --workspace studio --rate 90
      """,
    operands: EntityVerbOptions.operands(.user, canMerge: canMerge),
    options: TrackerOptions.ofAnyUser + EntityVerbOptions.all
      + fields)

  static let noun = "user"
  static let canMerge = false

  let options: EntityVerbOptions

  init(_ options: EntityVerbOptions) { self.options = options }

  func table(in domain: DomainState) -> EntityTable<UserID, User> { domain.users }

  func domainCommand(_ command: EntityCommand<UserID, UserChanges>) -> DomainCommand {
    .user(command)
  }

  func entity(named name: Name, in domain: DomainState) -> User { User(name: name) }

  func setFields(of user: inout User, in domain: DomainState) throws(ToolFailure) {
    if let workspace = try options.workspace(in: domain) { user.workspace = workspace }
    let currency = try options.currency(of: user.workspace, for: user.name.text, in: domain)
    if let rate = try options.rate(in: currency) { user.rate = rate }
  }

  /// The user of the command line can be set before the first entry.
  func created(bySetting name: String, in domain: DomainState) throws(ToolFailure) -> User? {
    let (name, own) = (Name(name), Name(try options.context.defaultUserName()))
    guard name == own, domain.user(named: name) == nil else { return nil }
    return User(name: name)
  }

  func details(
    of user: User, in domain: DomainState, _ longNames: [ProjectID: String]
  ) -> [EntityDetail] {
    var details: [EntityDetail] = []
    if let name = domain.name(of: user.workspace) {
      details.append(EntityDetail("workspace", name))
    }
    if let rate = user.rate { details.append(EntityDetail("rate", Amount.decimal(rate))) }
    return details
  }

  /// Refuses to delete the user for whom this command line records.
  ///
  /// The next entry would create a second user of that name, without the entries of the first.
  func checkDeletion(of id: UserID, in domain: DomainState) throws(ToolFailure) {
    let own = try options.context.defaultUserName()
    guard domain.user(named: own) == id else { return }
    let name = commandWord(own)
    throw .refused(
      "\(own) is the user of this command line, for whom the next entry would create another user "
        + "of that name.",
      advice: "Archive the user: `track users archive \(name)`; or choose another one first: "
        + "`track config set user NAME`.", what: options.what)
  }

  func owners(of entry: TimeEntry, _ aliases: inout AliasResolver) -> [UserID] { [entry.user] }

  func remarks(
    on id: UserID, from before: User?, to after: User, in domain: DomainState
  ) -> [String] {
    after.rate != nil && after.rate != before?.rate ? [DomainState.rateRemark] : []
  }
}
