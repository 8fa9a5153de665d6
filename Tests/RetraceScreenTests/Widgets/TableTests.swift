import RetraceScreen
import RetraceTesting
import Testing

/// A table aligns its columns, whatever its cells contain.
@Suite struct TableTests {
  private static let columns = [
    TableColumn("Date", ColumnRule(widths: [10, 5], priority: 1)),
    TableColumn("Description", ColumnRule(width: 12, cutTo: 8, priority: 2, grows: true)),
    TableColumn("Project", ColumnRule(width: 12, cutTo: 6, priority: 3)),
    TableColumn("Time", ColumnRule(width: 8, priority: 4), aligned: .right),
  ]

  private static let names = ["Sleeping", "Write the report", "日本語の授業", "Café\u{1b}[31m"]

  private func table(_ count: Int, _ state: ListState = ListState()) -> Table {
    let footer = ["", "Total", "", "36:10:00"].map { Screen.Run($0, .strong) }
    return Table(
      columns: Self.columns, count: count, state: state, footer: footer,
      emptyText: "No entries in this week."
    ) { row, column, width in
      let day = 10 + row % 20
      switch column {
      case 0: return Screen.Run(width < 10 ? "11-\(day)" : "2026-11-\(day)", .faint)
      case 1: return Screen.Run(Self.names[row % 4])
      case 2: return Screen.Run(row % 3 == 0 ? "Study" : "Work", Style(foreground: .accent))
      default: return Screen.Run("\(row % 12):\(10 + row % 50):00")
      }
    }
  }

  private func texts(_ table: Table, _ columns: Int, _ rows: Int) -> [String] {
    Screen(table, size: Screen.Size(columns: columns, rows: rows)).canvas.lines
  }

  @Test func pictures() throws {
    try Pictures.expect("table", page: Screen.Size(columns: 60, rows: 12)) { size in
      var state = ListState()
      state.select(9, count: 30, rows: table(30).rows(in: Rect(size)))
      return table(30, state)
    }
    try Pictures.expect("table-empty") { _ in table(0) }
  }

  @Test func `columns that are not shown leave a sign in the headings`() {
    #expect(
      texts(table(2), 20, 4) == [
        "  Project      Time…", "› Study     0:10:00", "  Work      1:11:00",
        "           36:10:00",
      ])
    #expect(texts(table(2), 20, 1) == ["› Study     0:10:00┃"])
    #expect(texts(table(1), 3, 1) == ["›"])
    let rect = Rect(columns: 20, rows: 4)
    let columns = (0..<20).map { table(2).column(at: Screen.Cursor(row: 0, column: $0), in: rect) }
    #expect(columns == [nil, nil] + .init(repeating: 2, count: 9) + .init(repeating: 3, count: 9))
  }

  @Test func `a table may be without headings and without a selection`() {
    let columns = [TableColumn("Name", ColumnRule(width: 8, priority: 1))]
    let table = Table(
      columns: columns, count: 3, state: ListState(), hasSelection: false, hasHeadings: false
    ) { row, _, _ in Screen.Run("row \(row)") }
    #expect(texts(table, 12, 9) == ["  row 0", "  row 1", "  row 2"])
    let rect = Rect(columns: 12, rows: 9)
    #expect(table.rows(in: rect) == 9)
    #expect(table.index(at: Screen.Cursor(row: 0, column: 3), in: rect) == 0)
    #expect(table.column(at: Screen.Cursor(row: 0, column: 3), in: rect) == nil)
  }

  @Test func `places lead to rows and to headings`() {
    let rect = Rect(column: 2, row: 1, columns: 60, rows: 10)
    let table = table(30)
    #expect(table.rows(in: rect) == 6)
    let rows = (0...11).map { table.index(at: Screen.Cursor(row: $0, column: 9), in: rect) }
    #expect(rows == [nil, nil, nil, 0, 1, 2, 3, 4, 5, nil, nil, nil])
    func column(_ column: Int, row: Int = 1) -> Int? {
      table.column(at: Screen.Cursor(row: row, column: column), in: rect)
    }
    #expect([3, 4, 14, 16, 30, 60, 62].map { column($0) } == [nil, 0, 0, 1, 1, 3, nil])
    #expect(column(4, row: 2) == nil)
  }

  @Test func `any cells in any size are aligned`() {
    withSeed { random in
      for _ in 0..<500 {
        let count = Int.random(in: 0...20, using: &random)
        let texts = (0..<count * 4).map { _ in random.hostileText() }
        var state = ListState()
        random.change(&state)
        let table = Table(
          columns: Self.columns, count: count, state: state,
          footer: random.next() % 2 == 0 ? [] : [Screen.Run(random.hostileText())]
        ) { row, column, _ in Screen.Run(texts[row * 4 + column]) }
        let rect = random.widgetRect()
        let canvas = Pictures.drawn(table, in: rect)
        // Between two columns, each row has blanks.
        guard rect.column >= 0, rect.row >= 0 else { continue }
        let fields = (rect.column..<rect.endColumn).map {
          table.column(at: Screen.Cursor(row: rect.row, column: $0), in: rect)
        }
        for row in rect.row..<rect.endRow {
          for place in fields.indices.dropFirst(3) where fields[place] != fields[place - 1] {
            let column = rect.column + place
            guard table.index(at: Screen.Cursor(row: row, column: column), in: rect) != nil
            else { continue }
            #expect(canvas[row: row, column: column - 1].isBlank)
            #expect(canvas[row: row, column: column - 2].isBlank)
          }
        }
      }
    }
  }
}
