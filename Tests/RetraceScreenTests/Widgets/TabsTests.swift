import RetraceScreen
import RetraceTesting
import Testing

/// Tabs show the selected one, however many there are.
@Suite struct TabsTests {
  private static let names = ["Timer", "Entries", "Reports", "Calendar", "日本語", "Settings"]

  private func text(_ selected: Int64, _ columns: Int, _ names: [String] = names) -> String {
    let size = Screen.Size(columns: columns, rows: 1)
    return Screen(Tabs(names, selected: selected), size: size).canvas.lines.first ?? ""
  }

  @Test func pictures() throws {
    try Pictures.expect("tabs", page: Screen.Size(columns: 60, rows: 1)) { _ in
      Tabs(Self.names, selected: 2, isFocused: true)
    }
  }

  @Test(
    "The tabs around the selected one are shown",
    arguments: [
      (0, 80, "[Timer] Entries  Reports  Calendar  日本語  Settings"),
      (-7, 20, " [Timer] Entries   ›"), (2, 20, "‹ Entries [Reports]›"),
      (5, 20, "‹ 日本語 [Settings]"), (99, 20, "‹ 日本語 [Settings]"), (3, 8, "‹[Cal…]›"),
      (3, 4, "[C…]"), (1, 2, "[]"), (1, 0, ""),
    ] as [(Int64, Int, String)])
  func shown(selected: Int64, columns: Int, expected: String) {
    #expect(text(selected, columns) == expected)
  }

  @Test func `no tabs and one tab`() {
    #expect(text(0, 10, []) == "")
    #expect(text(5, 10, ["One"]) == "[One]")
  }

  @Test func `places lead to names and to those that are not shown`() {
    let rect = Rect(column: 1, row: 1, columns: 20, rows: 2)
    let tabs = Tabs(Self.names, selected: 2)
    func hit(_ column: Int, row: Int = 1) -> Int? {
      tabs.index(at: Screen.Cursor(row: row, column: column), in: rect)
    }
    // "‹ Entries [Reports]›"
    #expect([0, 1, 2, 10, 11, 19, 20, 21].map { hit($0) } == [nil, 0, 1, 1, 2, 2, 3, nil])
    #expect(hit(2, row: 2) == nil)
  }

  @Test func `any names stay in any rectangle, with the selected one`() {
    withSeed { random in
      for _ in 0..<500 {
        let names = (0..<Int.random(in: 0...9, using: &random)).map { _ in random.hostileText() }
        let tabs = Tabs(names, selected: random.edgy(), isFocused: Bool.random(using: &random))
        let rect = random.widgetRect()
        let canvas = Pictures.drawn(tabs, in: rect)
        guard !names.isEmpty, rect.columns > 4, rect.rows > 0, rect.row >= 0, rect.column >= 0
        else { continue }
        #expect(canvas.text(ofRow: rect.row).contains("["))
        #expect(canvas.text(ofRow: rect.row).contains("]"))
      }
    }
  }
}
