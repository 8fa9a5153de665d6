import Foundation
import RetraceScreen
import RetraceTesting
import Testing
import ToolTestSupport

@testable import TerminalUI

/// Emulators of terminals, written by others, show the cells of the canvas after each step.
@Suite struct EmulatorTests {
  /// What pyte shows after a step.
  private struct Shown: Decodable {
    /// The text, the attributes in letters and the colors of each cell.
    let rows: [[[String]]]
    let cursor: [Int]
    let hidden: Bool
  }

  /// What tmux shows after all steps.
  private struct Rows: Decodable {
    let rows: [String]
  }

  private struct Request: Encodable {
    var columns: Int
    var rows: Int
    var steps: [[UInt8]]
  }

  private let size = Screen.Size(columns: 24, rows: 6)

  @Test func `pyte shows the cells of each screen`() throws {
    try withSeed { random in
      for _ in 0..<repetitions(1_000, few: 20) {
        let palette = Bool.random(using: &random) ? TerminalPalette(.basic, on: .unknown) : nil
        let (screens, steps) = session(&random, palette)
        let shown: [Shown] = try emulate("pyte", steps)
        try #require(shown.count == screens.count)
        for (screen, terminal) in zip(screens, shown) {
          expect(terminal, shows: screen, inColor: palette != nil)
        }
      }
    }
  }

  @Test func `tmux shows the last screen`() throws {
    try withSeed { random in
      for _ in 0..<repetitions(1_000, few: 20) {
        let (screens, steps) = session(&random, TerminalPalette(.direct, on: .light))
        let shown: [Rows] = try emulate("tmux", steps)
        let canvas = try #require(screens.last).canvas(fitting: size)
        for row in 0..<size.rows where !isDisputed(canvas, row) {
          var text = try #require(shown.first).rows[row]
          while text.last == " " { text.removeLast() }
          #expect(scalars(text) == scalars(canvas.text(ofRow: row)))
        }
      }
    }
  }

  /// A session of random screens, and the bytes of each.
  private func session(
    _ random: inout SeededGenerator, _ palette: TerminalPalette?
  ) -> (screens: [Screen], steps: [[UInt8]]) {
    var renderer = AnsiRenderer(palette: palette, extensions: .assumed(term: "xterm"))
    var (screens, steps): ([Screen], [[UInt8]]) = ([], [])
    var screen = Screen(Canvas(size))
    for step in 0..<12 {
      screen = random.screen(like: screen, size: size)
      let modes = TerminalModes.fullScreen(renderer.extensions)
      let start = step == 0 ? Array(modes.prologue.utf8) : []
      screens.append(screen)
      steps.append(start + renderer.draw(screen, size: size))
    }
    return (screens, steps)
  }

  private func emulate<Answer: Decodable>(
    _ emulator: String, _ steps: [[UInt8]]
  ) throws -> [Answer] {
    let request = Request(columns: size.columns, rows: size.rows, steps: steps)
    let script = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Python/emulator.py").path
    let result = try runProgram(
      try Python.path(), [script, emulator], input: try JSONEncoder().encode(request))
    #expect(result.status == 0, "\(result.errors)")
    return try result.output.split(separator: "\n").map {
      try JSONDecoder().decode(Answer.self, from: Data($0.utf8))
    }
  }

  private func expect(_ terminal: Shown, shows screen: Screen, inColor isColored: Bool) {
    let canvas = screen.canvas(fitting: size)
    for row in 0..<size.rows {
      var isDisputed = false
      for column in 0..<size.columns {
        let cell = canvas[row: row, column: column]
        if !cell.isContinued { isDisputed = cell.isDisputed }
        if isDisputed { continue }
        let shown = terminal.rows[row][column]
        // pyte composes letters with their marks; Swift takes the two forms for equal.
        #expect(shown[0] == canvas.text(of: cell))
        #expect(shown[1] == attributes(of: cell.style, inColor: isColored))
      }
    }
    let cursor = screen.cursor?.clamped(to: size)
    #expect(terminal.hidden == (cursor == nil))
    if let cursor { #expect(terminal.cursor == [cursor.row, cursor.column]) }
  }

  /// The first letters of pyte's names of the attributes, in its order.
  ///
  /// Without a theme, roles are shown by attributes.
  private func attributes(of style: Style, inColor isColored: Bool) -> String {
    var style = style
    if style.background == .selection { style.attributes.insert(.reversed) }
    if !isColored, style.foreground == .accent { style.attributes.insert(.underline) }
    if !isColored, style.foreground == .warning { style.attributes.insert(.bold) }
    let names: [(Style.Attributes, String)] = [
      (.bold, "b"), (.italic, "i"), (.underline, "u"), (.struck, "s"), (.reversed, "r"),
    ]
    return names.filter { style.attributes.contains($0.0) }.map { $0.1 }.joined()
  }

  private func isDisputed(_ canvas: Canvas, _ row: Int) -> Bool {
    (0..<canvas.size.columns).contains { canvas[row: row, column: $0].isDisputed }
  }

  private func scalars(_ text: String) -> [Unicode.Scalar] { Array(text.unicodeScalars) }
}
