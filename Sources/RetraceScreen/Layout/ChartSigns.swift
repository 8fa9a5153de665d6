/// The signs that charts are drawn with.
///
/// ```swift
/// let isConsole = true
/// let signs: ChartSigns = isConsole ? .blocks : .braille
/// print(signs)
/// ```
public enum ChartSigns: UInt8, Hashable, Sendable, CaseIterable {
  /// Braille for lines, eighths of blocks for bars.
  case braille
  /// Blocks, which the fonts of the Linux console have, too.
  case blocks
  /// Signs of ASCII.
  case plain
}

extension Canvas {
  /// Draws a bar from the left of the first row of a rectangle.
  ///
  /// - Parameters:
  ///   - eighths: The length in eighths of a cell; what is above zero is at least seen.
  ///   - signs: The signs.
  ///   - style: The style.
  ///   - rect: The rectangle.
  /// - Complexity: O(columns of the rectangle).
  mutating func drawBar(eighths: Int, signs: ChartSigns, style: Style, in rect: Rect) {
    guard !rect.isEmpty, eighths > 0 else { return }
    let eighths = min(eighths, rect.columns * 8)
    var full = Rect(column: rect.column, row: rect.row, columns: eighths / 8, rows: 1)
    if signs == .plain {
      full.columns = max(1, (eighths + 4) / 8)
      fill(full, with: "#", style: style)
      return
    }
    fill(full, with: "█", style: style)
    guard eighths % 8 > 0, let part = Unicode.Scalar(0x2590 - UInt32(eighths % 8)) else { return }
    let last = Rect(column: full.endColumn, row: rect.row, columns: 1, rows: 1)
    fill(last, with: part, style: style)
  }
}
