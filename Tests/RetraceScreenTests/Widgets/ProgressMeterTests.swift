import RetraceScreen
import RetraceTesting
import Testing

/// A meter shows how much is done, and percent as long as there is room.
@Suite struct ProgressMeterTests {
  @Test func pictures() throws {
    try Pictures.expect("progress", page: Screen.Size(columns: 48, rows: 1)) { _ in
      ProgressMeter("Import of 日本", done: 455, of: 1_000)
    }
    try Pictures.expect("progress-busy") { _ in
      ProgressMeter("Search", done: 7, of: 0, signs: .plain)
    }
  }

  @Test(
    arguments: [
      (0, "Load ────────   0 %"), (1, "Load ────────   1 %"), (2, "Load ▏───────   2 %"),
      (50, "Load ████────  50 %"),
      (99, "Load ███████▉  99 %"), (100, "Load ████████ 100 %"), (1000, "Load ████████ 100 %"),
      (-5, "Load ────────   0 %"),
    ] as [(Int64, String)])
  func `eighths of cells are shown`(done: Int64, line: String) {
    let meter = ProgressMeter("Load", done: done, of: 100)
    #expect(Screen(meter, size: Screen.Size(columns: 19, rows: 1)).canvas.lines[0] == line)
  }

  @Test func `random meters stay inside`() {
    withSeed { random in
      for _ in 0..<repetitions(2_000) {
        let meter = ProgressMeter(
          random.hostileText(), done: random.integer(), of: random.integer(),
          signs: ChartSigns.allCases.randomElement(using: &random) ?? .plain)
        Pictures.drawn(meter, in: random.widgetRect())
      }
    }
  }
}

extension SeededGenerator {
  /// A small number, or one near the ends of the integers.
  mutating func integer() -> Int64 {
    switch Int.random(in: 0...5, using: &self) {
    case 0: .max
    case 1: .min
    case 2: Int64.random(in: .min ... .max, using: &self)
    default: Int64.random(in: -20...200, using: &self)
    }
  }
}
