import RetraceScreen
import RetraceTesting
import Testing

/// Bars are as long as their values, and labels and values stay aligned.
@Suite struct BarChartTests {
  private static let bars: [BarChart.Bar] = [
    BarChart.Bar("日本", value: 1_210, text: "20:10"),
    BarChart.Bar("web", value: 605, text: "10:05", color: .success),
    BarChart.Bar("meetings", value: 95, text: "1:35"),
    BarChart.Bar("accounting and taxes", value: 7, text: "0:07", color: .caution),
    BarChart.Bar("none", value: 0, text: "0:00"),
    BarChart.Bar("training", value: 300, text: "5:00"),
  ]

  @Test func pictures() throws {
    try Pictures.expect("bar-chart", page: Screen.Size(columns: 56, rows: 6)) { _ in
      BarChart(Self.bars)
    }
    try Pictures.expect("bar-chart-plain") { _ in
      BarChart(Self.bars, whole: 1_000, selected: 5, signs: .plain)
    }
  }

  @Test func `a bar is as long as its value`() {
    let chart = BarChart([
      BarChart.Bar("a", value: 80, text: "80"), BarChart.Bar("b", value: 37, text: "37"),
      BarChart.Bar("c", value: 1, text: "1"), BarChart.Bar("d", value: 0, text: "0"),
      BarChart.Bar("e", value: -5, text: "-5"),
    ])
    let screen = Screen(chart, size: Screen.Size(columns: 15, rows: 5))
    #expect(
      screen.canvas.lines == [
        "a ██████████ 80", "b ████▋      37", "c ▏           1", "d             0",
        "e            -5",
      ])
  }

  @Test func `random charts stay inside, and the selected bar is seen`() {
    withSeed { random in
      for _ in 0..<repetitions(2_000) {
        let bars = (0..<Int.random(in: 0...9, using: &random)).map { _ in
          BarChart.Bar(random.hostileText(), value: random.integer(), text: random.hostileText())
        }
        let chart = BarChart(
          bars, whole: Bool.random(using: &random) ? random.integer() : nil,
          selected: Int64.random(in: -2...12, using: &random),
          signs: ChartSigns.allCases.randomElement(using: &random) ?? .plain)
        let rect = random.widgetRect()
        let canvas = Pictures.drawn(chart, in: rect)
        guard !bars.isEmpty, rect.columns > 2, rect.row >= 0, rect.column >= 0 else { continue }
        let selected = Int(max(0, min(chart.selected ?? 0, Int64(bars.count - 1))))
        for row in rect.row..<rect.endRow {
          let index = chart.index(at: Screen.Cursor(row: row, column: rect.column), in: rect)
          let isMarked = canvas.text(of: canvas[row: row, column: rect.column]) == "›"
          #expect(isMarked == (index == selected))
        }
      }
    }
  }

  @Test func `labels of any kind keep bars and values aligned`() {
    withSeed { random in
      for _ in 0..<repetitions(500) {
        let bars = (0..<5).map { _ in BarChart.Bar(random.hostileText(), value: 9, text: "9 h") }
        let size = Screen.Size(columns: Int.random(in: 12...50, using: &random), rows: 5)
        let canvas = Screen(BarChart(bars), size: size).canvas(fitting: size)
        var starts: [Int] = []
        for row in 0..<5 {
          let text = canvas.text(ofRow: row)
          #expect(text.hasSuffix("█ 9 h"))
          let bar = String(text[(text.firstIndex(of: "█") ?? text.endIndex)...])
          starts.append(size.columns - TextWidth.of(bar))
        }
        #expect(starts.count == 5 && Set(starts).count == 1)
      }
    }
  }

  @Test func `what does not fit is counted`() {
    let bars = (1...5).map { BarChart.Bar("\($0)", value: 1, text: "1") }
    let screen = Screen(BarChart(bars), size: Screen.Size(columns: 12, rows: 3))
    #expect(screen.canvas.lines.last == "… 3 more")
  }
}

/// Lines are where their values are.
@Suite struct LineChartTests {
  private static let hours: [Int64?] = [
    420, 480, 450, 510, 300, nil, nil, 430, 455, 470, 380, 410, 120, nil, 440, 460, 475, 505, 350,
  ]
  private static let last: [Int64?] = hours.reversed()

  private static func chart(_ signs: ChartSigns) -> LineChart {
    LineChart(
      [
        LineChart.Series("November", values: hours),
        LineChart.Series("October", values: last, color: .caution),
      ], range: 0...540, texts: ("0:00", "9:00"), labels: ["1", "5", "10", "15", "19"],
      signs: signs)
  }

  @Test func pictures() throws {
    try Pictures.expect("line-chart", page: Screen.Size(columns: 60, rows: 12)) { _ in
      Self.chart(.braille)
    }
    try Pictures.expect("line-chart-blocks") { _ in Self.chart(.blocks) }
    try Pictures.expect("line-chart-plain") { _ in Self.chart(.plain) }
  }

  @Test func `values are joined from the bottom to the top`() {
    let chart = LineChart([LineChart.Series("a", values: [0, 3, nil, 1])], signs: .plain)
    let screen = Screen(chart, size: Screen.Size(columns: 10, rows: 4))
    #expect(screen.canvas.lines == ["   *", "  **", " **      *", "**"])
    let dots = LineChart([LineChart.Series("a", values: [0, 7])], signs: .braille)
    let braille = Screen(dots, size: Screen.Size(columns: 4, rows: 2))
    #expect(braille.canvas.lines == ["  ⣠⠞", "⣠⠞⠁"])
  }

  @Test func `random charts stay inside`() {
    withSeed { random in
      for _ in 0..<repetitions(2_000) {
        let series = (0..<Int.random(in: 0...4, using: &random)).map { _ in
          LineChart.Series(
            random.hostileText(),
            values: (0..<Int.random(in: 0...90, using: &random)).map { _ in
              Bool.random(using: &random) ? random.integer() : nil
            })
        }
        let bound = random.integer()
        let chart = LineChart(
          series, range: Bool.random(using: &random) ? bound...max(bound, random.integer()) : nil,
          texts: (random.hostileText(), random.hostileText()),
          labels: (0..<Int.random(in: 0...4, using: &random)).map { _ in random.hostileText() },
          signs: ChartSigns.allCases.randomElement(using: &random) ?? .plain)
        Pictures.drawn(chart, in: random.widgetRect())
      }
    }
  }
}
