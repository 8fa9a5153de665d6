import RetraceCommandLine
import RetraceState
import RetraceToolSupport
import TimeTracking

/// Lists and changes users.
struct UsersVerb: Verb {
  static let name = "users"
  static let workspaceOption = CommandOption(
    "workspace", value: "name", kind: .tracker(.workspace),
    "The workspace of new entries; an empty name for none.")
  private static let fields = [workspaceOption, EntityVerbOptions.rateOption]
  static let syntax = CommandSyntax(
    "track \(name)",
    summary: "List users, or create, rename, change, archive and delete them.",
    discussion: """
      Without words they are listed. A user who is archived keeps the entries and is not offered \
      any more. One who has entries is deleted only with --yes. The command line is that of the \
      login name, or of the user of `track config`: set that after a rename. New entries are in \
      the workspace of their user, and rates without a workspace are in its currency; if entries \
      have such rates, only --yes changes the currency of these. The rate of \
      a user is that of billable entries of projects without a rate: see `track help projects`.

      EXAMPLES
        track users
        track users rename jon john
        track users delete jhon
        track users set anna --workspace studio --rate 90
      """,
    operands: EntityVerbOptions.operandsWithoutMerge(.user),
    options: TrackerOptions.ofAnyUser + EntityVerbOptions.all
      + fields)

  let options: EntityVerbOptions

  init(_ arguments: CommandArguments, in context: VerbContext) {
    options = EntityVerbOptions(arguments, in: context)
  }

  func perform() throws(ToolFailure) {
    let options = options
    try options.perform(
      EntityKind<UserID, UserChanges>(
        noun: "user", table: { $0.users }, command: DomainCommand.user,
        make: { name, _ in User(name: name) }, place: { _ in { _ in true } }, canMerge: false,
        given: options.given(Self.fields),
        set: { (user, domain) throws(ToolFailure) in
          if let workspace = try options.workspace(in: domain) { user.workspace = workspace }
          if let rate = try options.rate() { user.rate = rate }
        },
        details: { user, domain, _ in
          var details: [EntityDetail] = []
          if let name = domain.name(of: user.workspace) {
            details.append(EntityDetail("workspace", name))
          }
          if let rate = user.rate { details.append(EntityDetail("rate", Amount.decimal(rate))) }
          return details
        }, owners: { entry, _ in [entry.user] },
        remarks: { _, before, user, _ in
          user.rate != nil && user.rate != before?.rate ? [DomainState.rateRemark] : []
        },
        check: { (user, id, domain) throws(ToolFailure) in
          guard let id, let before = domain.users[id],
            !options.arguments.has(EntityVerbOptions.yesOption)
          else { return }
          try domain.checkCurrency(
            from: domain.currency(of: before.workspace), to: domain.currency(of: user.workspace)
          ) { $0.user == id && $0.workspace == nil }
        }))
  }
}
