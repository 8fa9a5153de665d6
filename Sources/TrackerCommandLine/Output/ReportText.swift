import Retrace
import TimeTracking
import TrackerFormats

/// A report in the output of a command.
struct ReportText {
  /// The line of what the printed lines lack to be their total.
  static let differenceLabel = "(rounding)"

  let report: Report
  /// What the totals are.
  let totalOf: ReportTotal
  private let range: EntryRange
  /// The names of the groups.
  private let names: [ReportKey: [String]]
  /// The long names of entities whose names are not unique among the groups: `client/project`,
  /// `project/task`, and with a mark for deleted ones.
  private let longNames: [ReportKey: [String]]
  /// The groups of deleted entities.
  private let deleted: Set<ReportKey>
  /// The colors of the projects among the groups.
  private let colors: [ReportKey: Int32]
  /// What gives billable entries without a rate one; `nil` without such entries.
  private let rateAdvice: String?
  /// The notes about days with a change of the clocks during which an entry runs.
  private let clockNotes: [String]

  /// Creates the text of the report of a query.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - range: The range, for the heading.
  ///   - totalOf: What the totals are.
  ///   - filter: The options from which the filter of the query came.
  ///   - domain: The entities.
  ///   - moment: The end of running entries.
  init(
    _ query: ReportQuery, of range: EntryRange, _ totalOf: ReportTotal, _ filter: FilterOptions,
    in domain: DomainState, at moment: Moment
  ) {
    self.totalOf = totalOf
    let report = domain.report(query, at: moment)
    clockNotes = range.clockNotes(in: query.calendar) { change in
      let seconds = change.lastMomentBefore..<change.moment.adding(.seconds(1))
      var around = ReportQuery(seconds, in: query.calendar)
      around.filter = query.filter
      let total = domain.report(around, at: moment).total
      // An entry that goes on after the change has both seconds.
      return total.exact.time > .seconds(Int64(total.entries))
    }
    self.report = report
    self.range = range
    var names: [ReportKey: [String]] = [:]
    var colors: [ReportKey: Int32] = [:]
    func add(_ groups: [ReportGroup]) {
      for group in groups {
        if names[group.key] == nil {
          names[group.key] = domain.names(of: group.key)
          if case .project(let project) = group.key {
            colors[group.key] = domain.color(of: project)
          }
        }
        add(group.groups)
      }
    }
    add(report.groups)
    self.names = names
    let deleted = Set(names.keys.filter { domain.isDeleted($0) })
    self.deleted = deleted
    longNames = Self.marked(
      Self.longNames(of: names.keys, by: query.grouping, in: domain).mapValues { [$0] }, names,
      deleted, in: domain)
    self.colors = colors
    rateAdvice =
      report.total.exact.unrated > .zero
      ? UnratedEntries(
        of: query, hasEnd: range.hasEnd, for: filter.ownUser, in: domain, at: moment
      ).advice(filter.terms) : nil
  }

  private static func longNames(
    of keys: some Sequence<ReportKey>, by grouping: [ReportGrouping], in domain: DomainState
  ) -> [ReportKey: String] {
    var projects: Set<ProjectID> = []
    var tasks: [TaskID: ProjectID] = [:]
    for key in keys {
      switch key {
      case .project(let id?): projects.insert(id)
      case .task(let id?):
        tasks[id] = domain.tasks.read(id) { $0.project }
          .map { domain.projects.resolve($0) ?? $0 }
      default: break
      }
    }
    var names: [ReportKey: String] = [:]
    if !grouping.contains(.client) {
      for (id, name) in domain.longNames(of: projects) { names[.project(id)] = name }
    }
    if !grouping.contains(.project) {
      let owners = domain.longNames(of: Set(tasks.values))
      let known = Dictionary(grouping: tasks.keys) { id in domain.tasks.read(id) { $0.name } }
      for (name, ids) in known where ids.count > 1 {
        guard let name else { continue }
        for id in ids {
          guard let owner = tasks[id] else { continue }
          let project = owners[owner] ?? domain.projects.read(owner) { $0.name.text } ?? ""
          names[.task(id)] = "\(project)/\(name.text)"
        }
      }
    }
    return names
  }

  /// Returns display names; marks deleted entities whose name another group has.
  ///
  /// Tasks of one name are told apart by the group of their project.
  private static func marked(
    _ longNames: [ReportKey: [String]], _ names: [ReportKey: [String]],
    _ deleted: Set<ReportKey>, in domain: DomainState
  ) -> [ReportKey: [String]] {
    struct Shown: Hashable {
      var kind: String
      var names: [String]
      var project: ProjectID?
    }
    guard !deleted.isEmpty else { return longNames }
    let same = Dictionary(grouping: names.keys) { key in
      var shown = Shown(kind: key.kind, names: longNames[key] ?? names[key] ?? [])
      if case .task(let id?) = key { shown.project = domain.tasks.read(id) { $0.project } }
      return shown
    }
    var marked = longNames
    for (shown, keys) in same where keys.count > 1 {
      let gone = keys.filter(deleted.contains)
      for key in gone {
        marked[key] =
          if case .tags(let ids) = key {
            zip(ids, shown.names).map { id, name in
              domain.isDeleted(.eachTag(id)) ? DomainState.deletedName(name, id: nil) : name
            }
          } else {
            shown.names.map { DomainState.deletedName($0, id: gone.count > 1 ? key.id : nil) }
          }
      }
    }
    return marked
  }

