/// Counts the cells that text covers on a terminal.
package enum TextCells {
  /// The cells of some text.
  ///
  /// - Complexity: O(bytes of the text).
  package static func count(of text: String) -> Int {
    text.reduce(0) { $0 + count(of: $1) }
  }

  /// The cells of a grapheme: 2 for wide East Asian characters and emoji, 0 for a lone mark, else
  /// 1.
  package static func count(of character: Character) -> Int {
    guard let first = character.unicodeScalars.first else { return 0 }
    if first.value < 0x300 { return character.unicodeScalars.contains("\u{FE0F}") ? 2 : 1 }
    let properties = first.properties
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return 0
    default: break
    }
    if properties.isEmojiPresentation || character.unicodeScalars.contains("\u{FE0F}") { return 2 }
    return wide.contains { $0.contains(first.value) } ? 2 : 1
  }

  /// The ranges that Unicode's table of East Asian widths calls wide or full, joined where they
  /// meet.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
    0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
    0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1B000...0x1B2FF, 0x1F200...0x1F2FF,
    0x20000...0x3FFFD,
  ]
}
