/// A user's input at the keyboard: typed or pasted text, or a key with its modifiers.
///
/// Keys are compared as they are recorded: the same press has one value, whatever the terminal
/// sends. Shift and a letter with the control key is `ctrl-shift-c`, shift and the tabulator is
/// ``backtab``, and a character without ctrl, alt and super is text.
///
/// Every key has a ``name``, so a series of keys can be written as lines of text and read back.
///
/// ```swift
/// if let key = Key(name: "ctrl-z") { print(key == .ctrl("z"), key.name) }
/// ```
public struct Key: Hashable, Sendable {
  /// What is pressed, without the modifiers.
  public enum Code: Hashable, Sendable {
    /// Typed text, never empty.
    case text(String)
    /// Pasted text of any number of lines, never empty; it is no key of a table.
    case paste(String)
    /// A character with ctrl, alt or super; an ASCII letter is lowercase.
    case character(Unicode.Scalar)
    /// A function key, from 1.
    case function(Int)
    /// Return, also on the keypad.
    case enter
    /// Escape alone.
    case escape
    /// Tab.
    case tab
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
    /// Insert.
    case insert
    /// The middle key of the keypad without num lock.
    case begin
    /// The key that opens a context menu.
    case menu
    /// Print screen.
    case printScreen
    /// Pause.
    case pause
  }

  /// The keys that are held while another key is pressed.
  public struct Modifiers: OptionSet, Hashable, Sendable {
    /// The bits: 1 for shift, 2 for alt, 4 for ctrl, 8 for super.
    public let rawValue: UInt8

    /// Creates a set of modifiers from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Shift.
    public static var shift: Modifiers { Modifiers(rawValue: 1) }
    /// Alt, or option.
    public static var alt: Modifiers { Modifiers(rawValue: 2) }
    /// Control.
    public static var ctrl: Modifiers { Modifiers(rawValue: 4) }
    /// The key with a logo, or command.
    public static var `super`: Modifiers { Modifiers(rawValue: 8) }
  }

  /// The highest number of a function key.
  public static var functionMax: Int { 35 }

  /// What is pressed.
  public let code: Code
  /// The modifiers; none for text.
  public let modifiers: Modifiers

  /// Creates a key.
  ///
  /// A character without ctrl, alt and super becomes text. Text has no modifiers.
  public init(_ code: Code, _ modifiers: Modifiers = []) {
    switch code {
    case .text, .paste: (self.code, self.modifiers) = (code, [])
    case .character(let scalar):
      if modifiers.isSubset(of: .shift) {
        let isSmall = 0x61...0x7A ~= scalar.value
        let typed = isSmall && modifiers == .shift ? scalar.value - 0x20 : scalar.value
        self.code = .text(String(Unicode.Scalar(typed) ?? scalar))
        self.modifiers = []
      } else if 0x41...0x5A ~= scalar.value, let small = Unicode.Scalar(scalar.value + 0x20) {
        (self.code, self.modifiers) = (.character(small), modifiers.union(.shift))
      } else {
        (self.code, self.modifiers) = (code, modifiers)
      }
    default: (self.code, self.modifiers) = (code, modifiers)
    }
  }
}

extension Key {
  /// Creates typed text, which is not empty.
  public static func text(_ text: String) -> Key { Key(.text(text)) }
  /// Creates pasted text, which is not empty.
  public static func paste(_ text: String) -> Key { Key(.paste(text)) }
  /// Creates a character with the control key.
  public static func ctrl(_ character: Unicode.Scalar) -> Key {
    Key(.character(character), .ctrl)
  }
  /// The key that stops a program on a terminal; the shell resumes it.
  ///
  /// A program on a terminal takes it, and what was typed after it was meant for the shell.
  public static var suspend: Key { .ctrl("z") }
  /// The key that draws the screen of a program on a terminal again.
  public static var redraw: Key { .ctrl("l") }
  /// Creates a character with the alt key.
  public static func alt(_ character: Unicode.Scalar) -> Key { Key(.character(character), .alt) }
  /// Creates the function key of a number.
  public static func function(_ number: Int) -> Key { Key(.function(number)) }

  /// Return.
  public static var enter: Key { Key(.enter) }
  /// Escape alone.
  public static var escape: Key { Key(.escape) }
  /// Tab.
  public static var tab: Key { Key(.tab) }
  /// Shift-tab.
  public static var backtab: Key { Key(.tab, .shift) }
  /// Arrow up.
  public static var up: Key { Key(.up) }
  /// Arrow down.
  public static var down: Key { Key(.down) }
  /// Arrow left.
  public static var left: Key { Key(.left) }
  /// Arrow right.
  public static var right: Key { Key(.right) }
  /// The start of the line.
  public static var home: Key { Key(.home) }
  /// The end of the line.
  public static var end: Key { Key(.end) }
  /// One page up.
  public static var pageUp: Key { Key(.pageUp) }
  /// One page down.
  public static var pageDown: Key { Key(.pageDown) }
  /// Deletes the character before the cursor.
  public static var backspace: Key { Key(.backspace) }
  /// Deletes the character after the cursor.
  public static var delete: Key { Key(.delete) }
  /// Insert.
  public static var insert: Key { Key(.insert) }
  /// The middle key of the keypad without num lock.
  public static var begin: Key { Key(.begin) }
  /// The key that opens a context menu.
  public static var menu: Key { Key(.menu) }
  /// Print screen.
  public static var printScreen: Key { Key(.printScreen) }
  /// Pause.
  public static var pause: Key { Key(.pause) }

  /// The key without shift, for keys that most terminals send alike with and without it, or that
  /// shift only makes select; `nil` for all others.
  var withoutShift: Key? {
    guard modifiers == .shift else { return nil }
    switch code {
    case .up, .down, .left, .right, .home, .end, .pageUp, .pageDown, .enter, .backspace:
      return Key(code)
    default: return nil
    }
  }
}
