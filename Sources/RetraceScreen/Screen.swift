/// The contents of a scene, as a value: lines of styled text and the position of the cursor.
///
/// Text from data is kept unchanged; renderers make it safe.
public struct Screen: Hashable, Sendable {
  /// The lines from top to bottom; a renderer cuts lines that do not fit.
  public var lines: [Line]
  /// The position of the text cursor, if it is visible.
  public var cursor: Cursor?

  /// Creates a screen.
  public init(lines: [Line], cursor: Cursor? = nil) {
    self.lines = lines
    self.cursor = cursor
  }

  /// The size of a screen in cells.
  public struct Size: Hashable, Sendable {
    /// The number of cells in a line.
    public var columns: Int
    /// The number of lines.
    public var rows: Int

    /// Creates a size.
    public init(columns: Int, rows: Int) {
      self.columns = columns
      self.rows = rows
    }
  }

  /// A position on a screen in cells, from 0.
  public struct Cursor: Hashable, Sendable {
    /// The line.
    public var row: Int
    /// The cell in the line.
    public var column: Int

    /// Creates a position.
    public init(row: Int, column: Int) {
      self.row = row
      self.column = column
    }
  }

  /// A line of runs of text.
  public struct Line: Hashable, Sendable {
    /// The runs from left to right.
    public var runs: [Run]

    /// Creates a line of runs.
    public init(_ runs: [Run]) { self.runs = runs }

    /// Creates a line of one run.
    public init(_ text: String, _ style: Style = .plain) {
      runs = text.isEmpty ? [] : [Run(text, style)]
    }

    /// The text of the line without its styles.
    public var text: String { runs.map { $0.text }.joined() }
  }

  /// Text in one style.
  public struct Run: Hashable, Sendable {
    /// The text.
    public var text: String
    /// The style of the text.
    public var style: Style

    /// Creates a run.
    public init(_ text: String, _ style: Style = .plain) {
      self.text = text
      self.style = style
    }
  }

  /// A style of text; a renderer decides how it looks.
  public enum Style: Hashable, Sendable, CaseIterable {
    /// Ordinary text.
    case plain
    /// A heading.
    case title
    /// Emphasized text.
    case strong
    /// De-emphasized text.
    case faint
    /// The selected item.
    case selected
    /// A warning or an error.
    case warning
  }
}
