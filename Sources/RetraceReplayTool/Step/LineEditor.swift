import Retrace
import RetraceSystem
import TerminalUI

/// Lines that are typed at a prompt on a terminal, with the keys that edit a line, and with the
/// lines before.
struct LineEditor {
  private static let keys = Bindings<TextDraft, TextReplacement>("Line") {
    Binding.editing({ $0 }) { _, edit in edit }
  }

  private static var pasteMax: Int { 1 << 16 }

  /// The lines before, and the place among them; their count for a new line.
  private var lines: [String] = []
  private var place = 0
  private var draft = TextDraft()
  private var decoder = InputDecoder(pasteLimitBytes: pasteMax)
  /// What was typed after the end of a line.
  private var waiting: [Input] = []

  /// Shows a prompt, and returns the line that is typed; `nil` if the user ends the program.
  ///
  /// Control-c, and control-d in an empty line, end it.
  ///
  /// - Throws: `SystemError` if the terminal cannot be used.
  mutating func readLine(_ prompt: String) throws(SystemError) -> String? {
    (draft, place) = (TextDraft(), lines.count)
    var line: String?
    do {
      let mode = TerminalMode.bracketedPaste
      var raw = try RawMode(prologue: Array(mode.set.utf8), epilogue: Array(mode.reset.utf8))
      line = try readLine(prompt, &raw)
      if line != nil { try raw.write(Array("\r\n".utf8)) }
    }
    if let line, !line.isEmpty, line != lines.last { lines.append(line) }
    return line
  }

  private mutating func readLine(
    _ prompt: String, _ raw: inout RawMode
  ) throws(SystemError) -> String? {
    while true {
      while !waiting.isEmpty {
        guard case .key(let key) = waiting.removeFirst() else { continue }
        switch key {
        case .enter:
          try raw.write(picture(prompt))
          return draft.text
        case .ctrl("c"): return nil
        case .ctrl("d") where draft.text.isEmpty: return nil
        case .ctrl("z"): RawMode.suspend()
        case .up: show(place - 1)
        case .down: show(place + 1)
        default:
          if let edit = try? Self.keys.value(for: key, in: draft) { draft.apply(edit) }
        }
      }
      try raw.write(picture(prompt))
      switch try Terminal.read(timeoutMilliseconds: decoder.waitMilliseconds) {
      case .bytes(let bytes): take(decoder.feed(bytes.span))
      case .timedOut: take(decoder.timeOut())
      case .continued: guard try raw.resume() else { return nil }
      case .resized, .woken: break
      case .ended: return nil
      }
    }
  }

  private mutating func take(_ events: [TerminalEvent]) {
    for case .input(let input) in InputDecoder.joined(events) { waiting.append(input) }
  }

  /// Shows a line of those before, or a new one after them.
  private mutating func show(_ place: Int) {
    guard 0...lines.count ~= place else { return }
    self.place = place
    draft = TextDraft(place < lines.count ? lines[place] : "")
  }

  /// Returns what to write for the prompt and the line, on one row of the terminal.
  private func picture(_ prompt: String) -> [UInt8] {
    let columns = Terminal.size()?.columns ?? 80
    // On a narrow terminal, the line is worth more than the prompt.
    let label = TextWidth.of(prompt) + 20 > columns ? "> " : prompt
    let size = Screen.Size(columns: max(2, columns - TextWidth.of(label) - 1), rows: 1)
    let screen = Screen(TextInput(draft, hasFocus: true), size: size)
    var text = "\r\u{1B}[K" + label + screen.canvas(fitting: size).text(ofRow: 0) + "\r"
    let column = TextWidth.of(label) + (screen.cursor?.column ?? 0)
    if column > 0 { text += "\u{1B}[\(column)C" }
    return Array(text.utf8)
  }
}
