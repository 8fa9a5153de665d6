import RetraceSystem

/// A line that cannot be carried out.
struct LineError: Error, CustomStringConvertible {
  let line: String
  var description: String { "a line cannot be carried out: \(line)" }
}

/// A line of standard input: a word and the rest.
struct Line {
  let word: String
  let rest: String

  private init(_ bytes: [UInt8]) {
    let parts = bytes.split(separator: 0x20, maxSplits: 1)
    word = parts.first.map { String(decoding: $0, as: UTF8.self) } ?? ""
    rest = parts.count > 1 ? String(decoding: parts[1], as: UTF8.self) : ""
  }

  /// The next line, or `nil` at the end.
  static func next() throws -> Line? { try Console.readLine().map(Line.init) }

  /// The next line; throws at the end of the input.
  static func required() throws -> Line {
    guard let line = try next() else { throw LineError(line: "the input has ended") }
    return line
  }

  /// The next line as hexadecimal digits.
  static func bytes() throws -> [UInt8] {
    let digits = try (Console.readLine() ?? []).map { (byte: UInt8) throws(LineError) -> UInt8 in
      switch byte {
      case 0x30...0x39: byte - 0x30
      case 0x61...0x66: byte - 0x61 + 10
      default: throw LineError(line: "not a hexadecimal digit")
      }
    }
    guard digits.count % 2 == 0 else { throw LineError(line: "an odd number of digits") }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }

  /// The rest as a number.
  func count() throws -> Int {
    guard let count = Int(rest), count >= 0 else { throw LineError(line: word) }
    return count
  }
}

/// What the program answers.
enum Answer {
  static func line(_ text: String) { try? Console.write(text + "\n", to: .standardOutput) }
  static func error(_ text: String) { try? Console.write(text + "\n", to: .standardError) }
}
