import CBaseline
import CFold
import Dispatch
import Figures
import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceRecording
import RetraceState
import RetraceStorage
import RetraceSystem
import Synchronization
import Workload

/// Actions as an app sends them: encoded, noted in the attempt, reduced, chained, committed,
/// and now and then the state hashed and saved, as in every store.
func registerStoreRows() {
  registerAwaited(count: 500)
  for (batch, count) in [(1, 100_000), (10, 300_000), (100, 1_000_000)] {
    registerGroupCommit(batch: batch, count: count)
  }
  // The target is 4 M/s where C takes 139 ns an action.
  registerGroupCommit(batch: 1_000, count: 1_000_000, target: .timesYardstick(atMost: 1.8))
}

private func registerAwaited(count: Int) {
  let sent = Sent(count, batch: 1)
  compare(
    Row(
      "durable action, awaited", input: "\(grouped(count)) actions of the mix, seed \(Sent.seed)",
      unit: .microseconds, limit: "LMDB waits for the disk twice"),
    ours: {
      try onDisk("awaited") { folder in
        let store = try openStore(folder)
        defer { try? store.closeBlocking() }
        let start = FiguresClock.wall.now
        for batch in sent.batches { try store.sendBlocking(batch) }
        let nanoseconds = FiguresClock.wall.now - start
        try store.closeBlocking()
        let (actions, checksum) = try logged(folder)
        return Measured(nanoseconds: nanoseconds, operations: actions, checksum: checksum)
      }
    },
    yardsticks: [
      Yardstick("write + fdatasync", .timesYardstick(atMost: 1.9)) {
        try onDisk("file") { folder in
          try measured(sent.encoded.withC { storage_file(folder + "/log", $0, 1) })
        }
      },
      // A task must not block its thread, so two threads are woken for each action; no target.
      Yardstick("sent by a task") {
        try onDisk("awaited") { folder in
          let store = try openStore(folder)
          defer { try? store.closeBlocking() }
          let start = FiguresClock.wall.now
          try sendFromTask(sent.batches, to: store)
          let nanoseconds = FiguresClock.wall.now - start
          try store.closeBlocking()
          let (actions, checksum) = try logged(folder)
          return Measured(nanoseconds: nanoseconds, operations: actions, checksum: checksum)
        }
      },
      // The cost without the engine; it has no target.
      Yardstick("C over LMDB") {
        try onDisk("commit") { folder in
          try measured(sent.encoded.withC { storage_commit(folder, $0, 0) })
        }
      },
      Yardstick("C over LMDB, a thread that commits") {
        try onDisk("commit") { folder in
          try measured(sent.encoded.withC { storage_commit(folder, $0, 1) })
        }
      },
    ])
}

/// Sends batches, each once the one before is durable, from a task.
private func sendFromTask(
  _ batches: [[WorkloadAction]], to store: Store<WorkloadApp>
) throws {
  let result = Mutex<Result<Void, any Error>>(.success(()))
  let done = DispatchSemaphore(value: 0)
  Task {
    do {
      for batch in batches { try await store.send(batch) }
    } catch {
      result.withLock { $0 = .failure(error) }
    }
    done.signal()
  }
  done.wait()
  try result.withLock { $0 }.get()
}

