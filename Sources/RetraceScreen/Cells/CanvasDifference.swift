/// What is different between two canvases of one size.
package struct CanvasDifference {
  private let old: Canvas
  private let new: Canvas
  /// Whether cells of equal bits show the same, and all others do not.
  private let isExact: Bool

  /// Compares two canvases, whose sizes are equal.
  package init(from old: Canvas, to new: Canvas) {
    precondition(old.size == new.size, "the sizes differ")
    self.old = old
    self.new = new
    isExact = old.clusters == new.clusters && old.links == new.links
  }

  /// Returns whether a row shows the same in both canvases.
  ///
  /// - Complexity: O(columns).
  package func isSame(row: Int) -> Bool {
    let start = row * new.size.columns
    let end = start + new.size.columns
    let (one, two) = (old.cells.span, new.cells.span)
    if isExact {
      var difference: UInt32 = 0
      for index in start..<end { difference |= Cell.bits(one[index], two[index]) }
      return difference == 0
    }
    for index in start..<end where !isSame(index: index) { return false }
    return true
  }

  /// Returns the first column at which a row changed, or the number of columns.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - column: The column to begin at.
  /// - Complexity: O(columns that are the same).
  package func changeStart(inRow row: Int, from column: Int) -> Int {
    let start = row * new.size.columns
    var column = column
    while column < new.size.columns, isSame(index: start + column) { column += 1 }
    return column
  }

  /// Returns the first column at which a row is the same, or the number of columns.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - column: The column to begin at.
  /// - Complexity: O(columns that changed).
  package func changeEnd(inRow row: Int, from column: Int) -> Int {
    let start = row * new.size.columns
    var column = column
    while column < new.size.columns, !isSame(index: start + column) { column += 1 }
    return column
  }

  @inline(__always) private func isSame(index: Int) -> Bool {
    let (one, two) = (old.cells[index], new.cells[index])
    if isExact || (one.isPlain && two.isPlain) { return Cell.bits(one, two) == 0 }
    return isSame(one, two)
  }

  /// Returns whether two cells show the same characters and lead to the same address.
  @inline(never) private func isSame(_ one: Cell, _ two: Cell) -> Bool {
    var (first, second) = (one.style, two.style)
    guard old.target(of: first.link) == new.target(of: second.link) else { return false }
    (first.link, second.link) = (.none, .none)
    guard first == second, one.content >> 28 == two.content >> 28 else { return false }
    guard let offset = one.clusterOffset, let other = two.clusterOffset else {
      return one.content == two.content
    }
    return old.clusters[offset...offset + Int(old.clusters[offset])]
      == new.clusters[other...other + Int(new.clusters[other])]
  }
}

extension Canvas: Hashable {
  /// Returns whether two canvases show the same.
  ///
  /// - Complexity: O(cells).
  public static func == (one: Canvas, two: Canvas) -> Bool {
    guard one.size == two.size else { return false }
    let difference = CanvasDifference(from: one, to: two)
    for row in 0..<one.size.rows where !difference.isSame(row: row) { return false }
    return true
  }

  /// Hashes the cells of single scalars.
  ///
  /// - Complexity: O(cells).
  public func hash(into hasher: inout Hasher) {
    hasher.combine(size)
    for cell in cells where cell.isPlain { hasher.combine(cell.content) }
  }
}
