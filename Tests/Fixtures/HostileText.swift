package import RetraceRandom

/// Texts that could move the cursor, forge a line, reorder a row, or be wider than they look.
package enum HostileText {
  /// Texts of at most 80 bytes, which fit into a name.
  ///
  /// Their letters are of scripts whose cells `TerminalModel` knows.
  package static let short = [
    "clear \u{1B}[2J\u{1B}[H", "\u{1B}]52;c;aGk=\u{7}clipboard", "\u{1B}]0;title\u{1B}\\",
    "\u{1B}[?1049l\u{1B}[?25h", "\u{1B}Pq#0\u{1B}\\", "\u{1B}c reset", "\u{1B}[999;999H*",
    "C1 \u{9B}31m\u{9C} \u{9D}0;t\u{9C}", "bidi \u{202E}gnp.exe\u{2066} \u{200B}end\u{2069}",
    "שלום עולם", "مرحبا بالعالم", "line\nfeed", "tab\tbed", "return\rover", "back\u{8}\u{8}",
    "nul\u{0}", "del\u{7F}", "bell\u{7}", "👩‍👩‍👧‍👦 family", "👍🏽👍🏿", "🇩🇪🇫🇷🇩", "🏳\u{FE0F}\u{200D}🌈",
    "e\u{301}\u{301}\u{302}\u{303}\u{304}\u{305}\u{306}", "日本語の授業", "한국어",
    "\u{FEFF}\u{E0041}\u{E0042}", "\u{2028}\u{2029}\u{85}", "\u{301}mark first", "\u{200D}",
    "a;b|c\"d'e\\f`g$(h)",
  ]

  /// Returns a text of up to 100 kB.
  package static func long(_ random: inout SeededGenerator, bytesMax: Int = 100_000) -> String {
    let piece = short.randomElement(using: &random) ?? "a"
    let count = bytesMax / max(1, piece.utf8.count)
    return String(repeating: piece, count: count)
  }

  /// Returns a short text, or one of two.
  package static func text(_ random: inout SeededGenerator) -> String {
    let first = short.randomElement(using: &random) ?? "a"
    return Bool.random(using: &random)
      ? first : first + " " + (short.randomElement(using: &random) ?? "b")
  }
}
