extension TextWidth {
  /// Returns a text, or a prefix of it that ends in `…` if the text is too wide.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - cells: The maximum number of cells; below 1, the result is empty.
  /// - Complexity: O(bytes of the text).
  public static func cut(_ text: String, to cells: Int) -> String {
    guard of(text) > cells else { return text }
    return cells < 1 ? "" : prefix(of: text, fitting: cells - 1) + "…"
  }

  /// Returns a text padded with blanks to a width.
  ///
  /// - Parameters:
  ///   - text: The text; a wider text is returned unchanged.
  ///   - cells: The minimum number of cells.
  ///   - isRight: Whether the blanks are before the text.
  /// - Complexity: O(bytes of the text + `cells`).
  public static func padded(_ text: String, to cells: Int, isRight: Bool = false) -> String {
    let blanks = String(repeating: " ", count: max(0, cells - of(text)))
    return isRight ? blanks + text : text + blanks
  }

  /// Returns a text cut or padded to a width.
  ///
  /// - Complexity: O(bytes of the text + `cells`).
  public static func fitted(_ text: String, to cells: Int) -> String {
    padded(cut(text, to: cells), to: cells)
  }

  /// Returns a text broken into lines at blanks, whose last line is cut if the rest does not fit.
  ///
  /// - Parameters:
  ///   - text: The text, without line breaks.
  ///   - cells: The maximum number of cells of a line; a wider word is cut.
  ///   - indent: The number of blanks before each line except the first.
  ///   - linesMax: The maximum number of lines; no limit if it is below 1.
  /// - Complexity: O(bytes of the text).
  public static func lines(
    of text: String, cutTo cells: Int, indent: Int, linesMax: Int
  ) -> [String] {
    var lines = lines(of: text, fitting: cells, indent: indent)
    if linesMax > 0, lines.count > linesMax {
      let rest = lines[linesMax...].map { $0.dropFirst(indent) }
      let last = ([lines[linesMax - 1][...]] + rest).joined(separator: " ")
      lines = lines.prefix(linesMax - 1) + [last]
    }
    return lines.map { cut($0, to: cells) }
  }
}

extension Screen.Line {
  /// Returns the line, or a prefix of it that ends in `…` if the line is too wide.
  ///
  /// - Parameter cells: The maximum number of cells.
  /// - Complexity: O(bytes of the line).
  public func cut(to cells: Int) -> Screen.Line {
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
