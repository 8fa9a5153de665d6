import RetraceArchitecture
import RetraceAvro
import RetraceScreen
import RetraceState

/// The state of the brittle app.
struct BrittleState: RecordedState {
  var notes: EntityTable<NoteID, Note> = EntityTable()
}

/// The facts of the brittle app.
enum BrittleFact: Recordable, Hashable {
  case noted(String)
  case asked(BrittleLeaf)
  case answered(String)
}

/// The commands of the brittle app.
enum BrittleCommand: Recordable, Hashable {
  case note(String)
  /// Note the leaf's text, and run the leaf.
  case ask(BrittleLeaf)
}

/// The refusals of the brittle app.
enum BrittleRefusal: Recordable, Error, Hashable {
  case noText
}

/// A leaf that appends its text to a file, and notes it.
struct BrittleLeaf: EffectLeaf, Hashable {
  var text: String
  var ended: TestLeaf.Ended

  func run(in desk: TestDesk) async throws -> [BrittleFact] {
    try desk.note(text)
    CrashPoint.start.reach()
    return [.answered("ran \(text)")]
  }

  var interruptionPolicy: InterruptionPolicy<BrittleFact> {
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
  ) throws(BrittleRefusal) -> [BrittleFact] {
    CrashPoint.decide.reach()
    switch command {
    case .note(let text):
      if text.isEmpty { throw .noText }
      return [.noted(text)]
    case .ask(let leaf):
      if leaf.text.isEmpty { throw .noText }
      return [.noted(leaf.text), .asked(leaf)]
    }
  }

  func reduce(
    _ state: inout BrittleState, _ action: BrittleFact, at moment: Moment
  ) -> Effect<BrittleFact, TestDesk> {
    switch action {
    case .noted(let text):
      CrashPoint.reduce.reach()
      _ = state.notes.insert(Note(text: text))
    case .answered(let text):
      CrashPoint.answer.reach()
      _ = state.notes.insert(Note(text: text))
    case .asked(let leaf): return .run(leaf)
    }
    return .none
  }
}

/// An app whose facts come from commands, and which ends where ``CrashPoint`` says.
enum BrittleApp: ReplayableApp {
  typealias Environment = TestDesk
  typealias Route = TestRoute

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
    return Screen(lines: lines)
  }
}
