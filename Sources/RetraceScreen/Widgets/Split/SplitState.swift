public import RetraceAvro

/// How large the panes of a split are, and which one has the focus.
public struct SplitState: Recordable, Hashable, Sendable {
  /// The weights of the panes: they share what is left of the minimums by them.
  public var weights: [Int64]
  /// The index of the pane with the focus.
  public var focus: Int64

  /// Creates a state.
  public init(weights: [Int64], focus: Int64 = 0) {
    self.weights = weights
    self.focus = focus
  }

  /// Moves the focus to a later or earlier pane; after the last one comes the first.
  public mutating func move(by steps: Int64) {
    let count = Int64(weights.count)
    guard count > 0 else { return }
    let sum = focus.clampedIndex(of: count) + steps % count
    focus = (sum % count + count) % count
  }

  /// Moves the divider after a pane, such as by a drag of the mouse.
  ///
  /// A pane gets no smaller than its minimum.
  ///
  /// - Parameters:
  ///   - divider: The index of the pane before the divider.
  ///   - cells: The number of cells to the right or down; negative to the left or up.
  ///   - sizes: The sizes of the panes as they were seen; see ``Split/sizes(in:)``.
  ///   - minimums: The minimums of the panes.
  public mutating func resize(
    divider: Int64, by cells: Int64, sizes: [Int64], minimums: [Int64]
  ) {
    let count = weights.count
    guard divider >= 0, divider < Int64(count) - 1, sizes.count == count,
      minimums.count == count
    else { return }
    let (one, two) = (Int(divider), Int(divider) + 1)
    // A pane that is not seen has no divider.
    guard sizes[one] > 0, sizes[two] > 0 else { return }
    var extras = [Int64](repeating: 0, count: count)
    for index in 0..<count where sizes[index] > 0 {
      extras[index] = max(0, min(sizes[index], 1 << 32) - max(0, min(minimums[index], 1 << 32)))
    }
    let moved = max(-extras[one], min(cells, extras[two]))
    extras[one] += moved
    extras[two] -= moved
    weights = extras
  }
}
