public import RetraceAvro

/// Which choice of a dialog is selected, and how far its text is scrolled.
public struct DialogState: Recordable, Hashable, Sendable {
  /// The index of the choice.
  public var selected: Int64
  /// The index of the first row of the text that is shown.
  public var offset: Int64

  /// Creates a state.
  public init(selected: Int64 = 0, offset: Int64 = 0) {
    self.selected = selected
    self.offset = offset
  }

  /// Selects a later or earlier choice; after the last one comes the first.
  ///
  /// - Parameters:
  ///   - steps: The number of choices, negative for earlier ones.
  ///   - count: The number of all choices.
  public mutating func move(by steps: Int64, count: Int64) {
    guard count > 0 else { return }
    let sum = selected.clampedIndex(of: count) + steps % count
    selected = (sum % count + count) % count
  }

  /// Scrolls the text as far as there are rows.
  ///
  /// - Parameters:
  ///   - steps: The number of rows, negative toward the start.
  ///   - lines: The number of all rows of the text; see ``Dialog/lineCount(in:)``.
  ///   - rows: The number of rows that are shown.
  public mutating func scroll(by steps: Int64, lines: Int64, rows: Int64) {
    var window = ScrollWindow(count: lines, rows: rows, offset: offset)
    window.scroll(to: window.offset.saturatingAdd(steps))
    offset = window.offset
  }
}
