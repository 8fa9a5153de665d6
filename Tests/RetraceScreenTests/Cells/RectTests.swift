import RetraceScreen
import RetraceTesting
import Testing

/// Rectangles are cut into pieces that cover them.
@Suite struct RectTests {
  @Test func `pieces are removed from each side`() {
    var rest = Rect(column: 2, row: 3, columns: 10, rows: 5)
    #expect(rest.removeTop(1) == Rect(column: 2, row: 3, columns: 10, rows: 1))
    #expect(rest.removeBottom(1) == Rect(column: 2, row: 7, columns: 10, rows: 1))
    #expect(rest.removeLeft(3) == Rect(column: 2, row: 4, columns: 3, rows: 3))
    #expect(rest.removeRight(4) == Rect(column: 8, row: 4, columns: 4, rows: 3))
    #expect(rest == Rect(column: 5, row: 4, columns: 3, rows: 3))
    #expect(rest.removeTop(99) == Rect(column: 5, row: 4, columns: 3, rows: 3))
    #expect(rest.isEmpty)
    #expect(rest.removeLeft(-1).isEmpty && rest.removeRight(-1).isEmpty)
  }

  @Test func `a rectangle has no negative side`() {
    #expect(Rect(columns: -1, rows: -2) == Rect(columns: 0, rows: 0))
    let small = Rect(column: 4, row: 4, columns: 3, rows: 1)
    #expect(small.inset(columns: 1, rows: 1) == Rect(column: 5, row: 4, columns: 1, rows: 0))
    #expect(small.inset(columns: 2, rows: 0).isEmpty)
    #expect(small.intersection(Rect(columns: 2, rows: 2)).isEmpty)
  }

  @Test func `a rectangle is centered in another, and smaller if it does not fit`() {
    let outer = Rect(column: 10, row: 10, columns: 9, rows: 5)
    #expect(
      outer.centered(Screen.Size(columns: 4, rows: 2))
        == Rect(column: 12, row: 11, columns: 4, rows: 2))
    #expect(outer.centered(Screen.Size(columns: 99, rows: 99)) == outer)
  }

  @Test func `an intersection has the cells that are in both`() {
    withSeed { random in
      for _ in 0..<200 {
        let (one, two) = (random.rect(), random.rect())
        let both = one.intersection(two)
        for row in -1...9 {
          for column in -1...9 {
            let isInBoth = contains(one, row, column) && contains(two, row, column)
            #expect(contains(both, row, column) == isInBoth)
          }
        }
      }
    }
  }

  private func contains(_ rect: Rect, _ row: Int, _ column: Int) -> Bool {
    rect.column <= column && column < rect.endColumn && rect.row <= row && row < rect.endRow
  }
}

extension SeededGenerator {
  fileprivate mutating func rect() -> Rect {
    Rect(
      column: Int.random(in: 0...8, using: &self), row: Int.random(in: 0...8, using: &self),
      columns: Int.random(in: 0...5, using: &self), rows: Int.random(in: 0...5, using: &self))
  }
}
