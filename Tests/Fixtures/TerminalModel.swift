package import RetraceScreen

/// A terminal of the sequences that the renderer may write, written apart from the renderer.
///
/// How many cells a character of emoji or marks takes differs between terminals, so the model can
/// be any of four kinds.
package struct TerminalModel {
  /// How a terminal places characters on which terminals disagree.
  package enum Kind: CaseIterable {
    /// Each scalar takes its own cells; marks and joiners are added to the cell before.
    case scalars
    /// Scalars above U+FFFF and joiners are dropped, all others take one cell.
    case ignorant
    /// As ``scalars``, but a character takes one cell whatever it is.
    case narrow
    /// As ``scalars``, but a character that does not fit goes to the next row, as in libvterm.
    case wrapping
  }

  package struct Cell: Hashable {
    package var text = " "
    package var style = ""
    package var link = ""
  }

  package private(set) var columns: Int
  package private(set) var rows: Int
  package let kind: Kind
  package private(set) var cells: [[Cell]]
  package private(set) var row = 0
  package private(set) var column = 0
  package private(set) var style = ""
  package private(set) var link = ""
  package private(set) var showsCursor = true
  package private(set) var shape = ""
  package private(set) var title = ""
  package private(set) var titles: [String] = []
  package private(set) var progress = ""
  package private(set) var modes: Set<String> = []
  package private(set) var complaints: [String] = []
  package private(set) var cellsWritten = 0

  package init(columns: Int, rows: Int, kind: Kind = .scalars) {
    self.columns = columns
    self.rows = rows
    self.kind = kind
    cells = Array(repeating: Array(repeating: Cell(), count: columns), count: rows)
  }

  /// Changes the size; the cells are then blank.
  package mutating func resize(columns: Int, rows: Int) {
    (self.columns, self.rows) = (columns, rows)
    cells = Array(repeating: Array(repeating: Cell(), count: columns), count: rows)
    (row, column) = (min(row, rows - 1), min(column, columns - 1))
  }

  package mutating func write(_ text: String) { write(Array(text.utf8)) }

  package mutating func write(_ bytes: [UInt8]) {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      complaints.append("no UTF-8")
      return
    }
    var scalars = Array(text.unicodeScalars)[...]
    while let scalar = scalars.popFirst() {
      guard scalar == "\u{1B}" else {
        put(scalar)
        continue
      }
      switch scalars.popFirst() {
      case "[":
        let parameters = scalars.prefix { !("@"..."~").contains($0) }
        scalars = scalars.dropFirst(parameters.count)
        control(String(String.UnicodeScalarView(parameters)), final: scalars.popFirst() ?? " ")
      case "]":
        let body = scalars.prefix { $0 != "\u{1B}" && $0 != "\u{7}" }
        scalars = scalars.dropFirst(body.count)
        if scalars.popFirst() == "\u{1B}", scalars.popFirst() != "\\" {
          complaints.append("a string without its end")
        }
        command(String(String.UnicodeScalarView(body)))
      case "\\": break
      case let other: complaints.append("unknown escape \(other as Any)")
      }
    }
  }

  private func width(_ scalar: Unicode.Scalar) -> Int {
    if isJoining(scalar) || kind == .ignorant && scalar.value > 0xFFFF { return 0 }
    return isWide(scalar) || kind != .narrow && scalar.value > 0xFFFF ? 2 : 1
  }

  private func isWide(_ scalar: Unicode.Scalar) -> Bool {
    0x1100...0x115F ~= scalar.value || 0x3041...0x9FFF ~= scalar.value
      || 0xAC00...0xD7A3 ~= scalar.value
  }

  private func isJoining(_ scalar: Unicode.Scalar) -> Bool {
    0x300...0x36F ~= scalar.value || [0x200C, 0x200D, 0xFE0F, 0x94D].contains(scalar.value)
  }

  private mutating func put(_ scalar: Unicode.Scalar) {
    guard scalar.value >= 0x20, !(0x7F..<0xA0 ~= scalar.value) else {
      complaints.append("control character \(scalar.value)")
      return
    }
    let width = width(scalar)
    guard width > 0 else {
      let isMark = 0x300...0x36F ~= scalar.value
      if isMark || isJoining(scalar) && kind != .ignorant, column > 0 { join(scalar) }
      return
    }
    if kind == .wrapping, column + width > columns {
      (row, column) = (row + 1, 0)
      if row == rows {
        cells.removeFirst()
        cells.append(Array(repeating: Cell(), count: columns))
        row -= 1
      }
    }
    // Without wrapping, the last cell is written again and again.
    column = min(column, columns - width)
    guard column >= 0 else { return }
    split(column)
    if column + width < columns { split(column + width) }
    cells[row][column] = Cell(text: String(scalar), style: style, link: link)
    if width == 2 { cells[row][column + 1] = Cell(text: "", style: style, link: link) }
    column += width
    cellsWritten += width
  }

  private mutating func join(_ scalar: Unicode.Scalar) {
    var place = column - 1
    if cells[row][place].text.isEmpty { place -= 1 }
    if place >= 0 { cells[row][place].text.unicodeScalars.append(scalar) }
  }

  /// Blanks the halves of a wide character whose second half begins at a column.
  private mutating func split(_ column: Int) {
    guard column > 0, cells[row][column].text.isEmpty else { return }
    cells[row][column].text = " "
    cells[row][column - 1].text = " "
  }

  private mutating func control(_ parameters: String, final: Unicode.Scalar) {
    switch (parameters, final) {
    case (_, "m"):
      guard parameters == "0" || parameters.hasPrefix("0;") else {
        complaints.append("a style without a reset")
        return
      }
      style = String(parameters.dropFirst(2))
    case ("", "K"):
      if column >= columns { complaints.append("erased after the last cell") }
      if column < columns { split(column) }
      for index in column..<max(columns, column) { cells[row][index] = Cell(style: style) }
    case ("2", "J"):
      for row in 0..<rows { for column in 0..<columns { cells[row][column] = Cell(style: style) } }
    case (_, "H"):
      let place = parameters.split(separator: ";").compactMap { Int($0) }
      guard place.count == 2, (1...rows).contains(place[0]), (1...columns).contains(place[1]) else {
        complaints.append("cursor at \(parameters)")
        return
      }
      (row, column) = (place[0] - 1, place[1] - 1)
    case (_, "G"):
      guard let place = Int(parameters), (1...columns).contains(place) else {
        complaints.append("cursor at column \(parameters)")
        return
      }
      column = place - 1
    case ("?25", "h"): showsCursor = true
    case ("?25", "l"): showsCursor = false
    case (_, "h"): modes.insert(parameters)
    case (_, "l"): modes.remove(parameters)
    case (_, "q"): shape = parameters
    case ("22;0", "t"): titles.append(title)
    case ("23;0", "t"): title = titles.popLast() ?? title
    default: complaints.append("unknown sequence \(parameters)\(final)")
    }
  }

  private mutating func command(_ body: String) {
    // The text after a prefix; it may begin with a mark, which joins the last scalar of the prefix.
    func rest(after prefix: String) -> String? {
      guard body.utf8.starts(with: prefix.utf8) else { return nil }
      return String(body.unicodeScalars.dropFirst(prefix.unicodeScalars.count))
    }
    if let rest = rest(after: "2;") {
      title = rest
    } else if let rest = rest(after: "8;;") {
      link = rest
    } else if let rest = rest(after: "9;4;") {
      progress = rest
    } else {
      complaints.append("unknown command \(body)")
    }
  }

  package var lines: [String] { cells.map { $0.map(\.text).joined() } }
}

extension TerminalModel {
  /// Returns the first column whose cell has another text than a canvas, apart from the cells of
  /// characters on which terminals disagree; `nil` if there is none.
  package func difference(inRow row: Int, from canvas: Canvas) -> Int? {
    var isDisputed = false
    for column in 0..<canvas.size.columns {
      let cell = canvas[row: row, column: column]
      if !cell.isContinued { isDisputed = cell.isDisputed }
      if isDisputed { continue }
      // A letter of the last column has no marks.
      let scalars = canvas.text(of: cell).unicodeScalars
      let isLast = column == canvas.size.columns - 1
      let wanted = Array(scalars.prefix(isLast ? 1 : .max))
      if Array(cells[row][column].text.unicodeScalars) != wanted { return column }
    }
    return nil
  }
}
