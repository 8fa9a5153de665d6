import Retrace
import RetraceToolSupport
import TimeTracking

/// Entries as a text that is changed in an editor: a block for each, with a field on each line.
struct EntryDocument {
  /// A line of a block.
  struct Field: Equatable {
    var name: String
    var value: String
  }

  /// The fields of an entry.
  struct Block {
    var id: Int64
    var fields: [Field] = []

    /// Returns whether a field differs from its value in the entry before; an omitted field does
    /// not.
    func differs(from old: Block) -> Bool {
      let names = Set(fields.map(\.name)).union(["tag", "annotation"])
      return names.contains { values($0) != old.values($0) }
    }

    /// Returns the values of a field, without empty ones.
    func values(_ name: String) -> [String] {
      fields.filter { $0.name == name && !$0.value.isEmpty }.map(\.value)
    }
  }

  private static let names = [
    "description", "project", "task", "tag", "start", "end", "billable", "annotation",
  ]

  private static let heading = """
    # Change fields, save the file and leave the editor.
    # A field or an entry that is left as it is, or left out, does not change.
    # Each tag and annotation is a line of its own; remove the line to remove it.
    # A line break is written \\n, and a backslash \\\\. Lines like this one are skipped.

    """

  /// The blocks, in order.
  private(set) var blocks: [Block] = []

  /// Creates the document of entries.
  ///
  /// - Parameters:
  ///   - entries: The entries.
  ///   - domain: The entities.
  ///   - rules: The zone in which times are written, each with its offset.
  init(_ entries: [IdentifiedEntry], in domain: DomainState, _ rules: ZoneRules) {
    for found in entries {
      let (entry, labels) = (found.entry, domain.labels(of: found.entry))
      var block = Block(id: found.id.value)
      func add(_ name: String, _ value: String) {
        block.fields.append(Field(name: name, value: value))
      }
      add("description", entry.description)
      add("project", labels.project ?? "")
      add("task", labels.task ?? "")
      for tag in labels.tags.isEmpty ? [""] : labels.tags { add("tag", tag) }
      add("start", Self.text(entry.start, rules))
      add("end", entry.end.map { Self.text($0, rules) } ?? "")
      add("billable", entry.isBillable ? "yes" : "no")
      for text in entry.annotations.isEmpty ? [""] : entry.annotations { add("annotation", text) }
      blocks.append(block)
    }
  }

  private static func text(_ moment: Moment, _ rules: ZoneRules) -> String {
    "\(rules.local(at: moment)) \(rules.offsetText(at: moment))"
  }

  var text: String {
    Self.heading
      + blocks.map { block in
        let lines = block.fields.map { field in
          let label = "\(field.name):"
          return field.value.isEmpty
            ? label : TextWidth.padded("\(label) ", to: 13) + Self.escaped(field.value)
        }
        return "entry: \(block.id)\n" + lines.joined(separator: "\n") + "\n"
      }.joined(separator: "\n")
  }

  /// Reads the text that an editor left.
  ///
  /// - Throws: A usage failure that names the line that is not understood.
  init(_ text: String) throws(ToolFailure) {
    // Bytes, because "\r\n" is one character.
    let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      let line = Substring(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
      guard !line.hasPrefix("#"), line.contains(where: { !$0.isWhitespace }) else { continue }
      guard let colon = line.firstIndex(of: ":") else {
        throw Self.failure(index, "it is no `field: value`")
      }
      let name = String(line[..<colon])
      let value = line[line.index(after: colon)...].trimmingBlanks
      if name == "entry" {
        guard let id = Int64(value), id >= 0 else { throw Self.failure(index, "it has no id") }
        guard !blocks.contains(where: { $0.id == id }) else {
          throw Self.failure(index, "the entry \(id) comes twice")
        }
        blocks.append(Block(id: id))
        continue
      }
      guard Self.names.contains(name) else {
        throw Self.failure(index, "there is no field \(name)")
      }
      guard var block = blocks.popLast() else {
        throw Self.failure(index, "no `entry:` comes before it")
      }
      let isMany = name == "tag" || name == "annotation"
      guard isMany || !block.fields.contains(where: { $0.name == name }) else {
        throw Self.failure(index, "the field \(name) comes twice")
      }
      block.fields.append(Field(name: name, value: Self.unescaped(value)))
      blocks.append(block)
    }
  }

