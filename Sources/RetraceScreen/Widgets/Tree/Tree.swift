/// A row of a ``Tree``: a node with its depth.
public struct TreeRow<Content: Widget>: Widget {
  /// Whether a node has children, and whether they are shown.
  public enum Expansion: UInt8, Hashable, Sendable, CaseIterable {
    /// The node has no children.
    case leaf
    /// Its children are not shown.
    case collapsed
    /// Its children are shown after it.
    case expanded
  }

  /// The number of the node's ancestors.
  public var depth: Int
  /// Whether the node has children, and whether they are shown.
  public var expansion: Expansion
  /// What is right of the sign.
  public var content: Content

  /// Creates a row.
  public init(depth: Int, expansion: Expansion, content: Content) {
    self.depth = depth
    self.expansion = expansion
    self.content = content
  }

  /// Draws the sign of the expansion and the content.
  public func draw(in rect: Rect, on canvas: inout Canvas) {
    let sign = sign(in: rect)
    switch expansion {
    case .leaf: break
    case .collapsed: canvas.drawLine("▸", style: .faint, in: sign)
    case .expanded: canvas.drawLine("▾", style: .faint, in: sign)
    }
    content.draw(in: rect.dropLeft(sign.endColumn + 1 - rect.column), on: &canvas)
  }

  /// Returns the place of the sign; half of the width is left for the content.
  fileprivate func sign(in rect: Rect) -> Rect {
    var rest = rect.dropLeft(min(max(depth, 0), rect.columns / 4) * 2)
    return rest.removeLeft(1)
  }
}

/// Nodes below one another, of which those with children can be expanded.
///
/// A tree draws rows in the order of a ``TreeOutline``, and makes only the visible ones.
///
/// ```swift
/// let state = TreeState(expanded: [1])
/// let outline = TreeOutline(roots: [1, 2], state: state) { id in id == 1 ? [10, 11] : [] }
/// let tree = Tree(count: outline.nodes.count, state: state.list) { index in
///   let node = outline.nodes[index]
///   return TreeRow(
///     depth: node.depth, expansion: node.isExpanded ? .expanded : .leaf,
///     content: Screen.Line("Node \(node.id)"))
/// }
/// print(Screen(tree, size: Screen.Size(columns: 20, rows: 5)).canvas.lines)
/// ```
public struct Tree<Content: Widget>: Widget {
  private let list: List<TreeRow<Content>>
  private let row: (Int) -> TreeRow<Content>

  /// Creates a tree.
  ///
  /// - Parameters:
  ///   - count: The number of rows: all nodes whose ancestors are expanded.
  ///   - state: The selection and the scroll position among these rows.
  ///   - isFocused: Whether keys go to the tree.
  ///   - emptyText: What a tree without rows shows.
  ///   - row: Makes the row of an index.
  public init(
    count: Int, state: ListState, isFocused: Bool = true, emptyText: String = "",
    row: @escaping (Int) -> TreeRow<Content>
  ) {
    list = List(
      count: count, state: state, isFocused: isFocused, emptyText: emptyText, row: row)
    self.row = row
  }

  /// Draws the visible rows.
  ///
  /// - Complexity: O(cells) and what the visible rows take.
  public func draw(in rect: Rect, on canvas: inout Canvas) { list.draw(in: rect, on: &canvas) }

  /// Returns the index of the row at a place of the screen; `nil` where no row is.
  ///
  /// - Parameters:
  ///   - position: The place.
  ///   - rect: The rectangle that the tree is drawn into.
  public func index(at position: Screen.Cursor, in rect: Rect) -> Int? {
    list.index(at: position, in: rect)
  }

  /// Returns the index of the row whose sign of the expansion is at a place of the screen.
  ///
  /// - Parameters:
  ///   - position: The place.
  ///   - rect: The rectangle that the tree is drawn into.
  public func signIndex(at position: Screen.Cursor, in rect: Rect) -> Int? {
    let rows = ListRows(count: list.count, state: list.state, in: rect)
    guard let index = rows.index(at: position) else { return nil }
    let row = row(index)
    let sign = row.sign(in: rows.rect(of: index).dropLeft(RowMark.columns))
    return row.expansion != .leaf && sign.contains(position) ? index : nil
  }

  /// Returns the number of rows that fit into a rectangle, as changes of a ``ListState`` take it.
  public func rows(in rect: Rect) -> Int64 { list.rows(in: rect) }
}
