/// A line of keys and what they do, for the last row of a screen.
///
/// ```swift
/// let table = Bindings<Int, Int>("Counter") {
///   Binding(.text("a"), hint: "add", help: "Add one.") { _ in 1 }
/// }
/// let hints: HintLine = table.hintLine(in: 0, fitting: 40)
/// if let key = hints.key(at: 0) { print(hints.line.text, key.name) }
/// ```
public struct HintLine: Hashable, Sendable {
  /// A hint, and the key that a click on it presses.
  struct Hint: Hashable, Sendable {
    let text: String
    let key: Key?
    /// The cells of the text.
    let width: Int

    init(_ text: String, _ key: Key?) {
      (self.text, self.key, width) = (text, key, TextWidth.of(text))
    }
  }

  private var hints: [Hint] = []

  private static var gap: String { "  " }

  /// Creates an empty line.
  public init() {}

  /// Creates a line of any width.
  init(_ hints: [Hint]) { self.hints = hints }

  /// Creates a line, or `nil` if the hints do not fit.
  init?(_ hints: [Hint], fitting columns: Int) {
    let gaps = max(0, hints.count - 1) * HintLine.gap.utf8.count
    guard hints.reduce(gaps, { $0 + $1.width }) <= columns else { return nil }
    self.hints = hints
  }

  /// The line as it is drawn.
  public var line: Screen.Line {
    Screen.Line(hints.map { $0.text }.joined(separator: HintLine.gap), .faint)
  }

  /// Returns the first key of the hint at a column of the line; `nil` where no hint is.
  public func key(at column: Int) -> Key? {
    var start = 0
    for hint in hints {
      let end = start + hint.width
      if start..<end ~= column { return hint.key }
      start = end + HintLine.gap.utf8.count
    }
    return nil
  }
}
