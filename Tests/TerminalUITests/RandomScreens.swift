import RetraceScreen
import RetraceTesting

extension SeededGenerator {
  /// A screen that shares most lines with another one: of the size, or of nearly the size.
  mutating func screen(like other: Screen, size: Screen.Size) -> Screen {
    var lines = other.canvas.lines.map { Screen.Line($0) }
    for _ in 0..<Int.random(in: 0...3, using: &self) {
      let line = Screen.Line(
        (0..<Int.random(in: 0...3, using: &self)).map { _ in Screen.Run(words(), style()) })
      switch Int.random(in: 0..<3, using: &self) {
      case 0: lines.insert(line, at: Int.random(in: 0...lines.count, using: &self))
      case 1 where !lines.isEmpty: lines.remove(at: Int.random(in: 0..<lines.count, using: &self))
      default:
        if let index = lines.indices.randomElement(using: &self) { lines[index] = line }
      }
    }
    let cursor = Screen.Cursor(
      row: Int.random(in: -2...12, using: &self), column: Int.random(in: -2...30, using: &self))
    let shown = Bool.random(using: &self) ? cursor : nil
    if Bool.random(using: &self) {
      var screen = Screen(lines, size: size)
      screen.cursor = shown
      return screen
    }
    var canvas = Canvas(
      Screen.Size(
        columns: max(1, size.columns + Int.random(in: -1...1, using: &self)), rows: size.rows))
    for (row, line) in lines.enumerated() {
      canvas.draw(line, row: row, column: Int.random(in: -3...3, using: &self), in: canvas.bounds)
    }
    let link = canvas.link(to: "https://example.com/\(Int.random(in: 0..<3, using: &self))")
    var linked = style()
    linked.link = link
    canvas.draw(words(), row: 1, column: 2, style: linked, in: canvas.bounds)
    return Screen(canvas, cursor: shown)
  }

  private mutating func style() -> Style {
    func color(_ own: Color) -> Color {
      switch Int.random(in: 0..<6, using: &self) {
      case 0: Color(rgb: Int32.random(in: 0...0xFF_FFFF, using: &self))
      case 1: Color(Color.Role.allCases.randomElement(using: &self) ?? .text)
      default: own
      }
    }
    return Style(
      foreground: color(.text), background: color(.background),
      attributes: Style.Attributes(rawValue: UInt16.random(in: 0...1, using: &self)))
  }

  private mutating func words() -> String {
    let alphabet = [
      "a", "b", " ", "é", "e\u{301}", "日", "🙂", "\u{1B}", "\n", "\u{202E}", "xyz", "👍🏽", "👩‍👩‍👧",
      "❤\u{fe0f}", "क्षि", "🇩🇪", "\u{1fae9}", "한",
    ]
    return (0..<Int.random(in: 0...6, using: &self))
      .map { _ in alphabet.randomElement(using: &self) ?? "" }.joined()
  }
}
