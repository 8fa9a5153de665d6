import RetraceScreen
import RetraceTesting
import Testing

/// Panes share a rectangle, and the pane with the focus is seen whatever the size is.
@Suite struct SplitTests {
  /// A list beside a text over a chart.
  private struct Panes: Widget {
    var outer = Split(.columns, minimums: [14, 20], state: SplitState(weights: [1, 2], focus: 1))
    var inner = Split(.rows, minimums: [3, 3], state: SplitState(weights: [2, 1], focus: 0))

    func draw(in rect: Rect, on canvas: inout Canvas) {
      outer.draw(in: rect, on: &canvas)
      let panes = outer.rects(in: rect)
      fill(panes[0], "projects", on: &canvas)
      inner.draw(in: panes[1], on: &canvas)
      let parts = inner.rects(in: panes[1])
      fill(parts[0], "entries of 日本", on: &canvas)
      fill(parts[1], "sums", on: &canvas)
    }

    private func fill(_ rect: Rect, _ text: String, on canvas: inout Canvas) {
      canvas.drawLine(text, style: .strong, in: rect)
      canvas.drawLine(
        "\(rect.columns)x\(rect.rows)", style: .faint,
        in: rect.intersection(
          Rect(column: rect.column, row: rect.row + 1, columns: rect.columns, rows: rect.rows)))
    }
  }

  @Test func pictures() throws {
    try Pictures.expect("split", page: Screen.Size(columns: 60, rows: 10)) { _ in Panes() }
  }

  @Test func `random panes share the rectangle`() {
    withSeed { random in
      for _ in 0..<repetitions(3_000) {
        let count = Int.random(in: 0...6, using: &random)
        let axis: Split.Axis = Bool.random(using: &random) ? .rows : .columns
        let split = Split(
          axis, minimums: (0..<count).map { _ in Int64.random(in: -1...12, using: &random) },
          state: SplitState(
            weights: (0..<Int.random(in: 0...6, using: &random)).map { _ in random.integer() },
            focus: Int64.random(in: -2...8, using: &random)))
        let rect = random.widgetRect()
        Pictures.drawn(split, in: rect)
        let rects = split.rects(in: rect)
        #expect(rects.count == count)
        for (index, pane) in rects.enumerated() where !pane.isEmpty {
          #expect(pane.intersection(rect) == pane)
          for other in rects[(index + 1)...] { #expect(pane.intersection(other).isEmpty) }
        }
        guard count > 0, !rect.isEmpty else { continue }
        #expect(!rects[Int(max(0, min(split.state.focus, Int64(count - 1))))].isEmpty)
        let sizes = split.sizes(in: rect)
        let seen = zip(sizes, split.minimums).filter { $0.0 > 0 }
        if seen.count > 1 { #expect(seen.allSatisfy { $0.0 >= $0.1 }) }
      }
    }
  }

  @Test func `a divider moves by the cells that it is dragged`() {
    withSeed { random in
      for _ in 0..<repetitions(3_000) {
        let count = Int.random(in: 2...4, using: &random)
        let minimums = (0..<count).map { _ in Int64.random(in: 1...6, using: &random) }
        var split = Split(
          .columns, minimums: minimums,
          state: SplitState(weights: minimums.map { _ in Int64.random(in: 0...9, using: &random) }))
        let rect = Rect(columns: Int.random(in: 30...80, using: &random), rows: 3)
        let before = split.sizes(in: rect)
        let divider = Int.random(in: 0..<count - 1, using: &random)
        let moved = Int64.random(in: -9...9, using: &random)
        split.state.resize(
          divider: Int64(divider), by: moved, sizes: before, minimums: minimums)
        var expected = before
        let (left, right) = (before[divider], before[divider + 1])
        let cells = max(
          minimums[divider] - left, min(moved, right - minimums[divider + 1]))
        expected[divider] += cells
        expected[divider + 1] -= cells
        #expect(split.sizes(in: rect) == expected)
        // The divider is under the mouse.
        let column = split.rects(in: rect)[divider].endColumn
        #expect(split.divider(at: Screen.Cursor(row: 1, column: column), in: rect) == divider)
        #expect(split.index(at: Screen.Cursor(row: 1, column: column), in: rect) == nil)
        #expect(split.index(at: Screen.Cursor(row: 1, column: column - 1), in: rect) == divider)
      }
    }
  }

  @Test func `panes that do not fit are counted`() {
    let split = Split(
      .columns, minimums: [10, 10, 10, 10], state: SplitState(weights: [1, 1, 1, 1], focus: 2))
    let screen = Screen(split, size: Screen.Size(columns: 24, rows: 3))
    #expect(
      screen.canvas.lines == [
        "‹           ┃", "2           ┃", "│           ┃",
      ])
  }

  @Test func `states of any numbers trap nowhere`() {
    var state = SplitState(weights: [1, 2], focus: .max)
    state.move(by: .min)
    state.resize(divider: .max, by: .min, sizes: [1, 2], minimums: [1, 2])
    state.resize(divider: 0, by: .min, sizes: [.max, .max], minimums: [.min, .min])
    state.resize(divider: 0, by: 1, sizes: [], minimums: [])
    #expect(state.weights.count == 2)
    state.weights = []
    state.move(by: 1)
  }
}
