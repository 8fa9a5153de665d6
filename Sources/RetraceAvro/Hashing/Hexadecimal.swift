/// Bytes as hexadecimal digits.
package enum Hexadecimal {
  /// Returns two lowercase digits for each byte, high nibble first.
  ///
  /// - Complexity: O(bytes).
  package static func text(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".unicodeScalars)
    var text = String.UnicodeScalarView()
    for byte in bytes {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(text)
  }
}
