import RetraceScreen

/// A control sequence: `ESC [` and what follows up to its final letter.
struct ControlSequence: Sendable {
  /// Longer sequences are of no use; their bytes are counted out and ignored.
  static let bytesMax = 128
  /// The bytes before the final letter.
  private(set) var bytes: [UInt8] = []

  /// Forgets the bytes, and keeps the memory.
  mutating func begin() { bytes.removeAll(keepingCapacity: true) }

  mutating func append(_ byte: UInt8) {
    if bytes.count <= ControlSequence.bytesMax { bytes.append(byte) }
  }

  /// The private mark before the parameters, such as `?`; 0 without a mark.
  private(set) var mark: UInt8 = 0
  /// The intermediate byte after the parameters, such as `$`; 0 without one.
  private(set) var intermediate: UInt8 = 0

  /// Reads the marks, and returns whether the parameters between them are numbers.
  mutating func finish() -> Bool {
    guard bytes.count <= ControlSequence.bytesMax else { return false }
    (mark, intermediate) = (0, 0)
    if let first = bytes.first, 0x3C...0x3F ~= first {
      mark = first
      bytes[0] = 0x3B
    }
    if let last = bytes.last, 0x20...0x2F ~= last {
      intermediate = last
      bytes.removeLast()
    }
    return bytes.allSatisfy { 0x30...0x3B ~= $0 }
  }

  /// Whether the bytes so far are one number.
  var isNumber: Bool { !bytes.isEmpty && bytes.allSatisfy { 0x30...0x39 ~= $0 } }

  /// Whether there is no parameter.
  var isBare: Bool { bytes.isEmpty && mark == 0 && intermediate == 0 }

  /// Returns a parameter of at most 10⁹; `nil` if it is missing.
  ///
  /// - Parameters:
  ///   - index: Its number, from 0.
  ///   - part: The number of its part; parts are separated by colons.
  func number(_ index: Int, part: Int = 0) -> Int? {
    // A private mark was replaced by a semicolon.
    var (semicolons, colons) = (mark == 0 ? 0 : -1, 0)
    var value: Int?
    for byte in bytes {
      switch byte {
      case 0x3B:
        if semicolons == index { return value }
        (semicolons, colons) = (semicolons + 1, 0)
      case 0x3A: colons += 1
      default:
        guard semicolons == index, colons == part else { continue }
        value = min((value ?? 0) * 10 + Int(byte - 0x30), 1_000_000_000)
      }
    }
    return value
  }
}
