import RetraceScreen
import RetraceTesting
import Testing

/// Columns become narrower by their rules and priorities.
@Suite struct ColumnRuleTests {
  private let rules = [
    ColumnRule(widths: [10, 5], priority: 1),
    ColumnRule(width: 20, cutTo: 8, priority: 2, grows: true),
    ColumnRule(width: 12, cutTo: 6, priority: 3),
    ColumnRule(width: 8, priority: 4),
  ]

  @Test(
    "The year goes first, then titles are cut, then columns go, and the duration is the last",
    arguments: [
      (70, [10, 34, 12, 8]), (56, [10, 20, 12, 8]), (55, [5, 24, 12, 8]), (51, [5, 20, 12, 8]),
      (45, [5, 14, 12, 8]), (39, [5, 8, 12, 8]), (35, [5, 8, 8, 8]), (33, [5, 8, 6, 8]),
      (32, [0, 8, 12, 8]), (31, [0, 8, 11, 8]), (25, [0, 0, 12, 8]), (22, [0, 0, 12, 8]),
      (16, [0, 0, 6, 8]), (15, [0, 0, 0, 8]), (8, [0, 0, 0, 8]), (3, [0, 0, 0, 3]),
      (0, [0, 0, 0, 0]), (-4, [0, 0, 0, 0]),
    ])
  func narrowing(room: Int, widths: [Int]) {
    #expect(ColumnRule.widths(of: rules, gap: 2, in: room) == widths)
  }

  @Test func `columns that grow share what is left`() {
    let rule = ColumnRule(width: 3, priority: 1, grows: true)
    #expect(ColumnRule.widths(of: [rule, rule, rule], gap: 1, in: 18) == [6, 5, 5])
    #expect(ColumnRule.widths(of: [], gap: 1, in: 18) == [])
  }

  @Test func `widths never exceed the room`() {
    withSeed { random in
      for _ in 0..<2000 {
        let rules = (0..<Int.random(in: 0...6, using: &random)).map { _ in
          let width = Int.random(in: -2...20, using: &random)
          let priority = Int.random(in: 0...3, using: &random)
          return Bool.random(using: &random)
            ? ColumnRule(widths: [width, width / 2, 1], priority: priority)
            : ColumnRule(
              width: width, cutTo: Int.random(in: -2...30, using: &random), priority: priority,
              grows: Bool.random(using: &random))
        }
        let room = Int.random(in: -3...60, using: &random)
        let widths = ColumnRule.widths(of: rules, gap: 1, in: room)
        let shown = widths.filter { $0 > 0 }
        #expect(widths.min() ?? 0 >= 0)
        #expect(shown.reduce(0, +) + max(shown.count - 1, 0) <= max(room, 0))
        if room > 0, !rules.isEmpty { #expect(!shown.isEmpty) }
      }
    }
  }
}
