import RetraceLog
import RetraceTesting

/// One step of an actor of a schedule.
enum ScheduleStep {
  /// Sends actions with these numbers, and waits for the receipt.
  case send([Int64], key: String?)
  /// Queues actions with these numbers.
  case enqueue([Int64])
  /// Waits until what was queued is durable.
  case flush
  /// Performs a command.
  case perform(ScheduleCommand, from: RecordedCommand.Origin, key: String?)
  /// Decides on the state, or declines.
  case transact(Int64, declines: Bool)
  /// Starts jobs.
  case start(Int64, JobShape, JobManner, key: String, replaces: Bool)
  /// Cancels the jobs under a key.
  case stop(Int64, key: String)
  /// Lets the waiting jobs of an action go on.
  case release(Int64)
  /// Lets two seconds of the virtual clock pass.
  case advance
  /// Waits for the effects of the actor's last receipt; the wait is cancelled.
  case settle
  /// Adds an observer, which may enqueue, add another observer, or cancel itself at a call.
  case observe(ScheduleObserver)
  /// Cancels the actor's first observation.
  case cancelObservation
  /// Consumes the states as a sequence.
  case consumeStates
  /// Folds records of other processes.
  case catchUp
  /// Reads the state and the statistics.
  case read
  /// Closes the store.
  case close
  /// Drops the actor's reference; all other actors drop theirs before their next step.
  case drop
}

/// What an observer does in its calls, besides noting them.
struct ScheduleObserver {
  /// The numbers that it enqueues, one in each of its first calls.
  var enqueues: [Int64]
  /// The call, from 1, in which it adds an observer.
  var addsAt: Int?
  /// The call, from 1, in which it cancels itself.
  var cancelsAt: Int?
}

/// The steps of one actor, in order: of a thread, which blocks, or of a task.
struct ScheduleActor {
  struct Timed {
    var step: ScheduleStep
    /// How often the actor yields before the step.
    var pause: Int
    /// How often it yields before it cancels the step, if the step can be cancelled.
    var cancelsAfter: Int?
  }

  var isThread: Bool
  var store: Int
  var steps: [Timed]
}

/// What one store of a schedule is opened with.
struct ScheduleStore {
  var isRelaxed: Bool
  /// The window of relaxed durability, in milliseconds.
  var window: Int
  var queueLimit: Int
  var largeGroupActionsMin: Int
  var hashInterval: Int
  var saveInterval: UInt64
}

/// Concurrent work on one or two stores, determined by a seed.
struct Schedule: CustomStringConvertible {
  let seed: UInt64
  private(set) var stores: [ScheduleStore] = []
  private(set) var actors: [ScheduleActor] = []

  private var random: SeededGenerator
  private var nextNumber: Int64 = 0
  private var started: [Int64] = []

  init(seed: UInt64) {
    self.seed = seed
    random = SeededGenerator(seed: seed)
    let storeCount = chance(4) ? 2 : 1
    for _ in 0..<storeCount { stores.append(makeStore()) }
    for number in 0..<Int.random(in: 2...4, using: &random) {
      let store = number < storeCount ? number : Int.random(in: 0..<storeCount, using: &random)
      addActor(on: store)
    }
    // The end of a store at a random point; otherwise it is closed when all actors are done.
    for store in 0..<storeCount where chance(2) {
      let candidates = actors.indices.filter { actors[$0].store == store }
      guard let actor = candidates.randomElement(using: &random) else { continue }
      let place = Int.random(in: 0...actors[actor].steps.count, using: &random)
      let step: ScheduleStep = chance(2) ? .close : .drop
      actors[actor].steps.insert(.init(step: step, pause: 0), at: place)
    }
  }

  var description: String {
    var lines = ["schedule of seed \(seed)"]
    for (number, store) in stores.enumerated() { lines.append("store \(number): \(store)") }
    for (number, actor) in actors.enumerated() {
      lines.append("\(actor.isThread ? "thread" : "task") \(number) on store \(actor.store)")
      for timed in actor.steps {
        let cancels = timed.cancelsAfter.map { ", cancelled after \($0)" } ?? ""
        lines.append("  after \(timed.pause): \(timed.step)\(cancels)")
      }
    }
    return lines.joined(separator: "\n")
  }

  /// Returns `true` once in so many times.
  private mutating func chance(_ times: Int) -> Bool {
    Int.random(in: 0..<times, using: &random) == 0
  }

