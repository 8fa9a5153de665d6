import CivilTime
import RetraceState

/// A builder that adds up parts of entries in a tree of groups.
struct ReportBuilder: Sendable {
  /// The report (the first one) or a group.
  private struct Node: Sendable {
    var key: ReportKey?
    var children = SmallMap<ReportKey, Int>()
    var exact = ReportSums()
    var rounded = ReportSums()
    /// The sums of each day, if days are rounded.
    var days: [Int: ReportSums] = [:]
  }

  /// The place of a node in the tree, and its entries, apart from the node: reading them copies it.
  private struct Place: Sendable {
    var parent: Int
    var entries = 0
    /// The last entry that was counted.
    var last: TimeEntryID?
    /// Whether times are added to the node itself, and not only to its children.
    var isLeaf = false
  }

  /// A path from the report to a group.
  private struct Path {
    var levels: ArraySlice<ReportGrouping>
    /// The tag of ``ReportGrouping/eachTag``; `nil` for an entry without tags.
    var tag: TagID?
  }

  let query: ReportQuery
  private let cutsDays: Bool
  private var aliases: AliasResolver
  private var currencies: RateCurrencies
  private var nodes: [Node] = [Node(key: nil)]
  /// The places of the nodes, by their indices.
  private var places: [Place] = [Place(parent: -1)]
  private var covered = SmallMap<UserID, CoveredTime>()
  /// The most recent day, and its time.
  private var day: (date: CivilDate, range: Range<Moment>)?

  init(_ query: ReportQuery, in state: DomainState) {
    var query = query
    var seen: Set<ReportGrouping> = []
    query.grouping = query.grouping.filter { seen.insert($0).inserted }
    self.query = query
    let hasDates = query.grouping.contains { [.day, .week, .month].contains($0) }
    cutsDays = hasDates || query.rounding?.level == .day
    aliases = AliasResolver(state)
    currencies = RateCurrencies(state)
  }

  mutating func add(
    _ id: TimeEntryID, _ entry: TimeEntry, _ part: Range<Moment>, of span: Range<Moment>
  ) {
    if !part.isEmpty { covered[entry.user, default: CoveredTime()].add(part) }
    let levels = query.grouping[...]
    guard let level = levels.firstIndex(of: .eachTag) else {
      return add(id, entry, part, of: span, along: Path(levels: levels))
    }
    // In the groups above the level, an entry counts once, however many tags it has.
    add(id, entry, part, of: span, along: Path(levels: levels[..<level]))
    let tags = aliases.tags(entry.tags)
    if tags.isEmpty { add(id, entry, part, of: span, along: Path(levels: levels)) }
    for tag in tags { add(id, entry, part, of: span, along: Path(levels: levels, tag: tag)) }
  }

  /// Adds the part of an entry to the groups at the end of a path.
  private mutating func add(
    _ id: TimeEntryID, _ entry: TimeEntry, _ part: Range<Moment>, of span: Range<Moment>,
    along path: Path
  ) {
    // The time that rounding adds to this part, or removes from it if negative. Rounding changes an
    // entry at its end, so added time is in the last part only.
    var difference: Int64 = 0
    if let rounding = query.rounding, rounding.level == .entry {
      let whole = span.upperBound.elapsed(since: span.lowerBound)
      difference = rounding.rounded(whole).microseconds - whole.microseconds
      let after = span.upperBound.elapsed(since: part.upperBound)
      if after > .zero { difference = min(0, difference + after.microseconds) }
    }
    guard cutsDays else {
      let time = part.upperBound.elapsed(since: part.lowerBound)
      return add(id, entry, time, &difference, to: leaf(of: entry, on: nil, path), on: nil)
    }
    for piece in pieces(of: entry, part, along: path).reversed() {
      let time = piece.range.upperBound.elapsed(since: piece.range.lowerBound)
      add(id, entry, time, &difference, to: piece.leaf, on: piece.day)
    }
  }

