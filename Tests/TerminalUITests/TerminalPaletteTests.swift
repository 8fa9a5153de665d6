import RetraceScreen
import Testing

@testable import TerminalUI

/// Colors that people can read on their terminals.
@Suite struct TerminalPaletteTests {
  /// Colors of all kinds, the darkest and the lightest among them.
  private static let colors: [Int32] = [
    0x0b83d9, 0x9e5bd9, 0xd94182, 0xe36a00, 0xc7af14, 0x2da608, 0x566614, 0x525266, 0x000000,
    0xffffff, 0x0000ff, 0xffff00, 0x7f7f7f,
  ]

  private func contrast(_ one: Double, _ other: Double) -> Double {
    (max(one, other) + 0.05) / (min(one, other) + 0.05)
  }

  @Test(arguments: colors)
  func `letters contrast with their background`(color: Int32) {
    func luminance(_ background: TerminalPalette.Background) -> Double {
      TerminalPalette(.direct, on: background).legible(RGB(color)).luminance
    }
    #expect(contrast(luminance(.dark), 0) >= 5)
    #expect(contrast(luminance(.light), 1) >= 5)
    #expect(contrast(luminance(.unknown), 0) >= 4.3)
    #expect(contrast(luminance(.unknown), 1) >= 4.3)
  }

  @Test func `a color that contrasts stays as it is`() {
    let palette = TerminalPalette(.direct, on: .dark)
    #expect(palette.letters(0xc7af14) == "38;2;199;175;20")
    // Bits beyond the three bytes mean nothing.
    #expect(palette.letters(Int32(bitPattern: 0xffc7_af14)) == "38;2;199;175;20")
  }

  @Test func `the environment tells the colors of the terminal`() {
    func palette(_ term: String?, _ colorTerm: String? = nil, _ colors: String? = nil)
      -> TerminalPalette
    {
      TerminalPalette(term: term, colorTerm: colorTerm, background: nil, colors: colors)
    }
    #expect(palette("xterm").depth == .basic)
    #expect(palette("xterm-256color").depth == .indexed)
    #expect(palette("xterm", "truecolor").depth == .direct)
    #expect(palette("xterm-direct").depth == .direct)
    #expect(palette(nil).background == .unknown)
    #expect(palette("xterm", nil, "15;0").background == .dark)
    #expect(palette("xterm", nil, "0;default;15").background == .light)
    #expect(palette("xterm", nil, "x").background == .unknown)
    let chosen = TerminalPalette(term: "xterm", colorTerm: nil, background: .light, colors: "15;0")
    #expect(chosen.background == .light)
  }

  @Test func `settings come before the variables, and no color wins over a theme`() {
    func palette(
      _ color: String?, _ theme: String?, isTerminal: Bool = true,
      _ variables: [String: String] = ["TERM": "xterm-256color", "COLORFGBG": "15;0"]
    ) -> TerminalPalette? {
      TerminalPalette(color: color, theme: theme, isTerminal: isTerminal) { variables[$0] }
    }
    #expect(palette(nil, nil) == TerminalPalette(.indexed, on: .dark))
    #expect(palette("auto", "light") == TerminalPalette(.indexed, on: .light))
    #expect(palette(nil, "dark", ["TERM": "xterm", "COLORTERM": "truecolor"])?.depth == .direct)
    #expect(palette("never", "light") == nil && palette(nil, nil, isTerminal: false) == nil)
    #expect(palette("always", nil, isTerminal: false) != nil)
    #expect(palette(nil, "dark", ["TERM": "xterm", "NO_COLOR": "1"]) == nil)
    #expect(palette(nil, nil, [:]) == nil && palette("always", nil, [:])?.depth == .basic)
  }

  @Test func `terminals with fewer colors get the nearest`() {
    let indexed = TerminalPalette(.indexed, on: .dark)
    #expect(indexed.letters(0xffff00) == "38;5;226")
    #expect(indexed.letters(0xd7af87) == "38;5;180")
    #expect(indexed.letters(0xa8a8a8) == "38;5;248")
    let basic = TerminalPalette(.basic, on: .unknown)
    #expect(basic.letters(0xd92b2b) == "31")
    #expect(basic.letters(0x2da608) == "32")
    #expect(basic.letters(0xc7af14) == "33")
    #expect(basic.letters(0x0b0bd9) == "34")
    #expect(basic.letters(0x990099) == "35")
    #expect(basic.letters(0x525266) == "")
  }
}
