import Retrace
import TimeTracking

/// The completion of the name before the cursor of a form.
///
/// In a description, `@` begins the name of a project, and `#` and `+` begin the name of a tag.
/// Accepting a suggestion moves the name to its own field. When a new entry is saved, `EntryWords`
/// reads the names that are left in its description. In a recorded entry, such names are text.
struct NameCompletion: Sendable {
  /// The kind of the entity.
  enum Kind { case project, tag }

  /// A suggested name.
  struct Suggestion: Sendable {
    /// The name.
    var name: String
    /// Whether the entity would be created.
    var isNew: Bool
  }

  /// The kind of the entity.
  let kind: Kind
  /// The suggested names.
  let suggestions: [Suggestion]
  /// The index of the suggestion that `right` accepts.
  let chosen: Int
  /// Whether the chosen name would be created.
  var isNew: Bool { suggestions[chosen].isNew }
  private let field: EditorField
  /// The UTF-8 offset of the word.
  private let start: Int

  /// The maximum number of suggestions.
  private static var suggestionsMax: Int { 5 }

  /// Creates the completion at the cursor of a form; `nil` if no name is being typed.
  ///
  /// - Complexity: O(bytes of the text), and O(projects) or O(tags) if a name is being typed.
  init?(in route: EntryEditorRoute, _ domain: DomainState) {
    guard let draft = route[route.field] else { return nil }
    let bytes = Array(draft.text.utf8)
    let cursor = Int(draft.cursor)
    let blank = UInt8(ascii: " ")
    field = route.field
    var typed: [UInt8]
    switch field {
    case .description:
      guard cursor == bytes.count || bytes[cursor] == blank else { return nil }
      let word = bytes[..<cursor].lastIndex(of: blank).map { $0 + 1 } ?? 0
      guard cursor - word > 1 else { return nil }
      switch bytes[word] {
      case UInt8(ascii: "@"): kind = .project
      case UInt8(ascii: "#"), UInt8(ascii: "+"): kind = .tag
      default: return nil
      }
      start = word
      typed = Array(bytes[(word + 1)..<cursor])
    case .project:
      guard cursor == bytes.count else { return nil }
      (kind, start, typed) = (.project, 0, bytes)
    case .tags:
      guard cursor == bytes.count else { return nil }
      let last = TagNames.parse(draft.text).lastStart
      kind = .tag
      start = draft.text.utf8.distance(from: draft.text.startIndex, to: last)
      typed = Array(bytes[start...])
      typed.removeAll { $0 == UInt8(ascii: "\"") }
    case .start, .end, .duration, .billable: return nil
    }
    let text = String(decoding: typed, as: UTF8.self)
    let name =
      switch kind {
      case .project: Name(text, in: domain.projects)
      case .tag: Name(text, in: domain.tags)
      }
    guard !name.isEmpty else { return nil }
    let found = Self.suggestions(
      kind, named: name, isToken: field == .description, of: route.workspace(in: domain), domain)
    if found.isEmpty { return nil }
    suggestions = found
    chosen = Int(clamping: max(0, route.suggestion)) % found.count
  }

  /// A name that matches, with its project.
  private struct Found: Equatable {
    var name: Name
    var project: Project?
  }

  /// Returns the names that match the typed text, names with that prefix first.
  ///
  /// - Parameter isToken: Whether the name is typed in a description. In its own field, a typed
  ///   name is complete.
  private static func suggestions(
    _ kind: Kind, named name: Name, isToken: Bool, of workspace: WorkspaceID?,
    _ domain: DomainState
  ) -> [Suggestion] {
    var ranking = NameRanking<Found>(name, by: .words, sortsByName: false)
    switch kind {
    case .project:
      domain.projects.forEach { id, project in
        guard project.isOffered, project.workspace == workspace else { return }
        ranking.add(Found(name: project.name, project: project), id: id.value, name: project.name)
      }
    case .tag:
      domain.tags.forEach { id, tag in
        guard tag.isOffered, tag.workspace == workspace else { return }
        ranking.add(Found(name: tag.name), id: id.value, name: tag.name)
      }
    }
    let all = ranking.best(.max).filter { isToken || $0.name != name }
    var found = all.prefix(suggestionsMax).map { found in
      // The client distinguishes projects with the same name.
      let isUnique = all.count { $0.name == found.name } == 1
      let qualified = isUnique ? nil : found.project.map { domain.qualifiedName(of: $0) }
      return Suggestion(name: qualified ?? found.name.text, isNew: false)
    }
    if isToken, all.first?.name != name {
      let isNew = kind == .tag || domain.projects(named: name.text).isEmpty
      found.append(Suggestion(name: name.text, isNew: isNew))
    }
    return found
  }

  /// Returns the steps that accept the chosen suggestion.
  func steps(in route: EntryEditorRoute) -> [KeyStep] {
    let name = suggestions[chosen].name
    guard let draft = route[field] else { return [] }
    switch field {
    case .description:
      // Within the text, the space before the word is removed, too. At the end of the text it
      // stays, because the user goes on typing.
      let isWithin = draft.cursor < draft.text.utf8.count
      let from = start > 0 && isWithin ? start - 1 : start
      let removal = TextReplacement(
        start: Int64(from), end: draft.cursor, text: "", cursor: Int64(from))
      return [edit(.description, removal), naming(name, in: route)]
    case .project: return [edit(.project, draft.replacing(with: name))]
    default:
      let blank = start > 0 ? " " : ""
      let text = blank + TagNames.quoted(name)
      let end = Int64(draft.text.utf8.count)
      return [
        edit(
          .tags,
          TextReplacement(
            start: Int64(start), end: end, text: text, cursor: Int64(start + text.utf8.count)))
      ]
    }
  }

  private func naming(_ name: String, in route: EntryEditorRoute) -> KeyStep {
    switch kind {
    case .project: return edit(.project, route.project.replacing(with: name))
    case .tag:
      let before = TagNames.parse(route.tags.text).names.map { Name($0).text }
      return edit(.tags, route.tags.replacing(with: TagNames.text(of: before + [name])))
    }
  }

  private func edit(_ field: EditorField, _ edit: TextReplacement) -> KeyStep {
    .screen(.entryEditor(.edited(field, edit)))
  }
}

extension EntryEditorRoute {
  /// Returns the workspace in which names are looked up.
  func workspace(in domain: DomainState) -> WorkspaceID? {
    if let entry { return domain.timeEntries[entry]?.workspace }
    return domain.users[user]?.workspace
  }
}
