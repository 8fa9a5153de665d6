import Retrace
import TimeTracking

extension EntryEditorRoute {
  /// Creates a form that shows an entry, with times as `TimeEntry.local(by:)` returns them.
  init(_ id: TimeEntryID, _ entry: TimeEntry, in domain: DomainState, by rules: ZoneRules?) {
    self.init(
      user: entry.user, [id], showing: SeenEntry(entry, in: domain, by: rules))
  }

  /// Creates a form that shows a group of entries, or a single one; `nil` without any.
  init?(_ entries: [IdentifiedEntry], in domain: DomainState, by rules: ZoneRules?) {
    guard let first = entries.first,
      let seen = SeenEntry(entries.map { $0.entry }, in: domain, by: rules)
    else { return nil }
    self.init(user: first.entry.user, entries.map { $0.id }, showing: seen)
  }

  private init(user: UserID, _ entries: [TimeEntryID], showing seen: SeenEntry) {
    self.init(user: user)
    entry = entries.first
    others = Array(entries.dropFirst())
    self.seen = seen
    description = TextDraft(seen.description)
    project = TextDraft(seen.projectText)
    tags = TextDraft(seen.tagsText)
    start = TextDraft(seen.startText)
    end = TextDraft(seen.endText)
    duration = TextDraft(seen.durationText)
  }

  /// Returns the entries of the form that exist; `nil` for the form of a new entry.
  func entries(in domain: DomainState) -> [IdentifiedEntry]? {
    entry.map { first in
      ([first] + others).compactMap { id in
        domain.timeEntries[id].map { IdentifiedEntry(id: id, entry: $0) }
      }
    }
  }
}

extension SeenEntry {
  /// Creates the values and texts of an entry, with times as `TimeEntry.local(by:)` returns them.
  init(_ entry: TimeEntry, in domain: DomainState, by rules: ZoneRules?) {
    let local = entry.local(by: rules)
    description = entry.description
    project = entry.project
    projectText = entry.project.flatMap { domain.projects[$0]?.name.text } ?? ""
    tags = entry.tags
    tagsText = TagNames.text(of: entry.tags.compactMap { domain.tags[$0]?.name.text })
    start = entry.start
    startText = local.start.description
    end = entry.end
    endText = local.end?.description ?? ""
    durationText = entry.duration?.clock ?? ""
    zone = entry.zone
    isBillable = entry.isBillable
    task = entry.task
  }

  /// Creates the values that entries have in common, with empty texts where they differ, and for
  /// the times of several ones; `nil` without entries.
  init?(_ entries: [TimeEntry], in domain: DomainState, by rules: ZoneRules?) {
    guard let first = entries.first else { return nil }
    self.init(first, in: domain, by: rules)
    guard entries.count > 1 else { return }
    let others = entries.dropFirst()
    var aliases = AliasResolver(domain)
    mixed = [.start, .end, .duration]
    (startText, endText, durationText) = ("", "", "")
    if !others.allSatisfy({ $0.description.hasBytes(of: first.description) }) {
      mixed.append(.description)
      description = ""
    }
    let (project, task) = (aliases.project(first.project), aliases.task(first.task))
    if !others.allSatisfy({
      aliases.project($0.project) == project && aliases.task($0.task) == task
    }) {
      mixed.append(.project)
      (self.project, projectText, self.task) = (nil, "", nil)
    }
    let tags = aliases.tags(first.tags)
    if !others.allSatisfy({ aliases.tags($0.tags) == tags }) {
      mixed.append(.tags)
      (self.tags, tagsText) = ([], "")
    }
    if !others.allSatisfy({ $0.isBillable == first.isBillable }) {
      mixed.append(.billable)
      isBillable = false
    }
  }

  /// Returns the names of the fields in which another value differs, with its texts.
  func changes(to other: SeenEntry) -> [String] {
    var changes: [String] = []
    func add(_ name: String, _ text: String, orElse empty: String = "none") {
      changes.append("\(name) \(text.isEmpty ? empty : SafeText.line(text, bytesMax: 80))")
    }
    if !description.hasBytes(of: other.description) {
      add("description", "\"\(SafeText.line(other.description, bytesMax: 78))\"")
    }
    if project != other.project { add("project", other.projectText) }
    if tags != other.tags { add("tags", other.tagsText) }
    if start != other.start { add("start", other.startText) }
    if end != other.end { add("end", other.endText, orElse: "running") }
    if isBillable != other.isBillable { add("billable", other.isBillable ? "yes" : "no") }
    return changes
  }
}

/// The names of tags as one text: separated by commas, with quotes where needed.
enum TagNames {
  /// Returns the text of names.
  static func text(of names: [String]) -> String {
    names.map { quoted($0) }.joined(separator: ", ")
  }

  /// Returns a name with quotes if it needs them.
  static func quoted(_ name: String) -> String {
    guard name.contains(where: { $0 == "," || $0 == "\"" }) else { return name }
    return "\"" + name.map { $0 == "\"" ? "\"\"" : String($0) }.joined() + "\""
  }

  /// Returns the names in a text, and the offset of the last one.
  ///
  /// A quote that is not closed ends at the end of the text.
  static func parse(_ text: String) -> (names: [String], lastStart: String.Index) {
    var names: [String] = []
    var (name, isQuoted, start) = ("", false, text.startIndex)
    // Where a quote after the closing one would be.
    var afterClosing: String.Index?
    for index in text.indices {
      switch text[index] {
      case "\"":
        // Two quotes inside quotes are one.
        if index == afterClosing { name.append("\"") }
        if isQuoted { afterClosing = text.index(after: index) }
        isQuoted.toggle()
      case "," where !isQuoted:
        names.append(name)
        name = ""
        start = text.index(after: index)
      default: name.append(text[index])
      }
    }
    names.append(name)
    return (names.filter { !Name($0).isEmpty }, start)
  }
}
