/// Draws a screen as plain lines of text, for pipes, files, tests and replay.
///
/// The text depends on the screen and the size alone. Styles are not shown.
///
/// ```swift
/// let size = Screen.Size(columns: 80, rows: 24)
/// let screen = Screen(Screen.Line("Timer", .title), size: size)
/// let renderer = PlainRenderer(size: size, showsCursor: true)
/// print(renderer.text(of: screen))
/// ```
public struct PlainRenderer: Sendable {
  /// The size that screens are cut to, in cells.
  public var size: Screen.Size
  /// Whether a last line `cursor ROW COLUMN`, counted from 0, tells the place of the cursor.
  public var showsCursor: Bool

  /// Creates a renderer for a size.
  ///
  /// - Parameters:
  ///   - size: The size; a side below 1 counts as 1.
  ///   - showsCursor: Whether a last line tells the place of the cursor.
  public init(size: Screen.Size, showsCursor: Bool = false) {
    self.size = size
    self.showsCursor = showsCursor
  }

  /// Returns the lines of a screen without blanks at their ends and without empty lines at the end.
  ///
  /// With ``showsCursor`` a last line tells the place of the cursor, or `cursor none`.
  ///
  /// - Complexity: O(cells of the size).
  public func lines(of screen: Screen) -> [String] {
    let size = Screen.Size(columns: max(size.columns, 1), rows: max(size.rows, 1))
    var lines = screen.canvas(fitting: size).lines
    if showsCursor {
      let cursor = screen.cursor?.clamped(to: size)
      lines.append(cursor.map { "cursor \($0.row) \($0.column)" } ?? "cursor none")
    }
    return lines
  }

  /// Returns the lines of a screen, each ended by a line feed.
  ///
  /// - Complexity: O(cells of the size).
  public func text(of screen: Screen) -> String {
    lines(of: screen).map { $0 + "\n" }.joined()
  }
}
