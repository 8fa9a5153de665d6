public import RetraceScreen

/// Draws screens on a terminal with control sequences, rewriting only the lines that changed.
///
/// A value that remembers what the terminal shows and answers what to write next; it writes nothing
/// itself.
public struct AnsiRenderer: Sendable {
  /// Whether colors are used; without them styles are bold, faint, underlined and reversed.
  public let usesColor: Bool
  private var shown: Frame?

  /// Makes a renderer that knows nothing of what the terminal shows.
  public init(usesColor: Bool) { self.usesColor = usesColor }

  /// Tells whether colors are wanted, from the environment variables `NO_COLOR` and `TERM`.
  ///
  /// A `NO_COLOR` that is not empty turns them off, and so do no terminal type and the type `dumb`.
  public static func wantsColor(noColor: String?, term: String?) -> Bool {
    (noColor ?? "").isEmpty && !["", "dumb"].contains(term ?? "")
  }

  /// Forgets what the terminal shows, so that the next screen is drawn whole.
  public mutating func invalidate() { shown = nil }

  /// What to write to turn what is shown into a screen; empty when nothing changed.
  ///
  /// - Complexity: O(cells of the size).
  public mutating func draw(_ screen: Screen, size: Screen.Size) -> String {
    let frame = Frame(screen, size: size)
    guard frame != shown else { return "" }
    // The cursor is hidden while lines change, or it would be seen jumping.
    var text = "\u{1B}[?25l"
    let before = shown?.size == frame.size ? shown : nil
    if before == nil { text += "\u{1B}[0m\u{1B}[2J" }
    for row in 0..<frame.size.rows
    where frame.runs(ofRow: row) != (before?.runs(ofRow: row) ?? []) {
      draw(row: row, of: frame, into: &text)
    }
    if let cursor = frame.cursor {
      text += "\u{1B}[\(cursor.row + 1);\(cursor.column + 1)H\u{1B}[?25h"
    }
    shown = frame
    return text
  }

  private func draw(row: Int, of frame: Frame, into text: inout String) {
    text += "\u{1B}[\(row + 1);1H"
    for run in frame.runs(ofRow: row) {
      let code = code(of: run.style)
      text += code.isEmpty ? run.text : "\u{1B}[\(code)m\(run.text)\u{1B}[0m"
    }
    // After the last cell of a full line the cursor still stands on that cell; erasing would hit
    // it.
    if frame.cells(ofRow: row) < frame.size.columns { text += "\u{1B}[K" }
  }

  /// The parameters of the sequence that selects a style.
  private func code(of style: Screen.Style) -> String {
    switch style {
    case .plain: ""
    case .title: usesColor ? "1;36" : "1;4"
    case .strong: "1"
    case .faint: "2"
    case .selected: "7"
    case .warning: usesColor ? "1;31" : "1"
    }
  }
}
