import RetraceTesting

extension SeededGenerator {
  mutating func bytes(upTo count: Int = 64) -> [UInt8] {
    (0..<Int.random(in: 0...count, using: &self)).map { _ in UInt8.random(in: 0...255, using: &self)
    }
  }

  mutating func bytesAsText() -> String { String(decoding: bytes(), as: UTF8.self) }

  /// Scalars of all planes, those that matter to terminals more often.
  mutating func scalars(upTo count: Int = 40) -> String {
    var text = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0...count, using: &self) {
      let range: ClosedRange<UInt32> =
        switch UInt32.random(in: 0..<8, using: &self) {
        case 0: 0x00...0x1F
        case 1: 0x7F...0xA0
        case 2: 0x2000...0x206F
        case 3: 0xE0000...0xE0FFF
        case 4: 0x300...0x36F
        case 5: 0x1F300...0x1F9FF
        case 6: 0x20...0x7E
        default: 0x00...0x10FFFF
        }
      if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &self)) { text.append(scalar) }
    }
    return String(text)
  }
}

extension SeededGenerator {
  /// A line of text as data may have it: letters of many scripts, characters of two cells, marks,
  /// pictures of several scalars, invisible and control characters, and any scalar.
  mutating func terminalText() -> String {
    let pieces = [
      "a", "word", "Two words", " ", "  ", "1,234", "é", "e\u{301}", "Ω", "Жук", "日本語", "한글", "ｶﾅ",
      "Ａ",
      "·", "…", "→", "±", "①", "█", "│", "\u{AD}", "soft\u{AD}hyphen", "\u{A0}", "\u{2009}",
      "👍🏽", "👩‍👩‍👧", "❤\u{FE0F}", "❤\u{FE0E}", "1\u{FE0F}\u{20E3}", "🇩🇪", "🇩", "🏳\u{FE0F}\u{200D}🌈", "🙂",
      "\u{1FAE9}", "क्षि", "நி", "ไทย", "שלום", "مرحبا", "ﷺ", "\u{202E}abc\u{202C}",
      "\u{2066}x\u{2069}",
      "\u{200B}", "\u{200D}", "\u{FEFF}", "\u{301}",
      "e\u{301}\u{302}\u{303}\u{304}\u{305}\u{306}\u{307}",
      "\u{1B}[31m", "\u{1B}]0;x\u{7}", "\u{9B}2J", "\n", "\r", "\t", "\u{0}", "\u{7F}", "\u{2028}",
      "\u{E000}", "\u{378}", "\u{10FFFF}", "\u{1100}\u{1161}", "日\u{301}",
    ]
    var text = ""
    for _ in 0..<Int.random(in: 0...6, using: &self) {
      if Int.random(in: 0..<6, using: &self) == 0 {
        text += scalars(upTo: 3)
      } else {
        text += pieces.randomElement(using: &self) ?? ""
      }
    }
    return text
  }
}
