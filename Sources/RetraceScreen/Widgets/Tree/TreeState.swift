public import RetraceAvro

/// What lasts of a tree between frames: its selection, its scroll position, and which nodes are
/// expanded.
///
/// ```swift
/// var state = TreeState()
/// state.toggle(7, at: 0, rows: 3)
/// print(state.expanded)
/// ```
public struct TreeState: Recordable, Hashable, Sendable {
  /// The selection and the scroll position among the rows that are shown.
  public var list: ListState
  /// The numbers of the expanded nodes.
  public var expanded: Set<Int64>

  /// Creates a state.
  public init(list: ListState = ListState(), expanded: Set<Int64> = []) {
    self.list = list
    self.expanded = expanded
  }

  /// Expands a node or collapses it.
  ///
  /// The selected node stays selected; if it is no longer shown, the collapsed one is.
  ///
  /// - Parameters:
  ///   - id: The number of the node.
  ///   - index: The index of its row.
  ///   - rows: The number of rows that appear or disappear after it.
  public mutating func toggle(_ id: Int64, at index: Int64, rows: Int64) {
    let isCollapsed = expanded.remove(id) != nil
    if !isCollapsed { expanded.insert(id) }
    guard list.selected > index else { return }
    if !isCollapsed {
      list.selected = list.selected.saturatingAdd(max(rows, 0))
    } else {
      let isHidden = list.selected <= index.saturatingAdd(rows)
      list.selected = isHidden ? index : list.selected.saturatingAdd(-max(rows, 0))
    }
  }
}
