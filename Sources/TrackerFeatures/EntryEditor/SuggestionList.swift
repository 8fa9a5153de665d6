import Retrace
import TimeTracking

/// The suggestions for the text before the cursor of a form.
///
/// In a description, `@` begins the name of a project, `#` and `+` begin the name of a tag, and any
/// other text asks for earlier entries. Taking a name over moves it to its own field. When a new
/// entry is saved, `EntryWords` reads the names that are left in its description. In a recorded
/// entry, such names are text.
struct SuggestionList: Sendable {
  /// A suggestion.
  enum Row: Equatable, Sendable {
    /// The contents of earlier entries.
    case entry(RecentContents.Item)
    /// A project by its shown name, with a task or without.
    case project(ProjectID, task: TaskID?, name: String)
    case tag(String)
    case newProject(String)
    case newTag(String)

    fileprivate var isEntry: Bool { if case .entry = self { true } else { false } }
  }

  /// The suggestions, best first; at least one.
  let rows: [Row]
  /// The index of the marked suggestion, if any: the one that the user chose, or the first name
  /// for a text that is no known name yet.
  let marked: Int?
  /// Whether the user chose the marked suggestion.
  let isChosen: Bool
  /// The UTF-8 offsets of the text in the field that a name takes the place of.
  let range: Range<Int>

  /// The maximum number of suggestions, without a new name.
  static var rowsMax: Int { 8 }
  /// The bytes of a text beyond which no entries are suggested.
  private static var queryMax: Int { 1_000 }

  /// Creates the suggestions at the cursor of a form; `nil` if there are none.
  ///
  /// - Parameters:
  ///   - route: The form.
  ///   - times: The number of bytes of the times at the beginning of the description.
  ///   - contents: The contents of earlier entries.
  ///   - domain: The entities.
  /// - Complexity: O(bytes of the text + contents) for a description, O(projects + tasks) or
  ///   O(tags) for a name.
  init?(
    in route: EntryEditorRoute, afterTimes times: Int, among contents: inout RecentContents,
    _ domain: DomainState
  ) {
    guard !route.isListClosed, let draft = route[route.field],
      let (token, start) = Self.token(in: route, draft, afterTimes: times)
    else { return nil }
    let isToken = route.field == .description
    if token.kind == .entry, draft.text.utf8.count > Self.queryMax { return nil }
    var entries: [TimeEntryID: RecentContents.Item] = [:]
    let found = domain.suggestions(
      for: token, of: isToken ? Self.withoutSigns(draft.text) : "",
      in: route.workspace(in: domain), limit: Self.rowsMax
    ) { query in
      guard isToken, draft.text.utf8.count <= Self.queryMax else { return [] }
      return contents.matching(query, limit: Self.rowsMax).map { item in
        entries[item.newest.id] = item
        return .entry(item.newest.id)
      }
    }
    rows = Self.rows(found, entries, token, isToken: isToken, in: domain)
    guard !rows.isEmpty else { return nil }
    range = start..<(start + token.range.count)
    if let choice = route.choice {
      (marked, isChosen) = (min(max(0, Int(clamping: choice)), rows.count - 1), true)
    } else {
      let first = Int(clamping: max(0, route.suggestion)) % rows.count
      let typed = Name(token.query)
      let isComplete = !isToken && found.contains { $0.isNamed(typed, in: domain) }
      (marked, isChosen) = (rows[0].isEntry || isComplete ? nil : first, false)
    }
  }

  /// Returns the token at the cursor, and its offset in the field; `nil` if none is typed.
  private static func token(
    in route: EntryEditorRoute, _ draft: TextDraft, afterTimes times: Int
  ) -> (AutocompleteToken, start: Int)? {
    let (cursor, count) = (Int(draft.cursor), draft.text.utf8.count)
    switch route.field {
    case .description:
      guard cursor >= times else { return nil }
      let text = draft.text.utf8.dropFirst(times)
      let isAtEnd = cursor == count
      // Within a word, a name would be taken over without its end.
      guard isAtEnd || text.dropFirst(cursor - times).first == UInt8(ascii: " ") else {
        return nil
      }
      let token = AutocompleteToken(in: String(Substring(text)), at: cursor - times)
      if token.kind == .entry {
        let isChanged = route.seen.map { !draft.text.hasBytes(of: $0.description) } ?? true
        return isAtEnd && isChanged ? (token, times) : nil
      }
      return (token, times + token.range.lowerBound)
    case .project:
      guard cursor == count, !Name(draft.text).isEmpty else { return nil }
      return (AutocompleteToken(.project, named: draft.text), 0)
    case .tags:
      guard cursor == count else { return nil }
      let last = TagNames.parse(draft.text).lastStart
      let start = draft.text.utf8.distance(from: draft.text.startIndex, to: last)
      let name = draft.text[last...].filter { $0 != "\"" }
      guard !Name(name).isEmpty else { return nil }
      var token = AutocompleteToken(.tag, named: name)
      token.range = 0..<(count - start)
      return (token, start)
    case .start, .end, .duration, .billable: return nil
    }
  }

  /// Returns a text without the signs at the beginnings of words.
  private static func withoutSigns(_ text: String) -> String {
    text.split(separator: " ").map { word in
      String(word.drop { $0 == "@" || $0 == "#" || $0 == "+" })
    }.joinedByBlanks
  }

  private static func rows(
    _ found: [AutocompleteSuggestion], _ entries: [TimeEntryID: RecentContents.Item],
    _ token: AutocompleteToken, isToken: Bool, in domain: DomainState
  ) -> [Row] {
    // Several words after a sign are more likely text than a new name.
    let takesNew = isToken && !token.query.utf8.contains(UInt8(ascii: " "))
    let projects = found.compactMap { suggestion in
      if case .project(let id, task: _) = suggestion { id } else { nil }
    }
    let longNames = domain.longNames(ofAll: projects)
    let typed = Name(token.query)
    return found.compactMap { suggestion in
      switch suggestion {
      case .entry(let id): return entries[id].map { .entry($0) }
      case .project(let id, let task):
        guard let name = domain.shownName(of: id, longNames) else { return nil }
        // In its own field, a typed name is complete.
        if !isToken, task == nil, Name(name) == typed { return nil }
        return .project(id, task: task, name: name)
      case .tag(let id):
        guard let name = domain.tags.read(id, { $0.name }), isToken || name != typed else {
          return nil
        }
        return .tag(name.text)
      case .createProject(let name): return takesNew ? .newProject(name.text) : nil
      case .createTag(let name): return takesNew ? .newTag(name.text) : nil
      }
    }
  }
}

extension AutocompleteSuggestion {
  /// Returns whether it is a project or a tag with a name.
  fileprivate func isNamed(_ name: Name, in domain: DomainState) -> Bool {
    switch self {
    case .project(let id, task: nil): domain.projects.read(id) { $0.name == name } ?? false
    case .tag(let id): domain.tags.read(id) { $0.name == name } ?? false
    case .project, .entry, .createProject, .createTag: false
    }
  }
}
