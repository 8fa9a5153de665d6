import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceState
import RetraceStorage
import RetraceSystem
import RetraceFixtures

/// A log written record by record, so that it can say what no store would write.
///
/// The storage writes chain, checksums and head, so they are always right.
struct WrittenLog {
  /// What a record is made of.
  enum Item {
    case opened(stateSchema: Digest, actionSchema: Digest? = nil)
    case action(CounterAction, startsBatch: Bool = true, hash: Hash = .none)
    case foreign([UInt8], schema: String)
    case crashed(session: UInt64)
    case closed(hash: Hash = .right)
  }

  /// The state hash that a record carries.
  enum Hash {
    case none
    case right
    case wrong
  }

  /// Writes a log; the moment of record N is N seconds after the start of 1970.
  static func write(_ items: [Item], at path: String) throws {
    let storage = try LogStorage.open(at: path, access: .create)
    defer { storage.close() }
    try storage.append { appender throws(StoreError) in
      var state = CounterState()
      var session: UInt64 = 0
      let own = try appender.schemaNumber(json: CounterAction.schema.text)
      for item in items {
        let sequence = appender.nextSequence
        if case .opened = item { session = sequence }
        let moment = Moment(microseconds: Int64(sequence) * 1_000_000)
        var envelope = Envelope(session: session, moment: moment, schema: own)
        switch item {
        case .opened(let state, let action):
          try appender.append(opened(stateSchema: state, actionSchema: action), envelope)
        case .action(let action, let startsBatch, let hash):
          _ = CounterReducer().reduce(&state, action, at: moment)
          envelope.startsBatch = startsBatch
          envelope.stateHash = digest(hash, of: state)
          let payload = action.encoded()
          try appender.append(envelope, payload: payload.span)
        case .foreign(let payload, let schema):
          envelope.schema = try appender.schemaNumber(json: schema)
          try appender.append(envelope, payload: payload.span)
        case .crashed(let dead):
          try appender.append(
            Crashed(session: dead, moment: moment, schema: own, batch: 0, actions: [[1]]), envelope)
        case .closed(let hash):
          envelope.stateHash = digest(hash, of: state)
          try appender.append(SessionClosed(reason: .closed), envelope)
        }
      }
    }
  }

  private static func opened(stateSchema: Digest, actionSchema: Digest?) -> SessionOpened {
    SessionOpened(
      app: CounterApp.name, build: CounterApp.build,
      actionSchema: actionSchema ?? CounterAction.schema.fingerprint(with: SHA256Hasher.self),
      stateSchema: stateSchema, reducer: .zero, scene: SceneID(value: 3), zone: "Europe/Berlin",
      zoneDatabase: "2025b")
  }

  private static func digest(_ hash: Hash, of state: CounterState) -> Digest? {
    switch hash {
    case .none: nil
    case .right: state.hash
    case .wrong: SHA256Hasher.digest(of: Array("another state".utf8).span)
    }
  }
}
