import Foundation
import RetraceTesting
import Testing
import ToolTestSupport

@testable import RetraceScreen
@testable import TerminalUI

/// Emulators of terminals, written by others, show the cells of the canvas after each step.
///
/// libvterm and pyte show each step. tmux shows the last one, for which it takes as long as they
/// take for all.
@Suite struct EmulatorTests {
  /// A moment at which emulators are looked at.
  struct Moment {
    enum Wanted {
      case screen(Screen)
      /// The lines of a shell on the main screen.
      case shell([String])
    }

    var wanted: Wanted
    /// The size since the moment before, and what was written since then.
    var size: Screen.Size
    var bytes: [UInt8]
  }

  private typealias Session = (moments: [Moment], palette: TerminalPalette?)

  @Test func `emulators show random screens`() throws {
    try withSeed { random in
      for _ in 0..<repetitions(50, few: 1) {
        let sessions = (0..<20).map { _ in
          let palette = Bool.random(using: &random) ? TerminalPalette(.basic, on: .unknown) : nil
          return (moments: screens(&random, palette), palette: palette)
        }
        for emulator in Emulator.allCases { try expect(emulator, shows: sessions) }
      }
    }
  }

  /// A session of random screens, without a terminal.
  private func screens(
    _ random: inout SeededGenerator, _ palette: TerminalPalette?
  ) -> [Moment] {
    let size = Screen.Size(columns: 24, rows: 6)
    var renderer = AnsiRenderer(palette: palette, extensions: .assumed(term: "xterm"))
    var moments: [Moment] = []
    var screen = Screen(Canvas(size))
    for step in 0..<12 {
      screen = random.screen(like: screen, size: size)
      let prologue = step == 0 ? TerminalModes.fullScreen(renderer.extensions).prologue : ""
      moments.append(
        Moment(
          wanted: .screen(screen), size: size,
          bytes: Array(prologue.utf8) + renderer.draw(screen, size: size)))
    }
    return moments
  }

  @Test func `each scalar on whose cells terminals agree takes them on every emulator`() throws {
    let size = Screen.Size(columns: 80, rows: 24)
    var (rows, row, columns): ([String], String, Int) = ([], "", 0)
    for scalar in (0...0x10FFFF as ClosedRange<UInt32>).compactMap(Unicode.Scalar.init) {
      let entry = WidthTable.entry(of: scalar.value)
      guard entry.isSimple, !entry.isEscaped, entry.cells > 0 else { continue }
      if columns + entry.cells > size.columns {
        rows.append(row)
        (row, columns) = ("", 0)
      }
      row.unicodeScalars.append(scalar)
      columns += entry.cells
    }
    rows.append(row)
    let prologue = Array(TerminalModes.fullScreen().prologue.utf8)
    let sessions = stride(from: 0, to: rows.count, by: size.rows).map { start -> Session in
      let screen = Screen(rows[start...].prefix(size.rows).map { Screen.Line($0) }, size: size)
      var renderer = AnsiRenderer(palette: nil, extensions: [])
      let bytes = prologue + renderer.draw(screen, size: size)
      return ([Moment(wanted: .screen(screen), size: size, bytes: bytes)], nil)
    }
    for emulator in Emulator.allCases { try expect(emulator, shows: sessions) }
  }

  @Test func `emulators show sessions of every widget on a terminal, its stops and its end`()
    async throws
  {
    let seed = withSeed { $0.next() }
    let count = repetitions(1_000, few: 20)
    for start in stride(from: 0, to: count, by: 20) {
      let numbers = start..<min(start + 20, count)
      let recorded = try await TerminalPlay.record(numbers, seed: seed, for: nil)
      let sessions = zip(numbers, recorded).map { number, parts in
        let play = TerminalPlay(number: number, seed: seed)
        return (moments: moments(of: play, parts), palette: play.palette)
      }
      for emulator in Emulator.allCases { try expect(emulator, shows: sessions, from: start) }
    }
  }

  private func moments(of play: TerminalPlay, _ parts: [RecordedPart]) -> [Moment] {
    var wanted: [Moment.Wanted] = [.shell(["$ app"])]
    var (screens, stops): ([Screen], Int) = ([], 0)
    for step in play.steps {
      switch step {
      case .show(let screen):
        screens.append(screen)
        wanted.append(.screen(screen))
        if wanted.count == 2 { wanted.append(.screen(screen)) }
      case .resize: continue
      case .suspend:
        stops += 1
        wanted.append(.shell(["$ app"] + Array(repeating: "$ fg", count: stops)))
      }
    }
    // Copying a text changes no cell.
    if let last = screens.last { wanted.append(.screen(last)) }
    wanted.append(.shell(["$ app"] + Array(repeating: "$ fg", count: stops)))
    #expect(wanted.count == parts.count)
    return zip(wanted, parts).map { Moment(wanted: $0, size: $1.size, bytes: [UInt8]($1.bytes)) }
  }
}

