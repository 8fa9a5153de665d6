/// A user's input: text, a named key, or a letter with the control key.
///
/// Every key has a ``name``, so a series of keys can be written as lines of text and read back.
///
/// ```swift
/// if let key = Key(name: "ctrl-z") { print(key == .ctrl("z"), key.name) }
/// ```
public enum Key: Hashable, Sendable {
  /// Typed or pasted text, never empty.
  case text(String)
  /// Return.
  case enter
  /// Escape alone.
  case escape
  /// Tab.
  case tab
  /// Shift-tab.
  case backtab
  /// Arrow up.
  case up
  /// Arrow down.
  case down
  /// Arrow left.
  case left
  /// Arrow right.
  case right
  /// The start of the line.
  case home
  /// The end of the line.
  case end
  /// One page up.
  case pageUp
  /// One page down.
  case pageDown
  /// Deletes the character before the cursor.
  case backspace
  /// Deletes the character after the cursor.
  case delete
  /// A lowercase letter from `a` to `z` with the control key.
  case ctrl(Character)

  /// The keys whose name is a single word, in the order of the help text.
  public static let named: [(name: String, key: Key)] = [
    ("enter", .enter), ("escape", .escape), ("tab", .tab), ("backtab", .backtab),
    ("up", .up), ("down", .down), ("left", .left), ("right", .right),
    ("home", .home), ("end", .end), ("page-up", .pageUp), ("page-down", .pageDown),
    ("backspace", .backspace), ("delete", .delete),
  ]

  /// Creates a key from its ``name``: a word, `ctrl-` and a letter, or `text:` and the typed text.
  ///
  /// The result is `nil` for an unknown word and for empty text.
  public init?(name: String) {
    if let found = Key.named.first(where: { $0.name == name }) {
      self = found.key
    } else if name.utf8.starts(with: "text:".utf8) {
      // By bytes, because a combining mark after the colon is part of the typed text.
      let text = String(Substring(name.utf8.dropFirst("text:".utf8.count)))
      guard !text.isEmpty else { return nil }
      self = .text(text)
    } else if name.utf8.starts(with: "ctrl-".utf8) {
      let letter = name.utf8.dropFirst("ctrl-".utf8.count)
      guard letter.count == 1, let byte = letter.first, (0x61...0x7A).contains(byte) else {
        return nil
      }
      self = .ctrl(Character(Unicode.Scalar(byte)))
    } else {
      return nil
    }
  }

  /// The name of the key, which ``init(name:)`` reads back.
  public var name: String {
    switch self {
    case .text(let text): "text:\(text)"
    case .ctrl(let letter): "ctrl-\(letter)"
    default: Key.named.first { $0.key == self }?.name ?? ""
    }
  }
}
