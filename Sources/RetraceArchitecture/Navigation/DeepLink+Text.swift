extension DeepLink {
  /// Returns the text of the link, with an optional scheme.
  ///
  /// - Parameter scheme: The scheme, such as `track` in `track://timer/0`.
  /// - Complexity: O(bytes of the text).
  public func text(scheme: String? = nil) -> String {
    var bytes: [UInt8] = []
    if let scheme { bytes += Array("\(scheme)://".utf8) }
    // The first `/` distinguishes one empty component from no components.
    if components.first?.isEmpty == true { bytes.append(Self.slash) }
    for (index, component) in components.enumerated() {
      if index > 0 { bytes.append(Self.slash) }
      Self.escape(component, into: &bytes)
    }
    for (index, item) in items.enumerated() {
      bytes.append(index == 0 ? Self.questionMark : Self.ampersand)
      Self.escape(item.name, into: &bytes)
      bytes.append(Self.equalsSign)
      Self.escape(item.value, into: &bytes)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Parses the text of a link.
  ///
  /// The `/` before the first component is optional. Links of other programs, which may escape more
  /// characters than ``text(scheme:)`` or use lower-case digits, are accepted too.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - scheme: The scheme that the text has to begin with; `nil` if it has none.
  /// - Complexity: O(bytes of the text).
  /// - Throws: ``DeepLinkError`` if the text is not a link.
  public init(parsing text: String, scheme: String? = nil) throws(DeepLinkError) {
    let bytes = Array(text.utf8)
    var start = 0
    if let scheme {
      let prefix = Array("\(scheme)://".utf8)
      guard bytes.starts(with: prefix) else { throw .otherScheme(expected: scheme) }
      start = prefix.count
    }
    self.init()
    let query = bytes[start...].firstIndex(of: Self.questionMark)
    let path = bytes[start..<(query ?? bytes.count)]
    if !path.isEmpty {
      let relative = path.first == Self.slash ? path.dropFirst() : path
      for part in relative.split(separator: Self.slash, omittingEmptySubsequences: false) {
        components.append(try Self.unescape(part))
      }
    }
    guard let query else { return }
    let list = bytes[(query + 1)...]
    for part in list.split(separator: Self.ampersand, omittingEmptySubsequences: false) {
      guard let sign = part.firstIndex(of: Self.equalsSign) else {
        throw .missingValue(offset: part.startIndex)
      }
      let name = try Self.unescape(part[..<sign])
      items.append(Item(name, try Self.unescape(part[(sign + 1)...])))
    }
  }

  private static var slash: UInt8 { UInt8(ascii: "/") }
  private static var questionMark: UInt8 { UInt8(ascii: "?") }
  private static var ampersand: UInt8 { UInt8(ascii: "&") }
  private static var equalsSign: UInt8 { UInt8(ascii: "=") }
  private static var percentSign: UInt8 { UInt8(ascii: "%") }

  /// Returns whether a byte is a letter, a digit or one of `-._~`, which are never escaped.
  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: "~"):
      true
    default: false
    }
  }

  /// Returns whether a byte may stand for itself in the text of a link.
  private static func isAllowed(_ byte: UInt8) -> Bool {
    isUnreserved(byte) || "!$&'()*+,;=:@/?".utf8.contains(byte)
  }

  private static func escape(_ text: String, into bytes: inout [UInt8]) {
    let digits = Array("0123456789ABCDEF".utf8)
    for byte in text.utf8 {
      if isUnreserved(byte) {
        bytes.append(byte)
      } else {
        bytes += [percentSign, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
  }

  private static func unescape(_ part: ArraySlice<UInt8>) throws(DeepLinkError) -> String {
    var bytes: [UInt8] = []
    var index = part.startIndex
    while index < part.endIndex {
      if part[index] == percentSign {
        guard index + 2 < part.endIndex, let high = digit(part[index + 1]),
          let low = digit(part[index + 2])
        else { throw .invalidEscape(offset: index) }
        bytes.append(high << 4 | low)
        index += 3
      } else {
        guard isAllowed(part[index]) else { throw .unescapedCharacter(offset: index) }
        bytes.append(part[index])
        index += 1
      }
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .notUTF8(offset: part.startIndex)
    }
    return text
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
