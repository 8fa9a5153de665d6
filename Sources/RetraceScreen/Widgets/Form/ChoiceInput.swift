/// A field for one of several values, which the arrow keys change.
///
/// ```swift
/// let input = ChoiceInput(["none", "round up"], state: ChoiceState(selected: 1))
/// print(input.step(at: Screen.Cursor(row: 0, column: 0), in: Rect(columns: 20, rows: 1)) ?? 0)
/// ```
public struct ChoiceInput: Widget, Hashable, Sendable {
  /// The values.
  public var options: [String]
  /// Which one is chosen.
  public var state: ChoiceState

  /// Creates a field.
  public init(_ options: [String], state: ChoiceState) {
    self.options = options
    self.state = state
  }

  /// Draws the chosen value between arrows, and its number.
  public func draw(in rect: Rect, on canvas: inout Canvas) {
    guard let index else {
      canvas.drawLine("–", style: .faint, in: rect)
      return
    }
    let parts = parts(index, in: rect)
    canvas.drawLine("‹", style: index > 0 ? .title : .faint, in: parts.back)
    canvas.drawLine(options[index], in: parts.value)
    canvas.drawLine("›", style: index + 1 < options.count ? .title : .faint, in: parts.forth)
    canvas.drawLine("\(index + 1)/\(options.count)", style: .faint, in: parts.count)
  }

  /// Returns by how much a click changes the choice; `nil` beside the arrows.
  public func step(at position: Screen.Cursor, in rect: Rect) -> Int64? {
    guard let index else { return nil }
    let parts = parts(index, in: rect)
    if parts.back.contains(position) { return -1 }
    return parts.forth.contains(position) ? 1 : nil
  }

  private var index: Int? { options.isEmpty ? nil : Int(index: state.selected, of: options.count) }

  /// Divides the first row.
  private func parts(
    _ index: Int, in rect: Rect
  ) -> (back: Rect, value: Rect, forth: Rect, count: Rect) {
    var rest = rect
    var row = rest.removeTop(1)
    let back = row.removeLeft(1)
    _ = row.removeLeft(1)
    let cells = min(TextWidth.of(options[index]), max(0, row.columns - 2))
    let value = row.removeLeft(cells)
    _ = row.removeLeft(1)
    let forth = row.removeLeft(1)
    _ = row.removeLeft(2)
    let digits = "\(index + 1)/\(options.count)".utf8.count
    return (back, value, forth, row.columns < digits ? Rect(columns: 0, rows: 0) : row)
  }
}
