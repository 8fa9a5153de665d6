import Retrace

/// A move of the selection in a list.
struct ListStep {
  private let step: Int

  /// Creates the move of a key: one row, or one page.
  init(_ key: Key, rows: Int) {
    step =
      switch key {
      case .up: -1
      case .pageUp: -rows
      case .pageDown: rows
      default: 1
      }
  }

  /// Returns the row after the move; without a selected row, the first or the last.
  func row(from row: Int?, last: Int) -> Int {
    guard let row else { return step > 0 ? 0 : last }
    return min(max(0, row + step), last)
  }
}
