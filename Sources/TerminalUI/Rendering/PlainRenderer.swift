public import RetraceScreen

/// Draws a screen as plain lines of text, for pipes, files, tests and replay.
///
/// The text depends on the screen and the size alone. Styles are not shown.
public struct PlainRenderer: Sendable {
  /// The size that screens are cut to, in cells.
  public var size: Screen.Size
  /// Whether a last line `cursor ROW COLUMN`, counted from 0, tells the place of the cursor.
  public var showsCursor: Bool

  /// Makes a renderer for a size.
  public init(size: Screen.Size, showsCursor: Bool = false) {
    self.size = size
    self.showsCursor = showsCursor
  }

  /// The lines of a screen without trailing blanks and without empty lines at the end.
  ///
  /// With ``showsCursor`` a last line tells the place of the cursor, or `cursor none`.
  ///
  /// - Complexity: O(bytes of the lines that fit the size).
  public func lines(of screen: Screen) -> [String] {
    let frame = Frame(screen, size: size)
    var lines = frame.rows.map { runs in
      var text = runs.map(\.text).joined()
      while text.last == " " { text.removeLast() }
      return text
    }
    while lines.last?.isEmpty == true { lines.removeLast() }
    if showsCursor {
      lines.append(frame.cursor.map { "cursor \($0.row) \($0.column)" } ?? "cursor none")
    }
    return lines
  }

  /// The lines of a screen, each ended by a line feed.
  ///
  /// - Complexity: O(bytes of the lines that fit the size).
  public func text(of screen: Screen) -> String {
    lines(of: screen).map { $0 + "\n" }.joined()
  }
}
