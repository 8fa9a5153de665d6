import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceSystem
import RetraceReplay
import RetraceStorage
import RetraceFixtures
import RetraceTesting

@testable import RetraceRecording

/// A record as the tests of effects look at it.
struct SeenRecord: Equatable, CustomStringConvertible {
  var kind: RecordKind
  var cause: UInt64?
  var startsBatch: Bool
  var text: String

  var description: String { "\(kind) \(cause.map { "of \($0) " } ?? "")\(text)" }
}

/// A store of errands in a directory of its own, with a desk and a clock that tests control.
struct ErrandStore: ~Copyable {
  let path: String
  let clock = VirtualClock()
  let desk: HouseDesk
  let store: Store<HouseApp>

  init(
    at path: String, _ behaviours: [String: HouseDesk.Behaviour] = [:], clock: VirtualClock? = nil,
    withDesk: Bool = true, snapshots: SnapshotPolicy = SnapshotPolicy(), largeFrom: Int = 2_048
  ) throws {
    self.path = path
    desk = HouseDesk(behaviours)
    let clock = clock ?? self.clock
    var configuration = StoreConfiguration(clock: { clock.moment })
    configuration.effectClock = clock
    configuration.snapshots = snapshots
    configuration.largeGroupActionsMin = largeFrom
    store = try Store.openBlocking(
      at: path, configuration: configuration, environment: withDesk ? desk : nil)
  }

  /// What was done, in the latest state.
  var done: [String] { store.state.done }

  /// What is in flight in the latest state.
  var inFlight: [EffectLeafID] {
    store.effectsInFlight.leaves.map(\.id)
  }

  /// The records of the log without session records.
  func records() throws -> [SeenRecord] {
    var seen: [SeenRecord] = []
    try store.storage.withReadView { (view) throws(StoreError) in
      guard view.head.sequence > 0 else { return }
      try view.forEachRecord(from: 1, through: view.head.sequence) {
        (envelope, payload) throws(StoreError) in
        guard ![.sessionOpened, .sessionClosed].contains(envelope.kind) else { return }
        var text = "?"
        if let end = try? EffectFinished(encoded: payload) {
          text = "\(end.id) \(end.outcome)" + (end.error.isEmpty ? "" : ": \(end.error)")
        }
        if envelope.kind == .action, let action = try? HouseAction(encoded: payload) {
          text = "\(action)"
        }
        seen.append(
          SeenRecord(
            kind: envelope.kind, cause: envelope.cause, startsBatch: envelope.startsBatch,
            text: text))
      }
    }
    return seen
  }

  /// The ends of leaves that the log has, as `CAUSE.ORDINAL OUTCOME`.
  func ends() throws -> [String] {
    try records().filter { $0.kind == .effectFinished }.map(\.text)
  }

  /// What a replay of the log has in flight after its last record.
  func replayedInFlight() throws -> [EffectLeafID] {
    var replayer = try Replayer<HouseApp>(store.storage)
    try replayer.seek(to: replayer.last)
    return replayer.effectsInFlight.leaves.map(\.id)
  }
}

extension ScratchDirectory {
  /// Makes a directory for an asynchronous body.
  static func with<R>(_ body: (String) async throws -> R) async throws -> R {
    let path = try make()
    defer { try? FileSystem.removeTree(path) }
    return try await body(path + "/store")
  }
}
