import Retrace

/// A row of the log as it is drawn: a sign, a text, the clock times and a duration.
struct LogRowView: Widget {
  /// The sign and the columns that it takes.
  let sign: (text: String, columns: Int)
  /// The text in several writings, the widest first.
  let texts: [Screen.Line]
  /// The clock times in several writings, the widest first; none for the heading of a day.
  let clocks: [String]
  /// The duration.
  let duration: Screen.Run
  /// The columns of the text, of the clock times and of the duration.
  let columns: [ColumnRule]

  /// The cells between two columns.
  private static var gap: Int { 2 }

  func draw(in rect: Rect, on canvas: inout Canvas) {
    let widths = ColumnRule.widths(of: columns, gap: Self.gap, in: rect.columns)
    var rest = rect
    let place = rest.removeRight(widths[2])
    canvas.drawLine(duration.text, style: duration.style, aligned: .right, in: place)
    _ = rest.removeRight(Self.gap)
    if let shortest = clocks.last, widths[1] > 0 {
      let clock = clocks.first { $0.utf8.count <= widths[1] } ?? shortest
      canvas.drawLine(clock, style: .faint, in: rest.removeRight(widths[1]))
      _ = rest.removeRight(Self.gap)
    }
    canvas.drawLine(sign.text, style: .faint, in: rest.removeLeft(sign.columns))
    let room = rest.columns
    let text = texts.dropLast().first { line in
      line.runs.reduce(0) { $0 + TextWidth.of($1.text) } <= room
    }
    if let text = text ?? texts.last { canvas.drawLine(text, in: rest) }
  }
}
