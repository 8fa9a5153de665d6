import RetraceScreen
import RetraceTesting
import Testing

/// Messages lie in the lower right corner, and those that do not fit are counted.
@Suite struct ToastTests {
  private static let toasts = [
    Toast("Connected to the server."),
    Toast("Imported 1,204 entries.", kind: .success),
    Toast(
      "The entry “日本” overlaps another one, which begins at 09:30 and ends at 11:00; both are kept "
        + "as they are, and their sum has the time of both.", kind: .warning, hint: "enter show"),
    Toast("Deleted “report”.", kind: .success, hint: "u undo"),
  ]

  @Test func pictures() throws {
    try Pictures.expect("toasts", page: Screen.Size(columns: 60, rows: 8)) { _ in
      Toasts(Self.toasts)
    }
  }

  @Test func `random messages stay inside, and the newest is seen`() {
    withSeed { random in
      for _ in 0..<repetitions(2_000) {
        let toasts = (0..<Int.random(in: 0...5, using: &random)).map { _ in
          Toast(
            random.hostileText() + random.hostileText(),
            kind: Toast.Kind.allCases.randomElement(using: &random) ?? .warning,
            hint: Bool.random(using: &random) ? random.hostileText() : "")
        }
        let widget = Toasts(toasts, columnsMax: Int.random(in: 0...40, using: &random))
        let rect = random.widgetRect()
        Pictures.drawn(widget, in: rect)
        guard !toasts.isEmpty, !rect.isEmpty else { continue }
        let corner = Screen.Cursor(row: rect.endRow - 1, column: rect.endColumn - 1)
        #expect(widget.index(at: corner, in: rect) == toasts.count - 1)
      }
    }
  }

  @Test func `what does not fit is counted`() {
    let size = Screen.Size(columns: 30, rows: 2)
    let screen = Screen(Toasts((1...5).map { Toast("message \($0)") }), size: size)
    #expect(screen.canvas.lines.map { $0.drop { $0 == " " } } == ["… 4 more", "• message 5"])
  }
}
