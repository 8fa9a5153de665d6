/// What code does that a fold must not, and what to do instead.
///
/// It follows the Unicode tables of the toolchain, or it cannot be compiled for a page.
enum FoldRule: Hashable {
  /// `==` and `!=`, which are canonical equivalence.
  case equality(String)
  /// `<` and its like, and sorting.
  case order(String)
  /// Hashing, as for a key of a dictionary.
  case hashing(String)
  /// Characters, which are grapheme clusters.
  case characters(String)
  /// Lower case and upper case.
  case caseMapping
  /// What Unicode says about a character or a scalar.
  case properties(String)
  /// Regular expressions, and the functions of Foundation.
  case library(String)
  /// What Embedded Swift does not have.
  case notEmbedded(EmbeddedFeature)

  var problem: String {
    switch self {
    case .equality(let type): "compares \(type) with ==, which is canonical equivalence"
    case .order(let type): "orders \(type) with <, which normalizes"
    case .hashing(let type): "hashes \(type), as a key of a dictionary or a set"
    case .characters(let type): "breaks \(type) into characters (grapheme clusters)"
    case .caseMapping: "maps letters to lower or upper case"
    case .properties(let type): "asks for Unicode properties of \(type)"
    case .library(let name): "uses \(name), which follows Unicode tables"
    case .notEmbedded(let feature): feature.problem
    }
  }

  var remedy: String {
    switch self {
    case .equality: "compare UTF-8: a.utf8.elementsEqual(b.utf8)"
    case .order: "order by UTF-8: a.utf8.lexicographicallyPrecedes(b.utf8)"
    case .hashing: "use an EntityTable, or an array searched by UTF-8: a.utf8.elementsEqual(b.utf8)"
    case .characters: "record offsets in UTF-8 (TextDraft), or iterate utf8 or unicodeScalars"
    case .caseMapping: "map at the edge and record the result"
    case .properties: "decide at the edge and record the answer"
    case .library: "use it at the edge and record the result"
    case .notEmbedded(let feature): feature.remedy
    }
  }
}

extension FoldRule {
  private static let texts: Set<Substring> = ["String", "Substring", "Character"]

  /// Returns the rule that every use of a symbol of the standard library breaks.
  init?(_ name: SymbolName) {
    switch name.kind {
    case .conformance(let type, let conformed):
      self.init(type: type, conformance: conformed)
    case .code:
      self.init(code: name.text)
    case .metadata(let type):
      guard Self.hasTextKeys(type) else { return nil }
      self = .hashing("String")
    case .pointer, .description:
      return nil
    }
  }

  /// Returns whether a type is or holds a dictionary or a set whose keys are text.
  private static func hasTextKeys(_ type: String) -> Bool {
    texts.contains { name in
      ["[Swift.\(name) : ", "Set<Swift.\(name)>", "Dictionary<Swift.\(name),"]
        .contains { type.contains($0) }
    }
  }

  private init?(type: String, conformance: String) {
    let text = type.hasPrefix("Swift.") ? type.dropFirst(6) : ""
    switch conformance {
    case "Swift.Equatable" where Self.texts.contains(text): self = .equality(String(text))
    case "Swift.Comparable" where Self.texts.contains(text): self = .order(String(text))
    case "Swift.Hashable" where Self.texts.contains(text): self = .hashing(String(text))
    case "Swift.Sequence", "Swift.Collection", "Swift.BidirectionalCollection",
      "Swift.RangeReplaceableCollection", "Swift.StringProtocol":
      guard text == "String" || text == "Substring" else { return nil }
      self = .characters(String(text))
    // A dictionary that is compared, decoded or encoded looks up its keys.
    case "Swift.Equatable", "Swift.Hashable", "RetraceAvro.Recordable":
      guard Self.hasTextKeys(type) else { return nil }
      self = .hashing("String")
    default: return nil
    }
  }

