import RetraceArchitecture
import RetraceAvro
import RetraceLMDB
import RetraceLog
import RetraceRecording
import RetraceState
import RetraceStorage
import RetraceSystem
import Testing
import TimeTracking
import TrackerFeatures
import ToolTestSupport

/// One run of an operation, of which one call fails.
final class SweepRun {
  typealias TrackerStore = Store<TimeTracker>

  /// The directory that everything of the run lies under.
  let folder: String
  /// The number of the call that fails.
  let number: Int
  /// The plan that makes calls into LMDB fail; every store of the run is opened with it.
  let lmdb = LMDBFaultPlan()
  /// The store that the operation works on.
  var store: TrackerStore?
  /// How the stores of the run are opened.
  var configuration = StoreConfiguration.ofSweep
  /// The encoded actions that were acknowledged before.
  private(set) var kept: [[UInt8]]
  /// The batches that were sent, and the facts of commands, while a call failed, encoded.
  private(set) var tried: [[[UInt8]]] = []
  /// The batch that was sent after the failure, without opening the store again.
  private var sentAgain: [[UInt8]] = []
  /// How many batches of ``tried`` were acknowledged.
  var acknowledged = 0

  var path: String { "\(folder)/store" }

  init(folder: String, number: Int, kept: [[UInt8]]) {
    self.folder = folder
    self.number = number
    // Each second run reduces on a thread of its own.
    configuration.largeGroupActionsMin = number.isMultiple(of: 2) ? 1 : 2_048
    self.kept = kept
  }

  /// Opens the store, and acknowledges a batch in it.
  func openKnown(sending: Bool) throws(StoreError) -> TrackerStore {
    let store = try open()
    guard sending || kept.isEmpty else { return store }
    let known = SeamStore.batch("known \(number)")
    try store.sendBlocking(known)
    kept += SeamStore.encoded(known)
    guard !sending else { return store }
    try store.closeBlocking()
    return try open()
  }

  /// Opens the store, with the calls that fail.
  func open() throws(StoreError) -> TrackerStore {
    let storage = try LogStorage.open(at: path, access: .create, faults: lmdb)
    return try TrackerStore.open(over: storage, configuration: configuration)
  }

  /// Lets states be saved in `derived/` with every batch and close.
  func saveOften() {
    configuration.snapshots = SnapshotPolicy(interval: 1, closingInterval: 1)
    configuration.hashInterval = 1
  }

  /// Appends an action without the store, as another process does.
  func appendForeign() throws(StoreError) {
    guard let store else { return }
    let payload = SeamStore.encoded(SeamStore.batch("foreign \(number)"))[0]
    let session = store.sequence - 3
    try store.storage.append { (appender) throws(StoreError) in
      let envelope = Envelope(
        session: session, moment: Moment(microseconds: 5), schema: 1, startsBatch: true)
      try appender.append(envelope, payload: payload.span)
    }
    kept.append(payload)
  }

  /// Opens the store with relaxed durability, and without a batch that waits for its commit.
  func openRelaxed() throws(StoreError) -> TrackerStore {
    try openKnown(sending: true).closeBlocking()
    configuration.durability = .relaxed(window: .seconds(3600))
    return try open()
  }

  /// Sends a batch with a key, which is appended unless an earlier run has.
  func sendKnown(_ batch: [ScenesAction], key: String) throws(StoreError) {
    guard let store else { return }
    let before = store.sequence
    try store.sendBlocking(batch, key: key)
    if store.sequence > before { kept += SeamStore.encoded(batch) }
  }

  /// A batch that is about to be sent.
  func trying(_ name: String = "") -> [ScenesAction] {
    let batch = SeamStore.batch("tried \(number) \(name)")
    tried.append(SeamStore.encoded(batch))
    return batch
  }

