/// The number of terminal cells that text takes.
///
/// The widths follow Unicode's East Asian Width and emoji presentation. Wide characters and emoji
/// take two cells, combining and invisible characters none, all others one. A scalar that
/// ``SafeText`` escapes takes the cells of its escape, because that is what is printed: data can be
/// measured and cut before it is escaped. Terminals differ in rare cases; screens are laid out by
/// these widths.
///
/// ```swift
/// let label = "title: "
/// let room = 40 - TextWidth.of(label)
/// print(label + TextWidth.prefix(of: title, fitting: room))
/// ```
public enum TextWidth {
  /// Returns the number of cells of a text.
  ///
  /// - Complexity: O(bytes of the text).
  public static func of(_ text: String) -> Int {
    // Most texts are ASCII, whose bytes need not be put together to characters.
    text.utf8.allSatisfy { 0x20..<0x7f ~= $0 } ? text.utf8.count : ofCharacters(text)
  }

  /// Returns the number of cells of a part of a text.
  ///
  /// - Complexity: O(bytes of the part).
  public static func of(_ text: Substring) -> Int {
    text.utf8.allSatisfy { 0x20..<0x7f ~= $0 } ? text.utf8.count : ofCharacters(text)
  }

  private static func ofCharacters(_ text: some StringProtocol) -> Int {
    var width = 0
    for character in text { width += of(character) }
    return width
  }

  /// Returns the number of cells of one character: 0, 1 or 2, or the cells of its escapes.
  ///
  /// - Complexity: O(scalars of the character).
  public static func of(_ character: Character) -> Int {
    if let ascii = character.asciiValue, 0x20..<0x7f ~= ascii { return 1 }
    if character.unicodeScalars.contains(where: SafeText.isEscaped) {
      return of(SafeText.line(String(character), bytesMax: .max))
    }
    var width = 0
    for scalar in character.unicodeScalars {
      // An emoji variation selector widens the scalar before it.
      if scalar.value == 0xfe0f && width == 1 { return 2 }
      width += of(scalar)
    }
    // Joined scalars, such as a family or a flag, are one picture.
    return min(width, 2)
  }

  /// Returns the longest prefix of a text that fits into a number of cells.
  ///
  /// - Complexity: O(characters of the prefix).
  public static func prefix<Text: StringProtocol>(
    of text: Text, fitting cells: Int
  ) -> Text.SubSequence {
    var width = 0
    var end = text.startIndex
    while end < text.endIndex {
      width += of(text[end])
      if width > cells { break }
      text.formIndex(after: &end)
    }
    return text[..<end]
  }

  /// Returns a text broken into lines at blanks; only the blanks at the breaks are dropped.
  ///
  /// - Parameters:
  ///   - text: The text, without line breaks.
  ///   - cells: The maximum number of cells of a line; a wider word has a line of its own.
  ///   - indent: The number of blanks before each line except the first.
  /// - Complexity: O(characters of the text).
  public static func lines(of text: String, fitting cells: Int, indent: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    var width = 0
    // The blanks at the start of the text belong to its first word.
    let start = text.prefix { $0 == " " }
    var end = text.startIndex
    for (index, word) in text[start.endIndex...].split(separator: " ").enumerated() {
      let blanks = text[end..<word.startIndex]
      let wordWidth = of(word)
      if index > 0, width + blanks.utf8.count + wordWidth > cells {
        lines.append(line)
        line = String(repeating: " ", count: indent) + word
        width = indent + wordWidth
      } else {
        line += blanks + word
        width += blanks.utf8.count + wordWidth
      }
      end = word.endIndex
    }
    return lines + [line]
  }

  static func of(_ scalar: Unicode.Scalar) -> Int {
    let value = scalar.value
    if value < 0x300 { return value < 0x20 || 0x7f..<0xa0 ~= value || value == 0xad ? 0 : 1 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control, .lineSeparator, .paragraphSeparator:
      return 0
    default: break
    }
    // Hangul vowels and final consonants, which join with a leading consonant.
    if 0x1160...0x11ff ~= value || 0xd7b0...0xd7ff ~= value { return 0 }
    return isWide(value) || scalar.properties.isEmojiPresentation ? 2 : 1
  }

  private static func isWide(_ value: UInt32) -> Bool {
    guard value >= 0x1100 else { return false }
    return wide.contains { $0 ~= value }
  }

  /// The blocks of wide scalars (East Asian Width W and F) that are not emoji.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115f, 0x2329...0x232a, 0x2e80...0x303e, 0x3041...0x33ff, 0x3400...0x4dbf,
    0x4dc0...0x4dff, 0x4e00...0x9fff, 0xa000...0xa4cf, 0xa960...0xa97c, 0xac00...0xd7a3,
    0xf900...0xfaff, 0xfe10...0xfe19, 0xfe30...0xfe6f, 0xff01...0xff60, 0xffe0...0xffe6,
    0x16fe0...0x18cff, 0x1aff0...0x1b2fb, 0x1d300...0x1d376, 0x1f200...0x1f265,
    0x20000...0x2fffd, 0x30000...0x3fffd,
  ]
}
