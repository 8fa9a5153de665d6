import RetraceScreen
import RetraceArchitecture
import RetraceTesting
import Testing

@testable import TerminalUI

@Suite struct KeyDecoderTests {
  private func keys(_ text: String, timeout: Bool = false) -> [Key] {
    var decoder = KeyDecoder()
    let keys = decoder.feed(Array(text.utf8).span)
    return keys + (timeout ? decoder.timeout() : [])
  }

  @Test(
    "Bytes of a terminal are keys",
    arguments: [
      ("a", [Key.text("a")]),
      ("é日🙂", [.text("é"), .text("日"), .text("🙂")]),
      ("e\u{301}👩‍👩‍👧🇩🇪x", [.text("e\u{301}"), .text("👩‍👩‍👧"), .text("🇩🇪"), .text("x")]),
      ("\r", [.enter]), ("\n", [.enter]), ("\t", [.tab]), ("\u{7F}", [.backspace]),
      ("\u{8}", [.backspace]), ("\u{3}", [.ctrl("c")]), ("\u{18}", [.ctrl("x")]),
      ("\u{1B}[A\u{1B}[B\u{1B}[C\u{1B}[D", [.up, .down, .right, .left]),
      ("\u{1B}OA\u{1B}OB\u{1B}OC\u{1B}OD", [.up, .down, .right, .left]),
      ("\u{1B}[H\u{1B}[F\u{1B}OH\u{1B}OF", [.home, .end, .home, .end]),
      ("\u{1B}[1~\u{1B}[4~\u{1B}[7~\u{1B}[8~", [.home, .end, .home, .end]),
      ("\u{1B}[3~\u{1B}[5~\u{1B}[6~\u{1B}[Z", [.delete, .pageUp, .pageDown, .backtab]),
      ("\u{1B}[1;5C\u{1B}[3;2~", [.right, .delete]),
      ("\u{1B}\u{1B}[A", [.escape, .up]),
      ("a\u{1B}[Ab", [.text("a"), .up, .text("b")]),
      ("\u{1B}OM", [.enter]),
    ])
  func decodes(bytes: String, expected: [Key]) {
    #expect(keys(bytes) == expected)
  }

  @Test(
    "What is no key is ignored, and what follows is not",
    arguments: [
      "\u{1B}[?62;1c", "\u{1B}[12;40R", "\u{1B}[24~", "\u{1B}[[A", "\u{1B}[I", "\u{1B}OP",
      "\u{1B}b",
      "\u{1B}]11;rgb:0/0/0\u{7}", "\u{1B}]52;c;x\u{1B}\\", "\u{1B}P1$r0m\u{1B}\\", "\u{0}",
      "\u{1C}",
      "\u{85}", "\u{1B}[999999999999999999999999999;1A", "\u{1B}[201~", "\u{1B}é",
    ])
  func ignores(bytes: String) {
    #expect(keys(bytes + "z") == [.text("z")])
  }

  @Test("A lone ESC is a key only after the timeout")
  func loneEscape() {
    var decoder = KeyDecoder()
    #expect(decoder.feed([0x1B].span).isEmpty)
    #expect(decoder.isPending)
    #expect(decoder.timeout() == [.escape])
    #expect(!decoder.isPending)
    #expect(decoder.timeout().isEmpty)
    #expect(decoder.feed([0x5B, 0x41].span) == [.text("["), .text("A")])
  }

  @Test("A sequence that never ends is dropped by the timeout")
  func unfinished() {
    for start in ["\u{1B}[1;", "\u{1B}O", "\u{1B}]0;title", "\u{1B}[["] {
      var decoder = KeyDecoder()
      #expect(decoder.feed(Array(start.utf8).span).isEmpty)
      #expect(decoder.isPending)
      #expect(decoder.timeout().isEmpty)
      #expect(decoder.feed([0x61].span) == [.text("a")])
    }
  }

