/// The sequence that puts a text on the clipboard of a terminal: `OSC 52 ; c`, in Base64.
///
/// It is the clipboard of the computer with the terminal, even if the program runs elsewhere. No
/// program reads it.
enum ClipboardCode {
  /// The most bytes of a text: some terminals drop sequences from 100,000 bytes on.
  static var bytesMax: Int { 74_994 }

  /// Returns the sequence; `nil` for a text that is too long.
  ///
  /// - Complexity: O(bytes).
  static func bytes(of text: String) -> [UInt8]? {
    guard text.utf8.count <= bytesMax else { return nil }
    return Array("\u{1B}]52;c;".utf8) + base64(Array(text.utf8)) + Array("\u{1B}\\".utf8)
  }

  private static func base64(_ bytes: [UInt8]) -> [UInt8] {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var result: [UInt8] = []
    result.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      var bits = group.reduce(0) { $0 << 8 | Int($1) }
      bits <<= 8 * (3 - group.count)
      for place in 0..<4 {
        let isPad = place > group.count
        result.append(isPad ? UInt8(ascii: "=") : digits[bits >> (18 - 6 * place) & 63])
      }
    }
    return result
  }
}
