/// The rows of a tree from top to bottom: all nodes whose ancestors are expanded.
///
/// Make it when the expanded nodes or the tree change, not for each frame.
///
/// ```swift
/// let state = TreeState(expanded: [1])
/// let outline = TreeOutline(roots: [1, 2], state: state) { id in id == 1 ? [10, 11] : [] }
/// print(outline.nodes.map(\.id))
/// ```
public struct TreeOutline: Hashable, Sendable {
  /// A node of the tree.
  public struct Node: Hashable, Sendable {
    /// The number of the node.
    public var id: Int64
    /// The number of its ancestors.
    public var depth: Int
    /// Whether its children follow.
    public var isExpanded: Bool
  }

  /// The nodes in the order of their rows.
  public private(set) var nodes: [Node] = []

  /// Creates the rows of a tree.
  ///
  /// A node that is met again, such as its own descendant, is not expanded again.
  ///
  /// - Parameters:
  ///   - roots: The numbers of the nodes without a parent.
  ///   - state: Which nodes are expanded.
  ///   - children: Returns the numbers of the children of a node; it is called for expanded nodes
  ///     only.
  /// - Complexity: O(rows).
  public init(roots: [Int64], state: TreeState, children: (Int64) -> [Int64]) {
    var expanded = state.expanded
    // The nodes that are still to come, the next one last.
    var rest = roots.reversed().map { Node(id: $0, depth: 0, isExpanded: false) }
    while var node = rest.popLast() {
      if expanded.remove(node.id) != nil {
        node.isExpanded = true
        for child in children(node.id).reversed() {
          rest.append(Node(id: child, depth: node.depth + 1, isExpanded: false))
        }
      }
      nodes.append(node)
    }
  }

  /// Returns the index of the row of a node's parent; `nil` for a root or no row.
  ///
  /// - Complexity: O(rows between).
  public func parent(of index: Int) -> Int? {
    guard nodes.indices.contains(index) else { return nil }
    return nodes[..<index].lastIndex { $0.depth < nodes[index].depth }
  }

  /// Returns the number of rows that collapsing a node hides.
  ///
  /// - Complexity: O(the result).
  public func descendants(of index: Int) -> Int {
    guard nodes.indices.contains(index) else { return 0 }
    let rest = nodes[(index + 1)...]
    return (rest.firstIndex { $0.depth <= nodes[index].depth } ?? nodes.count) - index - 1
  }
}
