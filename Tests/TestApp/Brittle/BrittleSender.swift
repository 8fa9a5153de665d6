import RetraceArchitecture
import RetraceLMDB
import RetraceLog
import RetraceRecording
import RetraceStorage
import RetraceSystem
import RetraceToolSupport

/// Answers the lines of standard input, each with one line.
///
/// | line | what it does |
/// |---|---|
/// | `note KEY TEXT` | performs a command with a key |
/// | `ask KEY POLICY TEXT` | performs a command whose fact has an effect, which notes its answer |
/// | `order KEY POLICY TEXT` | the same with an effect that answers with a command |
/// | `crash POINT trap`, `crash POINT kill` | ends the program when it comes to the point |
/// | `effects` | answers how many leaves are in flight |
///
/// A command is answered with `ok SEQUENCE`, or with `repeated SEQUENCE` if the log had it.
struct BrittleSender {
  private let store: Store<BrittleApp>
  private let plan = LMDBFaultPlan()

  init(path: String) throws {
    var configuration = StoreConfiguration()
    configuration.foldTrial = TrialFold.trial(of: path)
    let desk = TestDesk(path: path + ".ran", hangs: false)
    store = try Store<BrittleApp>.open(
      over: LogStorage.open(at: path, access: .create, faults: plan),
      configuration: configuration, environment: desk)
  }

  func run() throws {
    let recovered = store.recovered.map { " \($0)" }.joined()
    Answer.line("open \(store.sequence) recovered\(recovered)")
    let observation = store.observe { _ in CrashPoint.publish.reach() }
    while let line = try Line.next() { try answer(line) }
    observation.cancel()
    try store.closeBlocking()
  }

  private func answer(_ line: Line) throws {
    switch line.word {
    case "crash":
      try arm(line.rest)
      Answer.line("armed")
    case "effects":
      try store.flushBlocking()
      Answer.line("effects \(store.effectsInFlight.leaves.count)")
    default:
      let (key, command) = try interpret(line)
      let performed = try store.performBlocking(command, from: .commandLine, key: key)
      let last = performed.receipt.sequences.upperBound - 1
      Answer.line("\(performed.wasRepeated ? "repeated" : "ok") \(last)")
    }
  }

  private func arm(_ text: String) throws(LineError) {
    let point = try CrashPoint.arm(text)
    switch point {
    case .append: plan.interrupt(.put, .before) { point.reach() }
    case .commit: plan.interrupt(.commit, .before) { point.reach() }
    case .committed: plan.interrupt(.commit, .after) { point.reach() }
    default: break
    }
  }

  /// Makes a command of a line, before anything is recorded.
  private func interpret(_ line: Line) throws -> (key: String, BrittleCommand) {
    CrashPoint.interpret.reach()
    let words = line.rest.split(separator: " ").map(String.init)
    switch line.word {
    case "note" where words.count == 2: return (words[0], .note(words[1]))
    case "ask" where words.count == 3, "order" where words.count == 3:
      guard let ended = TestLeaf.Ended(rawValue: words[1]) else { break }
      let leaf = BrittleLeaf(text: words[2], ended: ended, asks: line.word == "order")
      return (words[0], .ask(leaf))
    default: break
    }
    throw LineError(line: line.word)
  }
}
