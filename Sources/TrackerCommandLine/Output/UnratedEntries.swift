import Retrace
import RetraceFilter
import RetraceToolSupport
import TimeTracking

/// The billable entries of a report that have no rate.
struct UnratedEntries {
  /// The most projects that are told apart.
  private static var projectsMax: Int { 2 }

  private var users: Set<UserID> = []
  /// The names of projects that have no present rate for their entries.
  private var projects: [String] = []
  /// Whether every entry has a present rate.
  private var haveRates = true
  /// The days on which the entries begin; `nil` if the range of the report has no end.
  private var days: ClosedRange<CivilDate>?
  /// The option for the user, if the entries are another user's.
  private var userOption = ""

  /// Finds the entries.
  ///
  /// - Parameters:
  ///   - query: The query of the report.
  ///   - hasEnd: Whether its range has an end.
  ///   - user: The name of the user of the command line.
  ///   - domain: The entities.
  ///   - moment: The end of running entries.
  /// - Complexity: O(entries that end within 999 hours after the range).
  init(
    of query: ReportQuery, hasEnd: Bool, for user: String, in domain: DomainState,
    at moment: Moment
  ) {
    var entries: [TimeEntry] = []
    var matcher = EntryMatcher(query.filter, in: domain, at: moment)
    domain.forEachEntry(from: query.range.lowerBound, to: query.range.upperBound) { id, entry in
      guard entry.isBillable, entry.rate == nil, matcher.matches(id, entry) else { return }
      entries.append(entry)
    }
    var unrated: Set<ProjectID> = []
    for entry in entries {
      users.insert(entry.user)
      let day = query.calendar.day(at: entry.start)
      days = min(days?.lowerBound ?? day, day)...max(days?.upperBound ?? day, day)
      guard domain.presentRate(of: entry) == nil else { continue }
      haveRates = false
      if let project = entry.project.flatMap({ domain.projects.resolve($0) }) {
        unrated.insert(project)
      }
    }
    if !hasEnd { days = nil }
    let longNames = domain.longNames(ofAll: unrated.sorted())
    projects = unrated.sorted().prefix(Self.projectsMax).compactMap {
      domain.shownName(of: $0, longNames)
    }
    if users.count > 1 { userOption = " --user NAME" }
    if users.count == 1, let id = users.first, id != domain.user(named: user),
      let name = domain.users.read(id, { $0.name.text })
    {
      userOption = " --user \(commandWord(name))"
    }
  }

  /// Returns what gives the entries a rate, as a sentence.
  ///
  /// - Parameter filter: The filter of the report, apart from its range and its user.
  func advice(_ filter: [FilterExpression]) -> String {
    guard haveRates || projects.isEmpty else {
      let name = projects.count == 1 ? commandWord(projects[0]) : "NAME"
      return "`track projects set \(name) --rate AMOUNT` sets one, and says how to give it to "
        + "earlier entries."
    }
    var terms = filter
    if let days {
      let (first, last) = ("\(days.lowerBound)", "\(days.upperBound)")
      let value = first == last ? FilterValue.text(first) : .range(first, last)
      terms.insert(.term(.field(key: EntryConditionKey.date.rawValue, .equal, value)), at: 0)
    }
    terms += [
      .term(.field(key: EntryConditionKey.billable.rawValue, .equal, .text("yes"))),
      .term(.field(key: EntryConditionKey.rate.rawValue, .equal, .nothing)),
    ]
    let rate = haveRates ? EditVerb.presentRate : "AMOUNT"
    return "`track edit\(userOption) --filter \(commandWord("\(FilterExpression.all(terms))")) "
      + "--rate \(rate)` sets \(haveRates ? "it" : "one")."
  }
}
