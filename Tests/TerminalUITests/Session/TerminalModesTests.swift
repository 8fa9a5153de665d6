import TerminalUI
import Testing

@Suite struct TerminalModesTests {
  @Test func `The epilogue switches off in the reverse order what the prologue switched on`() {
    let modes = TerminalModes([.alternateScreen, .keyboard(flags: 1), .dec(1004)])
    #expect(modes.prologue == "\u{1B}[?1049h\u{1B}[>1u\u{1B}[?1004h")
    #expect(modes.epilogue == "\u{1B}[?1004l\u{1B}[<u\u{1B}[?1049l")
  }

  @Test func `A change writes only the modes that differ`() {
    let before = TerminalModes([.alternateScreen, .dec(1002), .dec(1006), .frame])
    let after = TerminalModes([.alternateScreen, .bracketedPaste, .dec(1006), .frame])
    #expect(after.change(from: before) == "\u{1B}[?1002l\u{1B}[?2004h")
    #expect(after.change(from: after) == "")
    #expect(
      after.union(before)
        == TerminalModes([
          .alternateScreen, .bracketedPaste, .dec(1006), .frame, .dec(1002),
        ]))
  }

  @Test func `The end of full-screen use shows the cursor and ends what a cut frame began`() {
    let modes = TerminalModes.fullScreen()
    #expect(modes.prologue == "\u{1B}[?1049h\u{1B}[?7l\u{1B}[?2004h")
    #expect(
      modes.epilogue
        == "\u{1B}\\\u{1B}[0m\u{1B}[?25h\u{1B}[?2004l\u{1B}[?7h\u{1B}[?1049l")
  }
}
