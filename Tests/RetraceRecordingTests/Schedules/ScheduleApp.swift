import RetraceArchitecture
import RetraceAvro
import RetraceScreen
import RetraceState
import RetraceFixtures

/// The state of the app of random schedules: what happened, in order.
struct ScheduleState: RecordedState {
  /// The numbers of the actions and facts, in the order of the log.
  var numbers: [Int64] = []
  /// The answers of jobs, in the order of the log.
  var answers: [Int64] = []
  /// The balance that commands change; from 0 to 20.
  var balance: Int64 = 0
  /// The number of actions reduced.
  var steps: Int64 = 0
}

/// What a job does before it answers.
enum JobManner: Recordable, Hashable, CaseIterable {
  /// It answers at once.
  case answers
  /// It waits until it is released or cancelled.
  case waits
  /// It waits until it is released, and ignores cancellation.
  case hangs
  /// It throws an error.
  case fails
}

/// An effect that answers once.
struct Job: EffectLeaf, Hashable {
  /// The number of the job: ten times its cause's number, plus its place among the cause's jobs.
  var number: Int64
  /// What it does before it answers.
  var manner: JobManner

  /// Runs at the desk.
  func run(in desk: ScheduleDesk) async throws -> [ScheduleAction] {
    try await desk.perform(number, manner)
    return [.scene(.answered(number * 10))]
  }

  /// Odd jobs run again after a crash.
  var interruptionPolicy: InterruptionPolicy<ScheduleAction> {
    number / 10 % 2 == 1 ? .run : .drop
  }
}

/// An effect that answers several times.
struct JobStream: StreamingLeaf, Hashable {
  /// The number of the job; see ``Job/number``.
  var number: Int64
  /// What it does before each answer.
  var manner: JobManner
  /// How often it answers.
  var count: Int64

  /// Runs at the desk, which notes each answer that was recorded.
  func run(in desk: ScheduleDesk, send: EffectSender<ScheduleAction>) async throws {
    for place in 0..<count {
      try await desk.perform(number, manner, isFirst: place == 0)
      try await send(.scene(.answered(number * 10 + place)))
      desk.note(answer: number * 10 + place)
    }
  }
}

/// The jobs that an action starts.
enum JobShape: Recordable, Hashable {
  /// One job.
  case one
  /// One job, after a second.
  case delayed
  /// Two jobs, one after the other.
  case inOrder
  /// Two jobs at once.
  case together
  /// One job that answers several times.
  case stream(Int64)
  /// No job, but an answer at once.
  case immediate
}

/// The actions that callers and jobs send.
enum ScheduleSceneAction: Recordable, Hashable {
  /// Adds a number.
  case noted(Int64)
  /// Adds a number; a transaction saw this many of them.
  case counted(Int64, seen: Int64)
  /// Adds a number and starts jobs under a key; may end the jobs under the key first.
  case started(Int64, JobShape, JobManner, key: String, replaces: Bool)
  /// Adds a number and cancels the jobs under a key.
  case stopped(Int64, key: String)
  /// The answer of a job.
  case answered(Int64)
}

/// The actions of the app.
enum ScheduleAction: Recordable, Hashable {
  /// What callers and jobs send.
  case scene(ScheduleSceneAction)
  /// A fact: a command with a number changed the balance.
  case moved(Int64, amount: Int64)
}

/// The only command of the app.
struct ScheduleCommand: Recordable, Hashable {
  /// The number of the command.
  var number: Int64
  /// What it adds to the balance, in two facts unless it is odd.
  var amount: Int64
}

/// The only refusal of the app: the balance would be below 0 or above 20.
struct ScheduleRefusal: Recordable, Error, Hashable {
  /// The balance before the command.
  var balance: Int64
}

/// The reducer of the app of random schedules.
struct ScheduleReducer: Reducer {
  func reduce(
    _ state: inout ScheduleState, _ action: ScheduleAction, at moment: Moment
  ) -> Effect<ScheduleAction, ScheduleDesk> {
    state.steps += 1
    switch action {
    case .scene(.noted(let number)), .scene(.counted(let number, _)):
      state.numbers.append(number)
    case .scene(.started(let number, let shape, let manner, let key, let replaces)):
      state.numbers.append(number)
      return Self.work(number, shape, manner).cancellable(key, cancelInFlight: replaces)
    case .scene(.stopped(let number, let key)):
      state.numbers.append(number)
      return .cancel(key)
    case .scene(.answered(let number)):
      state.answers.append(number)
    case .moved(let number, let amount):
      state.numbers.append(number)
      state.balance += amount
    }
    return .none
  }

  private static func work(
    _ number: Int64, _ shape: JobShape, _ manner: JobManner
  ) -> EffectWork<ScheduleAction, ScheduleDesk> {
    let first = Job(number: number * 10, manner: manner)
    let second = Job(number: number * 10 + 1, manner: .answers)
    switch shape {
    case .one: return .run(first)
    case .delayed: return .run(first).delayed(by: .seconds(1))
    case .inOrder: return .concatenate([.run(first), .run(second)])
    case .together: return .merge([.run(first), .run(second)])
    case .stream(let count):
      return .run(JobStream(number: number * 10, manner: manner, count: count))
    case .immediate: return .send(.scene(.answered(number * 100)))
    }
  }
}

/// The decider of the app of random schedules.
struct ScheduleDecider: Decider {
  func decide(
    _ command: ScheduleCommand, on state: borrowing ScheduleState, at moment: Moment
  ) throws(ScheduleRefusal) -> [ScheduleAction] {
    guard (0...20).contains(state.balance + command.amount) else {
      throw ScheduleRefusal(balance: state.balance)
    }
    if command.amount % 2 != 0 { return [.moved(command.number, amount: command.amount)] }
    let half = command.amount / 2
    return [.moved(command.number, amount: half), .moved(command.number, amount: half)]
  }
}

/// An app for random schedules: commands, effects of every kind, and actions that tell their order.
enum ScheduleApp: ReplayableApp {
  typealias Environment = ScheduleDesk
  typealias Route = CounterRoute
  /// The actions of the case `scene`; the store refuses a fact.
  typealias SceneAction = ScheduleAction

  static var name: String { "schedules" }
  static var build: String { "test" }
  static var reducerFingerprint: Digest { Digest(hex: String(repeating: "5c", count: 32)) ?? .zero }
  static var reducer: ScheduleReducer { ScheduleReducer() }
  static var decider: ScheduleDecider { ScheduleDecider() }
  static var initialState: ScheduleState { ScheduleState() }

  static func action(for action: ScheduleAction) -> ScheduleAction { action }

  static func role(of action: ScheduleAction) -> ActionRole<ScheduleCommand> {
    if case .scene = action { .scene } else { .fact }
  }

  static func violations(of state: borrowing ScheduleState) -> [Violation] {
    (0...20).contains(state.balance) ? [] : [Violation(of: "the balance is in range", "")]
  }

  static func scenes(in state: ScheduleState) -> [SceneID] { [SceneID(value: 0)] }

  static func backStack(
    of scene: SceneID, in state: ScheduleState
  ) -> BackStack<CounterRoute>? {
    scene.value == 0 ? BackStack(root: .all) : nil
  }

  static func screen(
    of scene: SceneID, in state: ScheduleState, at moment: Moment, size: Screen.Size
  ) -> Screen {
    Screen(Screen.Line("\(state.balance)"), size: size)
  }
}
