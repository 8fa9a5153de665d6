import RetraceArchitecture
import RetraceScreen
import RetraceState
import Testing

@Suite struct StandardFrameTests {
  private var state = PageState()

  private var frame: PageFrame {
    PageFrame(
      of: SceneID(value: 0), in: state, at: Moment(microseconds: 0),
      size: Screen.Size(columns: 30, rows: 6))
  }

  /// Presses a key, and reduces what it means or what it is answered with.
  private mutating func press(_ key: Key) {
    var actions: [PageAction] = []
    do throws(KeyProblem) {
      if case .intents(let intents) = try frame.meaning(of: .key(key)) {
        for case .scene(let action) in intents { actions.append(action) }
      }
    } catch {
      actions = frame.answer(to: error)
    }
    for action in actions {
      _ = PageReducer().reduce(&state, action, at: Moment(microseconds: 0))
    }
  }

  @Test func `the title is above the body, the message and the hints are below`() {
    var test = self
    #expect(test.frame.screen.canvas.lines == ["Page", "0 lines", "", "", "", "a: add  ?: keys"])
    #expect(test.frame.screen.cursor == Screen.Cursor(row: 1, column: 0))
    test.press(.text("d"))
    #expect(test.frame.screen.canvas.lines[4] == "There are no lines.")
    test.press(.text("a"))
    #expect(test.frame.screen.canvas.lines == ["Page", "1 lines", "", "", "", "a: add  ?: keys"])
  }

  @Test func `the keys are listed in place of the body until they are hidden`() {
    var test = self
    test.press(.text("?"))
    let lines = test.frame.screen.canvas.lines
    #expect(lines.contains { $0.contains("Add a line.") })
    #expect(!lines.contains("0 lines") && test.frame.screen.cursor == nil)
    test.press(.text("a"))
    test.press(.text("a"))
    // While the keys are listed, the key hides them, also where it would be typed.
    test.press(.text("?"))
    #expect(test.frame.screen.canvas.lines[1] == "2 lines")
    test.press(.text("?"))
    #expect(test.frame.screen.canvas.lines[1] == "2 lines")
  }
}
