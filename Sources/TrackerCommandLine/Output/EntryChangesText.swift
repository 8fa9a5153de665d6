import Retrace
import RetraceToolSupport
import TimeTracking
import TrackerApp
import TrackerFeatures

/// The text of the changes of a command.
struct EntryChangesText {
  let changes: EntryChanges
  private let targets: Set<TimeEntryID>
  private let moment: Moment
  private let known: [TimeEntryID: EntryText]

  /// Creates the texts of the changes of a command.
  init(_ changes: EntryChanges, at moment: Moment) {
    let texts = EntryText.texts(changes.entries, in: changes.state, at: moment)
    self.init(changes, targets: [], at: moment, texts)
  }

  /// Makes the texts of the changes of commands that were performed in order.
  ///
  /// What the entries refer to is looked up once, in the state after the last command.
  static func texts(
    _ parts: [EntryChanges], targets: Set<TimeEntryID>, at moment: Moment
  ) -> [EntryChangesText] {
    guard let state = parts.last?.state else { return [] }
    let entries = parts.map(\.entries)
    var texts = EntryText.texts(entries.joined(), in: state, at: moment)[...]
    return zip(parts, entries).map { changes, entries in
      defer { texts.removeFirst(entries.count) }
      return EntryChangesText(
        changes, targets: targets, at: moment, texts.prefix(entries.count))
    }
  }

  private init(
    _ changes: EntryChanges, targets: Set<TimeEntryID>, at moment: Moment,
    _ texts: some Sequence<EntryText>
  ) {
    self.changes = changes
    self.targets = targets
    self.moment = moment
    known = Dictionary(texts.lazy.map { ($0.id, $0) }) { $1 }
  }

  private func texts(_ ids: some Sequence<TimeEntryID>) -> [EntryText] {
    ids.compactMap { known[$0] }
  }

  private func line(
    _ verb: String, _ entry: EntryText, in rules: ZoneRules, _ zones: ZoneRulesCache,
    isDryRun: Bool
  ) -> String {
    let verb = TextWidth.padded((isDryRun ? "would be " : "") + verb, to: 8)
    return "\(verb) \(entry.echo(in: rules, zones, showsRate: setsRate(of: entry.id)))"
  }

  /// Returns whether an entry got its rate by the changes.
  private func setsRate(of id: TimeEntryID) -> Bool {
    changes.edits.contains { edit in
      switch edit {
      case .entry(.inserted(id, _)): true
      case .entry(.changed(id, let changes)): changes.rate != nil
      default: false
      }
    }
  }

  /// The entry that was created.
  private var started: EntryText? { texts(changes.inserted).last }
  /// The running entry that was ended.
  private var stopped: EntryText? { texts(changes.stopped).first }
  /// The entries that the user named.
  private var named: [EntryText] { texts(changes.changed).filter { targets.contains($0.id) } }

  /// The entries that changed to make room for the named or the created one.
  private var adjusted: [EntryText] {
    texts(changes.changed).filter { !targets.contains($0.id) } + texts(changes.inserted.dropLast())
  }

  /// Returns a line for each entry that changed and for each of its annotations, and the notes.
  func lines(
    in rules: ZoneRules, _ zones: ZoneRulesCache, isDryRun: Bool = false
  ) -> [String] {
    func line(_ verb: String, _ entry: EntryText) -> String {
      self.line(verb, entry, in: rules, zones, isDryRun: isDryRun)
    }
    var lines = adjusted.map { line($0.wasDeleted ? "deleted" : "adjusted", $0) }
    if let stopped {
      lines.append(line("stopped", stopped))
      lines += overlapNotes(in: rules).map(Self.line(ofNote:))
    }
    for entry in named {
      lines.append(line(entry.wasDeleted ? "deleted" : "changed", entry))
      lines += entry.entry.annotations.map { "         \($0)" }
    }
    if let started { lines.append(line(started.entry.isRunning ? "started" : "added", started)) }
    return lines + nameNotes.map(Self.line(ofNote:))
  }

  static func line(ofNote note: String) -> String { "note     \(note)" }

  /// Returns the remarks about the changes.
  func notes(in rules: ZoneRules) -> [String] { overlapNotes(in: rules) + nameNotes }

  /// Returns the remark that the stopped entry overlaps others.
  private func overlapNotes(in rules: ZoneRules) -> [String] {
    let overlaps = stopped.map(overlaps) ?? []
    guard !overlaps.isEmpty else { return [] }
    return ["it overlaps \(changes.state.mention(of: overlaps, zone: rules))"]
  }

  /// The remarks about the names of projects and tags.
  private var nameNotes: [String] { archivedNotes + changes.created.map(note) }

  /// Returns the entries of the same user that an entry overlaps.
  private func overlaps(of entry: EntryText) -> [TimeEntryID] {
    let (start, end) = (entry.entry.start, entry.entry.end ?? moment)
    var ids: [TimeEntryID] = []
    guard start < end else { return ids }
    changes.state.forEachEntry(from: start, to: end, of: entry.entry.user) { id, other in
      if id != entry.id, other.start != other.end { ids.append(id) }
    }
    return ids
  }

  /// The remark that the project of the new entry is archived.
  private var archivedNotes: [String] {
    guard named.isEmpty, let id = started?.entry.project else { return [] }
    let name = changes.state.projects.read(id) { $0.isArchived ? $0.name.text : nil } ?? nil
    return name.map { ["\($0) is archived"] } ?? []
  }

  /// Returns the changes for programs.
  func json(notes: [String], isDryRun: Bool, _ zones: ZoneRulesCache) -> JSONValue {
    // A split inserts an entry beside the one that the user named.
    let others = adjusted + named.dropFirst() + (named.isEmpty ? [] : started.map { [$0] } ?? [])
    var members: [JSONValue.Member] = [
      .init("sequence", .integer(Int64(changes.sequence))),
      .init("entry", (named.first ?? started ?? stopped)?.json(zones) ?? .null),
      .init("stopped", started == nil ? .null : stopped?.json(zones) ?? .null),
      .init("adjusted", .array(others.map { $0.json(zones) })),
    ]
    if !notes.isEmpty { members.append(.init("notes", .array(notes.map { .string($0) }))) }
    if isDryRun { members.append(.init("dryRun", .bool(true))) }
    return .object(members)
  }

  var all: [EntryText] { texts(changes.inserted + changes.stopped + changes.changed) }

  /// Returns the remark that a name is new, with a similar known name.
  private func note(_ created: CreatedName) -> String {
    switch created {
    case .project(let name):
      changes.state.remark(onNewProject: name) + billingNote(onNewProject: name)
    case .task(let name, of: let project): changes.state.remark(onNewTask: name, of: project)
    case .tag(let name): changes.state.remark(onNewTag: name)
    }
  }

  /// Returns the end of the remark on a new project that is not billable, in a workspace with a
  /// rate; empty for any other project.
  private func billingNote(onNewProject name: Name) -> String {
    let workspaces = changes.state.workspaces
    var note = ""
    changes.state.projects.forEach { _, project in
      if project.deleted == nil, project.name == name, !project.isBillable,
        project.workspace.flatMap({ workspaces[$0]?.rate }) != nil
      {
        let words = "track projects set \(commandWord(name.text)) --billable"
        note = ", not billable; `\(words)` changes that"
      }
    }
    return note
  }
}

extension EntryChanges {
  /// The entries that changed, as the changes left them.
  fileprivate var entries: [IdentifiedEntry] {
    (inserted + stopped + changed).compactMap { id in
      state.timeEntries[id].map { IdentifiedEntry(id: id, entry: $0) }
    }
  }
}
