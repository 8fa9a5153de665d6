import RetraceScreen
import RetraceTesting
import Testing

/// A tree shows the rows of its expanded nodes.
@Suite struct TreeTests {
  /// Node 0 has the children 1 to 9, node 1 has 10 to 19, and so on.
  private static func children(of id: Int64) -> [Int64] {
    id < 100 ? (max(id * 10, 1)..<(id + 1) * 10).map { $0 } : []
  }

  private func outline(_ state: TreeState) -> TreeOutline {
    TreeOutline(roots: [0, 5], state: state) { Self.children(of: $0) }
  }

  private func tree(_ outline: TreeOutline, _ state: ListState) -> Tree<Screen.Line> {
    Tree(count: outline.nodes.count, state: state) { index in
      let node = outline.nodes[index]
      let hasChildren = !Self.children(of: node.id).isEmpty
      return TreeRow(
        depth: node.depth,
        expansion: hasChildren ? (node.isExpanded ? .expanded : .collapsed) : .leaf,
        content: Screen.Line("Project \(node.id) 日本語"))
    }
  }

  @Test func pictures() throws {
    let state = TreeState(expanded: [0, 2, 21])
    try Pictures.expect("tree", page: Screen.Size(columns: 40, rows: 10)) { size in
      var list = ListState()
      list.select(4, count: 40, rows: Int64(size.rows))
      return tree(outline(state), list)
    }
  }

  @Test func `an outline has the nodes whose ancestors are expanded, in their order`() {
    let outline = outline(TreeState(expanded: [0, 2, 77]))
    #expect(outline.nodes.map(\.id) == [0, 1, 2] + (20...29) + (3...9) + [5])
    #expect(outline.nodes.map(\.depth)[0...4] == [0, 1, 1, 2, 2])
    #expect(outline.nodes[2].isExpanded && !outline.nodes[4].isExpanded)
    #expect(outline.parent(of: 4) == 2)
    #expect(outline.parent(of: 2) == 0)
    #expect(outline.parent(of: 0) == nil)
    #expect(outline.parent(of: 99) == nil)
    #expect(outline.descendants(of: 0) == 19)
    #expect(outline.descendants(of: 2) == 10)
    #expect(outline.descendants(of: 20) == 0)
    #expect(outline.descendants(of: 21) == 0)
  }

  @Test func `children are asked for expanded nodes only, and not again for a repeated node`() {
    var asked: [Int64] = []
    let outline = TreeOutline(roots: [1, 2], state: TreeState(expanded: [1, 2, 9])) {
      asked.append($0)
      return [1, 2, 3]
    }
    #expect(asked == [1, 2])
    #expect(outline.nodes.map(\.id) == [1, 1, 2, 1, 2, 3, 3, 2])
  }

  @Test func `a toggled node keeps the selected one`() {
    var state = TreeState(list: ListState(selected: 6), expanded: [9, 3])
    state.toggle(5, at: 2, rows: 4)
    #expect(state.expanded == [3, 5, 9] && state.list.selected == 10)
    state.toggle(5, at: 2, rows: 4)
    #expect(state.expanded == [3, 9] && state.list.selected == 6)
    state.toggle(3, at: 4, rows: 2)
    #expect(state.expanded == [9] && state.list.selected == 4)
    state.toggle(7, at: 4, rows: 2)
    #expect(state.list.selected == 4)
    state.list.selected = .max
    state.toggle(9, at: -1, rows: .max)
    state.toggle(9, at: .max - 1, rows: .max)
    state.toggle(9, at: .min, rows: .min)
  }

  @Test func `places lead to rows and to signs`() {
    let outline = outline(TreeState(expanded: [0, 2]))
    let tree = tree(outline, ListState(selected: 1))
    let rect = Rect(column: 1, row: 1, columns: 20, rows: 6)
    #expect(tree.rows(in: rect) == 6)
    func hit(_ row: Int, _ column: Int) -> [Int?] {
      let place = Screen.Cursor(row: row, column: column)
      return [tree.index(at: place, in: rect), tree.signIndex(at: place, in: rect)]
    }
    #expect(hit(1, 3) == [0, 0])
    #expect(hit(1, 4) == [0, nil])
    #expect(hit(2, 5) == [1, 1])
    #expect(hit(2, 3) == [1, nil])
    #expect(hit(4, 7) == [3, 3])
    #expect(hit(0, 3) == [nil, nil])
    #expect(hit(7, 3) == [nil, nil])
  }

  @Test func `any tree in any size leaves room for its content`() {
    withSeed { random in
      for _ in 0..<500 {
        let count = Int.random(in: 0...20, using: &random)
        let rows = (0..<count).map { _ in
          TreeRow(
            depth: Int(random.edgy() % 50),
            expansion: .allCases.randomElement(using: &random) ?? .leaf,
            content: Screen.Line("x" + random.hostileText()))
        }
        var state = ListState()
        random.change(&state)
        let rect = random.widgetRect()
        let canvas = Pictures.drawn(Tree(count: count, state: state) { rows[$0] }, in: rect)
        guard count > 0, rect.row >= 0, rect.column >= 0, rect.columns >= 12, rect.rows > 0
        else { continue }
        #expect(canvas.text(ofRow: rect.row).unicodeScalars.contains("x"))
      }
    }
  }
}
