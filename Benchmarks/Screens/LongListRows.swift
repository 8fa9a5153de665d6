import CScreen
import Figures
import RetraceScreen
import TerminalUI

private let size = Screen.Size(columns: 200, rows: 60)
private let frames = 2_000

/// Registers rows of composing a screen of a long list and of comparing it with the one before.
///
/// Ours writes the bytes that show the difference on a terminal. The yardstick keeps no character
/// of several scalars, and has one array for all frames.
func registerListRows() {
  let texts = ListTexts()
  func row(_ change: String) -> Row {
    Row(
      "compose and diff, 200x60, list of 1,000,000 rows, \(change)",
      input: "texts of 40 to 90 characters, three of eight not ASCII", unit: .microseconds)
  }
  // A key moves the selection: two rows change, and few bytes are written.
  compare(
    row("selection moves"), ours: { ours(texts, step: 0) },
    yardsticks: [
      Yardstick(
        "C that looks up, cuts, fills and compares", .timesYardstick(atMost: 3),
        round: { inC(texts, step: 0, writes: false) })
    ])
  // Every row changes, so most of the time goes into the bytes.
  compare(
    row("list scrolls"), ours: { ours(texts, step: 1) },
    yardsticks: [
      Yardstick(
        "C that also writes the bytes", .timesYardstick(atMost: 3),
        round: { inC(texts, step: 1, writes: true) })
    ])
}

private func selected(_ frame: Int, _ step: Int) -> Int { frame * step + frame % 59 }

private func ours(_ texts: ListTexts, step: Int) -> Measured {
  var renderer = AnsiRenderer(palette: TerminalPalette(.direct, on: .dark), extensions: [])
  var last = Canvas(size)
  var measured = timed {
    for frame in 0..<frames {
      last = list(texts, first: frame * step, selected: selected(frame, step))
      _ = renderer.draw(Screen(last), size: size)
    }
    return (UInt64(frames), 0)
  }
  measured.checksum = hash(last)
  return measured
}

private func list(_ texts: ListTexts, first: Int, selected: Int) -> Canvas {
  var canvas = Canvas(size)
  var rest = canvas.bounds
  canvas.draw("Entries", row: 0, column: 0, style: .title, in: rest.removeTop(1))
  for row in rest.row..<rest.endRow {
    let index = first + row - rest.row
    guard index < ListTexts.rows else { break }
    var style = Style.plain
    if index == selected {
      style.background = .selection
      canvas.fill(Rect(row: row, columns: rest.columns, rows: 1), style: style)
    }
    let text = texts.texts[index % texts.texts.count]
    canvas.draw(text, row: row, column: 0, style: style, in: rest)
  }
  return canvas
}

private func hash(_ canvas: Canvas) -> UInt64 {
  var hash: UInt64 = 0xcbf2_9ce4_8422_2325
  for row in 0..<canvas.size.rows {
    for column in 0..<canvas.size.columns {
      for scalar in canvas.text(of: canvas[row: row, column: column]).unicodeScalars {
        hash = (hash ^ UInt64(scalar.value)) &* 0x100_0000_01b3
      }
    }
  }
  return hash
}

private func inC(_ texts: ListTexts, step: Int, writes: Bool) -> Measured {
  var bytes = [UInt8](repeating: 0, count: writes ? size.columns * size.rows * 64 : 0)
  // Unsafe: the screen lives until the end of this function, and C keeps no other pointer than that
  // of the widths, which live as long. C writes no more bytes of a cell than there is room for.
  return unsafe texts.widths.withUnsafeBufferPointer { widths in
    unsafe bytes.withUnsafeMutableBufferPointer { bytes in
      let screen = unsafe screen_make(Int32(size.columns), Int32(size.rows), widths.baseAddress)
      var measured = timed {
        for frame in 0..<frames {
          unsafe screen_frame(
            screen, texts.bytes, texts.ends, Int64(texts.ends.count), Int64(frame * step),
            Int64(selected(frame, step)), writes ? bytes.baseAddress : nil)
        }
        return (UInt64(frames), 0)
      }
      measured.checksum = unsafe screen_hash(screen)
      unsafe screen_free(screen)
      return measured
    }
  }
}
