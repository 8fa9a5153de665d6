import RetraceState

/// A query of words that must all occur in some texts, in any order.
///
/// Letter case and Unicode normalization are ignored: ß is ss, as in Unicode's full case folding,
/// and İ, I, ı and i are one letter.
///
/// It depends on the Unicode tables of the toolchain, so it belongs at the edge. Deciders and
/// reducers must not use it.
public struct WordQuery: Hashable, Sendable {
  let words: [Word]

  /// Creates a query from a text, whose words are separated by whitespace and control characters.
  ///
  /// - Complexity: O(bytes).
  public init(_ text: String) {
    words = Name(text).key.utf8.split(separator: 0x20).map { Word(Array($0)) }
  }

  /// Creates a query for a text as a whole, with single spaces.
  ///
  /// - Complexity: O(bytes).
  init(phrase text: String) {
    let key = Array(Name(text).key.utf8)
    words = key.isEmpty ? [] : [Word(key)]
  }

  /// Whether there are no words, so that every text matches.
  public var isEmpty: Bool { words.isEmpty }

  /// Returns whether each word occurs in at least one of the texts.
  ///
  /// - Complexity: O(words × bytes of the texts).
  public func matches(_ texts: [String]) -> Bool {
    words.allSatisfy { word in texts.contains { word.occurs(in: $0) } }
  }
}

extension WordQuery {
  /// A word without differences of letter case.
  struct Word: Hashable, Sendable {
    private let bytes: [UInt8]
    /// The characters of a word that is not ASCII.
    ///
    /// They are compared by canonical equivalence, as in `Name.init(_:in:)`.
    private let characters: [Character]

    init(_ bytes: [UInt8]) {
      guard !bytes.allSatisfy({ $0 < 0x80 }) else {
        (self.bytes, characters) = (bytes, [])
        return
      }
      let word = Self.folded(String(decoding: bytes, as: UTF8.self))
      self.bytes = Array(word.utf8)
      characters = self.bytes.allSatisfy { $0 < 0x80 } ? [] : Array(word)
    }

    /// Whether the word has a slash, as `project/task` has.
    var hasSlash: Bool { bytes.contains(UInt8(ascii: "/")) }

    /// Returns whether the word occurs in a text, ignoring letter case: as bytes, even within a
    /// character, or by canonical equivalence.
    func occurs(in text: String) -> Bool {
      if let occurs = occurs(in: text.utf8.span) { return occurs }
      let text = Self.folded(text)
      if Array(text.utf8).contains(inARow: bytes) { return true }
      return !characters.isEmpty && Array(text).contains(inARow: characters)
    }

    /// Returns whether the word occurs in ASCII bytes; `nil` for other bytes.
    private func occurs(in text: Span<UInt8>) -> Bool? {
      for index in text.indices where text[index] >= 0x80 { return nil }
      return occurs(in: text) { Self.lowercased($0) }
    }

    /// Returns whether the word occurs in ASCII bytes without letters in upper case.
    fileprivate func occurs(inLowercase text: Span<UInt8>) -> Bool { occurs(in: text) { $0 } }

    @inline(__always)
    private func occurs(in text: Span<UInt8>, by lowercase: (UInt8) -> UInt8) -> Bool {
      let word = bytes.span
      guard text.count >= word.count else { return false }
      guard !word.isEmpty else { return true }
      for start in 0...(text.count - word.count) where lowercase(text[start]) == word[0] {
        var length = 1
        while length < word.count, lowercase(text[start + length]) == word[length] { length += 1 }
        if length == word.count { return true }
      }
      return false
    }

    /// Returns a text without differences of letter case, by the Unicode tables of the toolchain.
    private static func folded(_ text: String) -> String {
      // The upper case of ß is SS, but ẞ, which is an upper case already, becomes ß first.
      let text = text.lowercased().uppercased().lowercased()
      guard text.unicodeScalars.contains("\u{307}") else { return text }
      // The lower case of İ is i with a dot above.
      var scalars = String.UnicodeScalarView()
      for scalar in text.unicodeScalars where scalar != "\u{307}" || scalars.last != "i" {
        scalars.append(scalar)
      }
      return String(scalars)
    }

