import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceScreen
import RetraceState
import RetraceStorage
import RetraceSystem
import TimeTracking
import TrackerFeatures

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
    _ body: (Envelope, TrackerAction?, inout TrackerState) -> Void
  ) throws {
    var state = TimeTracker.initialState
    let reducer = TimeTracker.reducer
    try storage.withReadView { (view) throws(StoreError) in
      try view.forEachRecord(from: 1, through: last) { (envelope, payload) throws(StoreError) in
        var action: TrackerAction?
        if envelope.kind == .action {
          guard let decoded = try? TrackerAction(encoded: payload) else {
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
        number = LogFormat.commandSchemaNumber(1)
        while let schema = try view.schema(number) {
          _ = try appender.commandSchemaNumber(json: schema)
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
enum ChangedTracker: ReplayableApp {
  struct Root: Reducer {
    /// The id from which on entries are billable; the tracker's own reducer has none.
    static var firstBillable: Int64 { 20_500 }

    func reduce(
      _ state: inout TrackerState, _ action: TrackerAction, at moment: Moment
    ) -> Effect<TrackerAction, TrackerEnvironment> {
      let next = state.domain.timeEntries.nextID
      let effect = TimeTracker.reducer.reduce(&state, action, at: moment)
      if next.value >= Self.firstBillable, next != state.domain.timeEntries.nextID {
        state.domain.timeEntries.modify(next) { $0.isBillable = true }
      }
      return effect
    }
  }

  static var name: String { TimeTracker.name }
  static var build: String { TimeTracker.build }
  static var reducer: Root { Root() }
  static var decider: TrackerDecider { TimeTracker.decider }
  static var initialState: TrackerState { TimeTracker.initialState }
  static func action(for sceneAction: ScenesAction) -> TrackerAction {
    TimeTracker.action(for: sceneAction)
  }
  static func role(of action: TrackerAction) -> ActionRole<DomainCommand> {
    TimeTracker.role(of: action)
  }
  static func scenes(in state: TrackerState) -> [SceneID] { TimeTracker.scenes(in: state) }
  static func backStack(
    of scene: SceneID, in state: TrackerState
  ) -> BackStack<TrackerRoute>? {
    TimeTracker.backStack(of: scene, in: state)
  }
  static func screen(
    of scene: SceneID, in state: TrackerState, at moment: Moment, size: Screen.Size
  ) -> Screen {
    TimeTracker.screen(of: scene, in: state, at: moment, size: size)
  }
  typealias Environment = TrackerEnvironment
}
