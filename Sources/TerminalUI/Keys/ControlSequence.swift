import RetraceScreen

/// The parameters of a control sequence, `ESC [` and what follows up to its final letter.
struct ControlSequence: Sendable {
  /// Longer sequences belong to no key; their bytes are counted out and ignored.
  private static let bytesMax = 16
  private var bytes: [UInt8] = []

  mutating func append(_ byte: UInt8) {
    if bytes.count <= ControlSequence.bytesMax { bytes.append(byte) }
  }

  /// Tells whether the sequence is the mark before pasted text, `200~`.
  func startsPaste(final: UInt8) -> Bool { final == 0x7E && bytes == [0x32, 0x30, 0x30] }

  /// The key that the sequence stands for; modifiers such as Shift are ignored.
  func key(final: UInt8) -> Key? {
    // Private and intermediate bytes belong to answers of the terminal.
    guard bytes.count <= ControlSequence.bytesMax,
      bytes.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x3B })
    else { return nil }
    switch final {
    case 0x5A: return .backtab
    case 0x7E: return numbered
    default: return ControlSequence.arrow(final)
    }
  }

  /// The keys whose final letter is enough, also after `ESC O`.
  static func arrow(_ final: UInt8) -> Key? {
    switch final {
    case 0x41: .up
    case 0x42: .down
    case 0x43: .right
    case 0x44: .left
    case 0x46: .end
    case 0x48: .home
    default: nil
    }
  }

  private var numbered: Key? {
    let digits = bytes.prefix { $0 != 0x3B }
    guard digits.count == 1, let digit = digits.first else { return nil }
    switch digit {
    case 0x31, 0x37: return .home
    case 0x33: return .delete
    case 0x34, 0x38: return .end
    case 0x35: return .pageUp
    case 0x36: return .pageDown
    default: return nil
    }
  }
}
