import Retrace
import RetraceCommandLine
import RetraceToolSupport
import TimeTracking
import TrackerFeatures

/// The options of the commands about named entities, and the values of their fields.
struct EntityVerbOptions {
  static let allOption = CommandOption("all", "List archived ones too.")
  static let yesOption = CommandOption(
    "yes",
    "Delete it although entries refer to it, which keep its name, or change the currency of their "
      + "rates.")
  static let workspaceOption = CommandOption(
    "workspace", value: "name", kind: .tracker(.workspace),
    "The workspace of a new one, without which it is in none; for other changes, the workspace of "
      + "the one that is meant.")
  static let clientOption = CommandOption(
    "client", value: "name", kind: .tracker(.client), "The client; an empty name removes it.")
  static let projectOption = CommandOption(
    "project", value: "name", kind: .tracker(.project), "The project of the task.")
  static let rateOption = CommandOption(
    "rate", value: "amount",
    "The price of an hour, such as 85 or 85.50; an empty one removes it.")
  static let currencyOption = CommandOption(
    "currency", value: "code", "The currency of rates, such as EUR.")
  static let estimateOption = CommandOption(
    "estimate", value: "duration",
    "The time that it is expected to take, such as 40h; an empty one removes it.")
  static let colorOption = CommandOption(
    "color", value: "color", kind: .words(Project.colorNames),
    "The color: a name such as blue, or #rrggbb.")
  static let billableOption = CommandOption("billable", "New entries are billable.")
  static let notBillableOption = CommandOption(
    "not-billable", "New entries are not billable.")

  /// Returns the operands of a command about a kind of entities.
  static func operands(_ value: TrackerValue, canMerge: Bool) -> [CommandOperand] {
    [
      CommandOperand(
        "change", isOptional: true, kind: .words(EntityOperation.verbs(canMerge: canMerge)),
        "create, set, rename, \(canMerge ? "merge, " : "")archive, restore or delete."),
      CommandOperand(
        "name", isOptional: true, repeats: true, kind: .tracker(value),
        "The name; then the new one for rename\(canMerge ? ", the other one for merge" : "")."),
    ]
  }

  /// Returns the syntax of a command; `more` follows the text for all kinds.
  static func syntax(
    _ name: String, _ value: TrackerValue, _ summary: String, _ examples: String,
    _ options: [CommandOption] = [], more: String = ""
  ) -> CommandSyntax {
    CommandSyntax(
      "track \(name)", summary: summary,
      discussion: """
        Without words they are listed. `create` and `set` take the values of fields as options. \
        After a merge, the first name means the other one. An archived one keeps its entries, and \
        is not listed or suggested any more. One with entries is deleted only with --yes.\(more)

        EXAMPLES
        \(examples)
        """,
      operands: operands(value, canMerge: true),
      options: TrackerOptions.ofAnyUser + all + options)
  }

  /// The options of the commands of all kinds.
  static let all = [allOption, yesOption, EntryTimeOptions.dryRunOption]

  let arguments: CommandArguments
  let context: VerbContext

  init(_ arguments: CommandArguments, in context: VerbContext) {
    self.arguments = arguments
    self.context = context
  }

  /// Whether archived entities are listed, too.
  var listsArchived: Bool { arguments.has(Self.allOption) }
  /// Whether an entity in use may be deleted, and the currency of rates changed.
  var isConfirmed: Bool { arguments.has(Self.yesOption) }
  /// Whether nothing is written.
  var isDryRun: Bool { arguments.has(EntryTimeOptions.dryRunOption) }
  /// The title of the failure if an operation is refused.
  var what: String { "Nothing was changed." }

  var shared: TrackerOptions { TrackerOptions(arguments, in: context) }

  /// Returns the options of a list that are given.
  func given(_ options: [CommandOption]) -> [CommandOption] { options.filter(arguments.has) }

  /// The workspace; `nil` without the option, and `.some(nil)` for an empty name.
  func workspace(in domain: DomainState) throws(ToolFailure) -> WorkspaceID?? {
    guard let name = arguments[Self.workspaceOption] else { return nil }
    guard !Name(name).isEmpty else { return .some(nil) }
    return try WorkspacesVerb(self).id(of: name, in: domain)
  }

