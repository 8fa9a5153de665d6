import Foundation

/// A way in which plain bytes can be written down.
enum LeakForm: String, CaseIterable {
  /// The bytes themselves.
  case raw
  /// Hexadecimal digits.
  case hex
  case hexUppercase
  /// Hexadecimal digits with blanks between bytes, as a dump of memory has them.
  case hexDump
  /// Eight bytes as one little-endian number, as a dump of registers has them.
  case register
  /// The bytes as decimal numbers, as a printed array has them.
  case decimal
  case base64
  case base64URL
  /// Every byte after a percent sign.
  case percent
  case percentUppercase
  /// The unreserved characters of a URL as they are, everything else after a percent sign.
  case percentReserved
}

/// Finds every eight bytes in a row of a secret in other bytes, in each form.
///
/// The parts overlap and base64 is looked for in all three alignments, so that a secret is found
/// wherever it stands in what was encoded, also if it was cut.
struct LeakSearch {
  static let partBytes = 8

  private var patterns: [UInt64: [(form: LeakForm, bytes: [UInt8])]] = [:]
  /// Which two bytes end the first eight bytes of a pattern; they alone rule out most positions.
  private var endings = [Bool](repeating: false, count: 1 << 16)

  init(_ secret: [UInt8]) {
    for start in 0...(secret.count - Self.partBytes) {
      let part = Array(secret[start..<start + Self.partBytes])
      for form in LeakForm.allCases {
        for pattern in Self.patterns(of: part, in: form) { add(pattern, form) }
      }
    }
  }

  private mutating func add(_ pattern: [UInt8], _ form: LeakForm) {
    let key = pattern.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    endings[Int(key & 0xffff)] = true
    patterns[key, default: []].append((form, pattern))
  }

  /// The forms in which a part of the secret is in the bytes.
  func forms(in bytes: [UInt8]) -> Set<LeakForm> {
    var found: Set<LeakForm> = []
    var key: UInt64 = 0
    for index in bytes.indices {
      key = key << 8 | UInt64(bytes[index])
      guard endings[Int(key & 0xffff)], index >= 7, let candidates = patterns[key] else { continue }
      for (form, pattern) in candidates where index - 7 + pattern.count <= bytes.count {
        if bytes[(index - 7)..<(index - 7 + pattern.count)].elementsEqual(pattern) {
          found.insert(form)
        }
      }
    }
    return found
  }

  // MARK: Writing bytes down

  /// The bytes in a form, as a text; `nil` for the bytes themselves if they are no text.
  static func text(of bytes: [UInt8], in form: LeakForm, alignment: Int = 0) -> String? {
    switch form {
    case .raw: return String(validating: bytes, as: UTF8.self)
    case .hex: return bytes.map { hex($0) }.joined()
    case .hexUppercase: return bytes.map { hex($0).uppercased() }.joined()
    case .hexDump: return bytes.map { hex($0) }.joined(separator: " ")
    case .register:
      return stride(from: 0, to: bytes.count, by: 8).map { start in
        "0x" + bytes[start..<min(start + 8, bytes.count)].reversed().map { hex($0) }.joined()
      }.joined(separator: " ")
    case .decimal: return bytes.map { "\($0)" }.joined(separator: ", ")
    case .base64: return base64([UInt8](repeating: 0x7a, count: alignment) + bytes)
    case .base64URL:
      return base64([UInt8](repeating: 0x7a, count: alignment) + bytes)
        .replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
    case .percent: return bytes.map { "%" + hex($0) }.joined()
    case .percentUppercase: return bytes.map { "%" + hex($0).uppercased() }.joined()
    case .percentReserved:
      return bytes.map { byte in
        isUnreserved(byte) ? String(UnicodeScalar(byte)) : "%" + hex(byte).uppercased()
      }.joined()
    }
  }

  /// Returns the patterns of a part of the secret, wherever it is in the encoded bytes.
  private static func patterns(of part: [UInt8], in form: LeakForm) -> [[UInt8]] {
    switch form {
    case .raw: return [part]
    case .register: return [Array((text(of: part, in: form) ?? "").dropFirst(2).utf8)]
    case .base64, .base64URL:
      return (0..<3).map { alignment in
        // Keeps only the digits whose six bits all belong to the part.
        let digits = Array((text(of: part, in: form, alignment: alignment) ?? "").utf8)
        let first = (8 * alignment + 5) / 6
        return Array(digits[first..<(8 * (alignment + part.count)) / 6])
      }
    default: return [Array((text(of: part, in: form) ?? "").utf8)]
    }
  }

  private static func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

  private static func hex(_ byte: UInt8) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16)
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x5f, 0x7e: true
    default: false
    }
  }
}
