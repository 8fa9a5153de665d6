import RetraceSystem
import RetraceTerminal
import RetraceToolSupport

/// The width and the colors of text for people.
struct OutputStyle {
  /// The most cells of a line; `nil` for no limit.
  var columns: Int?
  /// Whether headings are bold.
  var hasColors: Bool

  /// Returns the style of standard output.
  ///
  /// - Parameter isWide: Whether lines may have any width.
  static func ofOutput(isWide: Bool = false) -> OutputStyle {
    let isTerminal = Terminal.isTerminal(1)
    // For a pipe, and for a terminal of unknown size, the variable COLUMNS or the usual width.
    let given = ThisProcess.environment("COLUMNS").flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    let columns = (isTerminal ? Terminal.size(1)?.columns : nil) ?? given ?? 80
    let isPlain =
      ThisProcess.environment("NO_COLOR").map { !$0.isEmpty } ?? false
      || ThisProcess.environment("TERM") == "dumb"
    return OutputStyle(columns: isWide ? nil : columns, hasColors: isTerminal && !isPlain)
  }
}

extension Output {
  /// Prints an empty line and notes, each cut to the width of the output; nothing without notes.
  static func print(notes: [String], _ style: OutputStyle) {
    if !notes.isEmpty { print("") }
    for note in notes { print(Table.cut(note, to: style.columns ?? .max)) }
  }
}
