import RetraceScreen

extension ControlSequence {
  /// Returns what the mouse did, for a sequence such as `ESC [ < 0 ; 5 ; 7 M`.
  func mouse(final: UInt8) -> Mouse? {
    guard mark == 0x3C, intermediate == 0, let bits = number(0), bits < 0x100,
      let column = number(1), let row = number(2), column > 0, row > 0
    else { return nil }
    var modifiers: Key.Modifiers = []
    if bits & 4 != 0 { modifiers.insert(.shift) }
    if bits & 8 != 0 { modifiers.insert(.alt) }
    if bits & 16 != 0 { modifiers.insert(.ctrl) }
    guard let action = Self.action(bits, isRelease: final == 0x6D) else { return nil }
    return Mouse(
      action, row: min(row, Screen.Size.sideMax) - 1, column: min(column, Screen.Size.sideMax) - 1,
      modifiers: modifiers)
  }

  private static func action(_ bits: Int, isRelease: Bool) -> Mouse.Action? {
    let isMoving = bits & 32 != 0
    let button: Mouse.Button
    switch bits & 0b1100_0011 {
    case 0: button = .left
    case 1: button = .middle
    case 2: button = .right
    case 3: return isMoving ? .moved : nil
    case 64, 65, 66, 67:
      let directions: [Mouse.Direction] = [.up, .down, .left, .right]
      return isMoving || isRelease ? nil : .scrolled(directions[bits & 3])
    case 128: button = .back
    case 129: button = .forward
    default: return nil
    }
    if isRelease { return .released(button) }
    return isMoving ? .dragged(button) : .pressed(button)
  }

  /// Returns the size of the terminal, for a report such as `ESC [ 48 ; 24 ; 80 ; 480 ; 800 t`.
  var size: Screen.Size? {
    guard mark == 0, intermediate == 0, number(0) == 48, let rows = number(1),
      let columns = number(2), rows > 0, columns > 0
    else { return nil }
    let most = Screen.Size.sideMax
    return Screen.Size(columns: min(columns, most), rows: min(rows, most))
  }

  /// Returns what the terminal tells about itself.
  func report(final: UInt8) -> TerminalReport? {
    guard mark == 0x3F else { return nil }
    switch (intermediate, final) {
    case (0, 0x63):
      let count = bytes.count { $0 == 0x3B }
      return .deviceAttributes((0..<count).compactMap { number($0) })
    case (0, 0x75): return number(0).map { .keyboardFlags($0) }
    case (0, 0x6E):
      guard number(0) == 997, let scheme = number(1), 1...2 ~= scheme else { return nil }
      return .colorScheme(scheme == 1 ? .dark : .light)
    case (0x24, 0x79):
      guard let mode = number(0), let state = number(1) else { return nil }
      // Set, reset, or set for good; a mode that is reset for good cannot be used.
      return .mode(mode, isKnown: 1...3 ~= state)
    default: return nil
    }
  }
}

extension TerminalReport {
  /// Reads a string from `ESC ]` to its end: the color of letters or of the background.
  init?(operatingSystemCommand bytes: [UInt8]) {
    guard bytes.count > 3, bytes[0] == 0x31, bytes[2] == 0x3B,
      let color = Self.color(bytes[3...])
    else { return nil }
    switch bytes[1] {
    case 0x30: self = .foreground(color)
    case 0x31: self = .background(color)
    default: return nil
    }
  }

  /// Returns the color of `rgb:` or `rgba:` and channels of one to four hexadecimal digits.
  private static func color(_ bytes: ArraySlice<UInt8>) -> Int32? {
    guard let colon = bytes.firstIndex(of: 0x3A),
      bytes[..<colon].elementsEqual("rgb".utf8)
        || bytes[..<colon].elementsEqual("rgba".utf8)
    else { return nil }
    let channels = bytes[(colon + 1)...].split(separator: 0x2F, omittingEmptySubsequences: false)
    guard 3...4 ~= channels.count else { return nil }
    var color: Int32 = 0
    for channel in channels.prefix(3) {
      guard let value = Self.channel(channel) else { return nil }
      color = color << 8 | value
    }
    return color
  }

  /// Returns a channel of 8 bits.
  private static func channel(_ digits: ArraySlice<UInt8>) -> Int32? {
    guard 1...4 ~= digits.count else { return nil }
    var (value, most): (Int32, Int32) = (0, 0)
    for digit in digits {
      let number: UInt8
      switch digit {
      case 0x30...0x39: number = digit - 0x30
      case 0x41...0x46: number = digit - 0x37
      case 0x61...0x66: number = digit - 0x57
      default: return nil
      }
      (value, most) = (value << 4 | Int32(number), most << 4 | 15)
    }
    return (value * 255 + most / 2) / most
  }
}
