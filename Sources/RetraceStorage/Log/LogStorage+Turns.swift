import RetraceLMDB
import RetraceLog
import RetracePlatform
import Synchronization

/// Taking turns at writing.
extension LogStorage {
  /// Sets how long a writer waits for its turn while the log does not grow; a seam for tests.
  package func setTurnLimit(milliseconds: Int64) {
    turnLimitMilliseconds.store(milliseconds, ordering: .relaxed)
  }

  /// Waits until it is this process's turn to write.
  ///
  /// The wait has a limit, which begins again whenever the log has grown: many writers may take
  /// their time, but one that has the turn and does nothing is named.
  ///
  /// - Throws: ``StoreError/Code/writerStalled(pids:)``, with nothing changed.
  func takeTurn() throws(StoreError) {
    var pause: Int64 = 20_000
    var watch: TurnWatch?
    while true {
      if try withLock({ lock throws(PlatformError) in try lock.takeTurn() }) { return }
      let now = MonotonicClock.nanoseconds()
      if watch == nil {
        watch = TurnWatch(
          limit: turnLimitMilliseconds.load(ordering: .relaxed) * 1_000_000, now: now)
      }
      if watch?.isDue(now) == true, watch?.isOver(now, at: try head().sequence) == true {
        throw try stalled()
      }
      MonotonicClock.sleep(nanoseconds: pause)
      pause = min(pause * 2, 500_000)
    }
  }

  /// Frees, now and then, the slots of readers whose process was killed: until then the pages that
  /// they saw are not used again, and the file grows.
  ///
  /// - Complexity: O(1); O(processes that read) every 256th time.
  func clearStaleReaders() {
    let turns = turnsTaken.add(1, ordering: .relaxed).newValue
    // The next time is as good as this one.
    if turns % 256 == 0 { _ = try? environment.clearStaleReaders() }
  }

  /// Gives the turn to whoever waits.
  func endTurn() {
    _ = try? withLock { lock throws(PlatformError) in try lock.endTurn() }
  }

  private func stalled() throws(StoreError) -> StoreError {
    let pids = try withLock { lock throws(PlatformError) in lock.turnHolders() }
    let who = pids.first.map { "Process \($0)" } ?? "Another process"
    return StoreError(
      .writerStalled(pids: pids), what: "Nothing was written to \(path).",
      why: "\(who) is in the middle of writing and does not go on.",
      advice: "Let it go on if it was stopped (`kill -CONT`), or end it; nothing is lost by that.")
  }
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