  private init?(code: String) {
    var name = code[...]
    let isStatic = name.hasPrefix("static ")
    if isStatic { name = name.dropFirst(7) }
    if name.hasPrefix("(extension in ") {
      let module = name.dropFirst(14).prefix { $0 != ")" }
      let member = name.dropFirst(16 + module.count)
      guard module == "Swift" else {
        let isText = member.hasPrefix("Swift.String") || member.hasPrefix("Swift.Substring")
        guard module.hasPrefix("Foundation"), isText else { return nil }
        self = .library("\(module)'s \(member.dropFirst(6).prefix { $0 != "(" && $0 != "<" })")
        return
      }
      name = member
    }
    if name.hasPrefix("_StringProcessing.Regex") {
      self = .library("a regular expression")
      return
    }
    guard name.hasPrefix("Swift.") else { return nil }
    name = name.dropFirst(6)
    if name.hasPrefix("_findStringSwitchCase") || name.hasPrefix("_stringCompare") {
      self = .equality("String")
    } else if name.hasPrefix("Unicode.Scalar.Properties.") {
      self = .properties("Unicode.Scalar")
    } else if let type = ["String", "Substring", "StringProtocol", "Character"]
      .first(where: { name.hasPrefix($0 + ".") })
    {
      let member = name.dropFirst(type.count + 1)
      let shown = type == "StringProtocol" ? "String" : type
      if isStatic {
        self.init(operator: member, of: shown)
      } else if type == "Character" {
        self.init(characterMember: member)
      } else {
        self.init(textMember: member, of: shown)
      }
    } else {
      return nil
    }
  }

  private init?(operator member: Substring, of type: String) {
    if member.hasPrefix("== ") || member.hasPrefix("!= ") {
      self = .equality(type)
    } else if member.first == "<" || member.first == ">" {
      self = .order(type)
    } else {
      return nil
    }
  }

  private init?(characterMember member: Substring) {
    if member.hasPrefix("lowercased") || member.hasPrefix("uppercased") {
      self = .caseMapping
    } else if member.hasPrefix("hash") {
      self = .hashing("Character")
    } else if member.hasPrefix("is") || member.contains("alue.getter")
      || member.hasPrefix("debugDescription") || member.hasPrefix("init(Swift.String)")
    {
      self = .properties("Character")
    } else {
      return nil
    }
  }

  private init?(textMember member: Substring, of type: String) {
    if member.hasPrefix("lowercased") || member.hasPrefix("uppercased") {
      self = .caseMapping
    } else if member.hasPrefix("hash") {
      self = .hashing(type)
    } else if member.hasPrefix("hasPrefix") || member.hasPrefix("hasSuffix") {
      self = .equality(type)
    } else if Self.characterMembers.contains(where: { member.hasPrefix($0) }) {
      self = .characters(type)
    } else {
      return nil
    }
  }

  /// Members that find the bounds of characters: they reach the tables in the toolchain's library.
  private static let characterMembers = [
    "count.getter", "index(", "formIndex(", "distance(", "Iterator.next", "remove(at", "debug",
    "subscript.getter : (Swift.String.Index) -> Swift.Character", "removeLast", "removeFirst",
    "popLast", "popFirst", "first", "last", "Index.init(_: Swift.String.Index, within: Swift.S",
    "Index.samePosition(in: Swift.String)", "init<A>(reflecting", "_wordIndex",
  ]

  /// Functions that take text as a sequence of characters and use only its bytes.
  ///
  /// They copy a String or a Substring by its UTF-8, or need only its bounds.
  private static let bytewise = [
    "Swift.String.replaceSubrange<", "Swift.String.insert<", "Swift.String.append<",
    "Swift.String.init<A where A: Swift.Sequence, A.Element == Swift.Character>",
    "Swift.Substring.init<A where A: Swift.Sequence, A.Element == Swift.Character>",
    "Swift.String.init<A where A: Swift.LosslessStringConvertible>",
    "Swift.FixedWidthInteger.init<A where A1: Swift.StringProtocol>", "Swift.Double.init<A where",
    "Swift.Float.init<A where", "Swift.RangeReplaceableCollection.append<",
    "Swift.RangeReplaceableCollection.+ infix", "Swift.RangeReplaceableCollection.+= infix",
    "Swift.RangeReplaceableCollection.removeSubrange<",
    "Swift.Collection.subscript.getter : <A where A1: Swift.RangeExpression",
    "Swift.Collection.subscript.getter : ((Swift.UnboundedRange_)",
    "Swift.Collection.prefix(upTo:", "Swift.Collection.suffix(from:",
  ]

  /// Returns whether a function that gets a conformance or a type makes no use of the tables.
  func isHarmless(for callee: SymbolName, from kind: SymbolName.Kind) -> Bool {
    var name = callee.text[...]
    if name.hasPrefix("static ") { name = name.dropFirst(7) }
    if name.hasPrefix("(extension in Swift):") { name = name.dropFirst(21) }
    let isMember = name.contains("Set.") || name.contains("Dictionary.")
    let readsNoKey = [
      ".count.getter", ".isEmpty.getter", ".keys.getter", ".values.getter", ".makeIterator(",
      ".removeAll(", ".startIndex", ".endIndex", ".init()", "Dictionary.init(dictionaryLiteral:",
    ].contains { name.contains($0) }
    switch kind {
    case .metadata:
      // A member that changes a set or a dictionary gets the type, which has the keys' hashing.
      return !isMember || readsNoKey
    case .conformance:
      if isMember && readsNoKey { return true }
      if case .characters = self { return Self.bytewise.contains { name.hasPrefix($0) } }
      // The raw values of an enum are literals of one program.
      return name.hasPrefix("Swift.== infix<A where A: Swift.RawRepresentable")
        || name.hasPrefix("Swift.!= infix<A where A: Swift.RawRepresentable")
        || name.hasPrefix("Swift.RawRepresentable< where")
        || FoldRoots.ignoresComparison(callee)
    case .code, .pointer, .description:
      return false
    }
  }

  /// Returns whether a function needs what this rule is about from its caller.
  func isNeeded(by callee: SymbolName) -> Bool {
    let constraints =
      switch self {
      case .equality: [": Swift.Equatable", ": Swift.Hashable", ": Swift.Comparable"]
      case .order: [": Swift.Comparable"]
      case .hashing: [": Swift.Hashable", "Swift.Set.", "Swift.Dictionary."]
      case .characters: [": Swift.StringProtocol", "):Swift.Collection.", "):Swift.Sequence."]
      case .caseMapping, .properties, .library, .notEmbedded: [String]()
      }
    return constraints.contains { callee.text.contains($0) }
  }
}
