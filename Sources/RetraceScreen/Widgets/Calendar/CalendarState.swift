public import RetraceAvro

/// Which day and entry of a calendar grid are selected, and how far it is scrolled.
public struct CalendarState: Recordable, Hashable, Sendable {
  /// The index of the selected day.
  public var day: Int64
  /// The index of the selected entry in its day; `nil` for none.
  public var entry: Int64?
  /// The index of the first hour that is shown.
  public var offset: Int64

  /// Creates a state.
  public init(day: Int64 = 0, entry: Int64? = nil, offset: Int64 = 0) {
    self.day = day
    self.entry = entry
    self.offset = offset
  }

  /// Selects a later or earlier day, as far as there are any, and none of its entries.
  ///
  /// - Parameters:
  ///   - steps: The number of days, negative for earlier ones.
  ///   - count: The number of all days.
  public mutating func moveDay(by steps: Int64, count: Int64) {
    day = day.clampedIndex(of: count).saturatingAdd(steps).clampedIndex(of: count)
    entry = nil
  }

  /// Selects a later or earlier entry of the day, as far as there are any; first of all, the first
  /// or the last one.
  ///
  /// - Parameters:
  ///   - steps: The number of entries, negative for earlier ones.
  ///   - count: The number of the day's entries.
  public mutating func moveEntry(by steps: Int64, count: Int64) {
    guard count > 0 else {
      entry = nil
      return
    }
    guard let entry else {
      self.entry = steps < 0 ? count - 1 : 0
      return
    }
    self.entry = entry.clampedIndex(of: count).saturatingAdd(steps).clampedIndex(of: count)
  }

  /// Selects a day and one of its entries, such as what was clicked.
  public mutating func select(day: Int64, entry: Int64?) {
    self.day = day
    self.entry = entry
  }

  /// Scrolls as far as there are hours; the selected entry stays visible.
  ///
  /// - Parameters:
  ///   - steps: The number of hours, negative for earlier ones.
  ///   - count: The number of all hours.
  ///   - rows: The number of hours that are shown; see ``CalendarGrid/hourCount(in:)``.
  public mutating func scroll(by steps: Int64, count: Int64, rows: Int64) {
    var window = ScrollWindow(count: count, rows: rows, offset: offset)
    window.scroll(to: window.offset.saturatingAdd(steps))
    offset = window.offset
  }
}
