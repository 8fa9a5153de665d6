import Retrace
import RetraceCommandLine
import RetraceToolSupport
import TimeTracking
import TrackerFeatures

/// The period that `close` and `reopen` are about, and whose entries.
struct ClosingWords {
  private static let userOption = CommandOption(
    "user", value: "name", kind: .tracker(.user),
    "The entries of one user; without it and --client, all entries.")
  private static let clientOption = CommandOption(
    "client", value: "name", kind: .tracker(.client), "The entries of the projects of a client.")
  static let options =
    TrackerOptions.withClock + [
      userOption, clientOption, EditVerb.reasonOption, EntryTimeOptions.dryRunOption,
    ]

  let options: TrackerOptions
  /// The words of the period.
  let range: RangeWords
  let reason: String?
  let isDryRun: Bool
  private let user: String?
  private let client: String?

  init(_ arguments: CommandArguments, in context: VerbContext) throws(ToolFailure) {
    options = TrackerOptions(arguments, in: context)
    range = RangeWords(arguments, in: context)
    reason = arguments[EditVerb.reasonOption]
    isDryRun = arguments.has(EntryTimeOptions.dryRunOption)
    user = arguments[Self.userOption]
    client = arguments[Self.clientOption]
    guard range.terms.isEmpty else {
      throw .usage(
        "A period takes no filter.",
        advice: "Give a range only, such as 2026-10, and --user or --client for some entries.")
    }
    guard user == nil || client == nil else {
      throw .usage("A user and a client are given.", advice: "Give one of them.")
    }
  }

  /// Returns whose entries the options name.
  ///
  /// - Throws: A refusal if there is no such user or client.
  func scope(in domain: DomainState) throws(ToolFailure) -> ClosingScope {
    if let user {
      guard let id = domain.user(named: user) else { throw .noEntity("user", user) }
      return .user(id)
    }
    guard let client else { return .all }
    let name = Name(client, in: domain.clients)
    var found: Set<ClientID> = []
    domain.clients.forEach { id, entity in
      if entity.deleted == nil, entity.name == name, let target = domain.clients.resolve(id) {
        found.insert(target)
      }
    }
    guard let id = found.first else { throw .noEntity("client", client) }
    guard found.count == 1 else {
      throw .refused(
        "There are \(found.count) clients \(client).",
        advice: "Give them different names first: `track clients rename`.")
    }
    return .client(id)
  }

  /// Returns the instants of the period, by the zone, the weeks and the days of the user.
  ///
  /// - Throws: A usage failure if the words are no range, or one without an end.
  func period(in domain: DomainState, at moment: Moment) throws(ToolFailure) -> Range<Moment> {
    let found = try range.range(in: try calendar(in: domain), at: moment)
    guard found.hasEnd, !found.moments.isEmpty else {
      throw .usage(
        "The period has no end.", advice: "Give one that is over, such as 2026-10 or :lastmonth.")
    }
    return found.moments
  }

  /// Returns the calendar by which periods are read and shown.
  func calendar(in domain: DomainState) throws(ToolFailure) -> ReportCalendar {
    try options.calendar(of: try options.userName(), in: domain)
  }

  /// Prints what was done with a period, or would be.
  func print(_ shown: ShownClosing, _ verb: String, _ last: JSONValue.Member) {
    let output = options.output
    if options.json { return output.print(.object(shown.members + [last])) }
    output.printWrapped("\(isDryRun ? "would be " : "")\(verb)  \(shown.text)", indent: 9)
  }
}

/// A closing as it is listed.
struct ShownClosing {
  private(set) var id: ClosingID
  private(set) var closing: Closing
  /// The period and its scope.
  let period: String
  let scope: String
  private let name: String?
  /// When it was closed, by the clocks of the zone.
  let closed: String

  init(_ id: ClosingID, _ closing: Closing, in domain: DomainState, _ rules: ZoneRules) {
    self.id = id
    self.closing = closing
    period = closing.periodText(by: rules)
    scope = closing.scope.text(in: domain)
    name =
      switch closing.scope {
      case .all: nil
      case .user(let id): domain.users.read(id) { $0.name.text }
      case .client(let id): domain.clients.read(id) { $0.name.text }
      }
    let local = rules.local(at: closing.closed)
    closed = "\(local.date) \(local.clock)"
  }

  var text: String { "\(period) \(scope)" }

  /// Returns the closing with the id and the moment that facts gave it.
  func recorded(by facts: [TrackerAction]) -> ShownClosing {
    var shown = self
    for case .fact(.edited(.closing(.inserted(let id, let insertion)))) in facts {
      (shown.id, shown.closing) = (id, insertion.entity)
    }
    return shown
  }

  /// The closing for programs.
  var members: [JSONValue.Member] {
    let kind =
      switch closing.scope {
      case .all: "all"
      case .user: "user"
      case .client: "client"
      }
    return [
      .init("id", .integer(id.value)), .init("start", .string(closing.start.timestamp)),
      .init("end", .string(closing.end.timestamp)), .init("of", .string(kind)),
      .init("name", name.map { .string($0) } ?? .null),
      .init("login", .string(closing.login)),
      .init("closed", .string(closing.closed.sortableTimestamp)),
      .init("reason", closing.reason.map { .string($0) } ?? .null),
    ]
  }
}
