/// Where the parts of a calendar grid are in a rectangle.
struct DayGridLayout {
  /// A block and its cells, without those that are not seen.
  struct Block {
    var block: DayGridLanes.Block
    var rect: Rect
  }

  /// A day that is seen.
  struct Day {
    var index: Int
    var heading: Rect
    var detail: Rect
    var rect: Rect
    var blocks: [Block] = []
    /// Where blocks that have no lane are counted, and their number.
    var hidden: [(rect: Rect, count: Int)] = []
  }

  /// The cells beside the heading, and those with the labels of the rows.
  private(set) var corner = Rect(columns: 0, rows: 0)
  private(set) var gutter = Rect(columns: 0, rows: 0)
  /// The cells of all days.
  private(set) var grid: Rect
  private(set) var linesPerRow = 1
  private var heading = Rect(columns: 0, rows: 0)
  private let rowCount: Int
  /// The lines that are seen.
  private(set) var lines = 0..<0
  private(set) var days: [Day] = []

  /// The cells of a day and of a lane, below which others are left out.
  private static var dayColumnsMin: Int { 8 }
  private static var laneColumnsMin: Int { 4 }
  private static var linesMax: Int { 4 }
  /// The rows below which days have no details.
  private static var rowsWithDetails: Int { 8 }

  init(_ calendar: DayGrid, in rect: Rect) {
    self.init(outlineOf: calendar, in: rect)
    guard !grid.isEmpty else { return }
    let lanes = DayGridLanes(
      calendar.days[calendar.selectedDay], rows: calendar.rows.count, linesPerRow: linesPerRow)
    let selected = lanes.blocks.first { $0.index == calendar.selectedEntry }
    lines = seenLines(calendar, selected: selected)
    addDays(calendar, heading: heading)
  }

  /// Places the rows, but no days.
  ///
  /// - Complexity: O(rows + days).
  init(outlineOf calendar: DayGrid, in rect: Rect) {
    grid = rect
    rowCount = calendar.rows.count
    guard !rect.isEmpty, !calendar.days.isEmpty, !calendar.rows.isEmpty else {
      grid.columns = 0
      return
    }
    let hasDetails =
      grid.rows >= Self.rowsWithDetails
      && calendar.days.contains { day in
        !day.detail.isEmpty
      }
    heading =
      grid.rows > 2 ? grid.removeTop(hasDetails ? 2 : 1) : Rect(columns: 0, rows: 0)
    let labels = calendar.rows.reduce(0) { max($0, TextWidth.of($1)) }
    if grid.columns >= 8 {
      gutter = grid.removeLeft(min(labels + 1, grid.columns / 3))
      corner = heading.removeLeft(gutter.columns)
    }
    let fitting = grid.rows / calendar.rows.count
    let wanted = calendar.linesPerRow ?? min(fitting, DayGridLayout.linesMax)
    linesPerRow = max(1, min(wanted, grid.rows))
  }

  private func seenLines(
    _ calendar: DayGrid, selected: DayGridLanes.Block?
  ) -> Range<Int> {
    let rows = calendar.rows.count
    var window = ScrollWindow(
      count: Int64(rows), rows: Int64(grid.rows / linesPerRow), offset: calendar.state.offset)
    if let selected, calendar.followsSelection {
      window.show(Int64(selected.top / linesPerRow))
    }
    let all = rows * linesPerRow
    let first = max(0, min(Int(window.offset) * linesPerRow, all - grid.rows))
    return first..<min(all, first + grid.rows)
  }

  private mutating func addDays(_ calendar: DayGrid, heading: Rect) {
    let count = calendar.days.count
    let fit = max(1, min(count, (grid.columns + 1) / (DayGridLayout.dayColumnsMin + 1)))
    var window = ScrollWindow(count: Int64(count), rows: Int64(fit), offset: 0)
    window.show(Int64(calendar.selectedDay))
    let cells = max(grid.columns - (fit - 1), 0)
    for place in 0..<fit {
      let (start, end) = (cells * place / fit, cells * (place + 1) / fit)
      let column = grid.column + start + place
      let index = Int(window.offset) + place
      var day = Day(
        index: index,
        heading: Rect(
          column: column, row: heading.row, columns: end - start, rows: min(heading.rows, 1)),
        detail: Rect(
          column: column, row: heading.row + 1, columns: end - start, rows: heading.rows - 1),
        rect: Rect(column: column, row: grid.row, columns: end - start, rows: lines.count))
      let isSelected = index == calendar.selectedDay
      addBlocks(
        to: &day, of: calendar.days[index], selected: isSelected ? calendar.selectedEntry : nil)
      days.append(day)
    }
  }

  private func addBlocks(to place: inout Day, of day: GridDay, selected: Int?) {
    var lanes = DayGridLanes(day, rows: rowCount, linesPerRow: linesPerRow)
    let columns = place.rect.columns
    // A group that does not fit leaves cells for the count of the others.
    let (most, fewer) = (
      max(1, columns / DayGridLayout.laneColumnsMin),
      max(1, (columns - 3) / DayGridLayout.laneColumnsMin)
    )
    if let selected, let block = lanes.blocks.first(where: { $0.index == selected }),
      lanes.groups[block.group].lanes > most
    {
      lanes.show(selected, lanes: fewer)
    }
    var hidden = [Int](repeating: 0, count: lanes.groups.count)
    for block in lanes.blocks {
      let all = lanes.groups[block.group].lanes
      let shown = all > most ? fewer : all
      let isSeen = block.top < lines.upperBound && block.bottom > lines.lowerBound
      var rect = Rect(columns: 0, rows: 0)
      if isSeen, block.lane < shown {
        let width = all > most ? max(columns - 3, 1) : columns
        let (start, end) = (width * block.lane / shown, width * (block.lane + 1) / shown)
        let seen = (block.top..<block.bottom).clamped(to: lines)
        rect = Rect(
          column: place.rect.column + start,
          row: place.rect.row + seen.lowerBound - lines.lowerBound, columns: end - start,
          rows: seen.count
        ).intersection(place.rect)
      } else if isSeen {
        hidden[block.group] += 1
      }
      place.blocks.append(Block(block: block, rect: rect))
    }
    for (group, count) in hidden.enumerated() where count > 0 && columns > 3 {
      let row = max(lanes.groups[group].top, lines.lowerBound) - lines.lowerBound
      let rect = Rect(
        column: place.rect.endColumn - 3, row: place.rect.row + row, columns: 3, rows: 1)
      place.hidden.append((rect.intersection(place.rect), count))
    }
  }
}
