package import Retrace
import RetraceToolSupport
package import TimeTracking
import TrackerFeatures

/// A change of the log, as text for people and for programs.
package struct RecordedChangeText {
  /// The effect of an edit on an entity.
  private struct Line {
    /// The kind of the entity, such as `entry`.
    var kind: String
    var id: Int64
    /// The verb: `started`, `stopped`, `added`, `created`, `changed`, `deleted`, `restored`.
    var verb: String
    /// The entity and its new values.
    var text: String
    /// The fields after the first, which follow on lines of their own.
    var more: [String] = []
    var fields: [Field] = []
    /// The name of the entity, if the line says nothing else; `nil` otherwise.
    var name: String?
    /// The entity as the edit left it.
    var state = ""
  }

  /// A field that changed, as text for programs, and for people if that is another one.
  package struct Field {
    /// The name for programs.
    package var name: String
    var before: String
    var after: String
    /// The values for people; `nil` if they are those for programs.
    var shown: (before: String, after: String)?
    /// Whether the entity did not exist before.
    var isOfNew = false

    /// The field and its values for people.
    var text: String {
      isOfNew
        ? "\(word) \(after)" : "\(word) \(shown?.before ?? before) -> \(shown?.after ?? after)"
    }

    /// The name for people.
    package var word: String { Self.word(name) }
    /// The values for people; the first is `nil` for a field of a new entity.
    package var values: (before: String?, after: String) {
      (isOfNew ? nil : shown?.before ?? before, shown?.after ?? after)
    }

    /// Returns the name of a field for people.
    package static func word(_ name: String) -> String {
      switch name {
      case "isArchived": "archived"
      case "isBillable": "billable"
      case "isLimit": "at most"
      case "mergedInto": "merged into"
      case "firstWeekday": "week-start"
      case "dayStart": "day-start"
      case "dateFormat": "dates"
      case "durationFormat": "durations"
      case "is24Hours": "clock"
      case "asksAfter": "ask-after"
      case "groupsSimilar": "group-similar"
      case "isManual": "manual"
      case "confirmed": "time confirmed until"
      case "externalIDs": "ids of other programs"
      default: name
      }
    }
  }

  /// The most entries and other lines of one kind that a change lists, and the most names.
  private static var linesMax: Int { 4 }

  package let change: RecordedChange
  /// The names of the users of the entries that changed, each once.
  package let users: [String]
  private let rules: ZoneRules
  private let lines: [Line]

  /// Creates the text of a change.
  ///
  /// - Parameters:
  ///   - change: The change.
  ///   - domain: The state after the change, for names.
  ///   - rules: The zone in which times are shown.
  ///   - names: The names in the state, as far as they were looked up.
  package init(
    _ change: RecordedChange, in domain: DomainState, _ rules: ZoneRules,
    _ names: inout ChangeNames
  ) {
    self.change = change
    self.rules = rules
    names.lookUpLongNames(of: change.edits.flatMap { Self.projects(of: $0, in: domain) })
    lines = change.edits.compactMap { Self.line(of: $0, in: domain, rules, &names) }
    var seen: Set<UserID> = []
    users = change.edits.compactMap { edit in
      guard case .entry(let edit) = edit,
        let user = domain.timeEntries.read(edit.id, { $0.user }), seen.insert(user).inserted
      else { return nil }
      return names.user(user)
    }
  }

  /// Returns the projects whose names the line of an edit may have.
  private static func projects(of edit: DomainEdit, in domain: DomainState) -> [ProjectID] {
    if case .project(let edit) = edit { return [edit.id] }
    guard case .entry(let edit) = edit else { return [] }
    switch edit {
    case .inserted(_, let insertion): return [insertion.entity.project].compactMap { $0 }
    case .removed(_, let removal): return [removal.entity.project].compactMap { $0 }
    case .changed(let id, let changes):
      let own = domain.timeEntries.read(id) { $0.project } ?? nil
      return [own, changes.project?.before ?? nil, changes.project?.after ?? nil].compactMap { $0 }
    }
  }

  /// Returns the changed entities other than entries, as the edits left them.
  package static func others(
    _ edits: [DomainEdit], in domain: DomainState, _ rules: ZoneRules
  ) -> [String] {
    var names = ChangeNames(domain)
    names.lookUpLongNames(of: edits.flatMap { projects(of: $0, in: domain) })
    return edits.compactMap { edit in
      if case .entry = edit { return nil }
      return line(of: edit, in: domain, rules, &names)?.state
    }
  }

  /// Returns the name of the change of a command, such as `c412`.
  package static func name(of sequence: UInt64) -> String { "c\(sequence)" }

  /// Returns the sequence of the command whose change has a name; `nil` for another word.
  package static func sequence(ofName name: String) -> UInt64? {
    guard name.hasPrefix("c"), name.dropFirst().utf8.allSatisfy({ (48...57).contains($0) }) else {
      return nil
    }
    return UInt64(name.dropFirst())
  }

  /// The name by which the change can be undone and restored; empty if it is unknown.
  ///
  /// An undo or a redo is named as the change that it is about.
  package var name: String { change.change.map(Self.name) ?? "" }

  /// What became of the change: `undone`, `undone in part`, or nothing.
  package var mark: String {
    guard change.isTakenBack else { return "" }
    return change.isTakenBackInPart ? "undone in part" : "undone"
  }

  /// The moment by the clocks of the zone.
  package var local: LocalTime { rules.local(at: change.moment) }

  /// The verb and its object, a pair for each line.
  ///
  /// An entity that has only a name is listed by it. Many lines of one kind are counted. The reason
  /// follows.
  package var rows: [(verb: String, text: String)] {
    editRows + (change.reason.map { [("", "    reason: \($0)")] } ?? [])
  }

  private var editRows: [(verb: String, text: String)] {
    let prefix = change.restores == nil ? "" : change.isRedo ? "redo: " : "undo: "
    if lines.isEmpty {
      return [("\(prefix)changed", change.edits.isEmpty ? "nothing" : "something else")]
    }
    var groups: [[Line]] = []
    for line in lines {
      let index = groups.firstIndex { group in
        group[0].verb == line.verb && group[0].kind == line.kind
          && (group[0].name == nil) == (line.name == nil)
      }
      if let index { groups[index].append(line) } else { groups.append([line]) }
    }
    return groups.flatMap { group in
      let verb = "\(prefix)\(group[0].verb)"
      if group.count > 1, group[0].name != nil { return [(verb, Self.names(of: group))] }
      guard group.count <= Self.linesMax else {
        return [(verb, "\(group.count) \(Self.plural(group[0].kind))")]
      }
      return group.flatMap { Self.rows(of: $0, verb) }
    }
  }

  private static func rows(of line: Line, _ verb: String) -> [(verb: String, text: String)] {
    [(verb: verb, text: line.text)] + line.more.map { (verb: "", text: "    \($0)") }
  }

  /// Returns the names of several things of one kind: `tags a, b and 3 more`.
  private static func names(of lines: [Line]) -> String {
    let more = lines.count - linesMax
    let names = lines.prefix(linesMax).compactMap(\.name).joined(separator: ", ")
    return "\(plural(lines[0].kind)) \(names)" + (more > 0 ? " and \(more) more" : "")
  }

  private static func plural(_ kind: String) -> String {
    switch kind {
    case "entry": "entries"
    case "preferences": kind
    default: "\(kind)s"
    }
  }

  /// The fields that changed, each with its entity.
  var fields: [(entity: String, field: Field)] {
    lines.flatMap { line in
      line.fields.map { ("\(line.kind)\(line.kind == "preferences" ? "" : " #\(line.id)")", $0) }
    }
  }

  /// The change for programs.
  package var json: JSONValue {
    let edits = lines.map { line -> JSONValue in
      [
        "kind": .string(line.kind), "id": .integer(line.id), "verb": .string(line.verb),
        "fields": .array(
          line.fields.map {
            [
              "name": .string($0.name), "before": .string($0.before), "after": .string($0.after),
            ]
          }),
      ]
    }
    let place: [JSONValue.Member] = [
      .init("sequence", .integer(Int64(change.sequence))),
      .init("moment", .string(change.moment.sortableTimestamp)),
    ]
    return .object(
      place + change.clock.members + [
        .init("login", .string(change.login)), .init("origin", .string("\(change.origin)")),
        .init("restores", change.restores.map { .integer(Int64($0)) } ?? .null),
        .init("change", change.change.map { .integer(Int64($0)) } ?? .null),
        .init("undone", .bool(change.isTakenBack)),
        .init("reason", change.reason.map { .string($0) } ?? .null),
        .init("edits", .array(edits)),
      ])
  }

  private static func line(
    of edit: DomainEdit, in domain: DomainState, _ rules: ZoneRules,
    _ names: inout ChangeNames
  ) -> Line? {
    switch edit {
    case .entry(let edit): entryLine(edit, in: domain, rules, &names)
    case .workspace(let edit): namedLine(edit, "workspace", domain.workspaces, in: domain)
    case .client(let edit): namedLine(edit, "client", domain.clients, in: domain)
    case .project(let edit): projectLine(edit, in: domain, names)
    case .task(let edit): namedLine(edit, "task", domain.tasks, in: domain)
    case .tag(let edit): namedLine(edit, "tag", domain.tags, in: domain)
    case .user(let edit): namedLine(edit, "user", domain.users, in: domain)
    case .preferences(let edit): preferencesLine(edit, in: domain)
    case .goal(let edit): namedLine(edit, "goal", domain.goals, in: domain)
    case .importRun(let edit): importLine(edit, in: domain)
    case .favorite(let edit): namedLine(edit, "favorite", domain.favorites, in: domain)
    case .closing(let edit): closingLine(edit, in: domain, rules)
    // Sources of ids are bookkeeping of imports.
    case .source: nil
    }
  }

  private static func projectLine(
    _ edit: EntityEdit<ProjectID, ProjectChanges>, in domain: DomainState, _ names: ChangeNames
  ) -> Line {
    // The line says that a project is deleted, as its long name may do.
    let longName = domain.projects.live(edit.id).flatMap { _ in names.longNames[edit.id] }
    return recordLine(edit, "project", domain.projects, in: domain) { longName ?? $0.name.text }
  }

  private static func preferencesLine(
    _ edit: EntityEdit<PreferenceSetID, PreferenceSetChanges>, in domain: DomainState
  ) -> Line {
    var shown = edit
    if case .removed(let id, let removal) = edit {
      // Without its preferences, a user has the default ones.
      let defaults = PreferenceSet(user: removal.entity.user)
      let changes = PreferenceSetChanges(from: removal.entity, to: defaults)
      if !changes.isEmpty { shown = .changed(id, changes) }
    }
    return recordLine(shown, "preferences", domain.preferenceSets, in: domain) { _ in nil }
  }

  private static func namedLine<ID, Changes: EntityChanges>(
    _ edit: EntityEdit<ID, Changes>, _ kind: String,
    _ table: EntityTable<ID, Changes.Entity>, in domain: DomainState
  ) -> Line where Changes.Entity: NamedEntity {
    recordLine(edit, kind, table, in: domain) { $0.name.text }
  }

  private static func recordLine<ID, Changes: EntityChanges>(
    _ edit: EntityEdit<ID, Changes>, _ kind: String,
    _ table: EntityTable<ID, Changes.Entity>, in domain: DomainState,
    _ name: (Changes.Entity) -> String?
  ) -> Line where Changes.Entity: TrackedEntity {
    func fields(of entity: Changes.Entity) -> [Field] {
      var (texts, entity, changes) = (FieldTexts(in: domain), entity, Changes())
      changes._visitChanges(of: &entity, &texts)
      return texts.fields
    }
    func list(_ fields: [Field]) -> String {
      fields.isEmpty ? "" : ": \(fields.map(\.text).joined(separator: ", "))"
    }
    func line(_ verb: String, _ entity: Changes.Entity?) -> Line {
      let name = entity.flatMap(name)
      let text = kind + (name.map { " \($0)" } ?? "")
      return Line(
        kind: kind, id: edit.id.value, verb: verb, text: text, name: name, state: text)
    }
    /// Returns the line of an entity that was deleted or restored; its values stand for a name.
    func line(isDeleted: Bool, _ entity: Changes.Entity?) -> Line {
      var line = line(isDeleted ? "deleted" : "restored", entity)
      if line.name == nil, let entity { line.text += list(fields(of: entity)) }
      line.state = line.text + (isDeleted ? " (deleted)" : "")
      return line
    }
    switch edit {
    case .inserted(_, let insertion):
      var line = line("created", insertion.entity)
      let fields = fields(of: insertion.entity)
      guard !fields.isEmpty else { return line }
      line.fields = fields
      line.text += list(fields)
      if line.name == nil { line.state = line.text }
      line.name = nil
      return line
    case .removed(_, let removal): return line(isDeleted: true, removal.entity)
    case .changed(let id, let changes):
      var entity = table[id]
      let names = changes.changedFields
      if names.contains("deleted") {
        if let now = entity {
          var after = now
          changes.apply(to: &after)
          entity?.deleted = after.deleted
        }
        return line(isDeleted: entity?.deleted != nil, entity)
      }
      var line = line("changed", entity)
      var (texts, visited) = (FieldTexts(in: domain), changes)
      visited._visitChanges(&texts)
      line.fields = texts.fields
      line.text += list(line.fields)
      (line.name, line.state) = (nil, line.text)
      return line
    }
  }

  private static func closingLine(
    _ edit: EntityEdit<ClosingID, ClosingChanges>, in domain: DomainState, _ rules: ZoneRules
  ) -> Line {
    let closing: Closing? =
      switch edit {
      case .inserted(_, let insertion): insertion.entity
      case .removed(_, let removal): removal.entity
      case .changed(let id, _): domain.closings[id]
      }
    let isOpen =
      switch edit {
      case .inserted: false
      case .removed: true
      case .changed(_, let changes): changes.deleted?.after != nil
      }
    let period = closing.map { "\($0.periodText(by: rules)) \($0.scope.text(in: domain))" } ?? ""
    return Line(
      kind: "closing", id: edit.id.value, verb: isOpen ? "reopened" : "closed", text: period,
      state: "\(period) (\(isOpen ? "reopened" : "closed"))")
  }

  private static func importLine(
    _ edit: EntityEdit<ImportRunID, ImportRunChanges>, in domain: DomainState
  ) -> Line? {
    let run = domain.importRuns[edit.id]
    let count = run?.rows ?? 0
    let text = "import of \(run?.file ?? "a file"), \(count) \(count == 1 ? "entry" : "entries")"
    func line(_ verb: String, _ state: String = "") -> Line {
      Line(kind: "import", id: edit.id.value, verb: verb, text: text, state: text + state)
    }
    switch edit {
    case .inserted: return line("began")
    case .removed: return line("deleted", " (deleted)")
    case .changed(_, let changes):
      // The entries of an import count from its end on, and until it is undone.
      return changes.isActive.map {
        $0.after ? line("finished") : line("took back", " (taken back)")
      }
    }
  }

  private static func entryLine(
    _ edit: EntityEdit<TimeEntryID, TimeEntryChanges>, in domain: DomainState, _ rules: ZoneRules,
    _ names: inout ChangeNames
  ) -> Line {
    switch edit {
    case .inserted(let id, let insertion):
      let entry = insertion.entity
      return Line(
        kind: "entry", id: id.value, verb: entry.isRunning ? "started" : "added",
        text: summary(id, entry, in: domain, rules, &names))
    case .removed(let id, let removal):
      return Line(
        kind: "entry", id: id.value, verb: "deleted",
        text: summary(id, removal.entity, in: domain, rules, &names))
    case .changed(let id, let changes):
      let fields = fields(of: changes, in: domain, rules, names)
      var verb = "changed"
      var text = fields.first?.text ?? ""
      let entry = domain.timeEntries[id]
      if let deleted = changes.deleted {
        verb = deleted.after == nil ? "restored" : "deleted"
        if fields.isEmpty, let entry {
          let text = summary(
            id, entry, until: deleted.after, in: domain, rules, &names)
          return Line(kind: "entry", id: id.value, verb: verb, text: text)
        }
      } else if let end = changes.end, end.before == nil, let after = end.after,
        fields.count == 1
      {
        verb = "stopped"
        let what = entry.map { describe($0, &names) } ?? ""
        text = "at \(clocks([after], rules)[0])\(rules.offsetMark(at: after))  \(what)"
      }
      if text.isEmpty { text = changes.changedFields.joined(separator: ", ") }
      return Line(
        kind: "entry", id: id.value, verb: verb, text: "#\(id.value)  \(text)",
        more: fields.dropFirst().map(\.text), fields: fields)
    }
  }

  /// Returns the entry on a line; a running one that was deleted ends at that moment.
  private static func summary(
    _ id: TimeEntryID, _ entry: TimeEntry, until deletion: Moment? = nil,
    in domain: DomainState, _ rules: ZoneRules, _ names: inout ChangeNames
  ) -> String {
    let end = entry.end ?? deletion
    var times = clocks([entry.start, end ?? entry.start], rules)
    let marks = rules.offsetMarks(from: entry.start, to: end ?? entry.start)
    let date = rules.local(at: entry.start).date
    if let last = end.map({ rules.local(at: $0).date }), last != date {
      times[1] = "\(last) \(times[1])"
    }
    times = [times[0] + marks.start, end == nil ? "now" : times[1] + marks.end]
    let what = describe(entry, &names)
    return "#\(id.value)  \(date) \(times[0]) - \(times[1])  \(what)"
  }

  /// The description, the project and the tags.
  private static func describe(
    _ entry: TimeEntry, _ names: inout ChangeNames
  ) -> String {
    let labels = names.labels(of: entry)
    var text = entry.description.isEmpty ? "(no description)" : entry.description
    if let project = labels.project { text += "  @\(project)" }
    for tag in labels.tags { text += "  #\(tag)" }
    return text
  }

  /// Returns the times of moments, without seconds if all are whole minutes.
  private static func clocks(_ moments: [Moment], _ rules: ZoneRules) -> [String] {
    let times = moments.map { rules.local(at: $0) }
    let isShort = times.allSatisfy { $0.second == 0 }
    return times.map { isShort ? $0.clock : $0.clockWithSeconds }
  }

  private static func fields(
    of changes: TimeEntryChanges, in domain: DomainState, _ rules: ZoneRules,
    _ names: ChangeNames
  ) -> [Field] {
    var fields: [Field] = []
    func add<Value>(_ name: String, _ change: Change<Value>?, _ text: (Value) -> String) {
      guard let change else { return }
      fields.append(Field(name: name, before: text(change.before), after: text(change.after)))
    }
    func quoted(_ text: String) -> String { "\"\(text)\"" }
    func addTime(_ name: String, _ before: Moment?, _ after: Moment?) {
      let moments = [before, after].compactMap { $0 }
      var times = zip(moments, clocks(moments, rules)).map {
        "\(rules.local(at: $0).date) \($1)\(rules.offsetMark(at: $0))"
      }[...]
      let shown = [before, after].map { $0 == nil ? "running" : times.removeFirst() }
      fields.append(
        Field(
          name: name, before: before?.wholeSecond.timestamp ?? "running",
          after: after?.wholeSecond.timestamp ?? "running", shown: (shown[0], shown[1])))
    }
    func name<ID, Entity: NamedEntity>(_ table: EntityTable<ID, Entity>, _ id: ID?) -> String {
      id.flatMap { table.read($0) { $0.name.text } } ?? "none"
    }
    add("description", changes.description, quoted)
    if let project = changes.project {
      let (before, after) = (project.before, project.after)
      func shown(_ id: ProjectID?) -> String {
        id.flatMap { domain.shownName(of: $0, names.longNames) } ?? "none"
      }
      fields.append(
        Field(
          name: "project", before: name(domain.projects, before),
          after: name(domain.projects, after), shown: (shown(before), shown(after))))
    }
    add("task", changes.task) { name(domain.tasks, $0) }
    add("tags", changes.tags) { ids in
      ids.isEmpty ? "none" : ids.map { "#\(name(domain.tags, $0))" }.joined(separator: " ")
    }
    if let start = changes.start { addTime("start", start.before, start.after) }
    if let end = changes.end { addTime("end", end.before, end.after) }
    add("billable", changes.isBillable) { $0 ? "yes" : "no" }
    add("rate", changes.rate) { $0.map(Amount.decimal) ?? "none" }
    add("annotations", changes.annotations) { texts in
      texts.isEmpty ? "none" : texts.map(quoted).joined(separator: " ")
    }
    add("user", changes.user) { name(domain.users, $0) }
    add("workspace", changes.workspace) { name(domain.workspaces, $0) }
    return fields
  }
}

/// The names in a state to which changes refer, each looked up once.
///
/// The names stay valid while the state goes back over edits, see ``areChanged(by:)``.
package struct ChangeNames {
  private let domain: DomainState
  private var labeler: EntryLabeler
  private var aliases: AliasResolver
  private var users: [UserID: String] = [:]
  private var known: [Set<ProjectID>: [ProjectID: String]] = [:]
  private(set) var longNames: [ProjectID: String] = [:]

  /// Creates an empty cache.
  package init(_ domain: DomainState) {
    self.domain = domain
    labeler = EntryLabeler(domain)
    aliases = AliasResolver(domain)
  }

  /// Looks up the long names of some projects, for ``labels(of:)``.
  mutating func lookUpLongNames(of projects: [ProjectID]) {
    let ends = Set(projects.compactMap { aliases.project($0) })
    longNames = known[ends] ?? domain.longNames(of: ends)
    known[ends] = longNames
  }

  /// Returns the names of what an entry refers to, with the long name of its project.
  mutating func labels(of entry: TimeEntry) -> EntryLabels {
    var labels = labeler.labels(of: entry)
    let longName = aliases.project(entry.project).flatMap { longNames[$0] }
    labels.project = longName ?? labels.project
    return labels
  }

  mutating func user(_ id: UserID) -> String? {
    if let known = users[id] { return known }
    users[id] = domain.users.read(id) { $0.name.text }
    return users[id]
  }

  /// Returns whether an edit may change a name.
  package static func areChanged(by edit: DomainEdit) -> Bool {
    switch edit {
    case .workspace, .client, .project, .task, .tag, .user: true
    case .entry, .preferences, .goal, .importRun, .favorite, .source, .closing: false
    }
  }
}
