public import RetraceAvro

/// How far a text of several lines is scrolled.
///
/// ```swift
/// var state = TextAreaState()
/// state.scroll(by: 3, lines: 40, rows: 10)
/// print(state.offset)
/// ```
public struct TextAreaState: Recordable, Hashable, Sendable {
  /// The index of the first row that is shown.
  public var offset: Int64

  /// Creates a state.
  public init(offset: Int64 = 0) { self.offset = offset }

  /// Scrolls as far as there are rows.
  ///
  /// - Parameters:
  ///   - steps: The number of rows, negative toward the start.
  ///   - lines: The number of all rows of the text.
  ///   - rows: The number of rows that are shown.
  public mutating func scroll(by steps: Int64, lines: Int64, rows: Int64) {
    var window = ScrollWindow(count: lines, rows: rows, offset: offset)
    window.scroll(to: window.offset.saturatingAdd(steps))
    offset = window.offset
  }
}