    fileprivate static func lowercased(_ byte: UInt8) -> UInt8 {
      (0x41...0x5a).contains(byte) ? byte | 0x20 : byte
    }
  }
}

/// The texts of several values in lower case, one after the other, in which words are found without
/// reading the values.
struct LowercaseTexts: Sendable {
  private var bytes: [UInt8] = []
  /// The ends of the texts of each value among the bytes.
  private var ends: [Int] = []
  /// Whether all texts of each value are ASCII.
  ///
  /// Other values have no bytes here.
  private var isASCII: [Bool] = []

  /// Adds a value with its texts.
  mutating func append(_ texts: [String]) {
    let isASCII = texts.allSatisfy { text in text.utf8.allSatisfy { $0 < 0x80 } }
    for text in texts where isASCII {
      for byte in text.utf8 { bytes.append(WordQuery.Word.lowercased(byte)) }
      // No word contains a line feed.
      bytes.append(0x0A)
    }
    self.isASCII.append(isASCII)
    ends.append(bytes.count)
  }

  /// Returns whether each word of a query occurs in at least one text of a value; `nil` if not all
  /// of its texts are ASCII.
  ///
  /// - Complexity: O(words × bytes of the texts).
  func match(_ query: WordQuery, at index: Int) -> Bool? {
    guard isASCII[index] else { return nil }
    let text = bytes.span.extracting((index == 0 ? 0 : ends[index - 1])..<ends[index])
    for word in query.words where !word.occurs(inLowercase: text) { return false }
    return true
  }
}

extension Array where Element: Equatable {
  /// Returns whether the elements occur consecutively.
  fileprivate func contains(inARow part: [Element]) -> Bool {
    guard count >= part.count else { return false }
    return (0...(count - part.count)).contains { start in
      self[start..<(start + part.count)].elementsEqual(part)
    }
  }
}

/// A cache of the names that belong to entries.
struct EntryNames: Sendable {
  private let state: DomainState
  private var projects: [ProjectID: [String]] = [:]
  private var tasks: [TaskID: String] = [:]
  private var tags: [TagID: String] = [:]
  private var aliases: AliasResolver

  init(_ state: DomainState) {
    self.state = state
    aliases = AliasResolver(state)
  }

  /// Returns whether each word occurs in the description or an annotation of an entry, or in the
  /// name of its project, client, task or tags.
  mutating func matches(_ query: WordQuery, _ entry: TimeEntry) -> Bool {
    for word in query.words where !word.occurs(in: entry.description) {
      if entry.annotations.contains(where: { word.occurs(in: $0) }) { continue }
      if !occurs(word, inNamesOf: entry) { return false }
    }
    return true
  }

  /// Returns the description and the annotations of an entry, and the names of its project, client,
  /// task and tags.
  mutating func texts(of entry: TimeEntry) -> [String] {
    var texts = [entry.description] + entry.annotations
    if let project = entry.project { texts += names(of: project) }
    if let task = entry.task { texts.append(name(of: task)) }
    for tag in entry.tags { texts.append(name(of: tag)) }
    return texts
  }

  private mutating func occurs(_ word: WordQuery.Word, inNamesOf entry: TimeEntry) -> Bool {
    if let project = entry.project {
      for name in names(of: project) where word.occurs(in: name) { return true }
    }
    if let task = entry.task, word.occurs(in: name(of: task)) { return true }
    for tag in entry.tags where word.occurs(in: name(of: tag)) { return true }
    return false
  }

  // The names are in lower case.

  private mutating func name(of task: TaskID) -> String {
    if let known = tasks[task] { return known }
    let name = state.tasks.read(aliases.task(task) ?? task) { $0.name.key } ?? ""
    tasks[task] = name
    return name
  }

  private mutating func name(of tag: TagID) -> String {
    if let known = tags[tag] { return known }
    let name = state.tags.read(aliases.tag(tag)) { $0.name.key } ?? ""
    tags[tag] = name
    return name
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
