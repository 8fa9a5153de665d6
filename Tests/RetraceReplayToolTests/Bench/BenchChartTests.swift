import RetraceScreen
import RetraceArchitecture
import RetraceTesting
import Testing

@testable import RetraceReplayTool

@Suite struct BenchChartTests {
  private let chart = BenchChart(
    title: "type", columns: ["records", "ns"],
    rows: [
      BenchChart.Row(name: "timeline.started", cells: ["1,000", "400"], value: 400),
      BenchChart.Row(name: "stopped", cells: ["10", "100"], value: 100),
      BenchChart.Row(name: "closed", cells: ["1", "1"], value: 1),
      BenchChart.Row(name: "opened", cells: ["1", "0"], value: 0),
    ])

  @Test func `bars are as long as what they show, beside figures in columns`() {
    #expect(
      chart.lines(width: 72) == [
        "type              records   ns",
        "timeline.started    1,000  400  " + String(repeating: "#", count: 40),
        "stopped                10  100  ##########",
        "closed                  1    1  #",
        "opened                  1    0",
      ])
  }

  @Test func `without room, bars are dropped first, then columns, and names are cut`() {
    let lines = [36, 30, 24, 17, 12, 5, 1].map { chart.lines(width: $0)[1] }
    #expect(
      lines == [
        "timeline.started    1,000  400", "timeline.started    1,000  400",
        "timeline.start…    1,000", "timeline.started", "timeline.st…", "time…", "…",
      ])
    #expect(chart.lines(width: 40)[1].hasSuffix("400  ########"))
  }

  @Test func `no line is wider than there is room, whatever it is called`() {
    withSeed("BenchChart") { random in
      let pieces = ["a", "é", "漢", "👩‍👩‍👧", "\u{1B}[2J", "\n", "\u{202E}", "#", " "]
      for _ in 0..<200 {
        let rows = (0..<3).map { _ in
          BenchChart.Row(
            name: (0..<Int.random(in: 0...30, using: &random)).map { _ in
              pieces[Int.random(in: 0..<pieces.count, using: &random)]
            }.joined(),
            cells: ["\(UInt32.random(in: 0...(.max), using: &random))", "1"],
            value: Double.random(in: -1...9, using: &random))
        }
        let width = Int.random(in: 1...100, using: &random)
        for line in BenchChart(title: "t", columns: ["one", "two"], rows: rows).lines(width: width)
        {
          #expect(TextWidth.of(line) <= width, "\(width): \(line)")
          #expect(!line.unicodeScalars.contains { SafeText.isEscaped($0) }, "\(line)")
        }
      }
    }
  }

  @Test func `paint touches bars only`() {
    let painted = chart.lines(width: 60) { "<\($0)>" }
    #expect(painted[2].contains("  <###") && painted[2].hasSuffix("#>"))
    #expect(
      painted.map { $0.replacing("<", with: "").replacing(">", with: "") }
        == chart.lines(width: 60))
  }
}
