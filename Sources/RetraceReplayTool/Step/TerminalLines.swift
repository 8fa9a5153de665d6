import RetraceScreen
import RetraceSystem
import TerminalUI

/// Reads lines from a terminal, on which they can be edited, while this value lives.
///
/// The terminal stays in raw mode between two lines, so what is typed there is not lost.
struct TerminalLines: ~Copyable {
  private let prompts: [String]
  private var mode: RawMode
  private var editor = LineEditor()
  private var decoder = InputDecoder()
  /// The keys that were read and not taken yet.
  private var waiting: ArraySlice<Key> = []

  /// Takes the terminal of the standard input and output over.
  ///
  /// - Parameter prompts: The text before each line, and a shorter one for terminals that would
  ///   have no room for the line.
  /// - Throws: `SystemError` if the terminal cannot be used.
  init(after prompts: [String]) throws(SystemError) {
    self.prompts = prompts
    mode = try RawMode(isForLines: true)
  }

  /// Shows the prompt, and returns the line that is typed after it; `nil` if no line follows.
  ///
  /// - Throws: `SystemError` if the terminal cannot be used.
  mutating func next() throws(SystemError) -> String? {
    while true {
      while let key = waiting.popFirst() {
        // The line as it was entered stays on the screen.
        if key == .enter { try draw() }
        let outcome = editor.take(key)
        if outcome != nil { try mode.write(Array("\n".utf8)) }
        switch outcome {
        case .entered(let line): return line
        case .left: return nil
        case nil: break
        }
      }
      try draw()
      switch try Terminal.read(timeoutMilliseconds: decoder.waitMilliseconds) {
      case .bytes(let bytes): take(decoder.feed(bytes.span))
      case .timedOut: take(decoder.timeOut())
      case .continued: guard try mode.resume() else { return nil }
      case .resized, .woken: break
      case .ended: return nil
      }
    }
  }

  private mutating func take(_ events: [TerminalEvent]) {
    for case .input(.key(let key)) in InputDecoder.joined(events) { waiting.append(key) }
  }

  /// Shows the prompt and the text on the row of the cursor.
  private borrowing func draw() throws(SystemError) {
    let columns = Terminal.size()?.columns ?? 80
    let prompt = prompts.first { TextWidth.of($0) + 20 <= columns } ?? prompts.last ?? ""
    // The last cell stays free: after it, terminals differ in where the cursor is.
    let room = Rect(columns: max(1, columns - TextWidth.of(prompt) - 1), rows: 1)
    let input = TextInput(editor.draft, hasFocus: true)
    var canvas = Canvas(Screen.Size(columns: room.columns, rows: 1))
    input.draw(in: room, on: &canvas)
    let column = TextWidth.of(prompt) + (input.cursor(in: room)?.column ?? 0)
    let place = column == 0 ? "\r" : "\r\u{1B}[\(column)C"
    try mode.write(Array("\r\(prompt)\(canvas.lines.first ?? "")\u{1B}[K\(place)".utf8))
  }
}
