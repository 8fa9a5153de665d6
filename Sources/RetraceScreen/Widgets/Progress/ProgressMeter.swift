/// How far a long work has come, in one row: a label, a bar and percent.
///
/// For a work whose end is not known, the bar has a piece that moves with a step that the feature
/// counts.
///
/// ```swift
/// let meter = ProgressMeter("Import", done: 450, of: 1_000)
/// print(Screen(meter, size: Screen.Size(columns: 40, rows: 1)).canvas.lines)
/// ```
public struct ProgressMeter: Widget, Hashable, Sendable {
  /// What is being done.
  public var label: String
  /// The amount that is done, or the step of a moving bar.
  public var done: Int64
  /// The whole amount; below 1 if it is not known.
  public var total: Int64
  /// The signs of the bar.
  public var signs: ChartSigns

  /// Creates a meter.
  ///
  /// - Parameters:
  ///   - label: What is being done.
  ///   - done: The amount that is done, or the step of a moving bar.
  ///   - total: The whole amount; below 1 if it is not known.
  ///   - signs: The signs of the bar.
  public init(
    _ label: String = "", done: Int64, of total: Int64, signs: ChartSigns = .blocks
  ) {
    self.label = label
    self.done = done
    self.total = total
    self.signs = signs
  }

  /// Draws the meter; of a narrow one, percent are the last to be left out.
  public func draw(in rect: Rect, on canvas: inout Canvas) {
    var rest = rect
    var row = rest.removeTop(1)
    if total > 0 {
      let percent = row.removeRight(min(row.columns, 5))
      canvas.drawLine(
        "\(proportion(done, of: total, in: 100)) %", aligned: .right, in: percent)
      _ = row.removeRight(1)
    }
    let cells = label.isEmpty ? 0 : min(TextWidth.of(label), max(row.columns - 9, row.columns / 2))
    canvas.drawLine(label, in: row.removeLeft(cells))
    if cells > 0 { _ = row.removeLeft(1) }
    guard row.columns > 1 else { return }
    canvas.fill(row, with: signs == .plain ? "-" : "─", style: .faint)
    let bar = Style(foreground: .accent)
    guard total < 1 else {
      let eighths = proportion(done, of: total, in: row.columns * 8)
      canvas.drawBar(eighths: eighths, signs: signs, style: bar, in: row)
      return
    }
    let piece = max(1, row.columns / 5)
    let places = Int64(row.columns - piece)
    // Forth and back.
    let step = places > 0 ? (done % (2 * places) + 2 * places) % (2 * places) : 0
    _ = row.removeLeft(Int(step > places ? 2 * places - step : step))
    row.columns = min(row.columns, piece)
    canvas.drawBar(eighths: piece * 8, signs: signs, style: bar, in: row)
  }
}
