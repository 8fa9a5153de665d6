import Retrace
import TimeTracking
import TrackerApp
import TrackerFeatures

/// An entry in the output of a command.
struct EntryText {
  let id: TimeEntryID
  let entry: TimeEntry
  /// The names of what the entry refers to.
  let labels: EntryLabels
  /// The duration of the entry, until the present if it is running.
  let elapsed: ElapsedTime
  /// Whether the entry has no end and begins later.
  let isPlanned: Bool
  let projectColor: Int32?
  /// The currency of the rate; `nil` without a rate, or if neither the entry nor its user has a
  /// workspace.
  let currency: String?
  private let workspace: String?
  private let externalIDs: [(source: String, id: String)]
  private let hasSeveralUsers: Bool
  /// The name that distinguishes the project from others; `nil` if its own name is unique.
  private let longProjectName: String?

  /// Makes the texts of entries; running ones are counted until a moment.
  ///
  /// Each name is looked up once.
  static func texts(
    _ entries: some Sequence<IdentifiedEntry>, in domain: DomainState, at moment: Moment
  ) -> [EntryText] {
    var lookups = Lookups(domain)
    lookups.longNames = domain.longNames(ofAll: entries.compactMap { $0.entry.project })
    return entries.map { EntryText($0.id, $0.entry, &lookups, at: moment) }
  }

  /// Creates the text of an entry; a running one is counted until a moment.
  init(_ id: TimeEntryID, _ entry: TimeEntry, in domain: DomainState, at moment: Moment) {
    var lookups = Lookups(domain)
    if let project = entry.project { lookups.longNames = domain.longNames(ofAll: [project]) }
    self.init(id, entry, &lookups, at: moment)
  }

  /// Returns the entry with an id for programs, which see no long names; `null` if it does not
  /// exist.
  static func json(
    of id: TimeEntryID, in domain: DomainState, at moment: Moment, _ zones: ZoneRulesCache
  ) -> JSONValue {
    var lookups = Lookups(domain)
    return domain.timeEntries[id]
      .map { EntryText(id, $0, &lookups, at: moment).json(zones) } ?? .null
  }

  private init(
    _ id: TimeEntryID, _ entry: TimeEntry, _ lookups: inout Lookups, at moment: Moment
  ) {
    self.id = id
    self.entry = entry
    labels = lookups.labeler.labels(of: entry)
    elapsed = entry.elapsed(at: moment)
    isPlanned = entry.isPlanned(at: moment)
    projectColor = entry.project.flatMap { lookups.color(of: $0) }
    currency = entry.rate == nil ? nil : lookups.currencies.currency(of: entry)
    workspace = entry.workspace.flatMap { lookups.workspace($0) }
    hasSeveralUsers = lookups.hasSeveralUsers
    longProjectName = entry.project.flatMap { lookups.longName(of: $0) }
    externalIDs = entry.externalIDs.map { (lookups.source($0.source), $0.id) }
  }

  /// A cache of the names that entries refer to.
  private struct Lookups {
    let domain: DomainState
    let hasSeveralUsers: Bool
    var labeler: EntryLabeler
    var longNames: [ProjectID: String] = [:]
    private var colors: [ProjectID: Int32?] = [:]
    var currencies: RateCurrencies
    private var sources: [SourceID: String] = [:]
    private var workspaces: [WorkspaceID: String?] = [:]

    init(_ domain: DomainState) {
      self.domain = domain
      var users = 0
      // With one user, a short command need not read the table.
      if domain.users.count > 1 {
        domain.users.forEach { _, user in
          if user.deleted == nil { users += 1 }
        }
      }
      hasSeveralUsers = users > 1
      labeler = EntryLabeler(domain)
      currencies = RateCurrencies(domain)
    }

    func longName(of project: ProjectID) -> String? {
      longNames.isEmpty ? nil : domain.shownName(of: project, longNames)
    }

    mutating func color(of project: ProjectID) -> Int32? {
      if let known = colors[project] { return known }
      let color = domain.color(of: project)
      colors[project] = color
      return color
    }

    mutating func workspace(_ id: WorkspaceID) -> String? {
      if let known = workspaces[id] { return known }
      let name = domain.name(of: id)
      workspaces[id] = name
      return name
    }

    mutating func source(_ id: SourceID) -> String {
      if let known = sources[id] { return known }
      let name = domain.externalSources.read(id) { $0.name.text } ?? ""
      sources[id] = name
      return name
    }
  }

  /// Returns the running entry as a table of one row.
  ///
  /// It has the id, the start in a zone, the elapsed time, the description, the project and its
  /// task, the tags, whether the entry is billable, and, if there are several users, the user.
  func table(in rules: ZoneRules) -> TextTable {
    var table = TextTable([.left, .left, .left, .left, .text, .text, .text, .text, .text])
    table.add(
      [
        "#\(id.value)", "\(rules.local(at: entry.start))\(rules.offsetMark(at: entry.start))",
        elapsed.clock, activity, shownDescription, project ?? "",
        labels.tags.map { "#\($0)" }.joined(separator: "  "), entry.isBillable ? "billable" : "",
        hasSeveralUsers ? labels.user : "",
      ], color: TextTable.CellColor(project == nil ? nil : projectColor, at: 5))
    return table
  }

