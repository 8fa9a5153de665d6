import RetraceArchitecture
import RetraceLog
import RetraceReplay
import RetraceState
import RetraceStorage
import RetraceSystem
import RetraceTesting
import Testing

@testable import RetraceRecording

/// Random schedules of concurrent sends, commands, effects, cancellations, observers and ends of
/// stores, each compared with a sequential model.
@Suite struct ScheduleTests {
  /// Where the stores are: in memory if the system has a place for that, because a thousand
  /// schedules wait for a disk for minutes.
  private static func makeFolder() throws -> String {
    let memory = try? FileSystem.makeTemporaryDirectory("retrace-schedules", in: "/dev/shm")
    return try memory ?? ScratchDirectory.make()
  }

  /// The number of schedules; the thread sanitizer makes each about ten times slower.
  private static var count: Int {
    #if THREAD_SANITIZER
      repetitions(1_000, few: 200)
    #else
      repetitions(10_000, few: 1_000)
    #endif
  }

  @Test(arguments: 0..<4)
  func `every schedule is one that a sequential model allows`(part: Int) async throws {
    let first: UInt64 = withSeed { _ in
      ThisProcess.environment("RETRACE_SEED").flatMap { UInt64($0) } ?? 1
    }
    let folder = try Self.makeFolder()
    defer { try? FileSystem.removeTree(folder) }
    var tally: [String: Int] = [:]
    for number in stride(from: part, to: Self.count, by: 4) {
      let schedule = Schedule(seed: first &+ UInt64(number))
      var execution = ScheduleExecution(schedule, in: "\(folder)/\(number)")
      let problems = try await execution.run()
      tally.merge(execution.tally, uniquingKeysWith: +)
      guard !problems.isEmpty else { continue }
      Issue.record("\(schedule)\n\(problems.joined(separator: "\n"))")
      return
    }
    for kind in Self.kinds { #expect(tally[kind] ?? 0 > 0, "no schedule had: \(kind)") }
  }

  /// What happens in some schedule of each part.
  private static let kinds = [
    "receipt", "queued", "refused", "declined", "repeated", "cancelled", "closed", "overloaded",
    "keyReused", "job finished", "job failed", "job cancelled", "job in flight at the end",
    "call of an observer", "observer cancelled", "observer cancelled by itself",
    "state of a sequence", "close", "drop",
  ]
}

/// One run of a schedule.
struct ScheduleExecution {
  typealias App = ScheduleApp

  private let schedule: Schedule
  private let runs: [ScheduleStoreRun]
  private var problems: [String] = []
  /// How often something happened.
  private(set) var tally: [String: Int] = [:]

  init(_ schedule: Schedule, in folder: String) {
    self.schedule = schedule
    runs = schedule.stores.indices.map { ScheduleStoreRun(at: "\(folder)/store\($0)") }
    self.folder = folder
  }

  private let folder: String

  /// What is left of a store that has ended.
  private struct Remains {
    weak var writer: Writer<App>?
    weak var log: LogStorage?

    init(_ store: Store<App>) {
      writer = store.writer
      log = store.storage
    }

    var areGone: Bool { writer == nil && log == nil }
  }

  /// Carries the schedule out, and returns what it finds wrong.
  mutating func run() async throws -> [String] {
    try FileSystem.makeDirectory(folder)
    let watchdog = Task { [schedule] in
      try await Task.sleep(for: .seconds(60))
      print("still running: \(schedule)")
    }
    defer { watchdog.cancel() }
    var stores: [Store<App>] = []
    for (run, options) in zip(runs, schedule.stores) { stores.append(try run.open(options)) }
    let remains = stores.map { Remains($0) }
    var (results, held) = await act(consume stores)
    for number in runs.indices {
      try await end(number, held[number].take(), results[number], remains[number])
    }
    try FileSystem.removeTree(folder)
    return problems
  }

  // MARK: The actors

  /// Runs all actors at once.
  ///
  /// - Returns: For each store what its actors did, and the store unless it was dropped.
  private func act(
    _ stores: consuming [Store<App>]
  ) async -> ([[ScheduleActorResult]], [Store<App>?]) {
    var results = Array(repeating: [ScheduleActorResult](), count: runs.count)
    var held: [Store<App>?] = Array(repeating: nil, count: runs.count)
    await withTaskGroup(of: (Int, ScheduleActorResult, Store<App>?).self) { group in
      for actor in schedule.actors {
        let store = stores[actor.store]
        let run = runs[actor.store]
        group.addTask { await Self.act(actor, on: store, run) }
      }
      stores = []
      for await (number, result, store) in group {
        results[number].append(result)
        if !runs[number].wasDropped { held[number] = store ?? held[number] }
      }
    }
    return (results, held)
  }

  private static func act(
    _ actor: ScheduleActor, on store: consuming Store<App>, _ run: ScheduleStoreRun
  ) async -> (Int, ScheduleActorResult, Store<App>?) {
    var acting = ScheduleActorRun(run)
    guard actor.isThread else {
      let held = await acting.runTask(actor, on: store)
      return (actor.store, acting.result, held)
    }
    let thread = WorkerThread(name: "actor")
    let slot = Lock<Store<App>?>(consume store)
    return await withCheckedContinuation { continuation in
      thread.submit {
        guard let store = slot.withLock({ $0.take() }) else { return }
        var acting = ScheduleActorRun(run)
        let held = acting.runBlocking(actor, on: store)
        continuation.resume(returning: (actor.store, acting.result, held))
        // A thread that is released elsewhere is joined, which would block.
        withExtendedLifetime(thread) {}
      }
    }
  }

  // MARK: The end

