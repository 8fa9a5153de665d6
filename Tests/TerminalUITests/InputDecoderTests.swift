import RetraceScreen
import RetraceTesting
import Testing

@testable import TerminalUI

/// The bytes of terminals, decoded to what the user did and what the terminal reports.
@Suite struct InputDecoderTests {
  private func events(_ text: String, timeOut: Bool = false) -> [TerminalEvent] {
    var decoder = InputDecoder()
    let events = decoder.feed(Array(text.utf8).span)
    return InputDecoder.joined(events + (timeOut ? decoder.timeOut() : []))
  }

  /// The names of the keys of a text; an event that is no key is described.
  private func names(_ text: String, timeOut: Bool = false) -> [String] {
    events(text, timeOut: timeOut).map { event in
      if case .input(.key(let key)) = event { key.name } else { "\(event)" }
    }
  }

  @Test(arguments: [
    ("a", ["text:a"]), ("é日🙂", ["text:é", "text:日", "text:🙂"]),
    ("e\u{301}👩‍👩‍👧🇩🇪x", ["text:e\u{301}", "text:👩‍👩‍👧", "text:🇩🇪", "text:x"]),
    ("\r\n\t\u{7F}\u{8}", ["enter", "enter", "tab", "backspace", "backspace"]),
    ("\u{3}\u{18}\u{0}\u{1C}\u{1F}", ["ctrl-c", "ctrl-x", "ctrl-space", "ctrl-\\", "ctrl-_"]),
    ("\u{1B}[A\u{1B}[B\u{1B}[C\u{1B}[D", ["up", "down", "right", "left"]),
    ("\u{1B}OA\u{1B}OB\u{1B}OC\u{1B}OD", ["up", "down", "right", "left"]),
    ("\u{1B}[H\u{1B}[F\u{1B}OH\u{1B}OF", ["home", "end", "home", "end"]),
    ("\u{1B}[1~\u{1B}[4~\u{1B}[7~\u{1B}[8~", ["home", "end", "home", "end"]),
    ("\u{1B}[3~\u{1B}[5~\u{1B}[6~\u{1B}[Z", ["delete", "page-up", "page-down", "backtab"]),
    ("\u{1B}[1;5C\u{1B}[3;2~\u{1B}[1;6D", ["ctrl-right", "shift-delete", "ctrl-shift-left"]),
    ("\u{1B}[1;9A\u{1B}[1;129A\u{1B}O5D", ["super-up", "up", "ctrl-left"]),
    ("\u{1B}[1;5Z", ["ctrl-shift-tab"]), ("\u{1B}\u{1B}[A", ["escape", "up"]),
    ("a\u{1B}[Ab", ["text:a", "up", "text:b"]), ("\u{1B}OM", ["enter"]),
    ("\u{1B}b\u{1B}B\u{1B} \u{1B}é", ["alt-b", "alt-shift-b", "alt-space", "alt-é"]),
    (
      "\u{1B}É\u{1B}\r\u{1B}\u{7F}\u{1B}\u{1}",
      ["alt-shift-é", "alt-enter", "alt-backspace", "ctrl-alt-a"]
    ),
    (
      "\u{1B}[3$\u{1B}[3^\u{1B}[3@\u{1B}[a",
      ["shift-delete", "ctrl-delete", "ctrl-shift-delete", "shift-up"]
    ),
    ("\u{1B}[[A\u{1B}[[E\u{1B}[24~\u{1B}OP\u{1B}[P", ["f1", "f5", "f12", "f1", "f1"]),
  ])
  func `bytes of a terminal are keys`(bytes: String, expected: [String]) {
    #expect(names(bytes) == expected)
  }

