import RetraceLMDB
import RetraceLog
import RetraceSystem
import Synchronization

/// Takes the write lock that all processes share, and lets other processes have it.
final class WriteTurns: Sendable {
  /// How long a writer waits for its turn while the log does not grow, in milliseconds.
  private let limitMilliseconds = Atomic<Int64>(10_000)
  private let taken = Atomic(0)
  private let pace = Mutex(TurnPace())

  /// Sets how long a writer waits for its turn while the log does not grow.
  func setLimit(milliseconds: Int64) {
    limitMilliseconds.store(milliseconds, ordering: .relaxed)
  }

  /// How long one who waits for the turn sleeps at most before it looks again, in nanoseconds.
  private static var pauseMax: Int64 { 500_000 }

  /// Waits until it is this process's turn to write.
  ///
  /// The wait has a limit, which begins again whenever the log has grown: many writers may take
  /// their time, but one that has the turn and does nothing is named.
  ///
  /// - Throws: ``StoreError/Code/writerStalled(pids:)``, with nothing changed.
  func take(of log: LogStorage) throws(StoreError) {
    giveWay(in: log)
    if try !tryTurn(of: log) { try waitForTurn(of: log) }
    pace.withLock { $0.begin(at: MonotonicClock.nanoseconds()) }
  }

  private func tryTurn(of log: LogStorage) throws(StoreError) -> Bool {
    try log.withLock { lock throws(SystemError) in try lock.takeTurn() }
  }

  private func waitForTurn(of log: LogStorage) throws(StoreError) {
    _ = try? log.withLock { lock throws(SystemError) in try lock.beginWaiting() }
    defer { _ = try? log.withLock { lock throws(SystemError) in try lock.endWaiting() } }
    // Whoever had it was the other that could have it.
    pace.withLock { $0.clear() }
    var pause: Int64 = 20_000
    var watch: TurnWatch?
    while try !tryTurn(of: log) {
      let now = MonotonicClock.nanoseconds()
      if watch == nil {
        watch = TurnWatch(
          limit: limitMilliseconds.load(ordering: .relaxed) * 1_000_000, now: now)
      }
      if watch?.isDue(now) == true, watch?.isOver(now, at: try log.head().sequence) == true {
        throw try stalled(log)
      }
      MonotonicClock.sleep(nanoseconds: pause)
      pause = min(pause * 2, Self.pauseMax)
    }
  }

  /// Lets those go first who wait, once this process had the turn for a while.
  ///
  /// Who waits only looks now and then, and would seldom do so in the moment between two turns of a
  /// process that writes without a pause. One that does not come, since it is stopped perhaps, is
  /// waited for in vain for two milliseconds, and seldom.
  private func giveWay(in log: LogStorage) {
    guard pace.withLock({ $0.isLong }) else { return }
    let end = MonotonicClock.nanoseconds() + 4 * Self.pauseMax
    while (try? log.withLock({ lock throws(SystemError) in try lock.isAwaited() })) == true {
      if MonotonicClock.nanoseconds() >= end { return pace.withLock { $0.waitedInVain() } }
      MonotonicClock.sleep(nanoseconds: Self.pauseMax / 10)
    }
    pace.withLock { $0.clear() }
  }

  /// Frees, now and then, the slots of readers whose process was killed: until then the pages that
  /// they saw are not used again, and the file grows.
  ///
  /// - Complexity: O(1); O(processes that read) every 256th time.
  func clearStaleReaders(of log: LogStorage) {
    let turns = taken.add(1, ordering: .relaxed).newValue
    // The next time is as good as this one.
    if turns % 256 == 0 { _ = try? log.environment.clearStaleReaders() }
  }

  /// Gives the turn to whoever waits.
  func end(of log: LogStorage) {
    pace.withLock { $0.end(at: MonotonicClock.nanoseconds()) }
    _ = try? log.withLock { lock throws(SystemError) in try lock.endTurn() }
  }

  private func stalled(_ log: LogStorage) throws(StoreError) -> StoreError {
    let pids = try log.withLock { lock throws(SystemError) in lock.turnHolders() }
    let who = pids.first.map { "Process \($0)" } ?? "Another process"
    return StoreError(
      .writerStalled(pids: pids), what: "Nothing was written to \(log.path).",
      why: "\(who) is in the middle of writing and does not go on.",
      advice: "Let it go on if it was stopped, or end it; nothing is lost by that.",
      remedy: .resume(pids: pids))
  }
}

/// How long a process had the turn since another could have had it.
struct TurnPace {
  private var began: Int64 = 0
  private var nanoseconds: Int64 = 0

  /// Whether it is time to look for others who wait.
  var isLong: Bool { nanoseconds >= 10_000_000 }

  mutating func begin(at now: Int64) { began = now }
  mutating func end(at now: Int64) { nanoseconds += now - began }

  /// Begins anew, as others had the turn or did not want it.
  mutating func clear() { nanoseconds = 0 }

  /// Begins anew and for longer, as somebody wanted it and did not take it.
  mutating func waitedInVain() { nanoseconds = -90_000_000 }
}

/// Looks now and then whether the log still grows while a writer waits.
private struct TurnWatch {
  let limit: Int64
  private var deadline: Int64
  private var next: Int64
  private var sequence: UInt64?

  init(limit: Int64, now: Int64) {
    self.limit = limit
    deadline = now + limit
    next = now + limit / 4
  }

  /// Whether it is time to look.
  func isDue(_ now: Int64) -> Bool { now >= next }

  /// Whether nothing was appended for as long as the limit.
  mutating func isOver(_ now: Int64, at sequence: UInt64) -> Bool {
    next = now + limit / 4
    if self.sequence != sequence { deadline = now + limit * 3 / 4 }
    self.sequence = sequence
    return now >= deadline
  }
}