private func registerGroupCommit(batch: Int, count: Int, target: Target? = nil) {
  var sent: Sent?
  var written: String?
  compare(
    Row(
      "group commit, batches of \(grouped(batch))",
      input: "\(grouped(count)) actions of the mix on up to 10,000 entries, seed \(Sent.seed), "
        + "enqueued; until flush returns",
      unit: .millionPerSecond, limit: "reducing and encoding, on two cores"),
    setUp: {
      let made = Sent(count, batch: batch)
      let folder = try scratch("group-log")
      _ = try enqueue(made, in: folder)
      (sent, written) = (made, folder)
    },
    tearDown: {
      if let written { removeScratch(written) }
      (sent, written) = (nil, nil)
    },
    ours: {
      guard let sent else { throw FiguresError("nothing to send") }
      return try onDisk("group") { folder in
        let nanoseconds = try enqueue(sent, in: folder)
        let (actions, checksum) = try logged(folder)
        return Measured(nanoseconds: nanoseconds, operations: actions, checksum: checksum)
      }
    },
    yardsticks: [
      // On one thread: the log that these actions left is checked, its chain computed again, its
      // actions decoded (not encoded) and reduced; then their bytes are committed, in the groups
      // that the store makes of what is queued. Left out are the hashes of the state.
      Yardstick("C that folds the log, then commits groups of 100,000", target) {
        guard let sent, let written else { throw FiguresError("nothing to send") }
        // Unsafe: C reads the path during the call only.
        let fold = unsafe fold_workload(written + "/store", 1)
        guard fold.error == 0, fold.actions == count else {
          throw FiguresError("the C program failed: \(fold.error), \(fold.actions) actions")
        }
        var both = try onDisk("group") { folder in
          try measured(sent.encoded.withC { storage_commit_groups(folder, $0, 100_000) })
        }
        both.nanoseconds += Int64(fold.nanoseconds)
        return both
      }
    ])
}

/// Sends all batches to a new store in a folder, waits until they are durable, and returns how many
/// nanoseconds that took.
private func enqueue(_ sent: Sent, in folder: String) throws -> Int64 {
  let store = try openStore(folder)
  defer { try? store.closeBlocking() }
  let start = FiguresClock.wall.now
  for batch in sent.batches { try store.enqueue(batch) }
  try store.flushBlocking()
  let nanoseconds = FiguresClock.wall.now - start
  var state = store.state
  guard checksum(of: &state) == sent.state else {
    throw FiguresError("the state is not the one that a plain fold leads to")
  }
  try store.closeBlocking()
  return nanoseconds
}

private func openStore(_ folder: String) throws -> Store<WorkloadApp> {
  // A fixed clock, so that the state equals the fold in `Sent`.
  let configuration = StoreConfiguration(clock: { Sent.moment })
  return try Store<WorkloadApp>.openBlocking(at: folder + "/store", configuration: configuration)
}

/// The actions in the log, and the sum of the lengths and first bytes of their payloads.
private func logged(_ folder: String) throws -> (actions: UInt64, checksum: UInt64) {
  let storage = try LogStorage.open(at: folder + "/store", access: .read)
  defer { storage.close() }
  var actions: UInt64 = 0
  var checksum: UInt64 = 0
  try storage.withReadView { view throws(StoreError) in
    try view.scan(from: 1, through: view.head.sequence) { record throws(StoreError) in
      guard record.kind == .action else { return }
      let payload = record.payload
      actions += 1
      checksum &+= UInt64(payload.count) + UInt64(payload[0])
    }
  }
  return (actions, checksum)
}

private func checksum(of state: inout WorkloadState) -> UInt64 {
  var writer = AvroWriter(capacity: 4096)
  let hash = StateHasher.hash(&state, with: SHA256Hasher.self, &writer)
  return (0..<8).reduce(0) { $0 << 8 | UInt64(hash[$1]) }
}

/// The batches to send, and the state after them.
private struct Sent {
  static let seed: UInt64 = 1
  static let moment = Moment(microseconds: 1_700_000_000_000_000)

  var batches: [[WorkloadAction]] = []
  /// The bytes of the actions.
  let encoded: Records
  /// The checksum of the state after a plain fold.
  let state: UInt64

  init(_ count: Int, batch: Int) {
    var mix = ActionMix(seed: Self.seed, entries: 10_000)
    var fold = Fold<WorkloadApp>()
    var writer = AvroWriter(capacity: count * 40)
    var offsets: [UInt32] = [0]
    while offsets.count <= count {
      var actions: [WorkloadAction] = []
      for _ in 0..<min(batch, count + 1 - offsets.count) {
        let action = mix.next()
        action.encode(into: &writer)
        offsets.append(UInt32(writer.count))
        _ = fold.apply(action, at: Self.moment, sequence: fold.sequence + 1)
        actions.append(action)
      }
      batches.append(actions)
    }
    encoded = Records(bytes: writer.bytes, offsets: offsets)
    var state = fold.state
    self.state = checksum(of: &state)
  }
}
