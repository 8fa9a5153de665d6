import RetraceToolSupport

/// The rows of a timeline that a filter selects, as far as they were found.
///
/// The search begins at a row and goes on in both directions, a part at a time.
struct SelectedRows {
  let filter: RecordFilter
  /// The sequence of the first record that was looked at.
  private(set) var first: UInt64
  /// The sequence after the last record that was looked at.
  private(set) var next: UInt64
  /// The first record that the filter may select.
  private let lowest: UInt64
  /// The first records of the rows before the start, the nearest first.
  private var before: [UInt64] = []
  /// The first records of the rows from the start on.
  private var after: [UInt64] = []

  /// Starts a search at a record.
  ///
  /// - Parameters:
  ///   - filter: The filter.
  ///   - start: The record.
  ///   - lowest: A record before which the filter selects none.
  init(_ filter: RecordFilter, from start: UInt64, notBefore lowest: UInt64 = 1) {
    self.filter = filter
    self.lowest = lowest
    (first, next) = (start, start)
  }

  /// The number of rows found.
  var count: Int { before.count + after.count }

  /// Returns the first record of a row found, by its index.
  subscript(index: Int) -> UInt64 {
    index < before.count ? before[before.count - 1 - index] : after[index - before.count]
  }

  /// Returns the number of rows found that begin at a record or before it.
  ///
  /// - Complexity: O(log count).
  func count(through sequence: UInt64) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] <= sequence { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Whether all records of a timeline were looked at.
  func isComplete(in timeline: Timeline) -> Bool {
    first <= lowest && next > timeline.last
  }

  /// Looks at one more row in each direction.
  ///
  /// - Complexity: O(1) rows.
  mutating func search(in timeline: inout Timeline) {
    if next <= timeline.last, let row = timeline.row(at: next) {
      // The start may be within a row.
      if accepts(row), after.last != row.first { after.append(row.first) }
      first = min(first, row.first)
      next = row.last + 1
    }
    if first > lowest, let row = timeline.row(at: first - 1) {
      if accepts(row) { before.append(row.first) }
      first = row.first
    }
  }

  private func accepts(_ row: TimelineRow) -> Bool { row.record.map(filter.accepts) ?? false }
}
