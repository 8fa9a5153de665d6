import CivilTime
import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceState
import TimeTracking
import TrackerApp

/// A change of the log, as text for people and for programs.
struct ChangeText {
  /// What an edit did to an entity.
  private struct Line {
    /// The kind of the entity, such as `entry`.
    var kind: String
    var id: Int64
    /// What was done: `started`, `stopped`, `added`, `created`, `changed`, `deleted`, `restored`.
    var verb: String
    /// The entity and its new values; on several lines for several fields.
    var text: String
    /// The fields that changed.
    var fields: [Field] = []
  }

  /// A field that changed.
  private struct Field {
    var name: String
    var before: String
    var after: String

    var text: String { "\(name) \(before) -> \(after)" }
  }

  /// The most lines of one change.
  private static var linesMax: Int { 4 }

  let change: RecordedChange
  private let rules: ZoneRules
  private let lines: [Line]

  /// Makes the text of a change.
  ///
  /// - Parameters:
  ///   - change: The change.
  ///   - domain: The latest state, for names.
  ///   - rules: The zone in which times are shown.
  init(_ change: RecordedChange, in domain: DomainState, _ rules: ZoneRules) {
    self.change = change
    self.rules = rules
    lines = change.edits.compactMap { Self.line(of: $0, in: domain, rules) }
  }

  /// Returns what edits of other things than entries did, a text for each.
  static func others(_ edits: [DomainEdit], in domain: DomainState, _ rules: ZoneRules) -> [String]
  {
    edits.compactMap { edit in
      if case .entry = edit { return nil }
      return line(of: edit, in: domain, rules).map { "\($0.verb) \($0.text)" }
    }
  }

  /// The moment by the clocks of the zone.
  var local: LocalTime { rules.local(at: change.moment) }

  /// What was done and to what, a pair for each line.
  var rows: [(verb: String, text: String)] {
    let prefix = change.restores == nil ? "" : change.isRedo ? "redo: " : "undo: "
    if lines.isEmpty { return [("\(prefix)changed", "something else")] }
    guard lines.count > Self.linesMax else {
      return lines.flatMap { line in
        let texts = line.text.split(separator: "\n", omittingEmptySubsequences: false)
        return texts.enumerated().map { index, text in
          index == 0
            ? (verb: "\(prefix)\(line.verb)", text: String(text))
            : (verb: "", text: "    \(text)")
        }
      }
    }
    var counts: [(verb: String, kind: String, count: Int)] = []
    for line in lines {
      if let index = counts.firstIndex(where: { $0.verb == line.verb && $0.kind == line.kind }) {
        counts[index].count += 1
      } else {
        counts.append((line.verb, line.kind, 1))
      }
    }
    return counts.map { group in
      let noun = group.count == 1 ? group.kind : Self.plural(group.kind)
      return ("\(prefix)\(group.verb)", "\(group.count) \(noun)")
    }
  }

  private static func plural(_ kind: String) -> String {
    switch kind {
    case "entry": "entries"
    case "preferences": kind
    default: "\(kind)s"
    }
  }

  /// The change for programs.
  var json: JSONValue {
    [
      "sequence": .integer(Int64(change.sequence)), "moment": .string(change.moment.timestamp),
      "login": .string(change.login), "origin": .string("\(change.origin)"),
      "restores": change.restores.map { .integer(Int64($0)) } ?? .null,
      "undone": .bool(change.isTakenBack),
      "edits": .array(
        lines.map { line in
          [
            "kind": .string(line.kind), "id": .integer(line.id), "verb": .string(line.verb),
            "fields": .array(
              line.fields.map {
                [
                  "name": .string($0.name), "before": .string($0.before),
                  "after": .string($0.after),
                ]
              }),
          ]
        }),
    ]
  }

  private static func line(
    of edit: DomainEdit, in domain: DomainState, _ rules: ZoneRules
  ) -> Line? {
    switch edit {
    case .entry(let edit): entry(edit, in: domain, rules)
    case .workspace(let edit): named(edit, "workspace", domain.workspaces)
    case .client(let edit): named(edit, "client", domain.clients)
    case .project(let edit): named(edit, "project", domain.projects)
    case .task(let edit): named(edit, "task", domain.tasks)
    case .tag(let edit): named(edit, "tag", domain.tags)
    case .user(let edit): named(edit, "user", domain.users)
    case .preferences(let edit): other(edit, "preferences")
    case .goal(let edit): other(edit, "goal")
    case .importRun(let edit): importRun(edit, in: domain)
    case .favorite(let edit): other(edit, "favorite")
    // Sources of ids are bookkeeping of imports.
    case .source: nil
    }
  }

  private static func named<ID, Changes: EntityChanges>(
    _ edit: EntityEdit<ID, Changes>, _ kind: String, _ table: EntityTable<ID, Changes.Entity>
  ) -> Line where Changes.Entity: NamedEntity {
    let now = table.read(edit.id) { $0.name.text }
    switch edit {
    case .inserted(let id, let insertion):
      return Line(
        kind: kind, id: id.value, verb: "created",
        text: "\(kind) \(insertion.entity.name.text)")
    case .removed(let id, let removal):
      return Line(
        kind: kind, id: id.value, verb: "deleted", text: "\(kind) \(removal.entity.name.text)")
    case .changed(let id, let changes):
      let fields = changes.changedFields.joined(separator: ", ")
      return Line(
        kind: kind, id: id.value, verb: "changed", text: "\(kind) \(now ?? ""): \(fields)",
        fields: changes.changedFields.map { Field(name: $0, before: "", after: "") })
    }
  }