  @Test(arguments: [
    ("\u{1B}[27u", ["escape"]), ("\u{1B}[99;5u", ["ctrl-c"]), ("\u{1B}[105;5u", ["ctrl-i"]),
    ("\u{1B}[13;2u\u{1B}[9;2u", ["shift-enter", "backtab"]),
    ("\u{1B}[127;5u\u{1B}[8;3u", ["ctrl-backspace", "alt-backspace"]),
    ("\u{1B}[97;7u\u{1B}[97;4u", ["ctrl-alt-a", "alt-shift-a"]),
    // Caps lock and num lock are no modifiers of a key; hyper and meta are of no key.
    ("\u{1B}[99;69u\u{1B}[99;197u\u{1B}[99;21u\u{1B}[99;37u", ["ctrl-c", "ctrl-c"]),
    // A key is repeated, and released.
    ("\u{1B}[99;5:2u\u{1B}[99;5:3u\u{1B}[1;1:3A", ["ctrl-c"]),
    // Shortcuts of a Cyrillic keyboard.
    ("\u{1B}[1089::99;5u\u{1B}[1089;5u", ["ctrl-c", "ctrl-с"]),
    ("\u{1B}[97u\u{1B}[97;2u\u{1B}[233u", ["text:a", "text:A", "text:é"]),
    ("\u{1B}[27;6;67~\u{1B}[27;5;9~", ["ctrl-shift-c", "ctrl-tab"]),
    ("\u{1B}[57376u\u{1B}[57383;5u\u{1B}[57398u", ["f13", "ctrl-f20", "f35"]),
    ("\u{1B}[57363u\u{1B}[57361u\u{1B}[57362u", ["menu", "print-screen", "pause"]),
    ("\u{1B}[57400u\u{1B}[57413u\u{1B}[57414u", ["text:1", "text:+", "enter"]),
    ("\u{1B}[57417;5u\u{1B}[57427~\u{1B}[E", ["ctrl-left", "begin", "begin"]),
    // Keys of no use here, control characters and numbers of no scalar.
    ("\u{1B}[57428u\u{1B}[57358u\u{1B}[1u\u{1B}[155u\u{1B}[55296u\u{1B}[1114112u\u{1B}[u", []),
  ])
  func `the kitty keyboard protocol gives keys with their modifiers`(
    bytes: String, expected: [String]
  ) {
    #expect(names(bytes) == expected)
  }

  @Test(arguments: [
    "\u{1B}[12;40R", "\u{1B}[22~", "\u{1B}[99~", "\u{1B}[200;200H", "\u{1B}[>1;2c",
    "\u{1B}]52;c;x\u{1B}\\", "\u{1B}]0;title\u{7}", "\u{1B}P1$r0m\u{1B}\\",
    "\u{1B}_Gi=1;OK\u{1B}\\",
    "\u{85}", "\u{1B}[999999999999999999999999999;1A", "\u{1B}[1;999999999999999999999999999A",
    "\u{1B}[201~", "\u{1B}[\(String(repeating: "1", count: 200))A", "\u{1B}[1 q", "\u{1B}[1;2:3A",
    "\u{1B}]\(String(repeating: "x", count: 100_000))\u{7}", "\u{1B}]11;?\u{1B}\\",
    "\u{1B}[<0;0;1M", "\u{1B}[<0;1M", "\u{1B}[<256;1;1M", "\u{1B}[<3;1;1M", "\u{1B}[<130;1;1M",
    "\u{1B}[M !!",
    "\u{1B}[48;0;0;0;0t", "\u{1B}[48;1t", "\u{1B}[?997;3n", "\u{1B}[?2026$y",
    "\u{1B}]11;rgb:0/0\u{7}",
    "\u{1B}]11;rgb:00000/0/0\u{7}", "\u{1B}]11;rgb:g/0/0\u{7}", "\u{1B}]12;rgb:0/0/0\u{7}",
  ])
  func `what is neither an input nor a report is dropped, and what follows is not`(bytes: String) {
    #expect(names(bytes + "z") == ["text:z"])
  }