  /// The client of a project, as ``workspace(in:)``.
  ///
  /// - Throws: A refusal if the workspace of the project has no such client.
  func client(of project: Project, in domain: DomainState) throws(ToolFailure) -> ClientID?? {
    guard let name = arguments[Self.clientOption] else { return nil }
    guard !Name(name).isEmpty else { return .some(nil) }
    let wanted = Client(name: Name(name, in: domain.clients), workspace: project.workspace)
    if let id = domain.clients.rival(of: wanted).flatMap(domain.clients.resolve) { return id }
    guard domain.clientNames.contains(where: { Name($0) == wanted.name }) else {
      return try ClientsVerb(self).id(of: name, in: domain)
    }
    let place = domain.name(of: project.workspace)
    throw .refused(
      "The project is in \(place.map { "the workspace \($0)" } ?? "no workspace"), and the "
        + "client \(name) in another one.",
      advice: "Create a client there: `track clients create NAME"
        + (place.map { " --workspace \(commandWord($0))" } ?? "") + "`.")
  }

  /// Returns the command that creates the client of a project.
  ///
  /// - Returns: `nil` without a name, or if a client of any workspace has the name or a similar
  ///   one.
  func newClient(of project: Project, in domain: DomainState) -> DomainCommand? {
    guard let text = arguments[Self.clientOption], !Name(text).isEmpty else { return nil }
    let (name, known) = (Name(text, in: domain.clients), domain.clientNames)
    guard !known.contains(where: { Name($0) == name }),
      Spelling.nearest(to: text, in: known) == nil
    else { return nil }
    return .client(.create(Client(name: name, workspace: project.workspace)))
  }

  /// The price of an hour in hundredths of the currency, as ``workspace(in:)``.
  ///
  /// - Parameter currency: The currency of the rate; `nil` if none is set.
  func rate(in currency: String?) throws(ToolFailure) -> Int64?? {
    guard let text = arguments[Self.rateOption] else { return nil }
    return try text.isEmpty ? .some(nil) : Self.rate(text, or: "", in: currency)
  }

  /// Returns the currency of rates in a workspace, or else of the rates of a user.
  func currency(
    of workspace: WorkspaceID?, for user: String? = nil, in domain: DomainState
  ) throws(ToolFailure) -> String? {
    if let workspace { return domain.workspaces[workspace]?.currency }
    let name: String
    if let user { name = user } else { name = try context.defaultUserName() }
    return domain.user(named: name).flatMap { domain.currency(of: $0) }
  }

  /// Reads the price of an hour, which may have a decimal comma, and before or after it the
  /// currency.
  ///
  /// - Parameters:
  ///   - text: The value of `--rate`.
  ///   - other: Another value that the option takes, for the advice.
  ///   - currency: The currency of the rate; `nil` if none is set.
  static func rate(
    _ text: String, or other: String, in currency: String?
  ) throws(ToolFailure) -> Int64 {
    do throws(RateText.Problem) {
      return try RateText(text, in: currency).rate
    } catch {
      switch error {
      case .notAnAmount(let text):
        throw .usage(
          "--rate is no amount: \(text).", advice: "Give one such as 85 or 85.50\(other).")
      case .inOtherCurrency(let code):
        throw .usage(
          "--rate is in \(code), and "
            + (currency.map { "this rate is one in \($0)." } ?? "no currency is set."),
          advice: "Give the amount alone, or set the currency: `track preferences --currency "
            + "\(code)`, or of a workspace: `track workspaces set NAME --currency \(code)`.")
      }
    }
  }

  /// The expected time, as ``workspace(in:)``.
  func estimate() throws(ToolFailure) -> ElapsedTime?? {
    if arguments[Self.estimateOption] == "" { return .some(nil) }
    return try arguments.duration(Self.estimateOption, such: "40h or 1h30").map { $0 }
  }

  /// The color; `nil` without the option.
  func color() throws(ToolFailure) -> Int32? {
    guard let text = arguments[Self.colorOption] else { return nil }
    guard let color = Project.color(text) else {
      throw .usage(
        "--color is no color: \(text).",
        advice: Spelling.hint(text, in: Project.colorNames)
          + "Give #rrggbb or one of \(Project.colorNames.joined(separator: ", ")).")
    }
    return color
  }

  /// Whether new entries are billable; `nil` without an option.
  func isBillable() throws(ToolFailure) -> Bool? {
    let (yes, no) = (
      arguments.has(Self.billableOption), arguments.has(Self.notBillableOption)
    )
    guard !yes || !no else {
      throw .usage("The project cannot be both billable and not.", advice: "Leave one out.")
    }
    return yes || no ? yes : nil
  }
}

extension DomainState {
  /// The names of the clients of all workspaces.
  fileprivate var clientNames: [String] {
    var names: [String] = []
    clients.forEach { if $1.deleted == nil { names.append($1.name.text) } }
    return names
  }
}