  private static func failure(_ index: Int, _ why: String) -> ToolFailure {
    .usage(
      "Line \(index + 1) of the edited text is not understood: \(why).",
      advice: "Correct the line.")
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
  }

  private static func unescaped(_ text: String) -> String {
    var result = ""
    var rest = Substring(text)
    while let character = rest.popFirst() {
      guard character == "\\", let next = rest.popFirst() else {
        result.append(character)
        continue
      }
      result.append(next == "n" ? "\n" : next)
    }
    return result
  }

  /// Returns the correction that leads from one block to another of the same entry.
  ///
  /// - Parameters:
  ///   - old: The block before.
  ///   - new: The block after; a field that it lacks stays as it is.
  ///   - entry: The entry.
  ///   - context: The entities, the present and the zone.
  static func correction(
    from old: Block, to new: Block, of entry: TimeEntry, in context: EntryContext
  ) throws(ToolFailure) -> TimeEntryCorrection {
    var correction = TimeEntryCorrection()
    let domain = context.domain
    func changed(_ name: String) -> String? {
      guard let value = new.fields.first(where: { $0.name == name })?.value else { return nil }
      return value == old.fields.first { $0.name == name }?.value ? nil : value
    }
    if let text = changed("description") {
      correction.changes.description = Change(from: entry.description, to: text)
    }
    if let name = changed("project") {
      if name.isEmpty {
        correction.changes.project = Change(from: entry.project, to: nil)
      } else {
        try correction.setProject(name, of: entry, in: domain)
      }
    }
    if let name = changed("task") {
      let project = correction.project(of: entry)
      let task = try name.isEmpty ? nil : domain.task(named: name, of: project)
      correction.changes.task = Change(from: entry.task, to: task)
    }
    let (oldTags, newTags) = (old.values("tag").map(Name.init), new.values("tag").map(Name.init))
    let removed = oldTags.filter { !newTags.contains($0) }.map(\.text)
    let added = newTags.filter { !oldTags.contains($0) }
    correction.addTags(added, to: entry, in: domain)
    if !removed.isEmpty {
      let ids = try entry.tagIDs(named: removed, in: domain)
      let rest = correction.changes.tags?.after ?? entry.tags
      correction.changes.tags = Change(from: entry.tags, to: rest.filter { !ids.contains($0) })
    }
    if let text = changed("start") {
      let start = try context.time(text, on: entry, option: "start")
      correction.changes.start = Change(from: entry.start, to: start)
    }
    if let text = changed("end") {
      let start = correction.changes.start?.after ?? entry.start
      let end: Moment? =
        try text.isEmpty ? nil : context.time(text, on: entry, option: "end") { $0 > start }
      correction.changes.end = Change(from: entry.end, to: end)
    }
    if let text = changed("billable") {
      guard ["yes", "no"].contains(text) else {
        throw .usage("billable is neither yes nor no: \(text).", advice: "Write yes or no.")
      }
      correction.changes.isBillable = Change(from: entry.isBillable, to: text == "yes")
    }
    if new.values("annotation") != old.values("annotation") {
      correction.changes.annotations = Change(
        from: entry.annotations, to: new.values("annotation"))
    }
    return correction
  }
}

extension DomainState {
  /// Returns the task of a project with a name.
  ///
  /// - Complexity: O(tasks).
  /// - Throws: A refusal if the project has no such task, or if there is no project.
  func task(
    named text: String, of project: Reference<ProjectID>?
  ) throws(ToolFailure) -> TaskID {
    let name = Name(text, in: tasks)
    var found: TaskID?
    tasks.forEach { id, task in
      guard found == nil, task.deleted == nil, task.name == name else { return }
      guard case .id(let wanted)? = project else { return }
      if projects.resolve(task.project) == projects.resolve(wanted) { found = id }
    }
    guard let found else {
      throw .refused(
        "The project has no task \(text).",
        advice: "Create it: `track tasks create NAME --project PROJECT`.")
    }
    return found
  }
}

extension Substring {
  /// The text without blanks at its ends.
  fileprivate var trimmingBlanks: String {
    var rest = self
    while rest.first?.isWhitespace == true { rest.removeFirst() }
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return String(rest)
  }
}
