import RetraceArchitecture
import RetraceAvro
import RetraceScreen
import RetraceState

/// The state of the brittle app.
struct BrittleState: RecordedState {
  var notes: EntityTable<NoteID, Note> = EntityTable()
}

/// The actions of the brittle app: facts, and the answers of its effects.
enum BrittleAction: Recordable, Hashable {
  case noted(String)
  case asked(BrittleLeaf)
  /// An answer that is recorded as it is.
  case answered(String)
  /// An answer that asks for a command.
  case request(BrittleCommand)
}

/// The commands of the brittle app.
enum BrittleCommand: Recordable, Hashable {
  case note(String)
  /// Note the leaf's text, and run the leaf.
  case ask(BrittleLeaf)
  /// Note the answer of a leaf.
  case answer(String)
}

/// The refusals of the brittle app.
enum BrittleRefusal: Recordable, Error, Hashable {
  case noText
}

/// A leaf that appends its text to a file, and notes it.
struct BrittleLeaf: EffectLeaf, Hashable {
  var text: String
  var ended: TestLeaf.Ended
  /// Whether the leaf answers with a command.
  var asks: Bool

  func run(in desk: TestDesk) async throws -> [BrittleAction] {
    try desk.note(text)
    CrashPoint.start.reach()
    return [asks ? .request(.answer("ran \(text)")) : .answered("ran \(text)")]
  }

  var interruptionPolicy: InterruptionPolicy<BrittleAction> {
    switch ended {
    case .drop: .drop
    case .run: .run
    case .send: .send(.answered("ended \(text)"))
    }
  }
}

/// The decider and the reducer of the brittle app.
struct BrittleFeature: Decider, Reducer {
  func decide(
    _ command: BrittleCommand, on state: borrowing BrittleState, at moment: Moment
  ) throws(BrittleRefusal) -> [BrittleAction] {
    CrashPoint.decide.reach()
    switch command {
    case .note(let text):
      if text.isEmpty { throw .noText }
      return [.noted(text)]
    case .ask(let leaf):
      if leaf.text.isEmpty { throw .noText }
      return [.noted(leaf.text), .asked(leaf)]
    case .answer(let text):
      CrashPoint.answer.reach()
      return [.noted(text)]
    }
  }

  func reduce(
    _ state: inout BrittleState, _ action: BrittleAction, at moment: Moment
  ) -> Effect<BrittleAction, TestDesk> {
    switch action {
    case .noted(let text):
      CrashPoint.reduce.reach()
      _ = state.notes.insert(Note(text: text))
    case .answered(let text):
      CrashPoint.answer.reach()
      _ = state.notes.insert(Note(text: text))
    case .asked(let leaf): return .run(leaf)
    case .request: break
    }
    return .none
  }
}

/// An app whose facts come from commands, and which ends where ``CrashPoint`` says.
enum BrittleApp: ReplayableApp {
  typealias Environment = TestDesk
  typealias Route = TestRoute
  typealias SceneAction = Never

  static func action(for sceneAction: Never) -> BrittleAction {}

  static func role(of action: BrittleAction) -> ActionRole<BrittleCommand> {
    switch action {
    case .noted, .asked: .fact
    case .answered: .scene
    case .request(let command): .request(command)
    }
  }

  static var name: String { "brittle" }
  static var build: String { "test" }
  static var reducer: BrittleFeature { BrittleFeature() }
  static var decider: BrittleFeature { BrittleFeature() }
  static var initialState: BrittleState { BrittleState() }

  static func scenes(in state: BrittleState) -> [SceneID] { [SceneID(value: 0)] }

  static func backStack(of scene: SceneID, in state: BrittleState) -> BackStack<TestRoute>? {
    scene.value == 0 ? BackStack(root: .all) : nil
  }

  static func screen(
    of scene: SceneID, in state: BrittleState, at moment: Moment, size: Screen.Size
  ) -> Screen {
    var lines: [Screen.Line] = []
    state.notes.forEach { _, note in lines.append(Screen.Line(note.text)) }
    return Screen(lines, size: size)
  }
}