  private var calendar: ReportCalendar { report.query.calendar }

  /// Whether no entry is in the report.
  var isEmpty: Bool { report.total.entries == 0 }

  /// The style of the user.
  var style: TimeStyle { calendar.style }

  /// The range and the calendar, on one line.
  var heading: String { range.heading(in: calendar) }

  /// Returns the notes without which the figures are misread, a line for each.
  func notes(_ shown: ShownTimes) -> [String] {
    var notes = clockNotes
    if report.overlap > .zero {
      let time = shown.text(report.overlap)
      notes.append("Entries of one user overlap: \(time) of the time counts more than once.")
    }
    if let rateAdvice {
      let unrated = shown.text(report.total.exact.unrated)
      notes.append("\(unrated) of billable time have no rate; \(rateAdvice)")
    }
    if !groupsAddUp({ $0.exact.time.microseconds }, eachTag: true) {
      notes.append("An entry counts for each of its tags, and once in the total.")
    }
    return notes
  }

  /// Returns whether the printed values of the groups add up to the printed total, at every level
  /// except one of each tag.
  func addsUp(_ printed: (ReportFigures) -> Int64) -> Bool { groupsAddUp(printed, eachTag: false) }

  /// Returns whether the groups add up at every level of groups of each tag, or at all others.
  private func groupsAddUp(_ printed: (ReportFigures) -> Int64, eachTag: Bool) -> Bool {
    func addsUp(_ groups: [ReportGroup], _ total: ReportFigures) -> Bool {
      guard let first = groups.first else { return true }
      let counts = first.key.isOfEachTag == eachTag
      return (!counts || groups.reduce(0) { $0 + printed($1.figures) } == printed(total))
        && groups.allSatisfy { addsUp($0.groups, $0.figures) }
    }
    return addsUp(report.groups, report.total)
  }

  /// Returns the note about totals; `nil` if the lines add up to the exact totals.
  ///
  /// - Parameter printed: Returns the numbers that are printed of figures.
  func totalNote(_ printed: (ReportFigures) -> [Int64]) -> String? {
    func differs(_ line: ReportLine) -> Bool {
      line.difference != nil || line.lines.contains(where: differs)
    }
    guard differs(report.lines(.exact, printed)) else { return nil }
    return switch totalOf {
    case .exact:
      "Totals are exact; \(Self.differenceLabel) is the rest. --total-of lines adds lines up."
    case .lines: "Totals are the sums of the lines; --total-of exact gives exact ones."
    }
  }

  /// Returns the name of a group, or a placeholder without one.
  func label(_ key: ReportKey) -> String {
    let found = longNames[key] ?? names[key] ?? []
    switch key {
    case .tags(let ids):
      return ids.isEmpty ? "(no tags)" : found.map { "#\($0)" }.joined(separator: " ")
    case .eachTag: return found.first.map { "#\($0)" } ?? "(no tags)"
    case .day(let date): return calendar.style.withWeekday(date)
    case .week(let date): return "week of \(calendar.style.text(date))"
    case .month(let date): return date.monthText
    default: return found.first ?? "(no \(key.kind))"
    }
  }

  /// Returns the color of a group of a project; `nil` for other groups.
  func color(_ key: ReportKey) -> Int32? { colors[key] }

  /// Returns the name of a group as a field of CSV; empty for none.
  func field(_ key: ReportKey) -> String {
    let found = longNames[key] ?? names[key] ?? []
    return switch key {
    case .month(let date): String("\(date)".dropLast(3))
    case .tags: TagCell.text(of: found)
    default: found.first ?? ""
    }
  }

  /// Returns the percents that a time is of the whole, rounded to the nearest.
  func percent(of time: ElapsedTime) -> Int64 {
    let whole = Int128(report.total.exact.time.microseconds)
    guard whole > 0 else { return 0 }
    return Int64(clamping: (Int128(time.microseconds) * 200 + whole) / (whole * 2))
  }

  /// The currencies of the amounts, in the order of the numbers.
  private var currencies: [String?] { report.total.exact.amounts.map(\.currency) }

  /// The report as lines for programs: seconds, billable seconds and hundredths of each currency,
  /// and these of the rounded times.
  var lines: ReportLine {
    let currencies = currencies
    func numbers(_ sums: ReportSums) -> [Int64] {
      [sums.time.seconds, sums.billable.seconds]
        + currencies.map { sums.hundredths(in: $0) }
    }
    return report.lines(totalOf) { numbers($0.exact) + ($0.rounded.map(numbers) ?? []) }
  }