  private static func importRun(
    _ edit: EntityEdit<ImportRunID, ImportRunChanges>, in domain: DomainState
  ) -> Line? {
    let run = domain.importRuns[edit.id]
    let text = "import of \(run?.file ?? "a file"), \(run?.rows ?? 0) entries"
    switch edit {
    case .inserted(let id, _):
      return Line(kind: "import", id: id.value, verb: "began", text: text)
    case .removed(let id, _):
      return Line(kind: "import", id: id.value, verb: "deleted", text: text)
    case .changed(let id, let changes):
      // The entries of an import count from its end on, and until it is undone.
      guard let isActive = changes.isActive else { return nil }
      let verb = isActive.after ? "finished" : "took back"
      return Line(kind: "import", id: id.value, verb: verb, text: text)
    }
  }

  private static func other<ID, Changes>(
    _ edit: EntityEdit<ID, Changes>, _ kind: String
  ) -> Line {
    switch edit {
    case .inserted(let id, _): Line(kind: kind, id: id.value, verb: "created", text: kind)
    case .removed(let id, _): Line(kind: kind, id: id.value, verb: "deleted", text: kind)
    case .changed(let id, let changes):
      Line(
        kind: kind, id: id.value, verb: "changed",
        text: "\(kind): \(changes.changedFields.joined(separator: ", "))")
    }
  }

  private static func entry(
    _ edit: EntityEdit<TimeEntryID, TimeEntryChanges>, in domain: DomainState, _ rules: ZoneRules
  ) -> Line {
    switch edit {
    case .inserted(let id, let insertion):
      let entry = insertion.entity
      return Line(
        kind: "entry", id: id.value, verb: entry.isRunning ? "started" : "added",
        text: summary(id, entry, in: domain, rules))
    case .removed(let id, let removal):
      return Line(
        kind: "entry", id: id.value, verb: "deleted",
        text: summary(id, removal.entity, in: domain, rules))
    case .changed(let id, let changes):
      let fields = fields(of: changes, in: domain, rules)
      var verb = "changed"
      // A line break in a value is no end of a line.
      var text = fields.map { $0.text.split(separator: "\n").joined(separator: " ") }
        .joined(separator: "\n")
      let entry = domain.timeEntries[id]
      if let deleted = changes.deleted {
        verb = deleted.after == nil ? "restored" : "deleted"
        if fields.isEmpty, let entry { return summaryLine(verb, id, entry, in: domain, rules) }
      } else if let end = changes.end, end.before == nil, let after = end.after,
        fields.count == 1
      {
        verb = "stopped"
        let what = entry.map { describe($0, in: domain) } ?? ""
        text = "at \(clock(after, rules))  \(what)"
      }
      if text.isEmpty { text = changes.changedFields.joined(separator: ", ") }
      return Line(
        kind: "entry", id: id.value, verb: verb, text: "#\(id.value)  \(text)", fields: fields)
    }
  }

  private static func summaryLine(
    _ verb: String, _ id: TimeEntryID, _ entry: TimeEntry, in domain: DomainState,
    _ rules: ZoneRules
  ) -> Line {
    Line(
      kind: "entry", id: id.value, verb: verb, text: summary(id, entry, in: domain, rules))
  }

  private static func summary(
    _ id: TimeEntryID, _ entry: TimeEntry, in domain: DomainState, _ rules: ZoneRules
  ) -> String {
    let end = entry.end.map { clock($0, rules) } ?? "now"
    let start = rules.local(at: entry.start)
    return "#\(id.value)  \(start.date) \(start.clock) - \(end)  \(describe(entry, in: domain))"
  }

  /// The description, the project and the tags.
  private static func describe(_ entry: TimeEntry, in domain: DomainState) -> String {
    let labels = domain.labels(of: entry)
    var text = entry.description.isEmpty ? "(no description)" : entry.description
    if let project = labels.project { text += "  @\(project)" }
    for tag in labels.tags { text += "  #\(tag)" }
    return text
  }

  private static func clock(_ moment: Moment, _ rules: ZoneRules) -> String {
    rules.local(at: moment).clock
  }

  private static func fields(
    of changes: TimeEntryChanges, in domain: DomainState, _ rules: ZoneRules
  ) -> [Field] {
    var fields: [Field] = []
    func add<Value>(_ name: String, _ change: Change<Value>?, _ text: (Value) -> String) {
      guard let change else { return }
      fields.append(Field(name: name, before: text(change.before), after: text(change.after)))
    }
    func quoted(_ text: String) -> String { "\"\(text)\"" }
    func moment(_ moment: Moment) -> String {
      let local = rules.local(at: moment)
      return "\(local.date) \(local.clock)"
    }
    func name<ID, Entity: NamedEntity>(_ table: EntityTable<ID, Entity>, _ id: ID?) -> String {
      id.flatMap { table.read($0) { $0.name.text } } ?? "none"
    }
    add("description", changes.description, quoted)
    add("project", changes.project) { name(domain.projects, $0) }
    add("task", changes.task) { name(domain.tasks, $0) }
    add("tags", changes.tags) { ids in
      ids.isEmpty ? "none" : ids.map { "#\(name(domain.tags, $0))" }.joined(separator: " ")
    }
    add("start", changes.start, moment)
    add("end", changes.end) { $0.map(moment) ?? "running" }
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