  private mutating func makeStore() -> ScheduleStore {
    ScheduleStore(
      isRelaxed: chance(4), window: chance(2) ? 1 : 3_600_000, queueLimit: chance(4) ? 3 : 1 << 20,
      largeGroupActionsMin: chance(3) ? 2 : 2_048, hashInterval: chance(2) ? 1 : 256,
      saveInterval: chance(3) ? 8 : 10_000)
  }

  private mutating func number() -> Int64 {
    nextNumber += 1
    return nextNumber
  }

  private mutating func addActor(on store: Int) {
    var actor = ScheduleActor(isThread: chance(2), store: store, steps: [])
    for _ in 0..<Int.random(in: 4...12, using: &random) {
      let step = makeStep(on: store)
      var cancelsAfter: Int?
      if !actor.isThread, chance(4) { cancelsAfter = Int.random(in: 0...4, using: &random) }
      if case .settle = step { cancelsAfter = Int.random(in: 0...50, using: &random) }
      actor.steps.append(
        .init(
          step: step, pause: chance(3) ? Int.random(in: 1...20, using: &random) : 0,
          cancelsAfter: cancelsAfter))
    }
    actors.append(actor)
  }

  private mutating func makeStep(on store: Int) -> ScheduleStep {
    switch Int.random(in: 0..<40, using: &random) {
    case 0..<6: return makeSend(on: store)
    case 6..<11:
      return .enqueue((0..<Int.random(in: 1...3, using: &random)).map { _ in number() })
    case 11..<13: return .flush
    case 13..<20: return makeCommand(on: store)
    case 20..<22: return .transact(number(), declines: chance(3))
    case 22..<27: return makeStart()
    case 27: return .stop(number(), key: makeKey())
    case 28..<30: return .release(started.randomElement(using: &random) ?? 0)
    case 30: return .advance
    case 31: return .settle
    case 32..<35:
      return .observe(
        ScheduleObserver(
          enqueues: chance(3) ? [number(), number()] : [],
          addsAt: chance(4) ? Int.random(in: 1...3, using: &random) : nil,
          cancelsAt: chance(4) ? Int.random(in: 1...4, using: &random) : nil))
    case 35: return .cancelObservation
    case 36: return .consumeStates
    case 37: return .catchUp
    default: return .read
    }
  }

  private mutating func makeKey() -> String { chance(2) ? "a" : "b" }

  /// Returns an idempotency key and the number that belongs to it.
  ///
  /// Numbers of the same key differ in their last digit: the log has one of them at most.
  private mutating func makeIdempotencyKey(
    on store: Int, command: Bool
  ) -> (key: String, number: Int64) {
    let key = Int64.random(in: 0..<3, using: &random)
    let base = Int64(1_000 + store * 500 + (command ? 200 : 0))
    return ("\(command ? "c" : "s")\(key)", base + key * 10 + (chance(3) ? 1 : 0))
  }

  private mutating func makeSend(on store: Int) -> ScheduleStep {
    if chance(3) {
      let (key, number) = makeIdempotencyKey(on: store, command: false)
      return .send([number], key: key)
    }
    return .send((0..<Int.random(in: 1...3, using: &random)).map { _ in number() }, key: nil)
  }

  private mutating func makeCommand(on store: Int) -> ScheduleStep {
    let origins: [RecordedCommand.Origin] = [.program, .scene, .commandLine]
    let origin = origins.randomElement(using: &random) ?? .program
    if chance(3) {
      let (key, number) = makeIdempotencyKey(on: store, command: true)
      // Determined by the number, so that a repeated key has the same command.
      let command = ScheduleCommand(number: number, amount: number % 19 - 6)
      return .perform(command, from: origin, key: key)
    }
    let amount = Int64.random(in: -8...10, using: &random)
    return .perform(ScheduleCommand(number: number(), amount: amount), from: origin, key: nil)
  }

  private mutating func makeStart() -> ScheduleStep {
    let number = number()
    started.append(number)
    let shape: JobShape =
      switch Int.random(in: 0..<6, using: &random) {
      case 0, 1: .one
      case 2: .delayed
      case 3: .inOrder
      case 4: chance(2) ? .together : .immediate
      default: .stream(Int64.random(in: 0...3, using: &random))
      }
    let manner = JobManner.allCases.randomElement(using: &random) ?? .answers
    return .start(number, shape, manner, key: makeKey(), replaces: chance(4))
  }
}
