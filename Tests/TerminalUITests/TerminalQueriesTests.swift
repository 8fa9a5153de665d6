import RetraceAvro
import RetraceScreen
import Testing

@testable import TerminalUI

/// What a terminal is asked, and what its answers settle.
@Suite struct TerminalQueriesTests {
  private func queries(_ answers: String...) -> TerminalQueries {
    var queries = TerminalQueries(term: "xterm-256color")
    var decoder = InputDecoder()
    for answer in answers {
      for case .report(let report) in decoder.feed(Array(answer.utf8).span) { queries.take(report) }
    }
    return queries
  }

  @Test(arguments: [nil, "", "dumb", "linux"] as [String?])
  func `terminals that cannot answer are asked nothing`(term: String?) {
    let queries = TerminalQueries(term: term)
    #expect(queries.request.isEmpty && queries.isSettled)
    #expect(queries.features == TerminalFeatures())
    #expect(TerminalQueries(term: "xterm", program: "Apple_Terminal").request.isEmpty)
  }

  @Test func `the last question is one that every terminal answers`() {
    let queries = queries()
    #expect(queries.request.hasSuffix("\u{1B}[c"))
    #expect(queries.request.contains("\u{1B}[?2026$p") && queries.request.contains("\u{1B}[?u"))
    #expect(!queries.isSettled)
  }

  @Test func `the answers of a modern terminal settle its features`() {
    let queries = queries(
      "\u{1B}[?2026;2$y\u{1B}[?2027;2$y\u{1B}[?2031;2$y\u{1B}[?2048;2$y\u{1B}[?0u\u{1B}[?997;2n",
      "\u{1B}]10;rgb:0000/0000/0000\u{1B}\\\u{1B}]11;rgb:ffff/ffff/eeee\u{1B}\\\u{1B}[?62;52c")
    var expected = TerminalFeatures()
    expected.hasAnswered = true
    expected.hasSynchronizedOutput = true
    expected.hasGraphemeClusters = true
    expected.hasColorSchemeReports = true
    expected.hasSizeReports = true
    expected.hasKittyKeys = true
    expected.hasClipboard = true
    expected.colorScheme = .light
    (expected.foreground, expected.background) = (0, 0xFFFFEE)
    #expect(queries.isSettled && queries.features == expected)
  }

  @Test func `an old terminal answers the last question only`() {
    var expected = TerminalFeatures()
    expected.hasAnswered = true
    #expect(queries("\u{1B}[?1;2c").features == expected)
    #expect(queries("\u{1B}[?2026;0$y\u{1B}[?2048;4$y\u{1B}[?1;2c").features == expected)
  }

  @Test(
    arguments: [(0x1E1E1E, ColorScheme.dark), (0xFDF6E3, .light), (0x002B36, .dark)]
      as [(Int32, ColorScheme)])
  func `the background tells the color scheme of a terminal without one`(
    background: Int32, scheme: ColorScheme
  ) {
    var queries = TerminalQueries(term: "xterm")
    queries.take(.background(background))
    queries.stop()
    #expect(queries.features.colorScheme == scheme)
    #expect(!queries.features.hasAnswered)
  }

  @Test func `late and unasked answers change nothing, except for a changed color scheme`() {
    var late = queries("\u{1B}[?2031;1$y\u{1B}[?997;1n\u{1B}[?62c")
    let settled = late.features
    for report: TerminalReport in [
      .keyboardFlags(1), .mode(2026, isKnown: true), .background(0), .deviceAttributes([52]),
      .colorScheme(.dark),
    ] {
      #expect(late.take(report) == false)
    }
    #expect(late.features == settled)
    #expect(late.take(.colorScheme(.light)) == true)
    #expect(late.features.colorScheme == .light)
    var without = queries("\u{1B}[?62c")
    #expect(without.take(.colorScheme(.light)) == false)
    var unasked = TerminalQueries(term: "dumb")
    #expect(unasked.take(.deviceAttributes([52])) == false)
  }

  @Test func `features can be recorded`() throws {
    let features = queries("\u{1B}[?2026;2$y\u{1B}[?997;2n\u{1B}]11;rgb:1/2/3\u{7}\u{1B}[?c")
      .features
    var writer = AvroWriter()
    features.encode(into: &writer)
    var reader = AvroReader(writer.bytes.span)
    #expect(try TerminalFeatures(decoding: &reader) == features)
  }

  // MARK: Modes

  @Test func `features switch modes on, before the frame`() {
    let features = queries("\u{1B}[?2048;2$y\u{1B}[?0u\u{1B}[?62c").features
    let modes = TerminalModes.fullScreen().with(features)
    #expect(modes.modes.suffix(3) == [.keyboard(flags: 5), .sizeReports, .frame])
    #expect(modes.change(from: .fullScreen()) == "\u{1B}[>5u\u{1B}[?2048h")
    #expect(modes.with(features) == modes)
    #expect(TerminalModes([]).with(features).epilogue == "\u{1B}[?2048l\u{1B}[<u")
    #expect(TerminalModes.fullScreen().with(TerminalFeatures()) == .fullScreen())
  }
}
