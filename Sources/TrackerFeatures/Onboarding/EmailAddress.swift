import Retrace

/// The check of a typed e-mail address.
///
/// It reads bytes, so that every toolchain has the same verdict.
enum EmailAddress {
  /// The most bytes of an address, as mail servers have it.
  private static var bytesMax: Int { 254 }
  /// The most bytes before the sign.
  private static var nameBytesMax: Int { 64 }

  /// Returns an address without the blanks around it; `nil` if the text is none.
  ///
  /// An address is a name and a host of at least two labels, with an at sign between them. Letters
  /// beyond ASCII are accepted; quoted names and hosts by number are not.
  ///
  /// - Complexity: O(bytes of the text).
  static func read(_ text: String) -> String? {
    let bytes = Array(text.utf8)
    guard let first = bytes.firstIndex(where: { $0 != 0x20 }),
      let last = bytes.lastIndex(where: { $0 != 0x20 })
    else { return nil }
    let address = bytes[first...last]
    let parts = address.split(separator: 0x40, omittingEmptySubsequences: false)
    guard address.count <= bytesMax, parts.count == 2, parts[0].count <= nameBytesMax else {
      return nil
    }
    let labels = parts[1].split(separator: 0x2e, omittingEmptySubsequences: false)
    let names = parts[0].split(separator: 0x2e, omittingEmptySubsequences: false)
    guard labels.count > 1, labels[labels.count - 1].count > 1,
      labels.allSatisfy(isLabel), names.allSatisfy(isAtom)
    else { return nil }
    return String(decoding: address, as: UTF8.self)
  }

  private static func isLabel(_ label: ArraySlice<UInt8>) -> Bool {
    guard let first = label.first, let last = label.last else { return false }
    return first != 0x2d && last != 0x2d && label.allSatisfy { isWord($0) || $0 == 0x2d }
  }

  private static func isAtom(_ atom: ArraySlice<UInt8>) -> Bool {
    let signs: [UInt8] = Array("!#$%&'*+-/=?^_`{|}~".utf8)
    return !atom.isEmpty && atom.allSatisfy { isWord($0) || signs.contains($0) }
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x80...: true
    default: false
    }
  }
}
