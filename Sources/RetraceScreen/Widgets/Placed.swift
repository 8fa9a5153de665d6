/// A widget with the rectangle that it is drawn into, so that a frame says both once.
///
/// A frame has its list as a property. It draws it, and asks it what keys and the mouse do:
///
/// ```swift
/// let names = ["Design", "Review", "Write"]
/// let size = Screen.Size(columns: 20, rows: 5)
/// var rest = Rect(size)
/// _ = rest.removeTop(1)
/// let list: Placed<List<Screen.Line>> =
///   List(count: names.count, state: ListState()) { Screen.Line(names[$0]) }.placed(in: rest)
/// var canvas = Canvas(size)
/// list.draw(on: &canvas)
/// print(list.rows, list.state(after: .down)?.selected ?? 0)
/// ```
public struct Placed<Content: Widget> {
  /// The widget.
  public var widget: Content
  /// The rectangle.
  public var rect: Rect

  /// Draws the widget.
  ///
  /// - Complexity: As the widget.
  public func draw(on canvas: inout Canvas) { widget.draw(in: rect, on: &canvas) }

  /// Where the widget has the text cursor; `nil` if it has none.
  public var cursor: Screen.Cursor? { widget.cursor(in: rect) }
}

extension Widget {
  /// Returns the widget with the rectangle that it is drawn into.
  public func placed(in rect: Rect) -> Placed<Self> { Placed(widget: self, rect: rect) }
}

/// A widget of rows, of which one is selected: a ``List`` or a ``Table``.
///
/// ```swift
/// func showsAll(_ rows: Placed<some RowWidget>) -> Bool { Int64(rows.widget.count) <= rows.rows }
/// ```
public protocol RowWidget: Widget {
  /// The number of rows.
  var count: Int { get }
  /// The selection and the scroll position.
  var state: ListState { get }

  /// Returns the index of the row at a place of the screen; `nil` where no row is.
  ///
  /// - Parameters:
  ///   - position: The place.
  ///   - rect: The rectangle that the widget is drawn into.
  func index(at position: Screen.Cursor, in rect: Rect) -> Int?

  /// Returns the number of rows that fit into a rectangle, as changes of a ``ListState`` take it.
  func rows(in rect: Rect) -> Int64
}

extension List: RowWidget {}
extension Table: RowWidget {}

extension Placed where Content: RowWidget {
  /// The number of rows that fit, as changes of a ``ListState`` take it.
  public var rows: Int64 { widget.rows(in: rect) }

  /// Returns the index of the row at a place of the screen; `nil` where no row is.
  public func index(at position: Screen.Cursor) -> Int? { widget.index(at: position, in: rect) }

  /// Returns the state after a key of the user; `nil` for a key that selects no row.
  ///
  /// The arrows up and down select the row before or after, the page keys move by what fits, and
  /// home and end select the first and the last row. At an end the state is the same.
  ///
  /// - Complexity: O(1).
  public func state(after key: Key) -> ListState? {
    var state = widget.state
    let count = Int64(widget.count)
    switch key {
    case .up: state.move(by: -1, count: count, rows: rows)
    case .down: state.move(by: 1, count: count, rows: rows)
    case .pageUp: state.movePages(by: -1, count: count, rows: rows)
    case .pageDown: state.movePages(by: 1, count: count, rows: rows)
    case .home: state.select(0, count: count, rows: rows)
    case .end: state.select(.max, count: count, rows: rows)
    default: return nil
    }
    return state
  }
}
