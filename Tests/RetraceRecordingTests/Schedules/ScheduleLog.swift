import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceState
import RetraceStorage
import RetraceSystem

/// The log of a schedule's store, folded by a model of the app that is written on its own.
struct ScheduleLog {
  /// The records of one batch: of actions, of a command, or of a job's end and answer.
  struct Batch {
    var sequences: Range<UInt64>
    var key: String?
    var cause: UInt64?
    var actions: [ScheduleAction] = []
    var command: ScheduleCommand?
    var origin: RecordedCommand.Origin?
    var refusal: ScheduleRefusal?
    var end: EffectFinished?
    /// The steps after the batch.
    var steps: Int64 = 0
  }

  /// A leaf in flight.
  private struct Leaf {
    var key: String
    var isStream: Bool
  }

  private(set) var batches: [Batch] = []
  /// The state after each record; the first one is the initial state.
  private(set) var states: [ScheduleState] = [ScheduleState()]
  /// What is wrong with the log itself.
  private(set) var problems: [String] = []
  /// The records that started jobs, by the number of their action.
  private(set) var causes: [Int64: UInt64] = [:]
  /// The number of jobs that were cancelled.
  private(set) var cancelledCount = 0
  private var inFlight: [EffectLeafID: Leaf] = [:]
  private var startedBy: [UInt64: Int64] = [:]
  private var ended: Set<EffectLeafID> = []

  /// The leaves in flight after the last record.
  var leavesInFlight: [EffectLeafID] { inFlight.keys.sorted() }

  /// The state after the last record.
  var last: ScheduleState { states[states.count - 1] }

  /// The sequence of the last record.
  var lastSequence: UInt64 { UInt64(states.count - 1) }

  /// Reads and checks the log of a store that is closed.
  init(at path: String) throws {
    let storage = try LogStorage.open(at: path, access: .read)
    defer { storage.close() }
    var records: [(envelope: Envelope, payload: [UInt8])] = []
    try storage.withReadView { (view) throws(StoreError) in
      guard view.head.sequence > 0 else { return }
      try view.forEachRecord(from: 1, through: view.head.sequence) {
        (envelope, payload) throws(StoreError) in
        var bytes: [UInt8] = []
        for index in payload.indices { bytes.append(payload[index]) }
        records.append((envelope, bytes))
      }
    }
    for record in records { try add(record.envelope, record.payload) }
    closeBatch()
    for batch in batches where batch.command != nil { checkDecision(batch) }
  }

  // MARK: Records

  private mutating func add(_ envelope: Envelope, _ payload: [UInt8]) throws {
    let sequence = envelope.sequence
    if sequence != UInt64(states.count) { problems.append("record \(sequence) out of order") }
    if envelope.startsBatch {
      closeBatch()
      // The end of a job is a batch of its own, right before the batch of its answer.
      let end = envelope.kind == .action ? batches.last?.end : nil
      batches.append(
        Batch(
          sequences: sequence..<sequence + 1,
          key: envelope.key.map { String(decoding: $0, as: UTF8.self) }, cause: envelope.cause,
          end: end?.id.cause == envelope.cause ? end : nil))
    }
    let place = batches.count - 1
    batches[place].sequences = batches[place].sequences.lowerBound..<sequence + 1
    var state = last
    switch envelope.kind {
    case .action:
      let action = try ScheduleAction(encoded: payload.span)
      batches[place].actions.append(action)
      reduce(action, into: &state, at: sequence, in: batches[place])
    case .command:
      let command = try RecordedCommand(encoded: payload.span)
      batches[place].command = try ScheduleCommand(encoded: command.command.bytes.span)
      batches[place].origin = command.origin
      batches[place].refusal = try command.refusal.map {
        try ScheduleRefusal(encoded: $0.bytes.span)
      }
    case .effectFinished:
      let end = try EffectFinished(encoded: payload.span)
      batches[place].end = end
      if end.id.cause != envelope.cause { problems.append("\(end.id) ends at another cause") }
      if !ended.insert(end.id).inserted { problems.append("\(end.id) ends twice") }
      if inFlight.removeValue(forKey: end.id) == nil {
        problems.append("\(end.id) ends at \(sequence) and is not in flight")
      }
    case .sessionOpened, .sessionClosed: break
    case .crashed, .clockJumped: problems.append("\(envelope.kind) at \(sequence)")
    }
    states.append(state)
    if let hash = envelope.stateHash {
      if StateHasher.hash(&state, with: SHA256Hasher.self) != hash {
        problems.append("another state is hashed at \(sequence)")
      }
    }
  }

