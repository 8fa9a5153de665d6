/// A part of a screen: a value that a feature makes for one frame and draws into a rectangle.
///
/// What lasts between frames, such as a selection, is a recorded value of the feature, such as
/// ``ListState``. A widget draws the nearest state that fits what it shows.
///
/// ```swift
/// struct Greeting: Widget {
///   var name: String
///
///   func draw(in rect: Rect, on canvas: inout Canvas) {
///     canvas.drawLine("Hello, \(name)", style: .title, in: rect)
///   }
/// }
/// ```
public protocol Widget {
  /// Draws the widget.
  ///
  /// - Parameters:
  ///   - rect: The rectangle, outside of which nothing is drawn. It may be empty, and it may lie
  ///     outside of the canvas.
  ///   - canvas: The canvas.
  func draw(in rect: Rect, on canvas: inout Canvas)

  /// Returns where the widget has the text cursor; `nil` if it has none.
  ///
  /// - Parameter rect: The rectangle that the widget is drawn into.
  func cursor(in rect: Rect) -> Screen.Cursor?
}

extension Widget {
  /// Returns `nil`: most widgets have no text cursor.
  public func cursor(in rect: Rect) -> Screen.Cursor? { nil }
}

extension Screen {
  /// Creates a screen that one widget fills.
  ///
  /// - Complexity: O(cells) and what the widget takes.
  public init(_ widget: some Widget, size: Size) {
    var canvas = Canvas(size)
    widget.draw(in: canvas.bounds, on: &canvas)
    self.init(canvas, cursor: widget.cursor(in: canvas.bounds))
  }
}
