/// Panes beside each other or below each other, with dividers between them.
///
/// Each pane has a minimum, and the panes share the rest by the weights of the state. If the
/// minimums do not fit, the panes around the one with the focus are shown, and signs at the edges
/// count the others. A pane may have a split of its own: draw it in the pane's rectangle.
///
/// ```swift
/// let split = Split(.columns, minimums: [16, 30], state: SplitState(weights: [1, 2]))
/// for rect in split.rects(in: Rect(columns: 80, rows: 24)) { print(rect) }
/// ```
public struct Split: Widget, Hashable, Sendable {
  /// How panes lie.
  public enum Axis: UInt8, Hashable, Sendable, CaseIterable {
    /// Beside each other.
    case columns
    /// Below each other.
    case rows
  }

  /// How the panes lie.
  public var axis: Axis
  /// The columns or rows that each pane needs; below 1 counts as 1.
  public var minimums: [Int64]
  /// The weights and the focus.
  public var state: SplitState

  /// Creates a split.
  public init(_ axis: Axis, minimums: [Int64], state: SplitState) {
    self.axis = axis
    self.minimums = minimums
    self.state = state
  }

  /// Draws the dividers, those of the pane with the focus as strong lines; the panes stay as they
  /// are.
  public func draw(in rect: Rect, on canvas: inout Canvas) {
    let layout = layout(in: rect)
    let focus = focus
    let isRow = axis == .rows
    for (index, divider) in layout.dividers {
      let isStrong = index == focus || index + 1 == focus
      let style = isStrong ? Style.title : Style(foreground: .border)
      let sign: Unicode.Scalar = isRow ? (isStrong ? "━" : "─") : isStrong ? "┃" : "│"
      canvas.fill(divider, with: sign, style: style)
    }
    drawNote(layout.range.lowerBound, in: layout.before, isBefore: true, on: &canvas)
    let after = minimums.count - layout.range.upperBound
    drawNote(after, in: layout.after, isBefore: false, on: &canvas)
  }

  /// Returns the rectangles of the panes; an empty one for each pane that is not seen.
  public func rects(in rect: Rect) -> [Rect] { layout(in: rect).rects }

  /// Returns the columns or rows of the panes, for
  /// ``SplitState/resize(divider:by:sizes:minimums:)``.
  public func sizes(in rect: Rect) -> [Int64] {
    rects(in: rect).map { Int64(axis == .columns ? $0.columns : $0.rows) }
  }

  /// Returns the index of the pane at a place.
  public func index(at position: Screen.Cursor, in rect: Rect) -> Int? {
    rects(in: rect).firstIndex { $0.contains(position) }
  }

  /// Returns the index of the pane before the divider at a place.
  public func divider(at position: Screen.Cursor, in rect: Rect) -> Int? {
    layout(in: rect).dividers.first { $0.rect.contains(position) }?.index
  }

  private var focus: Int { Int(index: state.focus, of: minimums.count) }
}

extension Split {
  private struct Layout {
    var range: Range<Int> = 0..<0
    var rects: [Rect] = []
    var dividers: [(index: Int, rect: Rect)] = []
    /// Where the panes before and after those that are seen are counted.
    var before = Rect(columns: 0, rows: 0)
    var after = Rect(columns: 0, rows: 0)
  }

  private func minimum(_ index: Int) -> Int { Int(max(1, min(minimums[index], 10_000))) }

  private func layout(in rect: Rect) -> Layout {
    var layout = Layout()
    layout.rects = minimums.map { _ in Rect(columns: 0, rows: 0) }
    guard !minimums.isEmpty, !rect.isEmpty else { return layout }
    let length = axis == .columns ? rect.columns : rect.rows
    layout.range = seen(in: length)
    var rest = rect
    if length > 2 {
      if layout.range.lowerBound > 0 { layout.before = cut(1, from: &rest) }
      if layout.range.upperBound < minimums.count {
        layout.after = axis == .columns ? rest.removeRight(1) : rest.removeBottom(1)
      }
    }
    let free = (axis == .columns ? rest.columns : rest.rows) - (layout.range.count - 1)
    let sizes = shares(of: free, range: layout.range)
    for (place, index) in layout.range.enumerated() {
      layout.rects[index] = cut(sizes[place], from: &rest)
      if index + 1 < layout.range.upperBound {
        layout.dividers.append((index, cut(1, from: &rest)))
      }
    }
    return layout
  }

  private func cut(_ cells: Int, from rest: inout Rect) -> Rect {
    axis == .columns ? rest.removeLeft(cells) : rest.removeTop(cells)
  }

  /// Returns the panes that fit: all, or those around the one with the focus.
  private func seen(in length: Int) -> Range<Int> {
    let all = minimums.indices
    let needed = all.reduce(all.count - 1) { $0 + minimum($1) }
    guard needed > length else { return all }
    var (first, end) = (focus, focus + 1)
    var used = minimum(focus)
    var grows = true
    while grows {
      grows = false
      if end < all.upperBound, fits(first, end + 1, used + minimum(end) + 1, in: length) {
        used += minimum(end) + 1
        end += 1
        grows = true
      }
      if first > 0, fits(first - 1, end, used + minimum(first - 1) + 1, in: length) {
        first -= 1
        used += minimum(first) + 1
        grows = true
      }
    }
    return first..<end
  }

  private func fits(_ first: Int, _ end: Int, _ used: Int, in length: Int) -> Bool {
    used + (first > 0 ? 1 : 0) + (end < minimums.count ? 1 : 0) <= length
  }

  /// Returns the sizes of panes that share a number of cells.
  private func shares(of cells: Int, range: Range<Int>) -> [Int] {
    var sizes = range.map { minimum($0) }
    let weights = range.map { index in
      index < state.weights.count ? max(0, min(state.weights[index], 1 << 32)) : 0
    }
    let extra = cells - sizes.reduce(0, +)
    guard extra > 0 else {
      if let only = sizes.indices.first, sizes.count == 1 { sizes[only] = max(cells, 0) }
      return sizes
    }
    let sum = weights.reduce(0, +)
    var (before, given): (Int64, Int) = (0, 0)
    for index in sizes.indices {
      before += sum > 0 ? weights[index] : 1
      // Up to a boundary, so that the sizes are the whole whatever is rounded.
      let boundary = proportion(before, of: sum > 0 ? sum : Int64(sizes.count), in: extra)
      sizes[index] += boundary - given
      given = boundary
    }
    return sizes
  }

  private func drawNote(_ count: Int, in edge: Rect, isBefore: Bool, on canvas: inout Canvas) {
    guard count > 0, !edge.isEmpty else { return }
    let style = Style(foreground: .accent)
    if axis == .rows {
      canvas.drawLine("\(isBefore ? "↑" : "↓") \(count) more", style: style, in: edge)
      return
    }
    canvas.fill(edge, with: "│", style: Style(foreground: .border))
    canvas.drawLine(isBefore ? "‹" : "›", style: style, in: edge)
    var rest = edge
    _ = rest.removeTop(1)
    canvas.drawLine(count > 9 ? "+" : "\(count)", style: style, in: rest)
  }
}
