/// Functions that make text safe for terminals, pipes, and the eyes of a reader.
///
/// All data that a tool prints goes through here. Scalars that could move the cursor, change the
/// terminal, forge a line, or hide or reorder text are written as visible escapes such as `\u{1B}`.
/// Backslashes are not escaped: the result is for reading, not for parsing.
///
/// ```swift
/// print(SafeText.line("a title from a file\u{1B}[2J"))
/// ```
public enum SafeText {
  /// The default size at which text is cut, in bytes of UTF-8.
  public static let bytesMax = 4096

  /// Returns one line of safe text; line ends are escaped.
  ///
  /// Text longer than `bytesMax` bytes after escaping is cut after a scalar and ends in `…`.
  ///
  /// - Complexity: O(bytes of the text up to the cut).
  public static func line(_ text: String, bytesMax: Int = SafeText.bytesMax) -> String {
    var isSafe = true
    var count = 0
    for byte in text.utf8 {
      count += 1
      if byte < 0x20 || byte > 0x7E || count > bytesMax {
        isSafe = false
        break
      }
    }
    return isSafe ? text : escaped(text, bytesMax: bytesMax, keepsLineFeeds: false)
  }

  /// Returns safe text of several lines; line feeds are kept and nothing is cut.
  ///
  /// For text whose line feeds come from the program, such as a finished message. Pass data through
  /// ``line(_:bytesMax:)`` before putting it into such text, or the data could forge a line.
  ///
  /// - Complexity: O(bytes of the text).
  public static func block(_ text: String) -> String {
    escaped(text, bytesMax: .max, keepsLineFeeds: true)
  }

  /// Returns whether a scalar is escaped.
  ///
  /// The escaped scalars are control characters, line and paragraph separators, marks that change
  /// the direction of text, zero-width scalars that no script needs, tag characters, and scalars
  /// that are no characters. `Tools/widths` lists them.
  public static func isEscaped(_ scalar: Unicode.Scalar) -> Bool {
    WidthTable.entry(of: scalar.value).isEscaped
  }

  private static func escaped(_ text: String, bytesMax: Int, keepsLineFeeds: Bool) -> String {
    var result = ""
    var count = 0
    for scalar in text.unicodeScalars {
      let isPlain = !isEscaped(scalar) || keepsLineFeeds && scalar == "\n"
      let piece =
        isPlain
        ? String(scalar) : "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
      count += piece.utf8.count
      guard count <= bytesMax else { return result + "…" }
      result += piece
    }
    return result
  }
}