  /// Splits a part of an entry by groups, and by days if days are rounded.
  private mutating func pieces(
    of entry: TimeEntry, _ part: Range<Moment>, along path: Path
  ) -> [(leaf: Int, day: CivilDate?, range: Range<Moment>)] {
    let roundsDays = query.rounding?.level == .day
    var pieces: [(leaf: Int, day: CivilDate?, range: Range<Moment>)] = []
    var start = part.lowerBound
    repeat {
      let day = day(at: start)
      let end = min(part.upperBound, day.range.upperBound)
      let leaf = leaf(of: entry, on: day.date, path)
      if !roundsDays, let last = pieces.last, last.leaf == leaf {
        pieces[pieces.count - 1].range = last.range.lowerBound..<end
      } else {
        pieces.append((leaf, roundsDays ? day.date : nil, start..<end))
      }
      start = end
    } while start < part.upperBound
    return pieces
  }

  /// Adds the time of an entry in a group.
  ///
  /// - Parameter difference: The time that rounding still has to add to the entry, or to remove
  ///   from it if negative. It is reduced by what this call adds or removes.
  private mutating func add(
    _ id: TimeEntryID, _ entry: TimeEntry, _ time: ElapsedTime, _ difference: inout Int64,
    to leaf: Int, on day: CivilDate?
  ) {
    let exact = sums(of: entry, for: time)
    nodes[leaf].exact.add(exact)
    if let day { nodes[leaf].days[day.daysSince1970, default: ReportSums()].add(exact) }
    if query.rounding?.level == .entry {
      let moved = max(-time.microseconds, difference)
      difference -= moved
      var rounded = sums(of: entry, for: time.adding(ElapsedTime(microseconds: moved)))
      rounded.unrated = exact.unrated
      nodes[leaf].rounded.add(rounded)
    }
    var node = leaf
    while node >= 0, places[node].last != id {
      places[node].last = id
      places[node].entries += 1
      node = places[node].parent
    }
  }

  private mutating func sums(of entry: TimeEntry, for time: ElapsedTime) -> ReportSums {
    var sums = ReportSums(time: time)
    guard entry.isBillable else { return sums }
    sums.billable = time
    if entry.rate == nil { sums.unrated = time }
    if let rate = entry.rate, rate > 0 {
      sums.amounts = [Amount(of: time, at: rate, in: currencies.currency(of: entry))]
    }
    return sums
  }

  /// Returns the group of an entry at the end of a path, and creates it if needed.
  private mutating func leaf(of entry: TimeEntry, on day: CivilDate?, _ path: Path) -> Int {
    var node = 0
    for grouping in path.levels {
      let key = key(of: entry, on: day, grouping, path.tag)
      let next = nodes.count
      let child = nodes[node].children[key, default: next]
      if child == next {
        nodes.append(Node(key: key))
        places.append(Place(parent: node))
      }
      node = child
    }
    places[node].isLeaf = true
    return node
  }

  private mutating func key(
    of entry: TimeEntry, on day: CivilDate?, _ grouping: ReportGrouping, _ tag: TagID?
  ) -> ReportKey {
    switch grouping {
    case .workspace: .workspace(entry.workspace)
    case .client: .client(aliases.client(of: entry.project))
    case .project: .project(aliases.project(entry.project))
    case .task: .task(aliases.task(entry.task))
    case .tags: .tags(aliases.tags(entry.tags))
    case .eachTag: .eachTag(tag)
    case .user: .user(entry.user)
    case .description: .description(entry.description)
    case .day: .day(day ?? .epoch)
    case .week: .week((day ?? .epoch).week(startingOn: query.calendar.firstWeekday).lowerBound)
    case .month: .month((day ?? .epoch).monthDates.lowerBound)
    }
  }

