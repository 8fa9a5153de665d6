import Foundation
import RetraceScreen
import Testing
import ToolTestSupport

@testable import TerminalUI

/// An emulator of terminals that others wrote.
enum Emulator: String, CaseIterable {
  case pyte, tmux, libvterm

  enum Command {
    /// Begins with a new terminal.
    case open(Screen.Size)
    case resize(Screen.Size)
    /// Writes bytes to the terminal.
    case feed([UInt8])
    /// Asks for what the terminal shows.
    case show

    fileprivate var line: String {
      switch self {
      case .open(let size): "open \(size.columns) \(size.rows)\n"
      case .resize(let size): "resize \(size.columns) \(size.rows)\n"
      case .feed(let bytes): "feed \(Command.hex(bytes))\n"
      case .show: "show\n"
      }
    }

    private static func hex(_ bytes: [UInt8]) -> String {
      let digits = Array("0123456789abcdef".utf8)
      let text = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
      return String(decoding: text, as: UTF8.self)
    }
  }

  /// What a terminal shows.
  struct Shown: Decodable {
    /// For each row, the text of its cells; an empty one after a character of two cells.
    let rows: [[String]]
    /// For each row, runs of cells: their count and their look; see ``CellLooks``.
    let styles: [[String]]
    let cursor: [Int]
    let isHidden: Bool
    /// Whether the alternate screen is shown; pyte has none.
    let isAlternate: Bool?
    /// Which reports of the mouse are on, from 0 to 3; libvterm tells it.
    let mouse: Int?
    /// The shape of the cursor, from 1 to 3; libvterm tells it.
    let shape: Int?
    /// The title of the window; libvterm tells it.
    let title: String?
  }

  /// Obeys commands, and returns what the terminal shows at each `show`.
  func run(_ commands: [Command]) throws -> [Shown] {
    let input = Data(commands.map(\.line).joined().utf8)
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let result: ToolResult
    if self == .libvterm {
      result = try withTemporaryDirectory { temporary in
        let program = temporary + "/vterm"
        let source = folder.appending(path: "vterm.c").path
        let options = ["-std=gnu17", "-Wall", "-Wextra", "-Werror", "-O1"]
        let built = try runProgram(
          "/usr/bin/env", ["clang"] + options + ["-o", program, source, "-lvterm"])
        try #require(built.status == 0, "\(built.errors)")
        return try runProgram(program, [], input: input)
      }
    } else {
      let script = folder.deletingLastPathComponent().appending(path: "Python/emulator.py").path
      result = try runProgram(try Python.path(), [script, rawValue], input: input)
    }
    try #require(result.status == 0, "\(self): \(result.errors)")
    let decoder = JSONDecoder()
    return try result.output.split(separator: "\n").map {
      try decoder.decode(Shown.self, from: Data($0.utf8))
    }
  }
}

extension Emulator {
  /// The letters of the attributes that the emulator tells, in its order; see ``CellLooks``.
  var letters: String { self == .tmux ? "biursf" : "biurs" }

  /// Returns what the emulator has of the text of a cell.
  ///
  /// - A letter of the last column has no marks: tmux would add them to the letter before.
  /// - libvterm keeps six scalars: a letter and five marks.
  /// - tmux keeps 21 bytes of UTF-8.
  /// - pyte composes letters with their marks; Swift takes the two forms for equal.
  func kept(_ text: String, isLast: Bool) -> String {
    if isLast { return String(String.UnicodeScalarView(text.unicodeScalars.prefix(1))) }
    switch self {
    case .pyte: return text
    case .libvterm: return String(String.UnicodeScalarView(text.unicodeScalars.prefix(6)))
    case .tmux:
      var bytes = 0
      return String(
        String.UnicodeScalarView(
          text.unicodeScalars.prefix {
            bytes += UTF8.width($0)
            return bytes <= 21
          }))
    }
  }