  /// What an entry without an end is: `running`, or `planned` if it begins later.
  var activity: String { isPlanned ? "planned" : "running" }

  /// The long name of the project, with its task.
  var project: String? {
    (longProjectName ?? labels.project).map { project in
      "@\(project)" + (labels.task.map { "/\($0)" } ?? "")
    }
  }

  /// The description, the project and its task, the tags, and whether the entry is billable.
  private var what: String {
    var text = shownDescription
    if let project { text += "  \(project)" }
    for tag in labels.tags { text += "  #\(tag)" }
    if entry.isBillable { text += "  billable" }
    return text
  }

  /// The description, or a placeholder without one.
  var shownDescription: String {
    entry.description.isEmpty ? "(no description)" : entry.description
  }

  /// Returns the entry for programs.
  func json(_ zones: ZoneRulesCache) -> JSONValue {
    func optional(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
    return [
      "id": .integer(id.value), "user": .string(labels.user),
      "description": .string(entry.description), "client": optional(labels.client),
      "project": optional(labels.project), "task": optional(labels.task),
      "tags": .array(labels.tags.map { .string($0) }),
      // Whole seconds, as the duration is counted, so that the texts sort.
      "start": .string(entry.start.wholeSecond.timestamp),
      "end": optional(entry.end?.wholeSecond.timestamp),
      "zone": .string(entry.zone.id),
      "utcOffset": .integer(Int64(zones.rules(of: entry).offset(at: entry.start))),
      "seconds": .integer(elapsed.seconds), "running": .bool(entry.isRunning),
      "planned": .bool(isPlanned),
      "deleted": .bool(wasDeleted),
      "billable": .bool(entry.isBillable), "rate": entry.rate.map { .integer($0) } ?? .null,
      "currency": optional(currency), "workspace": optional(workspace),
      "annotations": .array(entry.annotations.map { .string($0) }),
      "externalIDs": .array(
        externalIDs.map { ["source": .string($0.source), "id": .string($0.id)] }),
    ]
  }
}

extension EntryText {
  /// The entry on one line, after a command that changed it: with both ends, the offset from UTC,
  /// and its user only if there are several.
  ///
  /// - Parameters:
  ///   - rules: The rules of a zone, which are taken if the entry was recorded in it. If clocks
  ///     changed between its ends, each end has its own offset.
  ///   - zones: The rules of other zones.
  ///   - showsRate: Whether the rate of a billable entry follows.
  func echo(
    in rules: ZoneRules, _ zones: ZoneRulesCache, showsRate: Bool = false
  ) -> String {
    let rules = zones.rules(of: entry, known: rules)
    let (start, end) = entry.local(by: rules)
    var text = "#\(id.value)  \(start)"
    if let end {
      text += rules.offsetMarks(from: entry.start, to: entry.end ?? entry.start).start
      text += " - \(end.date == start.date ? end.clockWithSeconds : "\(end)")"
    } else {
      text += " - \(activity) "
    }
    text += " \(rules.offsetText(at: entry.end ?? entry.start))  \(elapsed.clock)  \(what)"
    if showsRate, entry.isBillable, let rate = entry.rate {
      text += " at \(currency.map { "\($0) " } ?? "")\(Amount.decimal(rate))"
    }
    return hasSeveralUsers ? "\(text)  \(labels.user)" : text
  }

  /// Returns how much of ``elapsed`` is in a range.
  func elapsed(in range: Range<Moment>) -> ElapsedTime {
    let start = max(entry.start.wholeSecond, range.lowerBound)
    let end = min(entry.start.wholeSecond.adding(elapsed), range.upperBound)
    return end > start ? end.elapsed(since: start) : .zero
  }

  var wasDeleted: Bool { entry.deleted != nil }
}

extension EntryText {
  /// Returns the latest entries that pass a filter, in order of their ends.
  ///
  /// - Complexity: O(entries), because ids say nothing about times.
  static func latest(
    _ filter: EntryFilter, _ count: Int, in domain: DomainState, at moment: Moment
  ) -> [EntryText] {
    texts(latestEntries(filter, count, in: domain), in: domain, at: moment)
  }

  /// Returns the latest entries as ``latest(_:_:in:at:)`` does.
  static func latestEntries(
    _ filter: EntryFilter, _ count: Int, in domain: DomainState
  ) -> [IdentifiedEntry] {
    var entries: [IdentifiedEntry] = []
    var cursor: TimeEntryID?
    repeat {
      let page = domain.entries(filter, before: cursor, limit: 10_000)
      entries += page.entries
      entries.sort { ($0.entry.sortKey, $0.id) < ($1.entry.sortKey, $1.id) }
      if entries.count > count { entries.removeFirst(entries.count - count) }
      cursor = page.next
    } while cursor != nil
    return entries
  }
}
