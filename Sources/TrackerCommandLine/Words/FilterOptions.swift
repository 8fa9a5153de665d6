import Retrace
import RetraceCommandLine
import RetraceFilter
import RetraceToolSupport
import TimeTracking
import TrackerFeatures

/// The options that say which entries a command counts.
struct FilterOptions {
  static let userOption = CommandOption(
    "user", value: "name", kind: .tracker(.user), "The entries of one user only.")
  static let projectOption = CommandOption(
    "project", value: "name", repeats: true, kind: .tracker(.project),
    "The entries of a project only; repeat the option for several.")
  static let clientOption = CommandOption(
    "client", value: "name", repeats: true, kind: .tracker(.client),
    "The entries of a client's projects only; repeat the option for several.")
  static let tagOption = CommandOption(
    "tag", value: "name", repeats: true, kind: .tracker(.tag),
    "The entries with a tag only; repeat the option for entries with any of several.")
  static let billableOption = CommandOption("billable", "Billable entries only.")
  static let notBillableOption = CommandOption(
    "not-billable", "Entries that are not billable only.")
  static let filterOption = CommandOption(
    "filter", value: "filter",
    "Entries that match only, such as \"(#a or @b) and duration>30m\"; see `track help filters`.")
  static let all = [
    userOption, projectOption, clientOption, tagOption, billableOption, notBillableOption,
    filterOption,
  ]

  /// The name of the user; `nil` for all users.
  let user: String?
  private let projects: [String]
  private let clients: [String]
  private let tags: [String]
  private let isBillable: Bool?
  private let expression: FilterExpression?
  private let context: VerbContext

  /// Returns the name of the user of the option, or else of the settings.
  func userName(in context: VerbContext) throws(ToolFailure) -> String {
    if let user { return user }
    return try context.defaultUserName()
  }

  /// Whether the options let every entry of the user pass.
  var passesAll: Bool {
    projects.isEmpty && clients.isEmpty && tags.isEmpty && isBillable == nil && expression == nil
  }

  /// The name of the user of the settings, or else the login name.
  var ownUser: String { (try? context.defaultUserName()) ?? context.loginName }

  /// The options apart from the user, as parts of a filter that all must match.
  ///
  /// Whether entries are billable is left out.
  var terms: [FilterExpression] {
    func oneOf(_ names: [String], _ term: (String) -> FilterTerm) -> [FilterExpression] {
      let terms = names.map { FilterExpression.term(term($0)) }
      return terms.count > 1 ? [.any(terms)] : terms
    }
    var terms = expression.map { [$0] } ?? []
    terms += oneOf(projects) { .project($0) }
    terms += oneOf(clients) {
      .field(key: EntryConditionKey.client.rawValue, .equal, .text($0))
    }
    terms += oneOf(tags) { .tag($0) }
    return terms
  }

  /// Whether a term of the filter asks when entries began.
  var hasDates: Bool { expression?.hasDates ?? false }

  /// The text of a report without entries.
  var noMatch: String { "No entries match.\(remark)" }

  /// A sentence on a word of the filter, or nothing, as ``remark(on:)`` returns it.
  var remark: String { Self.remark(on: expression) }

  /// A sentence on the ids of the filter that no entry has, or nothing.
  func missingIDs(in domain: DomainState) -> String {
    for case .field(let key, .equal, .text(let text)) in expression?.terms ?? [] {
      guard EntryConditionKey(name: key) == .id, let number = Int64(text) else { continue }
      let entry = domain.timeEntries[TimeEntryID(value: number)]
      guard entry.map(domain.isVisible) != true else { continue }
      return " There is no entry \(number), or it was deleted."
    }
    return ""
  }

  /// Returns a sentence about a text in a filter that the user may have meant as a key, or an empty
  /// string.
  static func remark(on expression: FilterExpression?) -> String {
    let keys = (expression?.terms ?? []).lazy.compactMap { term -> EntryConditionKey? in
      guard case .text(let text) = term else { return nil }
      return EntryConditionKey(rawValue: text)
    }
    guard let key = keys.first else { return "" }
    let name = key.rawValue
    let example = key == .billable || key == .running ? "\(name):yes" : "\(name):VALUE"
    return " The word \(name) was searched as a text; the key is written \(example)."
  }

