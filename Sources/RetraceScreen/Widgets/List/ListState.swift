public import RetraceAvro

/// What lasts of a list between frames: the selected row and the scroll position.
///
/// It changes by what the user does and by what was seen: the number of rows of the list, and the
/// number that fit on the screen, which the action records. A list draws the nearest state that
/// fits its rows, so a state may be older than they are.
///
/// ```swift
/// var state = ListState()
/// state.move(by: 1, count: 1_000_000, rows: 20)
/// state.movePages(by: 1, count: 1_000_000, rows: 20)
/// print(state.selected, state.offset)
/// ```
public struct ListState: Recordable, Hashable, Sendable {
  /// The index of the selected row.
  public var selected: Int64
  /// The index of the first visible row.
  public var offset: Int64

  /// Creates a state.
  public init(selected: Int64 = 0, offset: Int64 = 0) {
    self.selected = selected
    self.offset = offset
  }

  /// Selects the row that is some rows after the selected one, or the nearest one.
  ///
  /// - Parameters:
  ///   - distance: The number of rows, below 0 towards the first row.
  ///   - count: The number of rows of the list.
  ///   - rows: The number of rows that fit on the screen.
  public mutating func move(by distance: Int64, count: Int64, rows: Int64) {
    let start = window(count: count, rows: rows)
    selected = selected.clampedIndex(of: count).saturatingAdd(distance).clampedIndex(of: count)
    keep(start)
  }

  /// Moves the selection and the window by pages, which have one row in common.
  ///
  /// - Parameters:
  ///   - pages: The number of pages, below 0 towards the first row.
  ///   - count: The number of rows of the list.
  ///   - rows: The number of rows that fit on the screen.
  public mutating func movePages(by pages: Int64, count: Int64, rows: Int64) {
    var start = window(count: count, rows: rows)
    let (product, overflows) = pages.multipliedReportingOverflow(by: max(start.rows - 1, 1))
    let distance = overflows ? (pages < 0 ? .min : .max) : product
    start.scroll(to: start.offset.saturatingAdd(distance))
    selected = selected.clampedIndex(of: count).saturatingAdd(distance).clampedIndex(of: count)
    keep(start)
  }

  /// Selects a row; the nearest one if there is no such row.
  ///
  /// `Int64.max` is the last row of any list.
  ///
  /// - Parameters:
  ///   - index: The index of the row.
  ///   - count: The number of rows of the list.
  ///   - rows: The number of rows that fit on the screen.
  public mutating func select(_ index: Int64, count: Int64, rows: Int64) {
    let start = window(count: count, rows: rows)
    selected = index.clampedIndex(of: count)
    // A visible row, such as a clicked one, stays where it is.
    offset = start.showing(selected).offset
  }

  /// Moves the window, as a wheel does; the selection stays in it.
  ///
  /// - Parameters:
  ///   - distance: The number of rows, below 0 towards the first row.
  ///   - count: The number of rows of the list.
  ///   - rows: The number of rows that fit on the screen.
  public mutating func scroll(by distance: Int64, count: Int64, rows: Int64) {
    var window = window(count: count, rows: rows)
    window.scroll(to: window.offset.saturatingAdd(distance))
    offset = window.offset
    selected = window.nearest(to: selected)
  }

  /// Returns the rows of a list that are visible.
  ///
  /// - Parameters:
  ///   - count: The number of rows of the list.
  ///   - rows: The number of rows that fit on the screen.
  public func window(count: Int64, rows: Int64) -> ScrollWindow {
    ScrollWindow(count: count, rows: rows, offset: offset)
      .showing(selected.clampedIndex(of: count))
  }

  /// Keeps rows around a selection that has moved visible.
  private mutating func keep(_ window: ScrollWindow) {
    offset = window.showing(selected, keepsMargin: true).offset
  }
}
