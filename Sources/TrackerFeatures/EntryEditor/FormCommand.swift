import Retrace
import TimeTracking

/// The command of a form.
struct FormCommand {
  private let route: EntryEditorRoute
  private let names: FormNames
  private let times: FormTimes
  private let policy: Policy
  private let edge: Edge

  init(_ route: EntryEditorRoute, in domain: DomainState, at edge: Edge) {
    let preferences = domain.preferences(of: route.user)?.set
    self.route = route
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
    let correction = try correction(of: seen)
    if correction == TimeEntryCorrection() { return nil }
    return .correct(id, correction, policy: policy, reason: nil)
  }

  private func newEntry() throws(KeyObstacle) -> TimeEntryCommand {
    let leading = try times.leadingSpan()
    let span = if let leading { leading.span } else { try times.newSpan() }
    let words = try names.words(in: leading?.rest ?? route.description.text)
    var draft = try names.draft(
      of: words, zone: edge.rules.recorded(at: span.start ?? edge.now))
    draft.isBillable = route.isBillable
    guard let start = span.start, let end = span.end else {
      return .start(draft, at: span.start, policy: policy)
    }
    return .add(draft, start: start, end: end, policy: policy)
  }

  /// Returns the user's changes of the values that the form was made from.
  private func correction(of seen: SeenEntry) throws(KeyObstacle) -> TimeEntryCorrection {
    var correction = TimeEntryCorrection()
    if !route.description.text.hasBytes(of: seen.description) {
      // Accepting a suggestion at the end of the text removes the word, but not the space before
      // it.
      let text = route.description.text.withoutLastBlanks
      if !text.hasBytes(of: seen.description) {
        correction.changes.description = Change(from: seen.description, to: text)
      }
    }
    if !route.project.text.hasBytes(of: seen.projectText) {
      switch try names.project() {
      case .id(seen.project): break
      case .id(let id): correction.changes.project = Change(from: seen.project, to: id)
      case .name(let name):
        // The project has no id yet, so the change only says which project the user saw.
        correction.changes.project = Change(from: seen.project, to: seen.project)
        correction.project = name
      case nil:
        if seen.project != nil { correction.changes.project = Change(from: seen.project, to: nil) }
      }
    }
    if !route.tags.text.hasBytes(of: seen.tagsText) { correctTags(of: seen, in: &correction) }
    let span = try times.editedSpan(of: seen)
    if let start = span.start, start != seen.start {
      correction.changes.start = Change(from: seen.start, to: start)
    }
    if span.end != seen.end { correction.changes.end = Change(from: seen.end, to: span.end) }
    if let isBillable = route.isBillable, isBillable != seen.isBillable {
      correction.changes.isBillable = Change(from: seen.isBillable, to: isBillable)
    }
    return correction
  }

  private func correctTags(of seen: SeenEntry, in correction: inout TimeEntryCorrection) {
    var kept: [TagID] = []
    for tag in names.tags() {
      switch tag {
      case .id(let id): kept.append(id)
      case .name(let name): correction.addedTags.append(name)
      }
    }
    kept.sort()
    if kept != seen.tags || !correction.addedTags.isEmpty {
      correction.changes.tags = Change(from: seen.tags, to: kept)
    }
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