// MARK: - What emulators show

extension EmulatorTests {
  /// Expects an emulator to show sessions, tmux their last screens and their ends.
  private func expect(
    _ emulator: Emulator, shows sessions: [Session], from number: Int = 0
  ) throws {
    var commands: [Emulator.Command] = []
    var shown: [(session: Int, moment: Int)] = []
    for (session, (moments, _)) in sessions.enumerated() {
      var size = moments[0].size
      commands.append(.open(size))
      let lastScreen = moments.lastIndex { if case .screen = $0.wanted { true } else { false } }
      for (index, moment) in moments.enumerated() {
        if moment.size != size { commands.append(.resize(moment.size)) }
        size = moment.size
        commands.append(.feed(moment.bytes))
        if emulator == .tmux {
          guard index == lastScreen || index == moments.count - 1 else { continue }
          commands.append(.feed(erasing(moment)))
        }
        commands.append(.show)
        shown.append((session, index))
      }
    }
    let answers = try emulator.run(commands)
    try #require(answers.count == shown.count)
    for (answer, place) in zip(answers, shown) {
      let (moments, palette) = sessions[place.session]
      let isResized = moments.contains { $0.size != moments[0].size }
      // What was on the main screen goes to tmux's history when the size changes meanwhile.
      if emulator == .tmux, isResized, place.moment == moments.count - 1 {
        #expect(answer.isAlternate == false && !answer.isHidden)
        continue
      }
      if let problem = problem(of: answer, moments[place.moment], on: emulator, palette) {
        Issue.record("session \(number + place.session), step \(place.moment): \(problem)")
        return
      }
    }
  }

  private func problem(
    of shown: Emulator.Shown, _ moment: Moment, on emulator: Emulator, _ palette: TerminalPalette?
  ) -> String? {
    switch moment.wanted {
    case .screen(let screen):
      var looks = CellLooks(palette)
      return emulator.difference(of: shown, from: screen.canvas(fitting: moment.size), &looks)
        ?? emulator.difference(of: shown, from: screen, moment.size)
        ?? fieldProblem(of: shown, screen)
    case .shell(let lines):
      guard emulator != .pyte else { return shown.isHidden ? "pyte: hidden" : nil }
      var canvas = Canvas(moment.size)
      for (row, line) in lines.enumerated() {
        canvas.draw(line, row: row, column: 0, in: canvas.bounds)
      }
      var looks = CellLooks(nil)
      let cursor = Screen.Cursor(row: lines.count, column: 0)
      if shown.isAlternate != false || shown.mouse ?? 0 != 0 || shown.shape ?? 1 != 1 {
        return "\(emulator): a mode of the program is on: \(shown)"
      }
      return emulator.difference(of: shown, from: canvas, &looks)
        ?? emulator.difference(of: shown, from: Screen(canvas, cursor: cursor), moment.size)
    }
  }

  /// Returns what is different of the fields of a screen that libvterm tells.
  private func fieldProblem(of shown: Emulator.Shown, _ screen: Screen) -> String? {
    if let isAlternate = shown.isAlternate, !isAlternate { return "the main screen is shown" }
    if let mouse = shown.mouse, mouse != [0, 2, 3][Int(screen.mouse.rawValue)] {
      return "the reports of the mouse are \(mouse), not \(screen.mouse)"
    }
    if let shape = shown.shape, let cursor = screen.cursor,
      shape != max(1, Int(cursor.shape.rawValue))
    {
      return "the shape of the cursor is \(shape), not \(cursor.shape)"
    }
    if let title = shown.title, let wanted = screen.title,
      title != SafeText.line(wanted, bytesMax: 200)
    {
      return "the title is \(title), not \(wanted)"
    }
    return nil
  }

  /// Returns the bytes that erase the characters on whose cells terminals disagree, so that all
  /// others can be told in the text of a row.
  private func erasing(_ moment: Moment) -> [UInt8] {
    guard case .screen(let screen) = moment.wanted else { return [] }
    let canvas = screen.canvas(fitting: moment.size)
    var text = ""
    for row in 0..<canvas.size.rows {
      for column in 0..<canvas.size.columns where canvas[row: row, column: column].isDisputed {
        let cells = canvas[row: row, column: column].cells
        text += "\u{1B}[\(row + 1);\(column + 1)H\u{1B}[\(cells)X"
      }
    }
    return text.isEmpty ? [] : Array("\u{1B}7\(text)\u{1B}8".utf8)
  }
}
