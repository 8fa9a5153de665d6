import Retrace
import RetraceStorage

extension Player {
  /// Returns the rows that are shown, after moving the window to the selected one.
  mutating func visibleRows(_ count: Int) -> [TimelineRow] {
    guard count > 0 else { return [] }
    var rows = log.rows(from: state.top, count: count)
    if !rows.contains(where: { $0.contains(state.selected) }) {
      // In the middle, after a jump.
      if let top = log.row(from: state.selected, by: -count / 2) { state.top = top.first }
      rows = log.rows(from: state.top, count: count)
    }
    if rows.count < count, let top = log.row(from: .max, by: 1 - count), top.first < state.top {
      state.top = top.first
      rows = log.rows(from: state.top, count: count)
    }
    if let first = rows.first { state.top = first.first }
    return rows
  }

  /// Selects a record.
  mutating func select(_ sequence: UInt64) {
    guard sequence != state.selected else { return }
    state.selected = sequence
    (state.offset, state.time) = (0, nil)
  }

  /// Moves the selection, and keeps some rows around it visible.
  mutating func moveRows(by count: Int, on frame: PlayerFrame) {
    guard let row = log.row(from: state.selected, by: count) else { return }
    select(row.last)
    let margin = min(2, max(0, frame.rows.count - 1) / 2)
    guard let index = frame.rows.firstIndex(where: { $0.row.first == row.first }) else {
      let above = count < 0 ? margin : frame.rows.count - 1 - margin
      if let top = log.row(from: row.first, by: -above) { state.top = top.first }
      return
    }
    let excess = count < 0 ? min(0, index - margin) : max(0, index + margin + 1 - frame.rows.count)
    if excess != 0, let top = log.row(from: state.top, by: excess) { state.top = top.first }
  }

  mutating func scrollRows(by count: Int, on frame: PlayerFrame) {
    guard let top = log.row(from: state.top, by: count) else { return }
    state.top = top.first
    let rows = visibleRowsNear(top.first, frame.rows.count)
    guard let first = rows.first, let last = rows.last else { return }
    if state.selected < first.first { select(first.last) }
    if state.selected > last.last { select(last.last) }
  }

  /// Returns the rows of a window, which has no empty rows at its end.
  private mutating func visibleRowsNear(_ sequence: UInt64, _ count: Int) -> [TimelineRow] {
    let rows = log.rows(from: sequence, count: count)
    guard rows.count < count, let top = log.row(from: .max, by: 1 - count) else { return rows }
    return log.rows(from: top.first, count: count)
  }

  mutating func moveRecord(isForward: Bool, on frame: PlayerFrame) {
    guard let row = log.row(at: state.selected) else { return }
    let next = isForward ? state.selected + 1 : state.selected - 1
    if row.contains(next) { return select(next) }
    guard let other = log.row(from: state.selected, by: isForward ? 1 : -1),
      isForward ? other.first > state.selected : other.last < state.selected
    else { return }
    moveRows(by: isForward ? 1 : -1, on: frame)
    select(isForward ? other.first : other.last)
  }

  mutating func moveBatch(isForward: Bool) {
    do throws(StoreError) {
      let end = try log.batchEnd(state.selected, isForward: isForward)
      if let row = log.row(from: end, by: 0) { select(row.contains(end) ? end : row.last) }
    } catch {
      state.tell("\(error.what) \(error.why)", isProblem: true)
    }
  }
}