  /// Returns how what is shown differs from a canvas; `nil` if it does not.
  ///
  /// Characters on whose cells terminals disagree are left out.
  func difference(of shown: Shown, from canvas: Canvas, _ looks: inout CellLooks) -> String? {
    guard shown.rows.count == canvas.size.rows else { return "\(self): \(shown.rows.count) rows" }
    for row in 0..<canvas.size.rows {
      let styles = Self.cells(ofRuns: shown.styles[row])
      guard shown.rows[row].count == canvas.size.columns, styles.count == canvas.size.columns
      else { return "\(self): row \(row) has \(shown.rows[row].count) cells" }
      var isDisputed = false
      for column in 0..<canvas.size.columns {
        let cell = canvas[row: row, column: column]
        if !cell.isContinued { isDisputed = cell.isDisputed }
        if isDisputed { continue }
        let isLast = column == canvas.size.columns - 1
        let wanted = (
          kept(canvas.text(of: cell), isLast: isLast), looks.look(of: cell.style, on: self)
        )
        let found = (shown.rows[row][column], styles[column])
        guard found.0 == wanted.0, found.1 == wanted.1 else {
          return """
            \(self): row \(row), column \(column) has \(Self.visible(found.0)) \(found.1), not \
            \(Self.visible(wanted.0)) \(wanted.1), in \(Self.visible(canvas.text(ofRow: row)))
            """
        }
      }
    }
    return nil
  }

  /// Returns how the cursor differs from that of a screen; `nil` if it does not.
  func difference(of shown: Shown, from screen: Screen, _ size: Screen.Size) -> String? {
    let cursor = screen.cursor?.clamped(to: size)
    guard shown.isHidden == (cursor == nil) else { return "\(self): hidden \(shown.isHidden)" }
    guard let cursor, shown.cursor != [cursor.row, cursor.column] else { return nil }
    return "\(self): the cursor is at \(shown.cursor), not \(cursor.row), \(cursor.column)"
  }

  private static func cells(ofRuns runs: [String]) -> [Substring] {
    var cells: [Substring] = []
    for run in runs {
      let parts = run.split(separator: " ", maxSplits: 1)
      cells += Array(repeating: parts[1], count: Int(parts[0]) ?? 0)
    }
    return cells
  }

  private static func visible(_ text: String) -> String {
    text.unicodeScalars.map { $0.escaped(asASCII: true) }.joined()
  }
}

/// How styles look on an emulator: the letters of their attributes, and the colors of letters and
/// of the background, which are `-` for the terminal's own, a number, or `#` and six digits.
struct CellLooks {
  private var codes: StyleCodes
  private var known: [Style: String] = [:]
  private var emulator: Emulator?

  init(_ palette: TerminalPalette?) { codes = StyleCodes(palette) }

  mutating func look(of style: Style, on emulator: Emulator) -> String {
    if emulator != self.emulator { (self.emulator, known) = (emulator, [:]) }
    var style = style
    style.link = .none
    if let look = known[style] { return look }
    let parameters = String(decoding: codes.parameters(of: style), as: UTF8.self)
    let look = Self.look(of: parameters.split(separator: ";").map { Int($0) ?? 0 }, on: emulator)
    known[style] = look
    return look
  }

  private static func look(of parameters: [Int], on emulator: Emulator) -> String {
    let letters: [Int: Character] = [1: "b", 2: "f", 3: "i", 4: "u", 7: "r", 9: "s"]
    var (shown, colors): (Set<Character>, [String]) = ([], ["-", "-"])
    var rest = parameters[...]
    while let number = rest.popFirst() {
      switch number {
      case 38, 48:
        let isDirect = rest.popFirst() == 2
        let values = rest.prefix(isDirect ? 3 : 1)
        rest = rest.dropFirst(values.count)
        colors[number / 48] =
          isDirect ? hex(values.reduce(0) { $0 << 8 | $1 }) : indexed(values.first ?? 0, emulator)
      case 30...37, 40...47: colors[number / 40] = "\(number % 10)"
      default: if let letter = letters[number] { shown.insert(letter) }
      }
    }
    let text = String(emulator.letters.filter { shown.contains($0) })
    return "\(text.isEmpty ? "-" : text) \(colors[0]) \(colors[1])"
  }

  /// pyte tells the red, green and blue of a number.
  private static func indexed(_ number: Int, _ emulator: Emulator) -> String {
    guard emulator == .pyte else { return "\(number)" }
    let color = TerminalPalette.color(ofIndex: number)
    return hex(Int(color.red) << 16 | Int(color.green) << 8 | Int(color.blue))
  }

  private static func hex(_ number: Int) -> String {
    let digits = String(number, radix: 16)
    return "#" + String(repeating: "0", count: 6 - digits.count) + digits
  }
}
