import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceRecording
import RetraceState
import RetraceStorage
import RetraceSystem
import RetraceFixtures
import RetraceTesting

/// Logs of counters in a temporary directory, which is removed.
enum CounterLog {
  static func withDirectory<R>(_ body: (String) throws -> R) throws -> R {
    let directory = try FileSystem.makeTemporaryDirectory("retrace-replay-")
    defer { try? FileSystem.removeTree(directory) }
    return try body(directory + "/store")
  }

  /// Opens a log for reading while the body runs.
  static func reading<R>(_ path: String, _ body: (LogStorage) throws -> R) throws -> R {
    let storage = try LogStorage.open(at: path, access: .read)
    defer { storage.close() }
    return try body(storage)
  }

  /// Records random batches in several sessions, with moments that also jump back.
  ///
  /// - Returns: The state of the live store after each batch that was waited for.
  static func record(
    _ batches: Int, in sessions: Int, at path: String, _ random: inout SeededGenerator
  ) throws -> [UInt64: CounterState] {
    var live: [UInt64: CounterState] = [:]
    for _ in 0..<sessions {
      let seed = random.next()
      let clock = Lock(SeededGenerator(seed: seed))
      let configuration = StoreConfiguration(
        hashInterval: Int.random(in: 1...40, using: &random),
        clock: {
          Moment(
            microseconds: clock.withLock { Int64.random(in: -9_000_000...9_000_000, using: &$0) })
        })
      let store = try Store<CounterApp>.openBlocking(at: path, configuration: configuration)
      for batch in 0..<batches / sessions {
        let state = store.state
        let actions = (0..<Int.random(in: 1...5, using: &random)).map { _ in
          CounterAction.random(on: state, using: &random)
        }
        if batch.isMultiple(of: 25) {
          let receipt = try store.sendBlocking(actions)
          live[receipt.sequence] = receipt.state
        } else {
          try store.enqueue(actions)
        }
      }
      try store.closeBlocking()
    }
    return live
  }

  /// The state after each record, by a plain loop over the decoded actions; the first is the one
  /// before all records.
  static func states(of storage: LogStorage) throws -> [CounterState] {
    var state = CounterState()
    var states = [state]
    let reducer = CounterReducer()
    try storage.withReadView { (view) throws(StoreError) in
      guard view.head.sequence > 0 else { return }
      try view.forEachRecord(from: 1, through: view.head.sequence) {
        (envelope, payload) throws(StoreError) in
        if envelope.kind == .action {
          guard let action = try? CounterAction(encoded: payload) else {
            throw StoreError.damaged(sequence: envelope.sequence, detail: "payload")
          }
          _ = reducer.reduce(&state, action, at: envelope.moment)
        }
        states.append(state)
      }
    }
    return states
  }
}

extension CounterState {
  /// The hash of the state, computed on a copy.
  var hash: Digest {
    var copy = self
    return StateHasher.hash(&copy, with: SHA256Hasher.self)
  }

  /// The fingerprint of the schema of the state.
  static var fingerprint: Digest {
    var composer = SchemaComposer()
    return stateSchema(in: &composer).fingerprint(with: SHA256Hasher.self)
  }
}
