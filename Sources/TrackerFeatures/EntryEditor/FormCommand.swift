import Retrace
import TimeTracking

/// The command of a form.
struct FormCommand {
  private let route: EntryEditorRoute
  private let domain: DomainState
  private let names: FormNames
  private let times: FormTimes
  private let policy: Policy
  private let edge: Edge

  init(_ route: EntryEditorRoute, in domain: DomainState, at edge: Edge) {
    let preferences = domain.preferences(of: route.user)?.set
    (self.route, self.domain) = (route, domain)
    policy = preferences?.policy ?? .refuse
    names = FormNames(route, in: domain)
    times = FormTimes(route, at: edge, in: domain)
    self.edge = edge
  }

  /// Returns the command; `nil` if the user changed nothing.
  ///
  /// - Throws: The obstacle, such as a text that cannot be read.
  func command() throws(KeyObstacle) -> TimeEntryCommand? {
    guard let id = route.entry else { return try newEntry() }
    guard let seen = route.seen else { throw .formEmpty }
    let entries = [id] + route.others
    var commands: [TimeEntryCommand] = []
    for id in entries.sorted() {
      let base = entries.count == 1 ? seen : seen.values(of: id, in: domain)
      let correction = try correction(of: seen, from: base)
      if correction == TimeEntryCorrection() { continue }
      commands.append(.correct(id, correction, policy: policy, reason: nil))
    }
    return commands.count > 1 ? .several(commands) : commands.first
  }

  private func newEntry() throws(KeyObstacle) -> TimeEntryCommand {
    let leading = try times.leadingSpan()
    let span = if let leading { try times.ended(leading.span) } else { try times.newSpan() }
    let problem = times.inconsistency(of: span, inDescription: leading != nil)?.problem
    if let obstacle = problem?.obstacle { throw obstacle }
    let words = try names.words(in: leading?.rest ?? route.description.text)
    var draft = try names.draft(
      of: words, zone: edge.rules.recorded(at: span.start ?? edge.now))
    draft.isBillable = route.isBillable
    if draft.task == nil, let task = route.task, case .id(let project)? = draft.project,
      let own = domain.tasks.live(task)?.project, domain.projects.resolve(own) == project
    {
      draft.task = .id(task)
    }
    guard let start = span.start, let end = span.end else {
      return .start(draft, at: span.start, policy: policy)
    }
    return .add(draft, start: start, end: end, policy: policy)
  }

  /// Returns the user's changes.
  ///
  /// - Parameters:
  ///   - seen: The values that the form was made from, by which the changed fields are known.
  ///   - base: The values that the user saw of the corrected entry: the same but in a group.
  private func correction(
    of seen: SeenEntry, from base: SeenEntry
  ) throws(KeyObstacle) -> TimeEntryCorrection {
    var correction = TimeEntryCorrection()
    if !route.description.text.hasBytes(of: seen.description) {
      // Accepting a suggestion at the end of the text removes the word, but not the space before
      // it.
      let text = route.description.text.withoutLastBlanks
      if !text.hasBytes(of: base.description) {
        correction.changes.description = Change(from: base.description, to: text)
      }
    }
    try correctProject(of: seen, from: base, in: &correction)
    if !route.tags.text.hasBytes(of: seen.tagsText) {
      correctTags(from: base, in: &correction)
    }
    let span = try times.editedSpan(of: seen)
    if let obstacle = times.inconsistency(of: span, inDescription: false)?.problem.obstacle {
      throw obstacle
    }
    if let start = span.start, start != seen.start {
      correction.changes.start = Change(from: seen.start, to: start)
    }
    if span.end != seen.end { correction.changes.end = Change(from: seen.end, to: span.end) }
    let isBillable = try names.isBillable(changing: base)
    if isBillable != base.isBillable {
      correction.changes.isBillable = Change(from: base.isBillable, to: isBillable)
    }
    return correction
  }

  private func correctProject(
    of seen: SeenEntry, from base: SeenEntry, in correction: inout TimeEntryCorrection
  ) throws(KeyObstacle) {
    if !route.project.text.hasBytes(of: seen.projectText) {
      switch try names.project() {
      case .id(base.project): break
      case .id(let id): correction.changes.project = Change(from: base.project, to: id)
      case .name(let name):
        // The project has no id yet, so the change only says which project the user saw.
        correction.changes.project = Change(from: base.project, to: base.project)
        correction.project = name
      case nil:
        if base.project != nil { correction.changes.project = Change(from: base.project, to: nil) }
      }
    }
    if let task = route.task, task != base.task {
      correction.changes.task = Change(from: base.task, to: task)
    }
  }

  private func correctTags(from base: SeenEntry, in correction: inout TimeEntryCorrection) {
    var kept: [TagID] = []
    for tag in names.tags() {
      switch tag {
      case .id(let id): kept.append(id)
      case .name(let name): correction.addedTags.append(name)
      }
    }
    kept.sort()
    if kept != base.tags || !correction.addedTags.isEmpty {
      correction.changes.tags = Change(from: base.tags, to: kept)
    }
  }
}

extension SeenEntry {
  /// Returns the values that the user saw of an entry of the group.
  ///
  /// Where the entries differed, the user saw no value, so the present one is taken. Merged
  /// projects and tags are equal to the ones that they were merged into.
  func values(of id: TimeEntryID, in domain: DomainState) -> SeenEntry {
    guard let entry = domain.timeEntries[id] else { return self }
    var (values, aliases) = (self, AliasResolver(domain))
    if mixed.contains(.description) { values.description = entry.description }
    if mixed.contains(.project) || aliases.project(entry.project) == aliases.project(project) {
      values.project = entry.project
    }
    if mixed.contains(.project) || aliases.task(entry.task) == aliases.task(task) {
      values.task = entry.task
    }
    if mixed.contains(.tags) || aliases.tags(entry.tags) == aliases.tags(tags) {
      values.tags = entry.tags
    }
    if mixed.contains(.billable) { values.isBillable = entry.isBillable }
    return values
  }
}

extension String {
  /// The text without spaces at its end.
  fileprivate var withoutLastBlanks: String {
    var text = self
    while text.utf8.last == UInt8(ascii: " ") { text.removeLast() }
    return text
  }
}
