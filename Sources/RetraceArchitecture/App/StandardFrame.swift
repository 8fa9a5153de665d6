public import RetraceScreen
public import RetraceState

/// A frame with a title, what the user was told, the hints of its keys, and the list of all keys.
///
/// You give the title, the keys, and ``drawBody(in:on:)``. The rest is drawn: the title in the
/// first row, ``FrameState/message`` in the row above the last, and the hints of the keys in the
/// last row. While ``FrameState/showsKeys`` is set, the list of keys takes the place of the body. A
/// key that does nothing now, and a refused command, are answered with a ``FrameAction/told(_:)``.
///
/// The state of the app has a ``FrameState``, and the actions of its scene have a case
/// `frame(FrameAction)`:
///
/// ```swift
/// struct DiaryState: RecordedState, SingleScene {
///   var frame: FrameState = FrameState()
///   var lines: Int64 = 0
/// }
///
/// enum DiaryAction: FrameSceneAction {
///   case frame(FrameAction)
///   case lineAdded
/// }
///
/// struct DiaryReducer: Reducer {
///   func reduce(
///     _ state: inout DiaryState, _ action: DiaryAction, at moment: Moment
///   ) -> Effect<DiaryAction, Never> {
///     state.frame.message = nil
///     switch action {
///     case .frame(let action): state.frame.apply(action)
///     case .lineAdded: state.lines += 1
///     }
///     return .none
///   }
/// }
///
/// enum DiaryApp: InteractiveApp {
///   typealias Frame = DiaryFrame
///   typealias Action = DiaryAction
///   static var name: String { "diary" }
///   static var build: String { "1" }
///   static var initialState: DiaryState { DiaryState() }
///   static var reducer: DiaryReducer { DiaryReducer() }
/// }
///
/// struct DiaryFrame: StandardFrame {
///   let context: FrameContext<DiaryApp>
///
///   var frameState: FrameState { state.frame }
///   var title: String { "Diary" }
///
///   var keys: Keys {
///     Keys("Diary") {
///       Binding(.text("a"), hint: "add", help: "Add a line.") { _ in [.scene(.lineAdded)] }
///       Binding.keyList()
///     }
///   }
///
///   func drawBody(in room: Rect, on canvas: inout Canvas) -> Screen.Cursor? {
///     canvas.drawLine("\(state.lines) lines", in: room)
///     return nil
///   }
/// }
/// ```
public protocol StandardFrame: InteractiveFrame, SendableMetatype
where App.SceneAction: FrameSceneAction {
  associatedtype App

  /// What the frame is made of.
  var context: FrameContext<App> { get }

  /// Creates the frame; a struct whose only stored property is ``context`` needs none of its own.
  init(context: FrameContext<App>)

  /// What the user was told last, and whether the keys are listed.
  var frameState: FrameState { get }
  /// The text of the first row.
  var title: String { get }

  /// Draws what is between the title and the last two rows.
  ///
  /// - Returns: The place of the text cursor; `nil` for none.
  func drawBody(in room: Rect, on canvas: inout Canvas) -> Screen.Cursor?
}

/// What a ``StandardFrame`` is made of.
public struct FrameContext<App: ReplayableApp> {
  /// The scene.
  public let scene: SceneID
  /// The state.
  public let state: App.State
  /// When the frame is shown; a time that is left is counted from it.
  public let moment: Moment
  /// The size of the screen.
  public let size: Screen.Size
}

extension StandardFrame {
  /// Creates the frame of a scene.
  public init(of scene: SceneID, in state: App.State, at moment: Moment, size: Screen.Size) {
    self.init(context: FrameContext(scene: scene, state: state, moment: moment, size: size))
  }

  /// The state.
  public var state: App.State { context.state }
  /// When the frame is shown.
  public var moment: Moment { context.moment }
  /// The size of the screen.
  public var size: Screen.Size { context.size }

  /// The title, the body or the list of keys, the message and the hints.
  public var screen: Screen {
    var canvas = Canvas(size)
    var room = canvas.bounds
    canvas.drawLine(title, style: .title, in: room.removeTop(1))
    keys.hints(in: self, fitting: size.columns).draw(in: room.removeBottom(1), on: &canvas)
    canvas.drawLine(frameState.message ?? "", style: .warning, in: room.removeBottom(1))
    guard frameState.showsKeys else {
      let cursor = drawBody(in: room, on: &canvas)
      return Screen(canvas, cursor: cursor)
    }
    let space = Screen.Size(columns: room.columns, rows: room.rows)
    for line in keys.briefHelp(in: self, fitting: space) {
      line.draw(in: room.removeTop(1), on: &canvas)
    }
    return Screen(canvas)
  }

  /// Returns the action that tells the problem.
  public func answer(to problem: KeyProblem) -> [App.SceneAction] {
    [.frame(.told(problem.description))]
  }
}

extension StandardFrame where App: EntityApp {
  /// Returns the action that tells the text of the refusal, `EntityModule.text(of:)`.
  public func answer(to refusal: App.Refusal) -> [App.SceneAction] {
    [.frame(.told(App.Entities.text(of: refusal) ?? "The command was refused."))]
  }
}

extension Binding where Context: StandardFrame, Value == InputMeaning<Context.App> {
  /// Returns the binding that lists the keys of a frame, or hides the list.
  ///
  /// - Parameters:
  ///   - key: The key; by default `?`.
  ///   - isTyped: Whether the key is typed into a text now, and so is passed on; by default never.
  public static func keyList(
    _ key: Key = .text("?"), isTyped: @escaping @Sendable (Context) -> Bool = { _ in false }
  ) -> Binding {
    Binding(key, hint: "keys", help: "Show the keys, or hide them.") { frame in
      isTyped(frame) && !frame.frameState.showsKeys
        ? nil : .intents([.scene(.frame(.keysToggled))])
    }
  }
}
