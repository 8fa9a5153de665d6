import RetraceScreen
import RetraceTesting
import Testing

/// The window of a list shows what it has to, and moves no more than that.
@Suite struct ScrollWindowTests {
  @Test(
    "The window moves to rows that are not visible only, unless it keeps a margin",
    arguments: [
      (10, false, 10), (19, false, 10), (20, false, 13), (9, false, 7), (0, false, 0),
      (99, false, 90), (1000, false, 90), (-5, false, 0), (10, true, 8), (12, true, 10),
      (17, true, 10), (18, true, 11),
    ] as [(Int64, Bool, Int64)])
  func shows(index: Int64, keepsMargin: Bool, offset: Int64) {
    var window = ScrollWindow(count: 100, rows: 10, offset: 10)
    window.show(index, keepsMargin: keepsMargin)
    #expect(window.offset == offset)
  }

  @Test(
    "A thumb is as long as the visible part, and at an end only if the window is",
    arguments: [
      (100, 10, 0, 0..<1), (100, 10, 1, 1..<2), (100, 10, 89, 8..<9), (100, 10, 90, 9..<10),
      (20, 10, 5, 2..<7), (20, 10, 10, 5..<10), (10, 10, 0, nil), (0, 10, 0, nil), (5, 0, 0, nil),
      (3, 1, 1, 0..<1), (.max, 4, .max / 2, 1..<2), (.max, 4, .max, 3..<4), (3, 2, 0, 0..<1),
    ] as [(Int64, Int64, Int64, Range<Int>?)])
  func thumb(count: Int64, rows: Int64, offset: Int64, thumb: Range<Int>?) {
    #expect(ScrollWindow(count: count, rows: rows, offset: offset).thumb == thumb)
  }

  @Test func `any window shows the row that it has to`() {
    withSeed { random in
      for _ in 0..<2000 {
        let (count, rows) = (random.edgy(), random.edgy())
        var window = ScrollWindow(count: count, rows: rows, offset: random.edgy())
        let (before, index) = (window, random.edgy())
        window.show(index, keepsMargin: Bool.random(using: &random))
        let shown = min(max(index, 0), max(window.count - 1, 0))
        #expect(window.range.contains(shown) || window.range.isEmpty)
        if before.range.contains(shown), window.offset != before.offset {
          #expect(abs(window.offset - before.offset) <= 2)
        }
        #expect(Int64(window.range.count) == min(window.count, window.rows))
        if let thumb = window.thumb {
          #expect(0 <= thumb.lowerBound && thumb.upperBound <= rows && !thumb.isEmpty)
        }
      }
    }
  }
}

extension SeededGenerator {
  /// A number that is small, or at the edge of those that there are.
  mutating func edgy() -> Int64 {
    let edges: [Int64] = [.min, .min + 1, -1, 0, 1, 2, .max - 1, .max]
    return Bool.random(using: &self)
      ? Int64.random(in: 0...40, using: &self) : edges.randomElement(using: &self) ?? 0
  }
}
