/// What a scene shows, as a value: a canvas, the cursor, and what it asks of a terminal.
///
/// Features of the terminal are fields, so they are recorded and replayed with the screen. A
/// renderer without such a feature leaves it out.
///
/// ```swift
/// var canvas = Canvas(Screen.Size(columns: 40, rows: 10))
/// canvas.draw("Timer", row: 0, column: 0, style: .title, in: canvas.bounds)
/// var screen = Screen(canvas, cursor: Screen.Cursor(row: 2, column: 0, shape: .bar))
/// screen.title = "track"
/// ```
public struct Screen: Hashable, Sendable {
  /// The cells.
  public var canvas: Canvas
  /// The position of the text cursor, if it is visible.
  public var cursor: Cursor?
  /// The title of the terminal's window; `nil` leaves it as it is.
  public var title: String?
  /// Which events of the mouse the terminal reports.
  public var mouse = MouseReporting.off
  /// Whether the terminal reports when its window gains and loses the focus.
  public var reportsFocus = false
  /// The progress that the terminal shows, such as in its tab.
  public var progress: Progress?

  /// Creates a screen that shows a canvas.
  public init(_ canvas: Canvas, cursor: Cursor? = nil) {
    self.canvas = canvas
    self.cursor = cursor
  }

  /// Returns the canvas in a size: cut, or with blanks added.
  ///
  /// - Complexity: O(cells of the size); O(1) for a canvas of this size.
  public func canvas(fitting size: Size) -> Canvas {
    if canvas.size == size { return canvas }
    var result = Canvas(size)
    result.draw(layer: canvas, row: 0, column: 0, in: result.bounds)
    return result
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
    /// The shape of the cursor.
    public var shape: Shape

    /// Creates a position.
    public init(row: Int, column: Int, shape: Shape = .standard) {
      self.row = row
      self.column = column
      self.shape = shape
    }

    /// The shape of a cursor.
    public enum Shape: UInt8, Hashable, Sendable, CaseIterable {
      /// The shape that the user of the terminal has chosen.
      case standard
      /// A block over the cell.
      case block
      /// A line below the cell.
      case underline
      /// A line on the left of the cell.
      case bar
    }

    /// Returns the nearest position in a size.
    package func clamped(to size: Size) -> Cursor {
      Cursor(
        row: min(max(row, 0), max(size.rows - 1, 0)),
        column: min(max(column, 0), max(size.columns - 1, 0)), shape: shape)
    }
  }

  /// Which events of the mouse a terminal reports.
  public enum MouseReporting: UInt8, Hashable, Sendable, CaseIterable {
    /// None, so that the user can select text.
    case off
    /// Presses, releases, the wheel, and motion with a pressed button.
    case buttons
    /// Any motion, too.
    case motion
  }

  /// The progress of a long operation.
  public enum Progress: Hashable, Sendable {
    /// It runs, and its end is not known.
    case busy
    /// So many percent are done.
    case percent(Int)
    /// It has failed after so many percent.
    case failed(Int)
    /// It waits for the user after so many percent.
    case paused(Int)
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

  /// A style of text.
  public typealias Style = RetraceScreen.Style
}
