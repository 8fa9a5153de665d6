import RetraceArchitecture
import RetraceAvro
import RetraceScreen
import RetraceState

/// The state of an app with a ``StandardFrame``.
struct PageState: RecordedState, SingleScene {
  var frame: FrameState = FrameState()
  var lines: Int64 = 0
}

enum PageAction: FrameSceneAction {
  case frame(FrameAction)
  case lineAdded
}

struct PageReducer: Reducer {
  func reduce(
    _ state: inout PageState, _ action: PageAction, at moment: Moment
  ) -> Effect<PageAction, Never> {
    state.frame.message = nil
    switch action {
    case .frame(let action): state.frame.apply(action)
    case .lineAdded: state.lines += 1
    }
    return .none
  }
}

/// An app with a ``StandardFrame``.
enum PageApp: InteractiveApp {
  typealias Frame = PageFrame
  typealias Action = PageAction

  static var name: String { "page" }
  static var build: String { "test" }
  static var initialState: PageState { PageState() }
  static var reducer: PageReducer { PageReducer() }
}

struct PageFrame: StandardFrame {
  let context: FrameContext<PageApp>

  var frameState: FrameState { state.frame }
  var title: String { "Page" }

  var keys: Keys {
    Keys("Page") {
      Binding(.text("a"), hint: "add", help: "Add a line.") { _ in [.scene(.lineAdded)] }
      Binding(.text("d"), brief: "delete", help: "Delete a line.") { frame throws(KeyProblem) in
        if frame.state.lines == 0 { throw .unavailable("There are no lines.") }
        return nil
      }
      Binding.keyList { $0.state.lines > 1 }
    }
  }

  func drawBody(in room: Rect, on canvas: inout Canvas) -> Screen.Cursor? {
    canvas.drawLine("\(state.lines) lines", in: room)
    return Screen.Cursor(row: room.row, column: 0)
  }
}
