import RetraceArchitecture
import RetraceScreen
import RetraceState

extension StartEditDraft {
  /// What is being named right before the cursor, and how it begins.
  private enum Unfinished {
    case project(String)
    case tag(String)
  }

  /// How many names are suggested at most.
  private static let suggestionLimit = 5

  private var unfinished: Unfinished? {
    switch field {
    case .project:
      guard project.cursor == project.text.count, !project.isEmpty else { return nil }
      return .project(project.text)
    case .tags:
      guard tags.cursor == tags.text.count else { return nil }
      let last = tags.text.split(separator: ",", omittingEmptySubsequences: false).last ?? ""
      return trimmed(last).nonEmpty.map { .tag($0) }
    case .description:
      let before = description.textBeforeCursor
      let isAtEndOfWord =
        description.text.dropFirst(description.cursor).first.map { $0 == " " } ?? true
      guard isAtEndOfWord, let word = before.split(separator: " ").last,
        before.utf8.last != UInt8(ascii: " "), word.utf8.count > 1
      else { return nil }
      let name = String(Substring(word.utf8.dropFirst()))
      switch word.utf8.first {
      case UInt8(ascii: "@"): return .project(name)
      case UInt8(ascii: "#"): return .tag(name)
      default: return nil
      }
    case .start, .duration, .billable: return nil
    }
  }

  /// The names that begin with what stands before the cursor, in order of their ids.
  ///
  /// - Complexity: O(projects) or O(tags).
  func suggestions(in library: Library) -> [String] {
    switch unfinished {
    case .project(let start): matches(of: start, in: library.projects, \.name)
    case .tag(let start): matches(of: start, in: library.tags, \.name)
    case nil: []
    }
  }

  /// The text that completes the name before the cursor to the first suggestion.
  func completion(in library: Library) -> String? {
    let start: String
    switch unfinished {
    case .project(let name), .tag(let name): start = name
    case nil: return nil
    }
    return suggestions(in: library).first.map { String($0.dropFirst(start.count)) }?.nonEmpty
  }

  private func matches<ID, Entity>(
    of start: String, in table: EntityTable<ID, Entity>, _ nameOf: (Entity) -> String
  ) -> [String] {
    let folded = start.lowercased()
    var found: [String] = []
    table.forEach { _, entity in
      let name = nameOf(entity)
      guard found.count < Self.suggestionLimit, name.count > start.count,
        name.lowercased().hasPrefix(folded)
      else { return }
      // A name with a blank cannot stand in the description as one word.
      if field == .description && name.contains(" ") { return }
      found.append(name)
    }
    return found
  }
}
