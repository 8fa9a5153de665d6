import RetraceState

/// Words that must all occur in some texts, in any order, whatever the case of their letters.
///
/// It follows the Unicode tables of the toolchain, so it belongs at the edge: a decider and a
/// reducer must not use it.
public struct WordQuery: Hashable, Sendable {
  /// The words, in small letters.
  let words: [[UInt8]]

  /// Makes a query from a text: its words are separated by blanks and control characters.
  ///
  /// - Complexity: O(bytes).
  public init(_ text: String) {
    words = Name(text).key.utf8.split(separator: 0x20).map { Array($0) }
  }

  /// Makes a query from a text that must occur as a whole, with single blanks.
  ///
  /// - Complexity: O(bytes).
  init(phrase text: String) {
    let key = Array(Name(text).key.utf8)
    words = key.isEmpty ? [] : [key]
  }

  /// Whether there are no words: every text matches.
  public var isEmpty: Bool { words.isEmpty }

  /// Returns whether each word occurs in one of some texts.
  ///
  /// - Complexity: O(words × bytes of the texts).
  public func matches(_ texts: [String]) -> Bool {
    words.allSatisfy { word in texts.contains { Self.occurs(word, in: $0) } }
  }

  /// Returns whether a word in small letters occurs in a text, whatever the case of its letters.
  static func occurs(_ word: [UInt8], in text: String) -> Bool {
    // Letters beyond ASCII need the tables of the toolchain.
    occurs(word, in: text.utf8.span) ?? text.lowercased().utf8.contains(word)
  }

  /// Returns whether a word occurs in ASCII bytes; `nil` if they have letters beyond ASCII.
  private static func occurs(_ word: [UInt8], in bytes: Span<UInt8>) -> Bool? {
    for index in bytes.indices where bytes[index] >= 0x80 { return nil }
    guard bytes.count >= word.count else { return false }
    guard let first = word.first else { return true }
    for start in 0...(bytes.count - word.count) where small(bytes[start]) == first {
      var length = 1
      while length < word.count, small(bytes[start + length]) == word[length] { length += 1 }
      if length == word.count { return true }
    }
    return false
  }

  private static func small(_ byte: UInt8) -> UInt8 {
    (0x41...0x5a).contains(byte) ? byte | 0x20 : byte
  }
}

extension String.UTF8View {
  /// Returns whether bytes occur in a row.
  func contains(_ word: [UInt8]) -> Bool {
    guard !word.isEmpty else { return true }
    let bytes = Array(self)
    guard bytes.count >= word.count else { return false }
    return (0...(bytes.count - word.count)).contains { start in
      bytes[start..<(start + word.count)].elementsEqual(word)
    }
  }
}

/// The names that belong to entries, each looked up once.
struct EntryNames {
  private let state: DomainState
  private var projects: [ProjectID: [String]] = [:]
  private var tasks: [TaskID: String] = [:]
  private var tags: [TagID: String] = [:]
  private var aliases: AliasResolver

  init(_ state: DomainState) {
    self.state = state
    aliases = AliasResolver(state)
  }

  /// Returns whether each word occurs in the description of an entry, in an annotation or in the
  /// name of its project, client, task or tags.
  mutating func matches(_ query: WordQuery, _ entry: TimeEntry) -> Bool {
    var names: [String]?
    for word in query.words where !WordQuery.occurs(word, in: entry.description) {
      if entry.annotations.contains(where: { WordQuery.occurs(word, in: $0) }) { continue }
      let known = names ?? self.names(of: entry)
      names = known
      if !known.contains(where: { $0.utf8.contains(word) }) { return false }
    }
    return true
  }

  /// Returns the names in small letters.
  private mutating func names(of entry: TimeEntry) -> [String] {
    var names: [String] = []
    if let project = entry.project { names += self.names(of: project) }
    if let task = entry.task {
      let name = tasks[task] ?? state.tasks.read(aliases.task(task) ?? task) { $0.name.key } ?? ""
      tasks[task] = name
      names.append(name)
    }
    for tag in entry.tags {
      let name = tags[tag] ?? state.tags.read(aliases.tag(tag)) { $0.name.key } ?? ""
      tags[tag] = name
      names.append(name)
    }
    return names
  }

  private mutating func names(of project: ProjectID) -> [String] {
    if let known = projects[project] { return known }
    var names: [String] = []
    if let name = state.projects.read(aliases.project(project) ?? project, { $0.name.key }) {
      names.append(name)
    }
    if let client = aliases.client(of: project),
      let name = state.clients.read(client, { $0.name.key })
    {
      names.append(name)
    }
    projects[project] = names
    return names
  }
}
