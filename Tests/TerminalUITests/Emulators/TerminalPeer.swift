import Testing

/// A real terminal: its answers to the questions of a session, and what the session then sends.
///
/// From the documentation and the sources of the terminals, as of 2026.
struct TerminalPeer: Sendable, Codable, CustomTestStringConvertible {
  var name: String
  /// The answers, in the order of the questions: modes 2026, 2027, 2031 and 2048, the flags of the
  /// kitty keyboard protocol, the color scheme, the colors of letters and background, and the
  /// primary device attributes.
  var answers: String
  /// What is switched on because of the answers.
  var modes: String
  /// Whether frames are between the marks of mode 2026.
  var isSynchronized: Bool
  /// Whether the terminal reports its size in the input.
  var reportsSize: Bool

  var testDescription: String { name }

  /// Makes a terminal of its answers.
  ///
  /// - Parameters:
  ///   - modes: What a terminal answers for the modes 2026, 2027, 2031 and 2048, by the numbers of
  ///     DECRPM; `nil` for no answer.
  ///   - other: The other answers before the attributes.
  ///   - attributes: The primary device attributes.
  ///   - sent: What is switched on.
  private init(
    _ name: String, modes: [Int?], _ other: [String], _ attributes: String, sent: [String]
  ) {
    self.name = name
    let numbers = [2026, 2027, 2031, 2048]
    let reports = zip(numbers, modes).compactMap { number, state in
      state.map { "\u{1B}[?\(number);\($0)$y" }
    }
    answers = (reports + other + ["\u{1B}[?\(attributes)c"]).joined()
    self.modes = sent.joined()
    isSynchronized = modes[0] == 2
    reportsSize = modes[3] == 2
  }

  private static let keys = "\u{1B}[>5u"
  private static let size = "\u{1B}[?2048h"
  private static let scheme = "\u{1B}[?2031h"
  private static let noFlags = "\u{1B}[?0u"
  private static let isDark = "\u{1B}[?997;1n"
  private static let colors =
    "\u{1B}]10;rgb:dddd/dddd/dddd\u{1B}\\\u{1B}]11;rgb:1e1e/1e1e/2e2e\u{1B}\\"

  static let all = [
    TerminalPeer(
      "kitty", modes: [2, 0, 2, 2], [noFlags, isDark, colors], "62;52", sent: [keys, size, scheme]),
    TerminalPeer(
      "foot", modes: [2, 2, 2, 2], [noFlags, isDark, colors], "62;4;22;28;29;52",
      sent: [keys, size, scheme]),
    TerminalPeer(
      "Ghostty", modes: [2, 1, 2, 2], [noFlags, isDark, colors], "62;22;52",
      sent: [keys, size, scheme]),
    TerminalPeer(
      "WezTerm", modes: [2, 0, 0, 0], [colors], "65;4;6;18;22;52", sent: []),
    TerminalPeer("Alacritty", modes: [2, 0, 0, 0], [noFlags, colors], "6", sent: [keys]),
    TerminalPeer(
      "VTE 0.82", modes: [2, 0, 2, 2], [isDark, colors], "61;1;21;22;28", sent: [size, scheme]),
    TerminalPeer(
      "xterm", modes: [0, 0, 0, 0], [colors], "64;1;2;6;9;15;16;17;18;21;22;28", sent: []),
    TerminalPeer(
      "Windows Terminal", modes: [2, 0, 0, 0], [colors], "61;4;6;7;14;21;22;23;24;28;32;42;52",
      sent: []),
    TerminalPeer("tmux 3.6", modes: [2, 0, 2, 0], [isDark, colors], "1;2;4", sent: [scheme]),
    // It does not know the questions about modes, and answers the last question only.
    TerminalPeer("libvterm", modes: [nil, nil, nil, nil], [], "1;2", sent: []),
  ]
}
