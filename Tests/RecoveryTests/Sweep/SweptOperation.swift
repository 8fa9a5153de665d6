import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceRecording
import RetraceReplay
import RetraceState
import RetraceStorage
import RetraceSystem
import Testing
import TimeTracking
import TrackerFeatures

/// An operation of the engine, of which every call into LMDB or the system is made to fail in turn.
enum SweptOperation: String, CaseIterable, CustomTestStringConvertible {
  case create
  case createInMemory = "create in memory"
  case open
  case openFromSnapshot = "open from a saved state"
  case openToRead = "open to read"
  case recover = "open after a crash"
  case firstSend = "first send of a session"
  case send
  case keyedSend = "send with a key"
  case repeatedSend = "send again with a key"
  case transact
  case oneShot = "transact and close the session"
  case perform = "perform a command"
  case keyedPerform = "perform a command with a key"
  case performClosing = "perform a command and close the session"
  case enqueue = "enqueue and flush"
  case relaxed = "relaxed send and flush"
  case close
  case closeSaving = "close and save the state"
  case catchUp = "catch up with others"
  case backup
  case head = "read the head"
  case scan
  case verify
  case seek = "seek of a replay"

  var testDescription: String { rawValue }

  /// Whether each run has a directory of its own, without a store.
  ///
  /// A backup has one, because its calls grow with the log: in a store that every run makes longer,
  /// n would never reach the last call.
  var hasOwnFolder: Bool { self == .create || self == .createInMemory || self == .backup }

  /// Whether the operation calls the system on its own, not only through LMDB.
  var callsSystem: Bool {
    switch self {
    case .head, .scan, .verify, .seek, .catchUp: false
    default: true
    }
  }

  /// Whether it sends, so that one can send again in the same store when it failed.
  var writes: Bool {
    switch self {
    case .firstSend, .send, .keyedSend, .transact, .oneShot, .enqueue, .perform, .keyedPerform,
      .performClosing:
      true
    default: false
    }
  }

  /// What is there before the calls begin to fail.
  func prepare(_ run: SweepRun) throws {
    switch self {
    case .create, .createInMemory: return
    case .openFromSnapshot:
      run.saveOften()
      try run.openKnown(sending: true).closeBlocking()
      #expect(try FileSystem.exists(run.path + "/derived/data.mdb"))
    case .closeSaving:
      run.saveOften()
      run.store = try run.openKnown(sending: true)
    case .catchUp:
      run.store = try run.openKnown(sending: true)
      try run.appendForeign()
    case .open, .openToRead:
      if run.number == 1 { try run.openKnown(sending: true).closeBlocking() }
    case .recover: try run.leaveCrash()
    case .relaxed: run.store = try run.openRelaxed()
    case .firstSend: run.store = try run.openKnown(sending: false)
    case .repeatedSend:
      run.store = try run.openKnown(sending: true)
      try run.sendKnown(SeamStore.batch("repeated"), key: "repeated")
    default: run.store = try run.openKnown(sending: true)
    }
  }

  /// What is done while a call fails.
  func perform(_ run: SweepRun) throws(StoreError) {
    switch self {
    case .create, .createInMemory, .open, .openFromSnapshot, .openToRead, .recover:
      try performOpening(run)
    case .firstSend, .send, .keyedSend, .repeatedSend, .transact, .oneShot, .enqueue, .relaxed,
      .perform, .keyedPerform, .performClosing, .close, .closeSaving:
      try performWriting(run)
    case .head, .scan, .verify, .seek, .catchUp, .backup: try performReading(run)
    }
  }

  private func performOpening(_ run: SweepRun) throws(StoreError) {
    switch self {
    case .create:
      let storage = try LogStorage.open(at: run.path, access: .create, faults: run.lmdb)
      defer { storage.close() }
      let head = try storage.head()
      #expect(head == .empty)
    case .createInMemory:
      let storage = try LogStorage.inMemory(in: run.folder, faults: run.lmdb)
      let store = try SweepRun.TrackerStore.open(over: storage, configuration: .ofSweep)
      defer { storage.close() }
      try store.sendBlocking(SeamStore.batch("in memory"))
      let head = try storage.head()
      #expect(head.sequence == 4)
      try store.closeBlocking()
    case .openToRead:
      let storage = try LogStorage.open(at: run.path, access: .read, faults: run.lmdb)
      defer { storage.close() }
      let records = try run.records(in: storage)
      #expect(records == run.kept)
    default:
      let store = try run.open()
      run.store = store
      let records = try run.records(in: store.storage)
      #expect(records == run.kept)
      let scenes = try store.read { $0.scenes.count }
      #expect(scenes == run.kept.count)
    }
  }

  private func performWriting(_ run: SweepRun) throws(StoreError) {
    guard let store = run.store else { return }
    switch self {
    case .close, .closeSaving: try store.closeBlocking()
    case .keyedSend: try store.sendBlocking(run.trying(), key: "key \(run.number)")
    case .repeatedSend:
      let receipt = try store.sendBlocking(SeamStore.batch("repeated"), key: "repeated")
      #expect(receipt.sequences.count == 3 && receipt.sequence == store.sequence)
    case .enqueue:
      // On the writer's thread, so that they go into one commit and n is the same in every run.
      let batches = (0..<3).map { run.trying("\($0)") }
      try store.storage.performWriting { (_) throws(StoreError) in
        for batch in batches { try store.enqueue(batch) }
      }
      try store.flushBlocking()
    case .relaxed:
      for part in 0..<2 { try store.sendBlocking(run.trying("\(part)")) }
      try store.flushBlocking()
    case .transact, .oneShot:
      let batch = run.trying()
      do throws(TransactionError<Never>) {
        try store.transactBlocking(closing: self == .oneShot) { (_, _) throws(Never) in batch }
      } catch {
        guard case .store(let failure) = error else { return }
        throw failure
      }
    case .perform, .keyedPerform, .performClosing:
      do throws(CommandError<TimeTracker>) {
        try store.performBlocking(
          run.tryingCommand(store), key: self == .keyedPerform ? "command \(run.number)" : nil,
          closing: self == .performClosing)
      } catch {
        switch error {
        case .store(let failure): throw failure
        case .refused(let refusal, _): Issue.record("refused: \(refusal)")
        }
      }
    default: try store.sendBlocking(run.trying())
    }
    run.acknowledged = run.tried.count
  }

  private func performReading(_ run: SweepRun) throws(StoreError) {
    guard let storage = run.store?.storage, let sequence = run.store?.sequence else { return }
    switch self {
    case .catchUp:
      try run.store?.catchUpBlocking()
      #expect(run.store?.sequence == sequence + 1)
    case .backup:
      let copy = "\(run.folder)/backup-\(run.number)"
      let backup = try storage.backup(to: copy)
      let reader = try LogStorage.open(at: copy, access: .read)
      defer { reader.close() }
      let records = try run.records(in: reader)
      #expect(records == run.kept && backup.head.sequence == sequence)
    case .head:
      let head = try storage.head()
      #expect(head.sequence == sequence)
    case .scan:
      let records = try run.records(in: storage)
      #expect(records == run.kept)
    case .verify:
      let report = try storage.withReadView { (view) throws(StoreError) in
        try view.verify()
      }
      #expect(report.damage == nil)
    default:
      var replayer = try Replayer<TimeTracker>(storage)
      try replayer.seek(to: sequence)
      #expect(replayer.state == run.store?.state)
      try replayer.seek(to: 1)
      #expect(replayer.sequence == 1)
    }
  }
}
