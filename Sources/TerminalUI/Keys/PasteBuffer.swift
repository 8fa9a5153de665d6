/// The text between the marks of a paste, up to a limit.
///
/// Line ends become line feeds. Other control characters except tabs are dropped, and so are bytes
/// that are not UTF-8.
struct PasteBuffer: Sendable {
  private static let endMark: [UInt8] = [0x1B, 0x5B, 0x32, 0x30, 0x31, 0x7E]

  private var text: [UInt8] = []
  private var utf8 = UTF8Decoder()
  /// How many bytes of the end mark have come.
  private var matched = 0
  private var sawReturn = false
  /// Whether there was more text than the limit; none of it is kept.
  private(set) var isAboveLimit = false

  /// Takes a byte, and returns whether it completes the end mark.
  mutating func take(_ byte: UInt8, limitBytes: Int) -> Bool {
    if byte == PasteBuffer.endMark[matched] {
      matched += 1
      return matched == PasteBuffer.endMark.count
    }
    if matched > 0 {
      // What looked like the end mark was text after ESC.
      for held in PasteBuffer.endMark[..<matched] { append(held, limitBytes) }
      matched = 0
    }
    if byte == 0x1B {
      matched = 1
    } else {
      append(byte, limitBytes)
    }
    return false
  }

  /// Takes the bytes of printable ASCII at the start, and returns their number.
  ///
  /// - Complexity: O(their number).
  mutating func takePrintable(_ bytes: Span<UInt8>, from start: Int, limitBytes: Int) -> Int {
    guard matched == 0 else { return 0 }
    var end = start
    while end < bytes.count, 0x20..<0x7F ~= bytes[end] { end += 1 }
    guard end > start else { return 0 }
    utf8.reset()
    sawReturn = false
    guard reserve(end - start, limitBytes) else { return end - start }
    for index in start..<end { text.append(bytes[index]) }
    return end - start
  }

  /// The text; empty if it is above the limit.
  var pasted: String { String(decoding: text, as: UTF8.self) }

  private mutating func append(_ byte: UInt8, _ limitBytes: Int) {
    if byte >= 0x80 {
      sawReturn = false
      guard let scalar = utf8.take(byte), scalar.value >= 0xA0 else { return }
      let encoded = UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
      if reserve(encoded.count, limitBytes) { text.append(contentsOf: encoded) }
      return
    }
    utf8.reset()
    let isFeedAfterReturn = byte == 0x0A && sawReturn
    sawReturn = byte == 0x0D
    switch byte {
    case 0x0A, 0x0D: if !isFeedAfterReturn, reserve(1, limitBytes) { text.append(0x0A) }
    case 0x09, 0x20..<0x7F: if reserve(1, limitBytes) { text.append(byte) }
    default: break
    }
  }

  /// Returns whether more bytes fit; otherwise forgets the text.
  private mutating func reserve(_ count: Int, _ limitBytes: Int) -> Bool {
    if isAboveLimit { return false }
    if text.count + count <= limitBytes { return true }
    isAboveLimit = true
    text = []
    return false
  }
}