  /// The members of the report for programs: the range, the total and the groups.
  var json: [JSONValue.Member] {
    let report = lines
    return [
      .init("version", .integer(1)), .init("range", range.json(in: calendar)),
      .init("totalOf", .string(totalOf.rawValue)), .init("total", .object(members(report))),
      .init("overlapSeconds", .integer(self.report.overlap.seconds)),
      .init("groups", .array(report.lines.map { json($0) })),
    ]
  }

  /// Returns the line of a group for programs.
  func json(_ line: ReportLine) -> JSONValue {
    guard let key = line.key else { return .object(self.members(line)) }
    let found = names[key] ?? []
    var members = [
      JSONValue.Member("by", .string(key.kind)), .init("id", key.id.map { .integer($0) } ?? .null),
    ]
    if case .tags = key {
      members.append(.init("names", .array(found.map { .string($0) })))
    } else {
      members.append(.init("name", found.first.map { .string($0) } ?? .null))
    }
    if deleted.contains(key) { members.append(.init("deleted", .bool(true))) }
    members += self.members(line)
    members.append(.init("percent", .integer(percent(of: line.figures.exact.time))))
    members.append(.init("groups", .array(line.lines.map { json($0) })))
    return .object(members)
  }

  /// Returns the numbers of a line, and what its lines lack to be them.
  private func members(_ line: ReportLine) -> [JSONValue.Member] {
    let all = currencies.indices.map { $0 }
    let present = all.filter { index in
      line.figures.exact.amounts.contains { $0.currency == currencies[index] }
    }
    var members = [JSONValue.Member("entries", .integer(Int64(line.figures.entries)))]
    members += sums(line.values, present)
    if let difference = line.difference {
      members.append(.init("difference", .object(sums(difference, all))))
    }
    return members
  }

  /// Returns the exact and the rounded sums.
  ///
  /// - Parameters:
  ///   - numbers: The numbers of a line.
  ///   - present: The currencies to name.
  private func sums(_ numbers: [Int64], _ present: [Int]) -> [JSONValue.Member] {
    func sums(from first: Int) -> [JSONValue.Member] {
      let amounts = present.map { index -> JSONValue in
        [
          "currency": currencies[index].map { .string($0) } ?? .null,
          "hundredths": .integer(numbers[first + 2 + index]),
        ]
      }
      return [
        .init("seconds", .integer(numbers[first])),
        .init("billableSeconds", .integer(numbers[first + 1])), .init("amounts", .array(amounts)),
      ]
    }
    let count = 2 + currencies.count
    let rounded = numbers.count > count ? JSONValue.object(sums(from: count)) : .null
    return sums(from: 0) + [.init("rounded", rounded)]
  }
}

extension ReportSums {
  /// Returns the amount in a currency in hundredths, rounded.
  func hundredths(in currency: String?) -> Int64 {
    amounts.first { $0.currency == currency }?.hundredths ?? 0
  }
}

extension ReportFigures {
  /// The sums that are billed: the rounded ones, if there are any.
  var billed: ReportSums { rounded ?? exact }
}

extension DomainState {
  /// Returns whether the entity of a group, or one of its tags, is deleted.
  fileprivate func isDeleted(_ key: ReportKey) -> Bool {
    func isGone<ID, Entity: TrackedEntity>(_ id: ID?, _ table: EntityTable<ID, Entity>) -> Bool {
      guard let id else { return false }
      return table.read(id) { $0.deleted != nil } ?? false
    }
    return switch key {
    case .workspace(let id): isGone(id, workspaces)
    case .client(let id): isGone(id, clients)
    case .project(let id): isGone(id, projects)
    case .task(let id): isGone(id, tasks)
    case .tags(let ids): ids.contains { isGone($0, tags) }
    case .eachTag(let id): isGone(id, tags)
    case .user(let id): isGone(id, users)
    case .description, .day, .week, .month: false
    }
  }
}

extension ReportKey {
  /// The word for the grouping of the group, as `--by` takes it.
  var kind: String {
    switch self {
    case .workspace: "workspace"
    case .client: "client"
    case .project: "project"
    case .task: "task"
    case .tags: "tag"
    case .eachTag: "each-tag"
    case .user: "user"
    case .description: "description"
    case .day: "day"
    case .week: "week"
    case .month: "month"
    }
  }

  /// The id of the entity; `nil` for none, for sets of tags, for descriptions, and for days, weeks
  /// and months.
  var id: Int64? {
    switch self {
    case .workspace(let id): id?.value
    case .client(let id): id?.value
    case .project(let id): id?.value
    case .task(let id): id?.value
    case .eachTag(let id): id?.value
    case .user(let id): id.value
    case .tags, .description, .day, .week, .month: nil
    }
  }
}

extension ReportGrouping {
  /// The word for the grouping, as `--by` takes it.
  var word: String {
    switch self {
    case .tags: "tag"
    case .eachTag: "each-tag"
    default: "\(self)"
    }
  }

  init?(word: String) {
    guard let found = Self.allCases.first(where: { $0.word == word }) else { return nil }
    self = found
  }
}