  private mutating func day(at moment: Moment) -> (date: CivilDate, range: Range<Moment>) {
    if let day, day.range.contains(moment) { return day }
    let date = query.calendar.day(at: moment)
    let found = (date: date, range: query.calendar.range(of: date))
    // All time beyond the years of the calendar is one day.
    guard found.range.contains(moment) else {
      return (date, moment..<Moment(microseconds: .max))
    }
    day = found
    return found
  }

  consuming func finish() -> Report {
    // A group comes after its parent, so in this order its sums are complete when they are added.
    for index in nodes.indices.reversed() {
      if let rounding = query.rounding, places[index].isLeaf {
        switch rounding.level {
        case .entry: break
        case .day:
          for sums in nodes[index].days.values { nodes[index].rounded.add(sums.rounded(rounding)) }
        case .group: nodes[index].rounded = nodes[index].exact.rounded(rounding)
        }
      }
      nodes[index].exact.sortAmounts()
      nodes[index].rounded.sortAmounts()
      let parent = places[index].parent
      guard parent >= 0, !places[parent].isLeaf else { continue }
      nodes[parent].exact.add(nodes[index].exact)
      nodes[parent].rounded.add(nodes[index].rounded)
    }
    return Report(
      query: query, total: figures(of: 0), overlap: overlap, groups: groups(of: 0))
  }

  private func figures(of node: Int) -> ReportFigures {
    ReportFigures(
      entries: places[node].entries, exact: nodes[node].exact,
      rounded: query.rounding == nil ? nil : nodes[node].rounded)
  }

  private func groups(of node: Int) -> [ReportGroup] {
    nodes[node].children.pairs
      .map { key, child in
        ReportGroup(key: key, figures: figures(of: child), groups: groups(of: child))
      }
      .sorted { $0.precedes($1) }
  }

  /// Removes the groups and their figures, and keeps the time that the parts cover.
  mutating func removeGroups() {
    (nodes, places) = ([Node(key: nil)], [Place(parent: -1)])
  }

  /// Makes ready for few further parts, after which the report is finished in O(groups).
  mutating func seal() {
    for (user, _) in covered.pairs { covered[user, default: CoveredTime()].seal() }
  }

  private var overlap: ElapsedTime {
    covered.pairs.reduce(.zero) { $0.adding($1.1.overlap) }
  }
}

extension ReportGroup {
  /// Returns whether the group comes before another one of the same level.
  func precedes(_ other: ReportGroup) -> Bool {
    if let (first, second) = key.dates(with: other.key) { return first < second }
    let (first, second) = (figures.exact.time, other.figures.exact.time)
    if first != second { return first > second }
    if case (.description(let first), .description(let second)) = (key, other.key) {
      return first.utf8.lexicographicallyPrecedes(second.utf8)
    }
    return key.ids.lexicographicallyPrecedes(other.key.ids)
  }
}

extension ReportKey {
  /// Returns the first days of two groups of days, weeks or months.
  fileprivate func dates(with other: ReportKey) -> (CivilDate, CivilDate)? {
    switch (self, other) {
    case (.day(let first), .day(let second)), (.week(let first), .week(let second)),
      (.month(let first), .month(let second)):
      (first, second)
    default: nil
    }
  }

  /// The ids by which groups with equal times are ordered; a group without ids comes first.
  fileprivate var ids: [Int64] {
    switch self {
    case .workspace(let id): id.map { [$0.value] } ?? []
    case .client(let id): id.map { [$0.value] } ?? []
    case .project(let id): id.map { [$0.value] } ?? []
    case .task(let id): id.map { [$0.value] } ?? []
    case .tags(let ids): ids.map { $0.value }
    case .eachTag(let id): id.map { [$0.value] } ?? []
    case .user(let id): [id.value]
    case .description, .day, .week, .month: []
    }
  }
}

extension CivilDate {
  /// The first day of 1970, for a part without a day.
  fileprivate static var epoch: CivilDate { CivilDate(daysSince1970: 0) }
}
