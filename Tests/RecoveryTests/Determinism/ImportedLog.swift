import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceScreen
import RetraceState
import RetraceStorage
import RetraceSystem
import TimeTracking

/// The log of an import, read without the replayer.
enum ImportedLog {
  /// Opens a log for reading while the body runs.
  static func reading<R>(_ path: String, _ body: (LogStorage) throws -> R) throws -> R {
    let storage = try LogStorage.open(at: path, access: .read)
    defer { storage.close() }
    return try body(storage)
  }

  /// Folds from zero in a plain loop over all actions, and calls `body` with the state after each
  /// record.
  static func fold(
    _ storage: LogStorage, through last: UInt64,
    _ body: (Envelope, AppAction?, inout AppState) -> Void
  ) throws {
    var state = AppState()
    let reducer = AppReducer()
    try storage.withReadView { (view) throws(StoreError) in
      try view.forEachRecord(from: 1, through: last) { (envelope, payload) throws(StoreError) in
        var action: AppAction?
        if envelope.kind == .action {
          guard let decoded = try? AppAction(encoded: payload) else {
            throw StoreError.damaged(sequence: envelope.sequence, detail: "payload")
          }
          _ = reducer.reduce(&state, decoded, at: envelope.moment)
          action = decoded
        }
        body(envelope, action, &state)
      }
    }
  }

  /// Writes the same records into another store, one of them with another state hash.
  ///
  /// The storage makes new checksums, a new chain and a new head, all valid.
  static func copy(
    _ source: LogStorage, to path: String, replacingHashAt planted: UInt64, by hash: Digest
  ) throws {
    let copy = try LogStorage.open(at: path, access: .create)
    defer { copy.close() }
    try copy.append { (appender: inout LogAppender) throws(StoreError) in
      try source.withReadView { (view) throws(StoreError) in
        var number: UInt32 = 1
        while let schema = try view.schema(number) {
          _ = try appender.schemaNumber(json: schema)
          number += 1
        }
        try view.forEachRecord(from: 1, through: view.head.sequence) {
          (envelope, payload) throws(StoreError) in
          var envelope = envelope
          if envelope.sequence == planted { envelope.stateHash = hash }
          try appender.append(envelope, payload: payload)
        }
      }
    }
  }

  /// The sequences of the records that carry a state hash.
  static func hashed(_ storage: LogStorage) throws -> [UInt64] {
    var sequences: [UInt64] = []
    try storage.withReadView { (view) throws(StoreError) in
      try view.forEachRecord(from: 1, through: view.head.sequence) {
        (envelope, _) throws(StoreError) in
        if envelope.stateHash != nil { sequences.append(envelope.sequence) }
      }
    }
    return sequences
  }
}

/// The tracker with one constant of its reducer changed: the id from which on entries are billable.
enum ChangedTrackerApp: ReplayableApp {
  struct Root: Reducer {
    /// The id from which on entries are billable; the tracker's own reducer has none.
    static var firstBillable: Int64 { 100_500 }

    func reduce(
      _ state: inout AppState, _ action: AppAction, at moment: Moment
    ) -> Effect<AppAction, any TrackerEnvironment> {
      guard case .timeline(.created(var entry)) = action else {
        return AppReducer().reduce(&state, action, at: moment)
      }
      if state.timeline.entries.nextID.value >= Self.firstBillable {
        entry.details.isBillable = true
      }
      return AppReducer().reduce(&state, .timeline(.created(entry)), at: moment)
    }
  }

  static var name: String { TimeTrackerApp.name }
  static var build: String { TimeTrackerApp.build }
  static var reducer: Root { Root() }
  static var initialState: AppState { TimeTrackerApp.initialState }
  static func scenes(in state: AppState) -> [SceneID] { TimeTrackerApp.scenes(in: state) }
  static func backStack(of scene: SceneID, in state: AppState) -> BackStack<Route>? {
    TimeTrackerApp.backStack(of: scene, in: state)
  }
  static func screen(
    of scene: SceneID, in state: AppState, at moment: Moment, size: Screen.Size
  ) -> Screen {
    TimeTrackerApp.screen(of: scene, in: state, at: moment, size: size)
  }
  typealias Environment = any TrackerEnvironment
}
