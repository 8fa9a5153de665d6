import RetraceScreen

extension ControlSequence {
  /// Returns the key that the sequence stands for.
  ///
  /// A sequence with modifiers that a ``Key`` does not have, such as hyper, is no key, and neither
  /// is the release of one.
  func key(final: UInt8) -> Key? {
    guard mark == 0, intermediate == 0, let modifiers else { return nil }
    switch final {
    case 0x5A: return Key(.tab, modifiers.union(.shift))
    case 0x75: return number(0).flatMap { unicodeKey($0, modifiers) }
    case 0x7E: return numberedKey(modifiers)
    // The final letters of rxvt with modifiers.
    case 0x24 where isNumber: return numberedKey(.shift)
    case 0x5E where isNumber: return numberedKey(.ctrl)
    case 0x40 where isNumber: return numberedKey([.ctrl, .shift])
    case 0x61...0x64 where isBare: return Self.letterCode(final - 0x20).map { Key($0, .shift) }
    // The middle key of the Linux console.
    case 0x47: return isBare ? .begin : nil
    default:
      // The number before the modifiers is 1; others are reports, such as the cursor's place.
      guard bytes.isEmpty || number(0) == 1, let code = Self.letterCode(final) else { return nil }
      return Key(code, modifiers)
    }
  }

  /// The modifiers in the second parameter; `nil` if a key must not be given.
  private var modifiers: Key.Modifiers? {
    // A key is pressed (1), repeated (2) or released (3).
    guard number(1, part: 1) != 3 else { return nil }
    guard let number = number(1) else { return [] }
    return Self.modifiers(number)
  }

  /// Returns the modifiers of their number, which is 1 without any; `nil` for hyper and meta.
  ///
  /// Caps lock and num lock are left out: they change text, not keys.
  static func modifiers(_ number: Int) -> Key.Modifiers? {
    guard 1...256 ~= number else { return number == 0 ? [] : nil }
    let bits = UInt8(number - 1)
    return bits & 0x30 == 0 ? Key.Modifiers(rawValue: bits & 0x0F) : nil
  }

  /// The keys whose final letter is enough, also after `ESC O`.
  static func letterCode(_ final: UInt8) -> Key.Code? {
    switch final {
    case 0x41: .up
    case 0x42: .down
    case 0x43: .right
    case 0x44: .left
    case 0x45: .begin
    case 0x46: .end
    case 0x48: .home
    case 0x50: .function(1)
    case 0x51: .function(2)
    case 0x52: .function(3)
    case 0x53: .function(4)
    default: nil
    }
  }

  private func numberedKey(_ modifiers: Key.Modifiers) -> Key? {
    guard let number = number(0) else { return nil }
    // The form of xterm for other keys: 27, the modifiers, the character.
    if number == 27 { return self.number(2).flatMap { unicodeKey($0, modifiers) } }
    return Self.numberedCode(number).map { Key($0, modifiers) }
  }

  private static func numberedCode(_ number: Int) -> Key.Code? {
    switch number {
    case 1, 7: .home
    case 2: .insert
    case 3: .delete
    case 4, 8: .end
    case 5: .pageUp
    case 6: .pageDown
    case 11...15: .function(number - 10)
    case 17...21: .function(number - 11)
    case 23...26: .function(number - 12)
    case 28, 29: .function(number - 13)
    case 31...34: .function(number - 14)
    case 57427: .begin
    default: nil
    }
  }

  /// Returns the key of a Unicode scalar, or of a number that kitty's protocol gives to a key.
  private func unicodeKey(_ number: Int, _ modifiers: Key.Modifiers) -> Key? {
    if let code = Self.protocolCode(number) { return Key(code, modifiers) }
    guard !(57344...63743 ~= number),
      let scalar = UInt32(exactly: number).flatMap(Unicode.Scalar.init),
      scalar.value >= 0x20, !(0x7F...0x9F ~= scalar.value)
    else { return nil }
    // A shortcut on a keyboard without Latin letters: the key's letter on a standard keyboard.
    if scalar.value > 0x7F, !modifiers.isSubset(of: .shift), let base = self.number(0, part: 2),
      0x21..<0x7F ~= base
    {
      return Key(.character(Unicode.Scalar(UInt8(base))), modifiers)
    }
    return Key(.character(scalar), modifiers)
  }

  private static func protocolCode(_ number: Int) -> Key.Code? {
    switch number {
    case 8, 127: .backspace
    case 9: .tab
    case 13: .enter
    case 27: .escape
    case 57361: .printScreen
    case 57362: .pause
    case 57363: .menu
    case 57376...57398: .function(number - 57376 + 13)
    // The keypad: digits and signs are characters.
    case 57399...57408: .character(Unicode.Scalar(UInt8(number - 57399 + 0x30)))
    case 57409: .character(".")
    case 57410: .character("/")
    case 57411: .character("*")
    case 57412: .character("-")
    case 57413: .character("+")
    case 57414: .enter
    case 57415: .character("=")
    case 57416: .character(",")
    case 57417: .left
    case 57418: .right
    case 57419: .up
    case 57420: .down
    case 57421: .pageUp
    case 57422: .pageDown
    case 57423: .home
    case 57424: .end
    case 57425: .insert
    case 57426: .delete
    case 57427: .begin
    default: nil
    }
  }
}
