import RetraceArchitecture
import RetraceAvro
import RetraceRecording
import RetraceState
import RetraceStorage
import RetraceSystem
import RetraceToolSupport

/// Answers the lines of standard input, each with one line.
///
/// | line | what it does |
/// |---|---|
/// | `note TEXT`, `bytes` HEX, `secret LABEL` HEX | sends one action as a batch |
/// | `trap TEXT`, `overrun INDEX`, `secret-trap LABEL` HEX | sends an action that traps |
/// | `effect POLICY TEXT` | sends an action whose effect appends TEXT to the file `STORE.ran` |
/// | `later SECONDS POLICY TEXT` | the same, delayed |
/// | `trapping-effect TEXT` | sends an action whose effect sends an action that traps |
/// | `effects` | answers how many leaves are in flight |
/// | `batch N` | sends the actions of the next N lines as one batch |
/// | `group N` | enqueues the batches of the next N lines, to be committed together |
/// | `hold PHASE` | stops at the phase when it is next entered, until another line comes |
/// | `hash` | answers the hash of the state |
/// | `snapshot` | answers the sequence of the snapshot used, and its notice or `fine` |
/// | `catch-up` | folds the records of other processes, and prints the sequence of the last one |
/// | `keyed KEY TEXT` | sends a note with a key; answers `ok SEQUENCE key KEY` |
/// | `flush` | answers `ok SEQUENCE` once everything is durable |
/// | `close` | closes the store and answers `closed SEQUENCE` |
/// | `run N SIZE NAME` | sends N batches of SIZE notes, one after another; answers `done` |
/// | `stream N SIZE NAME` | the same, with an `ack` line for each; see `Sender.stream` |
/// | `flood N SIZE NAME` | the same, enqueued as fast as the store takes them |
/// | `try TEXT` | sends a note by a transaction; answers `ok SEQUENCE` or `error NAME …` |
/// | `timed TEXT` | sends a note; answers `ok SEQUENCE NANOSECONDS` of the monotonic clock |
/// | `read` | answers `reading at SEQUENCE` in a read transaction, and `read` after another line |
/// | `watch`, `await SEQUENCE` | observes; answers `seen SEQUENCE NANOSECONDS` when it was seen |
/// | `reveal LABEL` | answers the SHA-256 of the plain bytes that this process keeps |
///
/// HEX comes on a line of its own: plain bytes are never an argument. A batch is answered with
/// `ok SEQUENCE` once it is durable. With `TESTAPP_RELAXED` in the environment it is answered with
/// `taken SEQUENCE` before that, and `flush` waits until it is durable.
struct Sender {
  let store: Store<TestApp>
  let sightings = Sightings()
  private let holder: PhaseHolder
  private let isRelaxed: Bool
  private var reader: ActionReader

  init(path: String) throws {
    let holder = PhaseHolder()
    var configuration = StoreConfiguration()
    if ThisProcess.environment("TESTAPP_TRIAL") == "1" {
      configuration.foldTrial = TrialFold.trial(of: path)
    }
    if let interval = ThisProcess.environment("TESTAPP_SNAPSHOTS").flatMap(UInt64.init) {
      configuration.snapshots = SnapshotPolicy(
        interval: interval, closingInterval: interval, gapMax: 8 * interval)
    }
    if let actions = ThisProcess.environment("TESTAPP_LARGE").flatMap(Int.init) {
      configuration.largeGroupActionsMin = actions
    }
    if let limit = ThisProcess.environment("TESTAPP_QUEUE").flatMap(Int.init) {
      configuration.queueLimit = limit
    }
    isRelaxed = ThisProcess.environment("TESTAPP_RELAXED") != nil
    if isRelaxed { configuration.durability = .relaxed(window: .seconds(3600)) }
    configuration.phaseObserver = { holder.entered("\($0)") }
    self.holder = holder
    let desk = TestDesk(
      path: path + ".ran", hangs: ThisProcess.environment("RETRACE_TEST_DESK") == "hangs")
    store = try Store<TestApp>.openBlocking(
      at: path, configuration: configuration, environment: desk)
    if let limit = ThisProcess.environment("TESTAPP_WRITE_LOCK_TIMEOUT").flatMap(Int64.init) {
      store.storage.setWriteLockTimeout(milliseconds: limit)
    }
    reader = try ActionReader()
  }

  consuming func run() throws {
    let recovered = store.recovered.map { " \($0)" }.joined()
    // The line acknowledges the records up to here. A recovered effect may already have sent an
    // action, so they are flushed first.
    let sequence = store.sequence
    try store.flushBlocking()
    Answer.line("open \(sequence) recovered\(recovered)")
    while let line = try Line.next() {
      if try !answerShared(line) { try answer(line) }
    }
    try store.closeBlocking()
  }

  private mutating func answer(_ line: Line) throws {
    switch line.word {
    case "hold":
      holder.arm(line.rest)
      Answer.line("armed")
    case "hash":
      var state = try store.read { copy $0 }
      var writer = AvroWriter(capacity: 4096)
      Answer.line("hash \(StateHasher.hash(&state, with: SHA256Hasher.self, &writer))")
    case "snapshot":
      let use = store.snapshotUse
      Answer.line("snapshot \(use.used ?? 0) \(use.notice ?? "fine")")
    case "catch-up":
      Answer.line("ok \(try store.catchUpBlocking())")
    case "keyed":
      let words = line.rest.split(separator: " ", maxSplits: 1).map(String.init)
      guard words.count == 2 else { throw LineError(line: line.rest) }
      let receipt = try store.sendBlocking([.noted(words[1])], key: words[0])
      Answer.line("ok \(receipt.sequences.upperBound - 1) key \(words[0])")
    case "flush":
      try store.flushBlocking()
      Answer.line("ok \(store.sequence)")
    case "close":
      try store.closeBlocking()
      Answer.line("closed \(store.sequence)")
    case "effects":
      try store.flushBlocking()
      Answer.line("effects \(store.effectsInFlight.leaves.count)")
    case "reveal":
      Answer.line("revealed \(reader.digest(ofPlain: line.rest, in: store.state))")
    case "group":
      let batches = try (0..<line.count()).map { _ in try batch(Line.required()) }
      let store = self.store
      // While the writer thread is in here it takes nothing, so all of them go into one commit.
      try store.storage.performWriting { (_) throws(StoreError) in
        for batch in batches { try store.enqueue(batch) }
      }
      try store.flushBlocking()
      Answer.line("ok \(store.sequence)")
    default:
      try store.sendBlocking(batch(line))
      Answer.line("\(isRelaxed ? "taken" : "ok") \(store.sequence)")
    }
  }

  private mutating func batch(_ line: Line) throws -> [TestAction] {
    guard line.word == "batch" else { return [try reader.action(line)] }
    var actions: [TestAction] = []
    for _ in 0..<(try line.count()) { actions.append(try reader.action(Line.required())) }
    return actions
  }
}
