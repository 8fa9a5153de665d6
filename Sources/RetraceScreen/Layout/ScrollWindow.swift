/// Which rows of a long list are visible.
///
/// The window moves as little as it takes to show the selected row. While the selection moves, the
/// window keeps some rows around it visible; a row that is already visible does not move the
/// window, so a click does not move what is under the mouse.
///
/// ```swift
/// var window = ScrollWindow(count: 1_000_000, rows: 20, offset: 0)
/// window.show(500)
/// print(window.range)
/// ```
public struct ScrollWindow: Hashable, Sendable {
  /// The number of all rows.
  public let count: Int64
  /// The number of rows that fit.
  public let rows: Int64
  /// The index of the first visible row.
  public private(set) var offset: Int64

  /// Creates a window.
  ///
  /// - Parameters:
  ///   - count: The number of all rows; below 0 counts as 0.
  ///   - rows: The number of rows that fit; below 0 counts as 0.
  ///   - offset: The index of the first visible row; the nearest one that leaves no row at the end
  ///     empty counts.
  public init(count: Int64, rows: Int64, offset: Int64) {
    // Such that no sum is out of range.
    self.count = min(max(count, 0), .max - 8)
    self.rows = max(rows, 0)
    self.offset = 0
    scroll(to: offset)
  }

  /// The indices of the visible rows.
  public var range: Range<Int64> { offset..<min(count, offset + rows) }

  /// The last offset that leaves no row at the end empty.
  private var offsetMax: Int64 { max(count - rows, 0) }

  /// The rows that stay visible before and after a selection that moves.
  private var margin: Int64 { min(2, max(rows - 1, 0) / 2) }

  /// Moves the window such that a row is the first one, or as near as there are rows.
  public mutating func scroll(to offset: Int64) { self.offset = min(max(offset, 0), offsetMax) }

  /// Moves the window as little as it takes to show a row, with some rows around it.
  ///
  /// - Parameters:
  ///   - index: The index of the row; the nearest row counts.
  ///   - keepsMargin: Whether the window moves for a visible row, too, if it has too few others
  ///     around it.
  public mutating func show(_ index: Int64, keepsMargin: Bool = false) {
    let index = min(max(index, 0), max(count - 1, 0))
    guard keepsMargin || !range.contains(index) else { return }
    if index - margin < offset {
      scroll(to: index - margin)
    } else if index + margin >= offset + rows {
      scroll(to: index + margin - max(rows, 1) + 1)
    }
  }

  /// Returns the window, moved as ``show(_:keepsMargin:)`` moves it.
  func showing(_ index: Int64, keepsMargin: Bool = false) -> ScrollWindow {
    var window = self
    window.show(index, keepsMargin: keepsMargin)
    return window
  }

  /// Returns the index that is nearest to another one among the visible rows.
  func nearest(to index: Int64) -> Int64 {
    min(max(index, range.lowerBound), max(range.upperBound - 1, 0))
  }

  /// The rows of a scrollbar's thumb, from 0; `nil` if all rows are visible.
  ///
  /// The thumb is at the end only if the window is, and at the start if there is no room between.
  public var thumb: Range<Int>? {
    guard count > rows, rows > 0 else { return nil }
    let length = max(1, proportion(rows, of: count, in: Int(clamping: rows)))
    let room = Int(clamping: rows) - length
    var start = proportion(offset, of: offsetMax, in: room)
    if start == 0, offset > 0, room > 1 { start = 1 }
    if start == room, offset < offsetMax { start = max(room - 1, 0) }
    return start..<start + length
  }
}