  /// Closes a store unless an actor did, and compares everything with the log.
  private mutating func end(
    _ number: Int, _ store: consuming Store<App>?, _ results: [ScheduleActorResult],
    _ remains: Remains
  ) async throws {
    let run = runs[number]
    let isClosed = run.wasClosed
    var published: ScheduleState?
    if let store {
      if !isClosed { try await settle(store, run) }
      try await store.close()
      published = store.state
      require(store.statistics.queuedActions == 0, "batches are left in the queue")
    }
    store = nil
    run.desk.releaseAll()
    var consumed: [[Int64]] = []
    for result in results {
      for consumer in result.consumers { consumed.append(await consumer.value) }
    }
    await waitUntilGone(remains, run)
    let watchers = Self.all(results.flatMap(\.watchers))
    let log = try ScheduleLog(at: run.path)
    var check = ScheduleCheck(
      log, schedule.stores[number], endsEarly: isClosed || run.wasDropped,
      isDropped: run.wasDropped)
    for result in results {
      check.check(result.events)
      problems += result.problems
    }
    for watcher in watchers { check.check(watcher.events) }
    check.checkSenders()
    check.checkOrder(of: results.flatMap(\.events) + watchers.flatMap(\.events))
    for watcher in watchers { check.check(watcher) }
    for steps in consumed { check.check(consumed: steps) }
    check.check(run.desk)
    problems += check.problems
    count(results.flatMap(\.events) + watchers.flatMap(\.events))
    tally["job finished", default: 0] += log.ended(.finished)
    tally["job failed", default: 0] += log.ended(.failed)
    tally["job in flight at the end", default: 0] += log.leavesInFlight.count
    tally["job cancelled", default: 0] += log.cancelledCount
    tally["call of an observer", default: 0] += watchers.reduce(0) { $0 + $1.calls.count }
    tally["observer cancelled", default: 0] += watchers.filter { $0.cancelledAt != nil }.count
    tally["observer cancelled by itself", default: 0] +=
      watchers.filter {
        $0.callsAtOwnCancel != nil
      }.count
    tally["state of a sequence", default: 0] += consumed.reduce(0) { $0 + $1.count }
    if isClosed { tally["close", default: 0] += 1 }
    if run.wasDropped { tally["drop", default: 0] += 1 }
    if let published { require(published == log.last, "the published state is not the log's") }
    try await reopen(run, log)
  }

  private mutating func count(_ events: [ScheduleEvent]) {
    for event in events {
      let kind: String =
        switch event.outcome {
        case .receipt(_, _, let wasRepeated): wasRepeated ? "repeated" : "receipt"
        case .queued: "queued"
        case .refused: "refused"
        case .declined: "declined"
        case .failed(let code): "\(code)"
        }
      tally[kind, default: 0] += 1
    }
  }

  private mutating func require(_ holds: Bool, _ problem: @autoclosure () -> String) {
    if !holds { problems.append(problem()) }
  }

  /// Returns observers with those that they added.
  private static func all(_ watchers: [ScheduleWatcher]) -> [ScheduleWatcher.Record] {
    watchers.flatMap { watcher in
      let record = watcher.record.withLock { $0 }
      return [record] + all(record.added)
    }
  }

  /// Lets all jobs end, and waits for them.
  private mutating func settle(_ store: Store<App>, _ run: ScheduleStoreRun) async throws {
    run.desk.releaseAll()
    for _ in 0..<20_000 {
      if store.effectsInFlight.isEmpty { break }
      run.clock.advance(by: .seconds(2))
      try await Task.sleep(for: .microseconds(500))
    }
    require(store.effectsInFlight.isEmpty, "effects never end: \(store.effectsInFlight)")
    // A cancelled leaf may queue its answer later, but not for long, so the queue is looked at only
    // after a flush.
    for _ in 0..<10_000 {
      try await store.flush()
      if store.statistics.queuedActions == 0 { return }
      try await Task.sleep(for: .microseconds(500))
    }
    require(false, "the queue is never empty")
  }

  /// Waits until nothing of a store that has ended is left.
  private mutating func waitUntilGone(_ remains: Remains, _ run: ScheduleStoreRun) async {
    // The log's files are closed a moment after its last reference is gone.
    for _ in 0..<10_000 {
      if remains.areGone, Self.openFiles(under: run.path).isEmpty { return }
      try? await Task.sleep(for: .milliseconds(1))
    }
    require(remains.areGone, "the writer or the log of a store that has ended is left")
    let open = Self.openFiles(under: run.path)
    require(open.isEmpty, "files of a store that has ended are open: \(open)")
  }

  private static func openFiles(under path: String) -> [String] {
    let files = (try? FileSystem.list("/proc/self/fd")) ?? []
    return files.compactMap { try? FileSystem.readLink("/proc/self/fd/\($0)") }
      .filter { $0.hasPrefix(path) }
  }

  /// Replays the log, and opens the store again, which recovers its effects.
  private mutating func reopen(_ run: ScheduleStoreRun, _ log: ScheduleLog) async throws {
    guard log.lastSequence > 0 else { return }
    do {
      let storage = try LogStorage.open(at: run.path, access: .read)
      defer { storage.close() }
      var replayer = try Replayer<App>(storage)
      try replayer.seek(to: replayer.last)
      require(replayer.state == log.last, "a replay has another state than the log")
      require(
        replayer.effectsInFlight.leaves.map(\.id) == log.leavesInFlight,
        "a replay has other effects in flight than the log")
    }
    let again = ScheduleStoreRun(at: run.path)
    again.desk.releaseAll()
    let store = try again.open(schedule.stores[0])
    require(store.state.numbers == log.last.numbers, "an open has another state than the log")
    require(store.recovered.isEmpty, "a crash is recorded")
    try await settle(store, again)
    try await store.close()
    problems += try ScheduleLog(at: run.path).problems
  }
}
