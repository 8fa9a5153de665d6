import RetraceScreen

/// Writes the bytes that turn what a terminal shows into a canvas.
///
/// It begins and ends with plain text selected.
struct FrameWriter {
  private let canvas: Canvas
  private let hasLinks: Bool
  private var codes: StyleCodes
  private var bytes: [UInt8] = []
  private var style = Style.plain
  /// The place of the cursor, if it is known.
  private var row = -1
  private var column = -1

  init(_ canvas: Canvas, codes: StyleCodes, hasLinks: Bool) {
    self.canvas = canvas
    self.codes = codes
    self.hasLinks = hasLinks
  }

  /// Ends the frame with plain text selected, and returns its bytes and the codes that are known.
  consuming func finish() -> (bytes: [UInt8], codes: StyleCodes) {
    select(.plain)
    return (bytes, codes)
  }

  /// Clears the terminal.
  mutating func clear() { bytes += "\u{1B}[0m\u{1B}[2J".utf8 }

  /// Writes the cells of a row that changed.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - difference: The difference to what is shown.
  mutating func write(row: Int, changed difference: borrowing CanvasDifference) {
    let end = canvas.plainEnd(ofRow: row)
    var column = 0
    // Up to this column, a disputed character may have changed what the terminal shows.
    var disturbedEnd = 0
    while column < canvas.size.columns {
      if column >= disturbedEnd {
        column = difference.changeStart(inRow: row, from: column)
        if column == canvas.size.columns { return }
      }
      if column >= end {
        erase(row: row, from: column)
        return
      }
      // The first half draws the second.
      if column > 0, canvas[row: row, column: column].isContinued { column -= 1 }
      let cell = canvas[row: row, column: column]
      move(toRow: row, column: column)
      select(cell.style)
      if cell.isDisputed {
        writeDisputed(cell)
        let mostEnd = column + canvas.cellsMax(of: cell)
        disturbedEnd = max(disturbedEnd, min(mostEnd, canvas.size.columns))
        column += cell.cells
      } else if isMarkedAtEnd(cell, column) {
        for letter in canvas.text(of: cell).unicodeScalars.prefix(1) {
          bytes += UTF8.encode(letter) ?? UTF8.encodedReplacementCharacter
        }
        (self.column, column) = (-1, column + 1)
      } else {
        let changeEnd = difference.changeEnd(inRow: row, from: column)
        column = canvas.runEnd(
          inRow: row, from: column, limit: max(disturbedEnd, min(changeEnd, end)))
        if isMarkedAtEnd(canvas[row: row, column: column - 1], column - 1) { column -= 1 }
        canvas.append(row: row, columns: self.column..<column, to: &bytes)
        self.column = column
      }
    }
  }

  /// Whether a cell of the last column has a letter with marks, which tmux would add to the letter
  /// before.
  private func isMarkedAtEnd(_ cell: Cell, _ column: Int) -> Bool {
    column == canvas.size.columns - 1 && cell.hasSeveralScalars
  }

  /// Writes a character such that the terminal may give it any cells: blanks first, which stay
  /// where the terminal draws less, and the place after it, which it may have left elsewhere.
  private mutating func writeDisputed(_ cell: Cell) {
    let start = column
    bytes += [UInt8](repeating: 0x20, count: cell.cells)
    appendColumn(start)
    append(canvas.text(of: cell), fitting: canvas.size.columns - start)
    let end = start + cell.cells
    if end < canvas.size.columns {
      appendColumn(end)
      column = end
    } else {
      column = -1
    }
  }

  /// Appends as many scalars of a character as fit, whatever cells a terminal gives each: some go
  /// on in the next row, even if they are told not to.
  ///
  /// What would change the cell before is left out: what follows a scalar that a terminal may not
  /// know and then drops. So is a joiner at the end, with which tmux joins the next cell.
  private mutating func append(_ character: String, fitting room: Int) {
    var rest = room
    var joiners: [UInt8] = []
    for (index, scalar) in character.unicodeScalars.enumerated() {
      rest -= Canvas.cellsMax(of: scalar)
      guard rest >= 0 else { return }
      let encoded = UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
      if scalar == "\u{200D}" {
        joiners += encoded
        continue
      }
      bytes += joiners
      bytes += encoded
      joiners = []
      // Terminals in use know Unicode 14, which Debian 12 has in its C library.
      if index == 0, (scalar.properties.age ?? (.max, 0)) > (14, 0) { return }
    }
  }

  private mutating func erase(row: Int, from column: Int) {
    move(toRow: row, column: column)
    select(.plain)
    bytes += "\u{1B}[K".utf8
  }

  /// Moves the cursor, if it is elsewhere.
  mutating func move(toRow row: Int, column: Int) {
    if row != self.row {
      bytes += "\u{1B}[".utf8
      append(row + 1)
      bytes.append(0x3B)
      append(column + 1)
      bytes.append(0x48)
    } else if column != self.column {
      if !writeBetween(column) { appendColumn(column) }
    }
    self.row = row
    self.column = column
  }

  /// Writes the few cells up to a column, which takes no more bytes than moving over them.
  private mutating func writeBetween(_ end: Int) -> Bool {
    guard column >= 0, column < end, end - column <= 4 else { return false }
    for place in column..<end {
      let cell = canvas[row: row, column: place]
      guard cell.style == style, cell.isASCII else { return false }
    }
    for place in column..<end { canvas.append(canvas[row: row, column: place], to: &bytes) }
    return true
  }

  private mutating func appendColumn(_ column: Int) {
    bytes += "\u{1B}[".utf8
    append(column + 1)
    bytes.append(0x47)
  }

  /// Selects a style and a link.
  private mutating func select(_ new: Style) {
    guard new != style else { return }
    if new.link != style.link, hasLinks {
      bytes += "\u{1B}]8;;".utf8
      bytes += (canvas.target(of: new.link) ?? "").utf8
      bytes += "\u{1B}\\".utf8
    }
    let (old, next) = (codes.parameters(of: style), codes.parameters(of: new))
    if old != next {
      bytes += "\u{1B}[0".utf8
      bytes += next
      bytes.append(0x6D)
    }
    style = new
  }

  /// Appends a number in digits.
  private mutating func append(_ number: Int) {
    if number >= 10 { append(number / 10) }
    bytes.append(UInt8(truncatingIfNeeded: 0x30 + number % 10))
  }
}
