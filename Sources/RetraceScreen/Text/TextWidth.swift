/// The number of terminal cells that text takes.
///
/// The widths follow Unicode's East Asian Width and emoji presentation, in a table that
/// `Tools/widths` generates. Wide characters and emoji take two cells, combining and invisible
/// characters none, all others one. A character that is newer than the table takes as many as most
/// of its block. A scalar that ``SafeText`` escapes takes the cells of its escape, because that is
/// what is printed: data can be measured and cut before it is escaped.
///
/// Terminals agree on ASCII, on the letters of Latin, Greek and Cyrillic with their marks, on
/// Chinese, Japanese and Korean, and on most signs. They disagree on the rest; see
/// ``isDisputed(_:)``. Screens are laid out by these widths.
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
  public static func of(_ text: String) -> Int { of(text[...]) }

  /// Returns the number of cells of a part of a text.
  ///
  /// - Complexity: O(bytes of the part).
  public static func of(_ text: Substring) -> Int {
    let bytes = text.utf8.span
    var (width, offset) = (0, 0)
    while offset < bytes.count {
      let cluster = Cluster(at: offset, in: bytes, of: text)
      width += cluster.cells
      offset = cluster.end
    }
    return width
  }

  /// Returns the number of cells of one character: 0, 1 or 2, or the cells of its escapes.
  ///
  /// - Complexity: O(scalars of the character).
  public static func of(_ character: Character) -> Int { of(String(character)[...]) }

  /// Returns whether terminals disagree on the cells of a character.
  ///
  /// A renderer for terminals sets the cursor by its column after such a character. It is one of
  /// another script than ``TextWidth`` names, an emoji, a character of several scalars other than a
  /// letter with marks, or one that is newer than terminals in use.
  ///
  /// - Complexity: O(scalars of the character).
  public static func isDisputed(_ character: Character) -> Bool {
    let text = String(character)[...]
    let bytes = text.utf8.span
    var offset = 0
    while offset < bytes.count {
      let cluster = Cluster(at: offset, in: bytes, of: text)
      if cluster.isDisputed { return true }
      offset = cluster.end
    }
    return false
  }

  /// Returns the longest prefix of a text that fits into a number of cells.
  ///
  /// - Complexity: O(bytes of the prefix).
  public static func prefix(of text: String, fitting cells: Int) -> Substring {
    prefix(of: text[...], fitting: cells)
  }

  /// Returns the longest prefix of a part of a text that fits into a number of cells.
  ///
  /// - Complexity: O(bytes of the prefix).
  public static func prefix(of text: Substring, fitting cells: Int) -> Substring {
    let bytes = text.utf8.span
    var (width, offset) = (0, 0)
    while offset < bytes.count {
      let cluster = Cluster(at: offset, in: bytes, of: text)
      width += cluster.cells
      if width > cells { break }
      offset = cluster.end
    }
    return text[..<text.utf8.index(text.startIndex, offsetBy: offset)]
  }

  /// Returns a text broken into lines at blanks; only the blanks at the breaks are dropped.
  ///
  /// - Parameters:
  ///   - text: The text, without line breaks.
  ///   - cells: The maximum number of cells of a line; a wider word has a line of its own.
  ///   - indent: The number of blanks before each line except the first.
  /// - Complexity: O(bytes of the text).
  public static func lines(of text: String, fitting cells: Int, indent: Int) -> [String] {
    let wrapped = WrappedText(text, columns: cells, indent: indent, isParagraph: true)
    return wrapped.rows.indices.map { index in
      var row = wrapped[index]
      if index + 1 < wrapped.rows.count {
        while row.utf8.last == 0x20 { row = row[..<row.utf8.index(before: row.endIndex)] }
      }
      return index == 0 ? String(row) : String(repeating: " ", count: indent) + row
    }
  }
}
