import RetraceScreen
import Testing

@testable import TerminalUI

/// The keys that terminfo knows of terminals.
@Suite struct TerminfoKeyTests {
  /// Returns the name of the key of a capability; `nil` for the beginning of a mouse report.
  private static func key(of capability: String, _ terminal: String) throws -> String? {
    let names = [
      "kbs": "backspace", "kcbt": "backtab", "kcbt2": "backtab", "kcub1": "left", "kcud1": "down",
      "kcuf1": "right", "kcuu1": "up", "kdch1": "delete", "kich1": "insert", "khome": "home",
      "kend": "end", "knp": "page-down", "kpp": "page-up", "kent": "enter", "kbeg": "begin",
      "kind": "shift-down", "kri": "shift-up", "kspd": "ctrl-z", "kp5": "begin",
      "kfnd": "home", "kslt": "end", "kel": "ctrl-end",
      // The keypad, whose keys send digits and signs in application mode.
      "ka1": "text:7", "ka2": "text:8", "ka3": "text:9", "kb1": "text:4", "kb3": "text:6",
      "kc1": "text:1", "kc2": "text:2", "kc3": "text:3", "kpADD": "text:+", "kpCMA": "text:,",
      "kpDIV": "text:/", "kpDOT": "text:.", "kpMUL": "text:*", "kpSUB": "text:-",
      "kpZRO": "text:0",
    ]
    if capability == "kmous" { return nil }
    if capability == "kb2" {
      return ["linux", "alacritty"].contains(terminal) ? "begin" : "text:5"
    }
    if let name = names[capability] { return name }
    let shifted = [
      "kBEG": "begin", "kDC": "delete", "kDN": "down", "kEND": "end", "kFND": "home",
      "kHOM": "home",
      "kIC": "insert", "kLFT": "left", "kNXT": "page-down", "kPRV": "page-up", "kRIT": "right",
      "kUP": "up",
    ]
    let letters = String(capability.prefix { !$0.isNumber })
    let number = Int(capability.dropFirst(letters.count))
    if letters == "kf", let number {
      // Two terminals count their keys; the others count on with each set of modifiers.
      if ["linux", "rxvt-unicode-256color"].contains(terminal) { return "f\(number)" }
      let sets = ["", "shift-", "ctrl-", "ctrl-shift-", "alt-", "alt-shift-"]
      return sets[(number - 1) / 12] + "f\((number - 1) % 12 + 1)"
    }
    let modifiers = [
      2: "shift-", 3: "alt-", 4: "alt-shift-", 5: "ctrl-", 6: "ctrl-shift-", 7: "ctrl-alt-",
    ]
    return try #require(modifiers[number ?? 2]) + #require(shifted[letters], "\(capability)")
  }

  private static func bytes(_ text: Substring) -> [UInt8] {
    var bytes: [UInt8] = []
    var isControl = false
    for byte in text.replacing("\\E", with: "\u{1B}").replacing("\\^", with: "\u{1}").utf8 {
      if isControl {
        bytes.append(byte ^ 0x40)
      } else if byte != UInt8(ascii: "^") {
        bytes.append(byte == 1 ? UInt8(ascii: "^") : byte)
      }
      isControl = !isControl && byte == UInt8(ascii: "^")
    }
    return bytes
  }

  @Test func `each key of a terminal is decoded, split at every position`() throws {
    var count = 0
    for line in terminfoKeys.split(separator: "\n") {
      let words = line.split(separator: " ")
      let sequence = Self.bytes(words[1])
      for terminal in words[2...] {
        let name = try Self.key(of: String(words[0]), String(terminal))
        guard let name else { continue }
        let expected: [TerminalEvent] = [.input(.key(try #require(Key(name: name), "\(name)")))]
        for first in 0...sequence.count {
          var decoder = InputDecoder()
          var events = decoder.feed(Array(sequence[..<first]).span)
          for byte in sequence[first...] { events += decoder.feed([byte].span) }
          #expect(events == expected, "\(line)")
          #expect(decoder.waitMilliseconds == nil)
        }
        var decoder = InputDecoder()
        #expect(decoder.feed((sequence + sequence).span) == expected + expected, "\(line)")
        count += 1
      }
    }
    #expect(count == 681)
  }
}
