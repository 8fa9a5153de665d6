/// A terminal of a few sequences: what the renderer may use, and nothing else.
struct TerminalModel {
  struct Cell: Hashable {
    var text = " "
    var style = ""
  }

  let columns: Int
  let rows: Int
  private(set) var cells: [[Cell]]
  private(set) var row = 0
  private(set) var column = 0
  private(set) var style = ""
  private(set) var showsCursor = true
  private(set) var modes: Set<String> = []
  private(set) var complaints: [String] = []
  private(set) var cellsWritten = 0

  init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
    cells = Array(repeating: Array(repeating: Cell(), count: columns), count: rows)
  }

  mutating func write(_ text: String) {
    var scalars = Array(text.unicodeScalars)[...]
    var plain = String.UnicodeScalarView()
    while let scalar = scalars.popFirst() {
      guard scalar == "\u{1B}" else {
        plain.append(scalar)
        continue
      }
      put(String(plain))
      plain = String.UnicodeScalarView()
      guard scalars.popFirst() == "[" else {
        complaints.append("unknown escape")
        return
      }
      var parameters = ""
      while let next = scalars.popFirst() {
        if ("@"..."~").contains(next) {
          control(parameters, final: Character(next))
          break
        }
        parameters.unicodeScalars.append(next)
      }
    }
    put(String(plain))
  }

  /// The width is told by the first scalar alone: the texts of the tests have no other wide ones.
  static func width(_ character: Character) -> Int {
    switch character.unicodeScalars.first?.value ?? 0 {
    case 0x4E00...0x9FFF, 0x1F300...0x1F9FF: 2
    default: 1
    }
  }

  private mutating func put(_ text: String) {
    for character in text {
      let width = TerminalModel.width(character)
      guard column + width <= columns else {
        complaints.append("wrote over the right edge")
        return
      }
      cells[row][column] = Cell(text: String(character), style: style)
      if width == 2 { cells[row][column + 1] = Cell(text: "", style: style) }
      column += width
      cellsWritten += width
    }
  }

  private mutating func control(_ parameters: String, final: Character) {
    switch (parameters, final) {
    case (_, "m"): style = parameters == "0" ? "" : parameters
    case ("", "K"):
      if column >= columns { complaints.append("erased after the last cell") }
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
    case ("?25", "h"): showsCursor = true
    case ("?25", "l"): showsCursor = false
    case (_, "h"): modes.insert(parameters)
    case (_, "l"): modes.remove(parameters)
    default: complaints.append("unknown sequence \(parameters)\(final)")
    }
  }

  var lines: [String] { cells.map { $0.map(\.text).joined() } }
}
