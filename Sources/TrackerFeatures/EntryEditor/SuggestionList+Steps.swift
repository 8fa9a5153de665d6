import Retrace
import TimeTracking

extension EntryEditorFrame {
  /// Returns the steps that take a suggestion over into the form.
  func taking(_ index: Int) -> [KeyStep] {
    guard let list, list.rows.indices.contains(index) else { return [] }
    var steps: [KeyStep] = []
    switch list.rows[index] {
    case .entry(let item): steps = taking(item.newest.entry)
    case .project(_, let task, let name):
      steps = removingToken(list.range) + replacing(.project, with: name)
      if task != nil || route.task != nil {
        steps.append(.screen(.entryEditor(.taskTaken(task))))
      }
    case .newProject(let name):
      steps = removingToken(list.range) + replacing(.project, with: name)
    case .tag(let name), .newTag(let name):
      steps = removingToken(list.range) + addingTag(name, at: list.range)
    }
    return steps + [.screen(.entryEditor(.listClosed))]
  }

  /// Returns the steps that give the form the contents of an entry.
  private func taking(_ entry: TimeEntry) -> [KeyStep] {
    var aliases = AliasResolver(domain)
    let project = aliases.project(entry.project).flatMap { id in
      domain.projects.live(id).map { _ in id }
    }
    let longNames = domain.longNames(ofAll: [project].compactMap { $0 })
    var steps = describing(entry.description)
    let name = project.flatMap { domain.shownName(of: $0, longNames) } ?? ""
    let naming = replacing(.project, with: name)
    steps += naming
    let task = project == nil ? nil : aliases.task(entry.task)
    // The edit of a project removes its task.
    if task != (naming.isEmpty ? route.task : nil) {
      steps.append(.screen(.entryEditor(.taskTaken(task))))
    }
    let tags = aliases.tags(entry.tags).compactMap { domain.tags.live($0)?.name.text }
    steps += replacing(.tags, with: TagNames.text(of: tags))
    let usual = project.flatMap { domain.projects.read($0) { $0.isBillable } } ?? false
    var other = route
    other.set(.project, to: name)
    let present = route.seen.flatMap {
      FormNames(other, in: domain).isBillable(changingAllOf: $0)
    }
    if entry.isBillable != (present ?? route.isBillable ?? usual) {
      steps.append(.screen(.entryEditor(.billable(entry.isBillable))))
    }
    return steps
  }

  /// Returns the steps that replace the description after its times.
  ///
  /// In a new entry, what would be read as a name or a time gets a backslash.
  private func describing(_ description: String) -> [KeyStep] {
    guard route.entry == nil else { return replacing(.description, with: description) }
    let text = route.description.text
    let times = Int64(timesBytes)
    let end = Int64(text.utf8.count)
    var taken = EntryWords.text(ofDescription: description)
    if times == 0, let edge {
      var other = route
      other.description = TextDraft(taken)
      if FormTimes(other, at: edge, in: domain).beginsWithTime { taken = "\\\(taken)" }
    }
    let edit = TextReplacement(
      start: times, end: end, text: taken, cursor: times + Int64(taken.utf8.count))
    return [.screen(.entryEditor(.edited(.description, edit)))]
  }

  /// Returns the step that replaces the text of a field, unless it is the same.
  private func replacing(_ field: EditorField, with text: String) -> [KeyStep] {
    guard let draft = route[field], !draft.text.hasBytes(of: text) else { return [] }
    return [.screen(.entryEditor(.edited(field, draft.replacing(with: text))))]
  }

  /// Returns the step that removes a name from the description, if it was typed there.
  ///
  /// Within the text, the space before the name is removed, too. At the end of the text it stays,
  /// because the user goes on typing.
  private func removingToken(_ range: Range<Int>) -> [KeyStep] {
    guard route.field == .description else { return [] }
    let draft = route.description
    let isWithin = range.upperBound < draft.text.utf8.count
    let start = range.lowerBound > 0 && isWithin ? range.lowerBound - 1 : range.lowerBound
    let removal = TextReplacement(
      start: Int64(start), end: Int64(range.upperBound), text: "", cursor: Int64(start))
    return [.screen(.entryEditor(.edited(.description, removal)))]
  }

  /// Returns the steps that add a tag: in the place of the typed one, or after the others.
  private func addingTag(_ name: String, at range: Range<Int>) -> [KeyStep] {
    guard route.field == .tags else {
      let names = TagNames.parse(route.tags.text).names.map { Name($0).text }
      guard !names.contains(where: { Name($0) == Name(name) }) else { return [] }
      return replacing(.tags, with: TagNames.text(of: names + [name]))
    }
    let text = (range.lowerBound > 0 ? " " : "") + TagNames.quoted(name)
    let cursor = range.lowerBound + text.utf8.count
    let edit = TextReplacement(
      start: Int64(range.lowerBound), end: Int64(range.upperBound), text: text,
      cursor: Int64(cursor))
    return [.screen(.entryEditor(.edited(.tags, edit)))]
  }
}