  /// A command that is about to be performed, whose facts are decided here, too.
  func tryingCommand(_ store: TrackerStore) -> DomainCommand {
    let command = SeamStore.command("tried \(number)")
    do throws(DomainRefusal) {
      let facts = try TimeTracker.decider.decide(command, on: store.state, at: SeamStore.now)
      #expect(facts.count == 3)
      tried.append(facts.map { $0.encoded() })
    } catch {
      Issue.record("refused: \(error)")
    }
    return command
  }

  /// Sends a batch after the failure, in the same store if it still takes any.
  func sendAgain() throws {
    guard let store, !store.storage.isClosedForWriting else { return }
    let batch = SeamStore.batch("again \(number)")
    try store.sendBlocking(batch)
    sentAgain = SeamStore.encoded(batch)
  }

  /// Leaves the attempt of a program that ended while it was reducing a batch.
  func leaveCrash() throws(StoreError) {
    let store = try openKnown(sending: true)
    let session = store.sequence - 3
    var file = try store.storage.attemptWriter(session: session)
    try file.write(
      Attempt(
        firstSequence: store.sequence + 1, session: session, schema: 1,
        batches: [
          Attempt.Batch(
            moment: Moment(microseconds: 5),
            actions: SeamStore.encoded(SeamStore.batch("crash \(number)")))
        ]))
    store.abandon()
  }

  /// The encoded actions in a log, which is checked on the way.
  func records(in storage: LogStorage) throws(StoreError) -> [[UInt8]] {
    try SweepRun.contents(of: storage).actions
  }

  /// Returns the encoded actions in a log, and the number of crashed batches that it records.
  static func contents(
    of storage: LogStorage
  ) throws(StoreError) -> (actions: [[UInt8]], crashes: Int) {
    try storage.withReadView { (view) throws(StoreError) in
      var actions: [[UInt8]] = []
      var crashes = 0
      try view.verify()
      try view.forEachRecord(from: 1, through: view.head.sequence) {
        (envelope, payload) throws(StoreError) in
        if envelope.kind == .action { actions.append([UInt8](payload)) }
        if envelope.kind == .crashed { crashes += 1 }
      }
      return (actions, crashes)
    }
  }

  /// Returns the state that encoded actions lead to.
  private static func folded(_ actions: [[UInt8]]) throws -> TrackerState {
    var state = TimeTracker.initialState
    for payload in actions {
      let action = try TrackerAction(encoded: payload.span)
      _ = TimeTracker.reducer.reduce(&state, action, at: SeamStore.now)
    }
    return state
  }

  /// Checks what the run left, in a store opened without failures, and returns what is kept.
  ///
  /// - Parameters:
  ///   - error: What the operation threw.
  ///   - crashes: How many crashes have to be recorded.
  func check(after error: StoreError?, crashes: Int?, _ place: Comment) throws -> [[UInt8]] {
    let isUnknown = error != nil && store?.storage.isClosedForWriting == true
    // The program ends here, without the store being closed in order.
    store?.abandon()
    let again = try SeamStore.open(path)
    if crashes == nil { #expect(again.recovered.isEmpty, "a failed call was taken for a crash") }
    let found = try SweepRun.contents(of: again.storage)
    if let crashes { #expect(found.crashes == crashes, place) }
    let certain = kept + tried[..<(error == nil ? tried.count : acknowledged)].joined()
    var expected = certain
    if isUnknown {
      // A batch is there as a whole or not at all, and none is without the one before it.
      for batch in tried[acknowledged...] where expected.count < found.actions.count {
        expected += batch
      }
    }
    expected += sentAgain
    #expect(found.actions == expected, place)
    #expect(again.state == (try SweepRun.folded(expected)), place)
    try again.closeBlocking()
    return expected
  }
}

extension StoreConfiguration {
  /// The configuration of the stores of the sweep, with a fixed clock.
  static var ofSweep: StoreConfiguration {
    StoreConfiguration(clock: { SeamStore.now })
  }
}