  private mutating func closeBatch() {
    guard !batches.isEmpty else { return }
    batches[batches.count - 1].steps = last.steps
  }

  // MARK: The model

  private mutating func reduce(
    _ action: ScheduleAction, into state: inout ScheduleState, at sequence: UInt64, in batch: Batch
  ) {
    state.steps += 1
    switch action {
    case .scene(.noted(let number)): state.numbers.append(number)
    case .scene(.counted(let number, let seen)):
      if seen != Int64(state.numbers.count) {
        problems.append("a transaction saw \(seen) numbers, not \(state.numbers.count)")
      }
      state.numbers.append(number)
    case .scene(.started(let number, let shape, _, let key, let replaces)):
      state.numbers.append(number)
      if replaces { cancel(key) }
      causes[number] = sequence
      startedBy[sequence] = number
      var isStream = false
      var count: UInt32 = 1
      switch shape {
      case .inOrder, .together: count = 2
      case .stream: isStream = true
      case .one, .delayed, .immediate: break
      }
      for ordinal in 0..<count {
        inFlight[EffectLeafID(cause: sequence, ordinal: ordinal)] = Leaf(
          key: key, isStream: isStream)
      }
    case .scene(.stopped(let number, let key)):
      state.numbers.append(number)
      cancel(key)
    case .scene(.answered(let number)):
      state.answers.append(number)
      checkAnswer(number, at: sequence, in: batch)
    case .moved(let number, let amount):
      state.numbers.append(number)
      state.balance += amount
    }
  }

  private mutating func cancel(_ key: String) {
    let left = inFlight.filter { $0.value.key != key }
    cancelledCount += inFlight.count - left.count
    inFlight = left
  }

  /// The number of jobs that ended in a way.
  func ended(_ outcome: EffectFinished.Outcome) -> Int {
    batches.filter { $0.end?.outcome == outcome && $0.actions.isEmpty }.count
  }

  /// An answer is one of its cause, and follows the end of its leaf or comes from a stream that is
  /// in flight.
  private mutating func checkAnswer(_ number: Int64, at sequence: UInt64, in batch: Batch) {
    guard let cause = batch.cause, let started = startedBy[cause], number / 100 == started else {
      problems.append("the answer \(number) at \(sequence) has the cause \(batch.cause ?? 0)")
      return
    }
    if batch.end != nil { return }
    if inFlight[EffectLeafID(cause: cause, ordinal: 0)]?.isStream != true {
      problems.append("the answer \(number) at \(sequence) is not of a stream in flight")
    }
  }

  /// A command's facts, or its refusal, are those that its decider returns for the state before it.
  private mutating func checkDecision(_ batch: Batch) {
    guard let command = batch.command else { return }
    do throws(ScheduleRefusal) {
      let facts = try decide(command, after: batch.sequences.lowerBound - 1)
      if batch.refusal != nil || facts != batch.actions {
        problems.append("\(batch) is not what the command decides: \(facts)")
      }
    } catch {
      if batch.refusal != error || !batch.actions.isEmpty {
        problems.append("\(batch) is not what the command decides: \(error)")
      }
    }
  }

  /// Decides a command on the state after a record.
  func decide(
    _ command: ScheduleCommand, after sequence: UInt64
  ) throws(ScheduleRefusal) -> [ScheduleAction] {
    let balance = states[Int(sequence)].balance
    guard balance + command.amount >= 0, balance + command.amount <= 20 else {
      throw ScheduleRefusal(balance: balance)
    }
    let half = command.amount / 2
    let parts = command.amount % 2 == 0 ? [half, half] : [command.amount]
    return parts.map { .moved(command.number, amount: $0) }
  }
}
