import Foundation
import RetraceFixtures
import RetraceScreen
import RetraceTesting
import Testing
import ToolTestSupport

@testable import TerminalUI

/// What a session sends beside the cells to terminals that answer, and how it takes it back.
@Suite struct TerminalPeerTests {
  @Test(arguments: TerminalPeer.all)
  func `a session sends what a terminal offers, and the same cells`(peer: TerminalPeer) async throws
  {
    let seed = withSeed { $0.next() }
    let numbers = 0..<repetitions(17, few: 2)
    let recorded = try await TerminalPlay.record(numbers, seed: seed, for: peer)
    let plain = try await TerminalPlay.record(numbers, seed: seed, for: nil)
    for (number, (parts, others)) in zip(numbers, zip(recorded, plain)) {
      let play = TerminalPlay(number: number, seed: seed)
      let texts = parts.map { String(decoding: $0.bytes, as: UTF8.self) }
      #expect(texts[2] == peer.modes)
      let copied = "\u{1B}]52;c;Y29waWVk\u{1B}\\"
      #expect(texts[texts.count - 2] == copied)
      // A background that is told changes colors if none was known.
      let isSame = play.palette?.background != .unknown
      for (text, other) in zip(texts, others) where text != copied && isSame {
        // What is switched on because of the answers changes nothing else.
        #expect(peer.removingModes(from: text).utf8.elementsEqual(other.bytes))
      }
      expectFrames(texts, of: play, on: peer)
      expectModes(texts, of: play, on: peer)
      expectFields(parts, of: play, on: peer)
    }
  }

  /// Each frame after the answers is between marks if the terminal has them, and no other text is.
  private func expectFrames(_ texts: [String], of play: TerminalPlay, on peer: TerminalPeer) {
    let (start, end) = ("\u{1B}[?2026h", "\u{1B}[?2026l")
    for (index, text) in texts.enumerated() where text.contains("\u{1B}[") {
      let isFrame = index > 2 && !text.contains("\u{1B}[?1049l")
      let frames = text.ranges(of: start).count
      #expect(frames == (isFrame && peer.isSynchronized ? 1 : 0), "part \(index)")
      guard frames == 1, let place = text.range(of: start) else { continue }
      #expect(text.hasSuffix(end))
      // Only what is switched on after a stop comes before.
      #expect(place.lowerBound == text.startIndex || text.hasPrefix("\u{1B}[?1049h"))
    }
  }

  /// The modes are on while the program runs, and off in a shell.
  private func expectModes(_ texts: [String], of play: TerminalPlay, on peer: TerminalPeer) {
    var tracker = ModeTracker()
    for (index, text) in texts.enumerated() {
      for byte in text.utf8 { tracker.feed(byte) }
      guard index > 1, index < texts.count - 1, !text.contains("$ fg") else {
        if index != 1 { #expect(tracker == ModeTracker(), "part \(index)") }
        continue
      }
      #expect(tracker.isAlternate)
      #expect(tracker.keyboard[1] == (peer.modes.contains(">5u") ? [0, 5] : [0]))
      for mode in [2031, 2048] {
        #expect(tracker.privateModes.contains(mode) == peer.modes.contains("?\(mode)h"))
      }
      #expect(!tracker.privateModes.contains(2026))
    }
  }

  /// The title, the progress, the reports and the links are those of each screen.
  private func expectFields(_ parts: [RecordedPart], of play: TerminalPlay, on peer: TerminalPeer) {
    var screens = play.steps.compactMap { step -> Screen? in
      if case .show(let screen) = step { screen } else { nil }
    }[...]
    var terminal = TerminalModel(columns: 80, rows: 24)
    terminal.write("\u{1B}[?7h")
    for (index, part) in parts.enumerated() where index > 0 {
      let text = peer.removingModes(from: String(decoding: part.bytes, as: UTF8.self))
      if terminal.columns != part.columns || terminal.rows != part.rows {
        terminal.resize(columns: part.columns, rows: part.rows)
      }
      // The model knows no questions, no clipboard and no lines of a shell.
      guard index != parts.count - 2 else { continue }
      terminal.write(
        [TerminalQueries(term: "xterm").request, "$ fg\r\n"].reduce(text) {
          $0.replacing($1, with: "")
        })
      guard index != 2, index < parts.count - 2, !text.contains("$ fg") else { continue }
      guard let screen = screens.popFirst() else { return }
      expect(terminal, shows: screen, part.size)
    }
    #expect(screens.isEmpty && terminal.complaints == [])
    #expect(terminal.title == "" && terminal.progress == "0;0" && terminal.modes == ["?7"])
  }

  private func expect(_ terminal: TerminalModel, shows screen: Screen, _ size: Screen.Size) {
    #expect(terminal.title == SafeText.line(screen.title ?? "", bytesMax: 200))
    let progress =
      switch screen.progress {
      case nil: "0;0"
      case .busy: "3;0"
      case .percent(let percent): "1;\(min(percent, 100))"
      case .failed(let percent): "2;\(min(percent, 100))"
      case .paused(let percent): "4;\(min(percent, 100))"
      }
    #expect(terminal.progress == progress || terminal.progress == "" && screen.progress == nil)
    let reports: Set<String> =
      switch screen.mouse {
      case .off: []
      case .buttons: ["?1002", "?1006"]
      case .motion: ["?1003", "?1006"]
      }
    let focus: Set<String> = screen.reportsFocus ? ["?1004"] : []
    #expect(terminal.modes == reports.union(focus).union(["?1049", "?2004"]))
    let canvas = screen.canvas(fitting: size)
    for row in 0..<size.rows {
      var isDisputed = false
      for column in 0..<size.columns {
        let cell = canvas[row: row, column: column]
        if !cell.isContinued { isDisputed = cell.isDisputed }
        let link = canvas.target(of: cell.style.link) ?? ""
        if !isDisputed, terminal.cells[row][column].link != link {
          Issue.record("row \(row), column \(column) leads to \(terminal.cells[row][column].link)")
          return
        }
      }
    }
  }
}

extension TerminalPeer {
  /// Returns a text without what is switched on and off because of the answers.
  fileprivate func removingModes(from text: String) -> String {
    let modes = [2026, 2031, 2048].flatMap { ["\u{1B}[?\($0)h", "\u{1B}[?\($0)l"] }
    return (modes + ["\u{1B}[>5u", "\u{1B}[<u"]).reduce(text) { $0.replacing($1, with: "") }
  }
}