  @Test("Reads may split the bytes anywhere")
  func splits() {
    let bytes = Array(
      "aé日🙂\u{1B}[A\u{1B}[1;5D\u{1B}OH\u{1B}[3~\r\u{1B}[200~x\u{1B}yé\u{1B}[201~b".utf8)
    let whole: [Key] = [
      .text("a"), .text("é"), .text("日"), .text("🙂"), .up, .left, .home, .delete, .enter,
      .text("xyé"), .text("b"),
    ]
    for first in 0...bytes.count {
      for second in first...bytes.count {
        var decoder = KeyDecoder()
        var keys = decoder.feed(Array(bytes[..<first]).span)
        keys += decoder.feed(Array(bytes[first..<second]).span)
        keys += decoder.feed(Array(bytes[second...]).span)
        #expect(keys == whole, "split at \(first) and \(second)")
      }
    }
  }

  @Test("A paste is text: line ends and tabs are blanks, controls are dropped")
  func paste() {
    #expect(
      keys("\u{1B}[200~one\rtwo\tthree\u{3}\u{1B}[A\u{1B}[201~\r") == [
        .text("one two three[A"), .enter,
      ])
    #expect(keys("\u{1B}[200~\u{1B}[201\u{1B}[201~a") == [.text("[201"), .text("a")])
    #expect(keys("\u{1B}[200~\u{1B}[201~") == [])
  }

  @Test("A long paste comes in pieces of whole graphemes and loses nothing")
  func longPaste() {
    let text = String(repeating: "e\u{301}🇩🇪x", count: 5000)
    let keys = keys("\u{1B}[200~" + text + "\u{1B}[201~")
    let pieces = keys.compactMap { key in if case .text(let piece) = key { piece } else { nil } }
    #expect(pieces.count == keys.count)
    #expect(pieces.count > 2)
    #expect(pieces.joined() == text)
    #expect(pieces.reduce(0) { $0 + $1.count } == text.count)
  }

  @Test("A paste that stalls is handed on and goes on")
  func stalledPaste() {
    var decoder = KeyDecoder()
    #expect(decoder.feed(Array("\u{1B}[200~ab\u{1B}[2".utf8).span).isEmpty)
    #expect(decoder.timeout() == [.text("ab")])
    #expect(!decoder.isPending)
    #expect(decoder.feed(Array("01~c".utf8).span) == [.text("c")])
  }

  @Test("Bytes that are not UTF-8 are dropped")
  func invalid() {
    var decoder = KeyDecoder()
    let bytes: [UInt8] = [
      0xFF, 0x80, 0xC0, 0xAF, 0xE0, 0x80, 0x80, 0xED, 0xA0, 0x80, 0xF4, 0x90, 0x80, 0x80, 0xF5,
      0xC3,
      0x61, 0xE2, 0x82, 0x62, 0xC2, 0x9B,
    ]
    #expect(decoder.feed(bytes.span) == [.text("a"), .text("b")])
  }

  @Test("Random bytes never trap, and their keys hold no control characters")
  func randomBytes() {
    withSeed { random in
      let starts: [[UInt8]] = [
        [0x1B], [0x1B, 0x5B], [0x1B, 0x4F], [0x1B, 0x5D], Array("\u{1B}[200~".utf8),
        Array("\u{1B}[201~".utf8), [0xF0, 0x9F], [0x3B], [0x31],
      ]
      var decoder = KeyDecoder()
      for _ in 0..<20_000 {
        var bytes = random.bytes(upTo: 24)
        for _ in 0..<Int.random(in: 0...3, using: &random) {
          let start = starts[Int.random(in: 0..<starts.count, using: &random)]
          bytes.insert(contentsOf: start, at: Int.random(in: 0...bytes.count, using: &random))
        }
        var keys = decoder.feed(bytes.span)
        if Int.random(in: 0..<4, using: &random) == 0 { keys += decoder.timeout() }
        for key in keys {
          #expect(Key(name: key.name) == key)
          guard case .text(let text) = key else { continue }
          #expect(!text.isEmpty)
          #expect(!text.unicodeScalars.contains { $0.properties.generalCategory == .control })
        }
      }
    }
  }
}
