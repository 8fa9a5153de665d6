/// The declarations of a target from which `Tools/generate` makes code, as a digest.
///
/// The generator writes the digest into each file that it makes, and the plugin compares it while
/// it builds the target. So both read the sources with this code, which does without a parser: it
/// keeps the heads of types with a generated conformance, their stored properties, their cases, and
/// the `recorded:` comments. Comments, functions, computed properties and other types do not count.
struct RecordedDeclarations {
  /// Raised when the generator writes other code for the same declarations.
  private static let version = "2"

  /// The beginning of the line of a generated file that has the digest.
  static let mark = "// Declarations: "

  /// The protocols whose conformances are generated, and the lists from which types are written.
  static let protocols: Set<String> = [
    "Recordable", "RecordedState", "TableEntity", "NavigationRoute", "EffectLeaf", "StreamingLeaf",
    "EntityChanges", "UndoableEdit", "Composed", "EntityID", "EntityList", "EntityModule",
    "ScreenList", "FrameSceneAction",
  ]

  private static let types: Set<String> = ["struct", "enum", "class", "actor", "extension"]
  private static let starts: Set<String> = types.union([
    "protocol", "case", "var", "let", "func", "init", "typealias", "static", "public", "package",
    "internal", "private", "fileprivate", "open", "mutating", "nonmutating", "indirect", "import",
    "subscript", "associatedtype", "nonisolated", "final", "override", "required", "convenience",
    "deinit", "lazy", "weak", "unowned", "borrowing", "consuming", "@", "#",
    "operator", "infix", "prefix", "postfix", "precedencegroup", "macro", "isolated",
  ])

  /// The kept text of each declaration.
  private var declarations: [String] = []

  /// Creates the declarations of a target without sources.
  init() {}

  /// Reads one source of the target.
  ///
  /// - Complexity: O(bytes).
  mutating func add(_ source: [UInt8]) {
    var scan = Scan(tokens: SwiftTokens.read(source))
    scan.readScope(around: [])
    guard !scan.found.isEmpty else { return }
    // Generated code imports what the files of its declarations import.
    declarations += scan.found + Set(scan.imports).sorted()
  }

  /// The first 16 bytes of the SHA-256 of all declarations, in hexadecimal digits.
  var digest: String {
    var hash = SHA256()
    hash.update(Self.version.utf8)
    for declaration in declarations.sorted() {
      hash.update([0])
      hash.update(declaration.utf8)
    }
    let digits = Array("0123456789abcdef")
    return String(
      hash.finish().prefix(16).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
  }

  /// Returns the digest that a generated file states; `nil` for another file.
  static func digest(statedIn file: [UInt8]) -> String? {
    for line in file.prefix(1_000).split(separator: UInt8(ascii: "\n")) {
      let text = String(decoding: line, as: UTF8.self)
      if text.hasPrefix(mark) { return String(text.dropFirst(mark.count)) }
    }
    return nil
  }

  /// A walk over the tokens of one file.
  private struct Scan {
    let tokens: [SwiftTokens.Token]
    var position = 0
    var found: [String] = []
    var imports: [String] = []

    init(tokens: [SwiftTokens.Token]) { self.tokens = tokens }

    /// Reads the declarations up to the brace that closes the scope.
    ///
    /// - Parameter outer: The heads of the types around.
    /// - Returns: The kept declarations of the scope.
    @discardableResult
    mutating func readScope(around outer: [String]) -> [String] {
      var members: [String] = []
      var words: [String] = []
      var depth = 0
      func flush() {
        if let kept = Self.kept(words) { members.append(kept) }
        if words.first == "import" || words.dropFirst().first == "import" {
          imports.append(words.joined(separator: " "))
        }
        words = []
      }
      while position < tokens.count {
        let token = tokens[position]
        position += 1
        if token.startsLine, depth == 0, RecordedDeclarations.starts.contains(token.text) {
          flush()
        }
        switch token.text {
        case "(", "[": depth += 1
        case ")", "]": depth -= 1
        case "}":
          flush()
          return members
        case "{":
          if depth == 0, Self.isType(words) {
            readType(words, around: outer)
            words = []
          } else {
            words += skipBlock(after: words)
          }
          continue
        default: break
        }
        words.append(token.text)
      }
      flush()
      return members
    }

    private mutating func readType(_ head: [String], around outer: [String]) {
      let names = head.prefix { $0 != ":" && $0 != "where" }.joined(separator: " ")
      let before = found.count
      // Comments after the brace belong to the head.
      var comments: [String] = []
      while position < tokens.count, tokens[position].text.hasPrefix("// recorded:") {
        comments.append(tokens[position].text)
        position += 1
      }
      let members = readScope(around: outer + [names])
      let clause = head.drop { $0 != ":" }
      let protocols = clause.filter(RecordedDeclarations.protocols.contains).sorted()
      if protocols.isEmpty { return }
      let requirements = clause.drop { $0 != "where" }
      let kept = ([names] + protocols + requirements).joined(separator: " ")
      let text = outer + [kept] + comments + members
      found.insert(text.joined(separator: "\n"), at: before)
    }

    /// Skips a block, and returns `{}` in its place; with observers, what shows them.
    private mutating func skipBlock(after words: [String]) -> [String] {
      var depth = 1
      let first = position < tokens.count ? tokens[position].text : ""
      while position < tokens.count, depth > 0 {
        if tokens[position].text == "{" { depth += 1 }
        if tokens[position].text == "}" { depth -= 1 }
        position += 1
      }
      return first == "willSet" || first == "didSet" ? ["{observed}"] : ["{}"]
    }

    private static func isType(_ words: [String]) -> Bool {
      let keywords = words.prefix { $0 != ":" && $0 != "=" && $0 != "(" }
      return !keywords.contains { ["func", "init", "var", "let", "subscript"].contains($0) }
        && keywords.contains { RecordedDeclarations.types.contains($0) }
    }

    /// Returns what counts of a declaration; `nil` for nothing.
    private static func kept(_ words: [String]) -> String? {
      let isStatic = words.contains("static")
      let keyword = words.first {
        ["var", "let", "case", "typealias", "init", "func", "subscript", "import"].contains($0)
      }
      switch keyword {
      case "case", "typealias": return words.joined(separator: " ")
      case "init": return "init"
      case "var", "let":
        // A computed property has a block, and no value.
        if isStatic || (words.contains("{}") && !words.contains("=")) { return nil }
        return words.joined(separator: " ")
      case "func":
        let name = words.drop { $0 != "func" }.dropFirst().first ?? ""
        return name.hasPrefix("encode") ? "func \(name)" : nil
      default: return nil
      }
    }
  }
}