  @Test func `a lone ESC is a key only after the wait`() {
    var decoder = InputDecoder()
    #expect(decoder.waitMilliseconds == nil)
    #expect(decoder.feed([0x1B].span).isEmpty)
    #expect(decoder.waitMilliseconds == InputDecoder.escapeMilliseconds)
    #expect(decoder.timeOut() == [.input(.key(.escape))])
    #expect(decoder.waitMilliseconds == nil)
    #expect(decoder.timeOut().isEmpty)
    #expect(
      decoder.feed([0x5B, 0x41].span) == [.input(.key(.text("["))), .input(.key(.text("A")))])
    // The kitty keyboard protocol leaves nothing to wait for.
    #expect(decoder.feed(Array("\u{1B}[27u".utf8).span) == [.input(.key(.escape))])
    #expect(decoder.waitMilliseconds == nil)
  }

  @Test(arguments: [
    ("\u{1B}[", "alt-["), ("\u{1B}O", "alt-shift-o"), ("\u{1B}]", "alt-]"),
    ("\u{1B}P", "alt-shift-p"), ("\u{1B}_", "alt-_"),
  ])
  func `a character that begins sequences is a key with alt after the wait`(
    bytes: String, expected: String
  ) {
    #expect(names(bytes) == [])
    #expect(names(bytes, timeOut: true) == [expected])
  }

  @Test func `a sequence that never ends is waited for longer, and then dropped`() {
    for start in ["\u{1B}[1;", "\u{1B}O5", "\u{1B}]0;title", "\u{1B}[[", "\u{1B}[M", "\u{E9}"] {
      var decoder = InputDecoder()
      let bytes = start == "\u{E9}" ? [0xC3] : Array(start.utf8)
      #expect(decoder.feed(bytes.span).isEmpty)
      #expect(decoder.waitMilliseconds == InputDecoder.sequenceMilliseconds)
      #expect(decoder.timeOut().isEmpty)
      #expect(decoder.feed([0x61].span) == [.input(.key(.text("a")))])
    }
    // A key ends a string without an end.
    #expect(names("\u{1B}]0;title\u{1B}[Ab") == ["up", "text:b"])
    #expect(names("\u{1B}]0;title\u{18}b") == ["text:b"])
  }

  @Test func `bytes that are not UTF-8 are dropped`() {
    var decoder = InputDecoder()
    let bytes: [UInt8] = [
      0xFF, 0x80, 0xC0, 0xAF, 0xE0, 0x80, 0x80, 0xED, 0xA0, 0x80, 0xF4, 0x90, 0x80, 0x80, 0xF5,
      0xC3, 0x61, 0xE2, 0x82, 0x62, 0xC2, 0x9B, 0x1B, 0xC3, 0x63, 0x1B, 0xFF, 0x64,
    ]
    let expected: [TerminalEvent] = ["a", "b", "c", "d"].map { .input(.key(.text($0))) }
    #expect(decoder.feed(bytes.span) == expected)
  }

  // MARK: Mouse, focus, size

  @Test(arguments: [
    ("\u{1B}[<0;1;1M", Mouse(.pressed(.left), row: 0, column: 0)),
    ("\u{1B}[<0;5;7m", Mouse(.released(.left), row: 6, column: 4)),
    ("\u{1B}[<1;5;7M", Mouse(.pressed(.middle), row: 6, column: 4)),
    ("\u{1B}[<34;5;7M", Mouse(.dragged(.right), row: 6, column: 4)),
    ("\u{1B}[<35;5;7M", Mouse(.moved, row: 6, column: 4)),
    ("\u{1B}[<64;5;7M", Mouse(.scrolled(.up), row: 6, column: 4)),
    ("\u{1B}[<65;5;7M", Mouse(.scrolled(.down), row: 6, column: 4)),
    ("\u{1B}[<66;5;7M", Mouse(.scrolled(.left), row: 6, column: 4)),
    ("\u{1B}[<67;5;7M", Mouse(.scrolled(.right), row: 6, column: 4)),
    ("\u{1B}[<128;5;7M", Mouse(.pressed(.back), row: 6, column: 4)),
    ("\u{1B}[<129;5;7m", Mouse(.released(.forward), row: 6, column: 4)),
    (
      "\u{1B}[<28;300;200M",
      Mouse(.pressed(.left), row: 199, column: 299, modifiers: [.shift, .alt, .ctrl])
    ),
    ("\u{1B}[<0;999999999999;999999M", Mouse(.pressed(.left), row: 9_999, column: 9_999)),
  ])
  func `the mouse is reported in cells from 0`(bytes: String, expected: Mouse) {
    #expect(events(bytes) == [.input(.mouse(expected))])
  }

  @Test func `focus and size come in order with the keys`() {
    #expect(
      events("a\u{1B}[I\u{1B}[48;24;80;480;800t\u{1B}[Ob\u{1B}[48:1;99999;7;0;0t") == [
        .input(.key(.text("a"))), .input(.focused),
        .input(.resized(Screen.Size(columns: 80, rows: 24))), .input(.unfocused),
        .input(.key(.text("b"))), .input(.resized(Screen.Size(columns: 7, rows: 10_000))),
      ])
  }

  // MARK: Reports

  @Test(arguments: [
    ("\u{1B}[?62;1;52c", TerminalReport.deviceAttributes([62, 1, 52])),
    ("\u{1B}[?c", .deviceAttributes([])), ("\u{1B}[?2026;1$y", .mode(2026, isKnown: true)),
    ("\u{1B}[?2026;2$y", .mode(2026, isKnown: true)),
    ("\u{1B}[?2027;3$y", .mode(2027, isKnown: true)),
    ("\u{1B}[?2026;0$y", .mode(2026, isKnown: false)),
    ("\u{1B}[?2026;4$y", .mode(2026, isKnown: false)),
    ("\u{1B}[?1u", .keyboardFlags(1)), ("\u{1B}[?997;1n", .colorScheme(.dark)),
    ("\u{1B}[?997;2n", .colorScheme(.light)),
    ("\u{1B}]11;rgb:ffff/8080/0000\u{1B}\\", .background(0xFF8000)),
    ("\u{1B}]10;rgb:f/8/0\u{7}", .foreground(0xFF8800)),
    ("\u{1B}]11;rgba:12/34/56/ff\u{7}", .background(0x123456)),
  ])
  func `the terminal's answers are reports and no keys`(bytes: String, expected: TerminalReport) {
    #expect(
      events("a" + bytes + "b") == [
        .input(.key(.text("a"))), .report(expected), .input(.key(.text("b"))),
      ])
  }

  @Test func `a long answer is bounded`() {
    let attributes = (0..<1000).map { ";\($0)" }.joined()
    #expect(events("\u{1B}[?62\(attributes)c") == [])
  }

  // MARK: Pastes

  @Test func `a paste is one key of its own, with its lines and without control characters`() {
    #expect(
      names("\u{1B}[200~one\r\ntwo\rthree\n\n\tfour\u{3}\u{1B}[A\u{85}\u{1B}[201~\r") == [
        "paste:one\\ntwo\\nthree\\n\\n\\tfour[A", "enter",
      ])
    #expect(names("\u{1B}[200~\u{1B}[201\u{1B}[201~a") == ["paste:[201", "text:a"])
    #expect(names("\u{1B}[200~\u{1B}\u{1B}[201~a") == ["paste:", "text:a"].suffix(1))
    #expect(names("\u{1B}[200~\u{1B}[201~") == [])
    #expect(names("\u{1B}[200~e\u{301}写\u{1B}[201~") == ["paste:e\u{301}写"])
  }

  @Test(arguments: [8_000, 1 << 20])
  func `a paste of any size is one key, however it is split`(count: Int) {
    let line = "one two 写🇩🇪e\u{301}\n"
    let text = String(String(repeating: line, count: count / 10).prefix(count))
    let bytes = Array(("\u{1B}[200~" + text + "\u{1B}[201~b").utf8)
    for step in [count == 8_000 ? 1 : 61, 4096, bytes.count] {
      var decoder = InputDecoder(pasteLimitBytes: 8 << 20)
      var events: [TerminalEvent] = []
      for start in stride(from: 0, to: bytes.count, by: step) {
        events += decoder.feed(Array(bytes[start..<min(start + step, bytes.count)]).span)
      }
      #expect(events == [.input(.key(.paste(text))), .input(.key(.text("b")))])
    }
  }

  @Test func `a paste above the limit is refused, and nothing of it is kept or typed`() {
    for text in ["12345", "1234é", "12345\u{1B}[201", "123456789012345678901234567890"] {
      var decoder = InputDecoder(pasteLimitBytes: 4)
      let events = decoder.feed(Array("\u{1B}[200~\(text)\u{1B}[201~a".utf8).span)
      #expect(events == [.input(.pasteRefused(limitBytes: 4)), .input(.key(.text("a")))])
    }
    var decoder = InputDecoder(pasteLimitBytes: 4)
    let events = decoder.feed(Array("\u{1B}[200~12é\u{1B}[201~".utf8).span)
    #expect(events == [.input(.key(.paste("12é")))])
  }

  @Test func `a paste that waits stays one key, and ctrl-c ends it if its end was lost`() {
    var decoder = InputDecoder()
    #expect(decoder.feed(Array("\u{1B}[200~a\u{3}b\u{1B}[2".utf8).span).isEmpty)
    #expect(decoder.waitMilliseconds == InputDecoder.sequenceMilliseconds)
    #expect(decoder.timeOut().isEmpty)
    #expect(decoder.waitMilliseconds == nil)
    #expect(
      decoder.feed(Array("01~c".utf8).span) == [
        .input(.key(.paste("ab"))), .input(.key(.text("c"))),
      ])
    #expect(decoder.feed(Array("\u{1B}[200~ab".utf8).span).isEmpty)
    #expect(decoder.timeOut().isEmpty)
    #expect(decoder.feed(Array("c\u{3}d".utf8).span).isEmpty)
    #expect(decoder.timeOut().isEmpty)
    #expect(
      decoder.feed([0x03, 0x65].span) == [
        .input(.key(.paste("abcd"))), .input(.key(.ctrl("c"))), .input(.key(.text("e"))),
      ])
  }

  // MARK: Any bytes

  /// Returns bytes of which many begin or belong to sequences.
  private func randomBytes(_ count: Int, using random: inout SeededGenerator) -> [UInt8] {
    let parts: [[UInt8]] = [
      "\u{1B}", "\u{1B}[", "\u{1B}O", "\u{1B}]", "\u{1B}P", "\u{1B}\\", "\u{7}", "\u{1B}[200~",
      "\u{1B}[201~", "\u{1B}[<", "\u{1B}[M", "\u{1B}[[", "\u{1B}[?", "$y", ";", ":", "1", "u", "~",
      "t", "48;", "27;5;", "11;rgb:", "/ff", "🙂", "e\u{301}", "\u{3}", "\r", "\u{18}",
    ].map { Array($0.utf8) }
    var bytes: [UInt8] = []
    while bytes.count < count {
      switch Int.random(in: 0..<4, using: &random) {
      case 0: bytes.append(UInt8.random(in: 0...255, using: &random))
      case 1: bytes.append(UInt8.random(in: 0x20..<0x7F, using: &random))
      default: bytes += parts.randomElement(using: &random) ?? []
      }
    }
    return bytes
  }

  @Test func `any bytes give the same events however they are split, and safe keys`() {
    withSeed { random in
      var total = 0
      while total < repetitions(10_000_000, few: 300_000) {
        let bytes = randomBytes(Int.random(in: 1...2_000, using: &random), using: &random)
        total += bytes.count
        var (whole, single, pieces) = (InputDecoder(), InputDecoder(), InputDecoder())
        let events = whole.feed(bytes.span)
        var others: [TerminalEvent] = []
        for byte in bytes { others += single.feed([byte].span) }
        #expect(others == events)
        others = []
        var start = 0
        while start < bytes.count {
          let end = Int.random(in: start...bytes.count, using: &random)
          others += pieces.feed(Array(bytes[start..<end]).span)
          start = end
        }
        #expect(others == events)
        #expect(whole.waitMilliseconds == single.waitMilliseconds)
        for event in events + whole.timeOut() { expectSafe(event) }
        // Whatever came, a few bytes lead back to plain keys.
        let last = whole.feed(Array("\u{1B}[201~\u{18}\u{18}\u{18}\u{18}z".utf8).span).last
        #expect(last == .input(.key(.text("z"))))
      }
    }
  }

  private func expectSafe(_ event: TerminalEvent) {
    switch event {
    case .input(.key(let key)):
      #expect(Key(name: key.name) == key)
      switch key.code {
      case .text(let text), .paste(let text):
        #expect(!text.isEmpty)
        #expect(
          !text.unicodeScalars.contains {
            $0.properties.generalCategory == .control && $0 != "\n" && $0 != "\t"
          })
      default: break
      }
    case .input(.mouse(let mouse)):
      #expect(0..<10_000 ~= mouse.row && 0..<10_000 ~= mouse.column)
    case .input(.resized(let size)):
      #expect(1...10_000 ~= size.rows && 1...10_000 ~= size.columns)
    case .input: break
    case .report(.deviceAttributes(let attributes)): #expect(attributes.count <= 64)
    case .report: break
    }
  }
}
