/// What a scene shows, as a value: lines of styled text and the place of the cursor.
///
/// Text that came from data is kept as it is; renderers make it harmless.
public struct Screen: Hashable, Sendable {
  /// The lines from top to bottom; a renderer cuts what does not fit.
  public var lines: [Line]
  /// The place of the text cursor, if one is shown.
  public var cursor: Cursor?

  /// Makes a screen.
  public init(lines: [Line], cursor: Cursor? = nil) {
    self.lines = lines
    self.cursor = cursor
  }

  /// The size of a screen in cells.
  public struct Size: Hashable, Sendable {
    /// Cells in a line.
    public var columns: Int
    /// Lines.
    public var rows: Int

    /// Makes a size.
    public init(columns: Int, rows: Int) {
      self.columns = columns
      self.rows = rows
    }
  }

  /// A place on a screen in cells, from 0.
  public struct Cursor: Hashable, Sendable {
    /// The line.
    public var row: Int
    /// The cell in the line.
    public var column: Int

    /// Makes a place.
    public init(row: Int, column: Int) {
      self.row = row
      self.column = column
    }
  }

  /// A line of runs of text.
  public struct Line: Hashable, Sendable {
    /// The runs from left to right.
    public var runs: [Run]

    /// Makes a line of runs.
    public init(_ runs: [Run]) { self.runs = runs }

    /// Makes a line of one run.
    public init(_ text: String, _ style: Style = .plain) {
      runs = text.isEmpty ? [] : [Run(text, style)]
    }

    /// The text of the line without its styles.
    public var text: String { runs.map(\.text).joined() }
  }

  /// Text in one style.
  public struct Run: Hashable, Sendable {
    /// The text.
    public var text: String
    /// How it is shown.
    public var style: Style

    /// Makes a run.
    public init(_ text: String, _ style: Style = .plain) {
      self.text = text
      self.style = style
    }
  }

  /// How text is shown; a renderer decides what each means.
  public enum Style: Hashable, Sendable, CaseIterable {
    /// Ordinary text.
    case plain
    /// A heading.
    case title
    /// What stands out.
    case strong
    /// What steps back.
    case faint
    /// The chosen item.
    case selected
    /// Something that went wrong.
    case warning
  }
}
