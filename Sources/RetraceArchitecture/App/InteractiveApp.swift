public import RetraceScreen
public import RetraceState

/// An app whose scenes are shown to a user, who presses keys.
///
/// `TerminalProgram` of the module `RetraceTerminal` runs it. The app names the type of its frames,
/// and its screens are theirs:
///
/// ```swift
/// enum StepsApp: InteractiveApp {
///   typealias Frame = StepsFrame
///   typealias Environment = CounterEnvironment
///   typealias Route = CounterRoute
///   static var name: String { "steps" }
///   static var build: String { "1" }
///   static var initialState: CounterState { CounterState() }
///   static var reducer: CounterReducer { CounterReducer() }
/// }
///
/// struct StepsFrame: InteractiveFrame {
///   typealias App = StepsApp
///   let screen: Screen
///
///   init(of scene: SceneID, in state: CounterState, at moment: Moment, size: Screen.Size) {
///     screen = Screen(Screen.Line("\(state.counters.count) counters"), size: size)
///   }
///
///   var keys: Keys { Self.keys }
///
///   static let keys = Keys("Steps") {
///     Binding(.enter, hint: "add", help: "Add a counter.") { _ in [.scene(.added(name: "tea"))] }
///     Binding(.text("q"), hint: "quit", help: "Leave the app.") { _ in .leave }
///   }
/// }
/// ```
public protocol InteractiveApp: ReplayableApp {
  /// What a scene shows.
  associatedtype Frame: InteractiveFrame where Frame.App == Self
}

extension InteractiveApp {
  /// Returns the screen of the scene's frame; an empty one if the state has no such scene.
  public static func screen(
    of scene: SceneID, in state: State, at moment: Moment, size: Screen.Size
  ) -> Screen {
    Frame(of: scene, in: state, at: moment, size: size)?.screen ?? Screen(Canvas(size))
  }
}

/// What a scene shows: its screen is made of it, and keys are interpreted on it.
///
/// It depends on the arguments of ``init(of:in:at:size:)`` alone, so replay makes the same frame.
///
/// A screen is made of the state. So the reason why a key does nothing, which a binding throws, and
/// a refusal are shown if an action puts them there:
///
/// ```swift
/// struct PanelFrame: InteractiveFrame {
///   typealias App = HeaterApp
///   let screen: Screen
///
///   init(of scene: SceneID, in state: HeaterState, at moment: Moment, size: Screen.Size) {
///     screen = Screen(Screen.Line(state.notice, .warning), size: size)
///   }
///
///   var keys: Keys {
///     Keys("Panel") {
///       Binding(.enter, help: "Warm the selected room.") { _ throws(KeyProblem) in
///         throw .unavailable("Select a room.")
///       }
///     }
///   }
///
///   func answer(to problem: KeyProblem) -> [PanelAction] { [.told("\(problem)")] }
///   func answer(to refusal: HeaterRefusal) -> [PanelAction] { [.told("\(refusal)")] }
/// }
/// ```
public protocol InteractiveFrame {
  /// The app.
  associatedtype App: ReplayableApp

  /// Creates the frame of a scene; `nil` if the state has no such scene.
  ///
  /// - Parameters:
  ///   - scene: The scene.
  ///   - state: The state.
  ///   - moment: When the frame is shown; a time that is left is counted from it.
  ///   - size: The size of the screen.
  init?(of scene: SceneID, in state: App.State, at moment: Moment, size: Screen.Size)

  /// The screen.
  var screen: Screen { get }

  /// What keys mean to the user who sees the frame.
  var keys: Keys { get }

  /// The time after which another frame is shown although nothing happened, in milliseconds; `nil`,
  /// the default, for a frame that does not change as time passes.
  ///
  /// That frame is made of the same state at a later moment, so what it computes of the moment
  /// changes. Nothing is recorded for it, so a countdown needs no action that ticks. It is asked of
  /// each frame, so a frame whose time is up returns `nil`.
  ///
  /// ```swift
  /// struct MinuteFrame: InteractiveFrame {
  ///   typealias App = StepsApp
  ///   let screen: Screen
  ///
  ///   init(of scene: SceneID, in state: CounterState, at moment: Moment, size: Screen.Size) {
  ///     let seconds = moment.microseconds / 1_000_000 % 60
  ///     screen = Screen(Screen.Line("\(60 - seconds) s left of this minute"), size: size)
  ///   }
  ///
  ///   var refreshMilliseconds: Int? { 1_000 }
  ///   var keys: Keys { Keys("Clock") {} }
  /// }
  /// ```
  var refreshMilliseconds: Int? { get }

  /// Returns the meaning of an input to the user who sees the frame; `nil` if it has none.
  ///
  /// By default a key has the meaning that ``keys`` gives, a paste above the limit is
  /// `KeyProblem.unavailable(_:)`, and the mouse has no meaning.
  ///
  /// - Throws: The reason why the input does nothing now.
  func meaning(of input: Input) throws(KeyProblem) -> InputMeaning<App>?

  /// Returns the actions that tell the user why an input does nothing; by default none, so nothing
  /// is told.
  ///
  /// The text is the description of the problem, which for `KeyProblem.unavailable(_:)` is the
  /// reason that the binding gave.
  func answer(to problem: KeyProblem) -> [App.SceneAction]

  /// Returns the actions that tell the user why a command was refused.
  ///
  /// An app without commands need not implement it.
  func answer(to refusal: App.Refusal) -> [App.SceneAction]
}

extension InteractiveFrame {
  /// A table of what keys mean on such a frame.
  public typealias Keys = Bindings<Self, InputMeaning<App>>
  /// A line of such a table, such as the result of a function that makes similar ones.
  public typealias KeyBinding = Binding<Self, InputMeaning<App>>

  /// `nil`: most frames do not change as time passes.
  public var refreshMilliseconds: Int? { nil }

  /// Returns the meaning of a key by ``keys``; `nil` for other inputs.
  ///
  /// - Throws: The problem of the binding; `KeyProblem.unavailable(_:)` for a paste above the
  ///   limit.
  public func meaning(of input: Input) throws(KeyProblem) -> InputMeaning<App>? {
    switch input {
    case .key(let key): try keys.value(for: key, in: self)
    case .pasteRefused(let limitBytes):
      throw .unavailable("A pasted text has at most \(limitBytes) bytes; nothing was inserted.")
    case .mouse, .focused, .unfocused, .resized: nil
    }
  }

  /// Returns no actions.
  public func answer(to problem: KeyProblem) -> [App.SceneAction] { [] }
}

extension InteractiveFrame where App.RootDecider.Refusal == NoCommand {
  /// Returns no actions; it is never called.
  public func answer(to refusal: NoCommand) -> [App.SceneAction] {}
}

/// The meaning of an input of the user.
///
/// Intents are written as an array:
///
/// ```swift
/// let meaning: InputMeaning<CounterApp> = [.scene(.closed)]
/// print(meaning == .leave)
/// ```
public enum InputMeaning<App: ReplayableApp>: Sendable {
  /// Intents, which the store carries out in order.
  case intents([App.Intent])
  /// Undo the newest change of the user; only an ``UndoableApp`` has any.
  case undo
  /// Redo the newest undo.
  case redo
  /// Leave the app, which opens here again.
  case leave
}

extension InputMeaning: ExpressibleByArrayLiteral {
  /// Creates the meaning that has these intents.
  public init(arrayLiteral intents: App.Intent...) { self = .intents(intents) }
}

extension InputMeaning: Equatable
where App.SceneAction: Equatable, App.RootDecider.Command: Equatable {}
