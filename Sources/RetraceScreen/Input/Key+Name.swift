extension Key {
  /// The keys whose name is a single word, in the order of the help text.
  public static let named: [(name: String, key: Key)] = [
    ("enter", .enter), ("escape", .escape), ("tab", .tab), ("backtab", .backtab),
    ("up", .up), ("down", .down), ("left", .left), ("right", .right),
    ("home", .home), ("end", .end), ("page-up", .pageUp), ("page-down", .pageDown),
    ("backspace", .backspace), ("delete", .delete), ("insert", .insert), ("begin", .begin),
    ("menu", .menu), ("print-screen", .printScreen), ("pause", .pause),
  ]

  /// The names of the modifiers, in the order in which a name has them.
  private static var prefixes: [(name: String, modifier: Modifiers)] {
    [("ctrl-", .ctrl), ("alt-", .alt), ("shift-", .shift), ("super-", .super)]
  }

  /// Creates a key from its ``name``.
  ///
  /// A name is `text:` or `paste:` and the text, or a word such as `page-up` or `f5`. Before the
  /// word, or before a single character, are the modifiers in any order: `ctrl-z`, `alt-enter`,
  /// `ctrl-shift-left`, `alt-space`. A character without modifiers, or `space`, is text, as hints
  /// of a screen show it: `m` is `text:m`. It may have several scalars, as a letter with a
  /// combining mark has. The result is `nil` for an unknown word and for empty text.
  ///
  /// - Complexity: O(bytes of the name).
  public init?(name: String) {
    let bytes = name.utf8
    // By bytes, because a combining mark after the colon is part of the text.
    if bytes.starts(with: "text:".utf8) {
      let text = String(Substring(bytes.dropFirst(5)))
      guard !text.isEmpty else { return nil }
      self = .text(text)
    } else if bytes.starts(with: "paste:".utf8) {
      let text = String(Substring(bytes.dropFirst(6)))
      guard !text.isEmpty else { return nil }
      self = .paste(Key.unescaped(text))
    } else {
      var modifiers: Modifiers = []
      var rest = Substring(name)
      while let prefix = Key.prefixes.first(where: { rest.utf8.starts(with: $0.name.utf8) }) {
        guard modifiers.insert(prefix.modifier).inserted else { return nil }
        rest = Substring(rest.utf8.dropFirst(prefix.name.utf8.count))
      }
      guard let key = Key(word: String(rest), modifiers) else { return nil }
      self = key
    }
  }

  /// Creates a key from a word or a character.
  private init?(word: String, _ modifiers: Modifiers) {
    if let found = Key.named.first(where: { $0.name == word }) {
      self.init(found.key.code, modifiers.union(found.key.modifiers))
    } else if let number = Key.functionNumber(word) {
      self.init(.function(number), modifiers)
    } else {
      guard modifiers != .shift else { return nil }
      let scalars = (word == "space" ? " " : word).unicodeScalars
      guard let scalar = scalars.first, scalars.allSatisfy({ $0.isPrintable }),
        scalar != " " || word == "space"
      else { return nil }
      if scalars.count == 1 {
        self.init(.character(scalar), modifiers)
      } else {
        guard modifiers.isEmpty, word.count == 1 else { return nil }
        self = .text(word)
      }
    }
  }

  /// Returns the number of a function key from its name, such as `f5`.
  private static func functionNumber(_ word: String) -> Int? {
    guard word.utf8.first == 0x66, let digit = word.utf8.dropFirst().first, digit != 0x30,
      word.utf8.dropFirst().allSatisfy({ 0x30...0x39 ~= $0 }),
      let number = Int(word.dropFirst()), 1...functionMax ~= number
    else { return nil }
    return number
  }

  /// The name of the key, which ``init(name:)`` reads back.
  ///
  /// The line ends, tabs and backslashes of pasted text are `\n`, `\t` and `\\`, so its name is a
  /// line.
  ///
  /// - Complexity: O(bytes of the text).
  public var name: String {
    switch code {
    case .text(let text): return "text:\(text)"
    case .paste(let text): return "paste:\(Key.escaped(text))"
    case .tab where modifiers == .shift: return "backtab"
    default: break
    }
    var name = ""
    for prefix in Key.prefixes where modifiers.contains(prefix.modifier) { name += prefix.name }
    return name + word
  }

  /// The name without the modifiers.
  private var word: String {
    switch code {
    case .text(let text), .paste(let text): text
    case .character(" "): "space"
    case .character(let scalar): String(scalar)
    case .function(let number): "f\(number)"
    case .enter: "enter"
    case .escape: "escape"
    case .tab: "tab"
    case .up: "up"
    case .down: "down"
    case .left: "left"
    case .right: "right"
    case .home: "home"
    case .end: "end"
    case .pageUp: "page-up"
    case .pageDown: "page-down"
    case .backspace: "backspace"
    case .delete: "delete"
    case .insert: "insert"
    case .begin: "begin"
    case .menu: "menu"
    case .printScreen: "print-screen"
    case .pause: "pause"
    }
  }

  private static func escaped(_ text: String) -> String {
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case 0x5C: bytes += [0x5C, 0x5C]
      case 0x0A: bytes += [0x5C, 0x6E]
      case 0x09: bytes += [0x5C, 0x74]
      default: bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the text of an escaped text; a backslash before another character stands for itself.
  private static func unescaped(_ text: String) -> String {
    var bytes: [UInt8] = []
    var isEscaped = false
    for byte in text.utf8 {
      if !isEscaped, byte == 0x5C {
        isEscaped = true
        continue
      }
      if isEscaped {
        switch byte {
        case 0x5C: bytes.append(0x5C)
        case 0x6E: bytes.append(0x0A)
        case 0x74: bytes.append(0x09)
        default: bytes += [0x5C, byte]
        }
      } else {
        bytes.append(byte)
      }
      isEscaped = false
    }
    if isEscaped { bytes.append(0x5C) }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension Unicode.Scalar {
  /// Whether the scalar is no control character.
  fileprivate var isPrintable: Bool { value >= 0x20 && !(0x7F...0x9F ~= value) }
}
