import RetraceScreen

/// The part of a text that fits into a line and contains the cursor.
struct TextWindow: Hashable {
  /// The visible part; it begins with `…` if text before it is hidden.
  private(set) var text: String
  /// The column of the cursor in it, in cells.
  private(set) var cursor: Int

  /// Chooses the part.
  ///
  /// - Parameters:
  ///   - draft: The text and its cursor.
  ///   - cells: The width, including the cell of a cursor after the text.
  ///   - followsCursor: Whether the cursor has to be visible; else the beginning is shown.
  /// - Complexity: O(bytes of the text).
  init(_ draft: TextDraft, cells: Int, followsCursor: Bool) {
    let before = String(Substring(draft.text.utf8.prefix(Int(draft.cursor))))
    var width = TextWidth.of(before)
    text = draft.text
    cursor = width
    guard followsCursor, cells > 1, width >= cells else { return }
    var hidden = 0
    for character in before {
      // One cell is for the mark, and one for the cursor.
      if width + 2 <= cells { break }
      width -= TextWidth.of(character)
      hidden += 1
    }
    text = "…" + draft.text.dropFirst(hidden)
    cursor = width + 1
  }
}

/// Returns a text cut to a number of cells.
func cut(_ text: String, to cells: Int) -> String {
  if TextWidth.of(text) <= cells { return text }
  return cells < 1 ? "" : TextWidth.prefix(of: text, fitting: cells - 1) + "…"
}

/// Returns a text as lines that break at spaces; text that does not fit into the last one is cut.
func wrapped(_ text: String, to cells: Int, indent: Int, linesMax: Int) -> [String] {
  let lines = TextWidth.lines(of: text, fitting: cells, indent: indent)
  guard lines.count > linesMax, linesMax > 0 else { return lines.map { cut($0, to: cells) } }
  let last = lines[(linesMax - 1)...].joined(separator: " ")
  return (lines.prefix(linesMax - 1) + [last]).map { cut($0, to: cells) }
}

extension Screen.Line {
  /// Returns the line cut to a number of cells.
  func cut(to cells: Int) -> Screen.Line {
    guard TextWidth.of(text) > cells else { return self }
    var line = Screen.Line([])
    var rest = max(0, cells - 1)
    for run in runs where rest > 0 {
      let part = TextWidth.prefix(of: run.text, fitting: rest)
      line.runs.append(Screen.Run(String(part), run.style))
      rest = part.utf8.count < run.text.utf8.count ? 0 : rest - TextWidth.of(part)
    }
    if cells > 0 { line.runs.append(Screen.Run("…", line.runs.last?.style ?? .plain)) }
    return line
  }
}

/// Returns a text cut or padded to a number of cells.
func fitted(_ text: String, to cells: Int) -> String {
  let cut = cut(text, to: cells)
  return cut + String(repeating: " ", count: max(0, cells - TextWidth.of(cut)))
}

extension TextDraft {
  /// The edit that replaces the whole text.
  func replacing(with text: String) -> TextReplacement {
    TextReplacement(
      start: 0, end: Int64(self.text.utf8.count), text: text, cursor: Int64(text.utf8.count))
  }
}

extension String {
  /// Returns whether two texts have the same bytes.
  func hasBytes(of other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