  /// Reads the options.
  ///
  /// - Parameters:
  ///   - arguments: The options.
  ///   - terms: More terms, which must also match.
  ///   - context: The settings, which name filters.
  init(
    _ arguments: CommandArguments, and terms: [FilterExpression] = [], in context: VerbContext
  ) throws(ToolFailure) {
    self.context = context
    user = arguments[Self.userOption]
    projects = arguments.all(Self.projectOption)
    clients = arguments.all(Self.clientOption)
    tags = arguments.all(Self.tagOption)
    let isBillable = arguments.has(Self.billableOption)
    let isNotBillable = arguments.has(Self.notBillableOption)
    guard !isBillable || !isNotBillable else {
      throw .usage(
        "No entry is billable and not billable.",
        advice: "Leave out --billable or --not-billable.")
    }
    self.isBillable = isBillable ? true : isNotBillable ? false : nil
    expression = try Self.expression(
      arguments, and: terms, saved: context.settings.savedFilters)
  }

  /// Reads the filter of a verb, and joins it with terms that must also match.
  ///
  /// Terms of projects are alternatives, because an entry has one project.
  ///
  /// - Throws: Where the filter is not understood, and why.
  static func expression(
    _ arguments: CommandArguments, and terms: [FilterExpression], saved: SavedFilters
  ) throws(ToolFailure) -> FilterExpression? {
    var parts = try [expression(arguments)].compactMap { $0 }
    let projects = terms.filter(\.isProject)
    if projects.count > 1 { parts.append(.any(projects)) }
    parts += terms.filter { projects.count < 2 || !$0.isProject }
    let expression: FilterExpression? = parts.count > 1 ? .all(parts) : parts.first
    do throws(SavedFilterError) {
      return try expression.map(saved.resolved)
    } catch {
      throw .usage("\(error)", advice: error.advice)
    }
  }

  private static func expression(
    _ arguments: CommandArguments
  ) throws(ToolFailure) -> FilterExpression? {
    guard let text = arguments[filterOption] else { return nil }
    // If a script's variable is not set, its command must not select all entries.
    guard !text.utf8.allSatisfy({ $0 == UInt8(ascii: " ") }) else {
      throw .usage(
        "--filter: the filter is empty.", advice: "Write a filter, or leave out --filter.")
    }
    do throws(FilterError) {
      return try FilterExpression(text)
    } catch {
      throw .usage(
        "--filter: \(error)", advice: "Write a filter such as \"#focus and not @thesis\".")
    }
  }

  /// Returns the condition of a filter.
  ///
  /// - Parameters:
  ///   - expression: The filter.
  ///   - what: The title of the failure if a name is unknown.
  ///   - domain: The entities.
  ///   - calendar: The zone and the weeks in which times are read.
  ///   - moment: The present.
  ///   - excludesUnknown: Whether the filter may exclude an unknown tag; `true` if nothing changes.
  /// - Throws: The failure of an unknown name or value.
  static func condition(
    _ expression: FilterExpression, _ what: String, in domain: DomainState,
    _ calendar: ReportCalendar, at moment: Moment, excludesUnknown: Bool = false
  ) throws(ToolFailure) -> EntryCondition {
    do throws(EntryConditionError) {
      return try EntryCondition(
        expression, in: domain, calendar.expressionContext(at: moment),
        excludesUnknown: excludesUnknown)
    } catch {
      if let unknown = unknownName(error, what) { throw unknown }
      throw unreadable(error)
    }
  }

  /// Checks the keys and the values of a filter to save, but no names, which may be given later.
  ///
  /// - Throws: The failure of the first key or value that every use of the filter would have.
  static func check(
    _ expression: FilterExpression, _ calendar: ReportCalendar, at moment: Moment
  ) throws(ToolFailure) {
    let context = calendar.expressionContext(at: moment)
    for part in [expression] + expression.terms.map(FilterExpression.term) {
      do throws(EntryConditionError) {
        _ = try EntryCondition(part, in: DomainState(), context)
      } catch {
        if case .unknownName = error { continue }
        throw unreadable(error)
      }
    }
  }

  /// Returns the failure of a key or a value.
  private static func unreadable(_ error: EntryConditionError) -> ToolFailure {
    .usage(
      "\(error)",
      advice: error.hint(ranges: ValueKind.ranges)
        + "Write a filter such as \"#focus and not @thesis\".")
  }

  /// Returns the failure of a word that is a term with a key that does not exist, such as
  /// `description:foo`; `nil` for another word.
  static func unknownKey(_ word: String) -> ToolFailure? {
    guard case .term(.field(let key, _, _)) = try? FilterExpression(word), !key.isEmpty,
      EntryConditionKey(name: key) == nil, key != SavedFilters.key
    else { return nil }
    return unreadable(.unknownKey(key))
  }

  /// Returns the filter.
  ///
  /// - Parameters:
  ///   - what: The title of the failure if a name is unknown.
  ///   - domain: The entities.
  ///   - calendar: The zone and the weeks in which times are read.
  ///   - moment: The present.
  /// - Throws: The failure of an unknown name.
  func filter(
    _ what: String, in domain: DomainState, _ calendar: ReportCalendar, at moment: Moment
  ) throws(ToolFailure) -> EntryFilter {
    var filter = EntryFilter()
    if let expression {
      let condition = try Self.condition(
        expression, what, in: domain, calendar, at: moment, excludesUnknown: true)
      for tag in condition.unknownTags {
        context.note("there is no tag \(tag), so the filter excludes nothing by it")
      }
      filter.condition = condition
    }
    filter.isBillable = isBillable
    filter.users = try users(what, in: domain)
    if !projects.isEmpty {
      filter.projects = try Self.ids(of: projects, what) { (name) throws(EntryConditionError) in
        Set(try domain.projectIDs(named: name))
      }
    }
    if !clients.isEmpty {
      filter.clients = try Self.ids(of: clients, what) { (name) throws(EntryConditionError) in
        Set(try DomainState.ids(named: name, in: domain.clients, of: .client))
      }
    }
    if !tags.isEmpty {
      filter.tags = .any(
        try Self.ids(of: tags, what) { (name) throws(EntryConditionError) in
          try DomainState.ids(named: name, in: domain.tags, of: .tag)
        })
    }
    return filter
  }

  /// Returns the ids of the user; `nil` for all users.
  ///
  /// - Throws: The failure of an unknown name.
  func users(_ what: String, in domain: DomainState) throws(ToolFailure) -> Set<UserID>? {
    guard let user else { return nil }
    do throws(ToolFailure) {
      return try Self.ids(of: [user], what) { (name) throws(EntryConditionError) in
        try DomainState.ids(named: name, in: domain.users, of: .user)
      }
    } catch {
      throw MissingUser(user, in: domain)?.failure(what) ?? error
    }
  }

  /// Returns the ids of the entities with some names.
  ///
  /// - Parameters:
  ///   - names: The names.
  ///   - what: The title of the failure if a name is unknown.
  ///   - find: Returns the ids of the entities with a name.
  /// - Throws: The failure of an unknown name.
  private static func ids<ID>(
    of names: [String], _ what: String, _ find: (String) throws(EntryConditionError) -> Set<ID>
  ) throws(ToolFailure) -> Set<ID> {
    var found: Set<ID> = []
    for name in names {
      do throws(EntryConditionError) {
        found.formUnion(try find(name))
      } catch {
        if let unknown = unknownName(error, what) { throw unknown }
      }
    }
    return found
  }

  /// Returns the failure of an unknown name, in an option or in a filter; `nil` for other errors.
  ///
  /// - Parameter what: The title of the failure, as a sentence.
  private static func unknownName(_ error: EntryConditionError, _ what: String) -> ToolFailure? {
    guard case .unknownName(let key, let name, _) = error else { return nil }
    let id = key == .project ? UInt32(name) : nil
    return .refused(
      error.reason,
      advice: error.hint()
        + "`track \(key.rawValue)s` lists them."
        + (id.map { " `track log id:\($0)` lists the entry \($0)." } ?? ""), what: what)
  }
}

extension FilterExpression {
  /// Whether the expression is a term with the name of a project.
  fileprivate var isProject: Bool {
    switch self {
    case .term(.project): true
    case .term(.field(let key, .equal, _)): EntryConditionKey(name: key) == .project
    default: false
    }
  }
}

extension SavedFilterError {
  var advice: String {
    switch self {
    case .unknownName(let name, let known):
      if known.isEmpty {
        return "Save one, as in `track config set filters.deep \"#focus and duration>1h\"`."
      }
      let similar = Spelling.hint(name, in: known)
      return "\(similar)The saved filters are \(known.joined(separator: ", "))."
    case .notAName: return "Write a name, as in saved:deep."
    case .recursive, .tooDeep, .tooManyTerms:
      return "Change the saved filters with `track config edit`."
    }
  }
}
