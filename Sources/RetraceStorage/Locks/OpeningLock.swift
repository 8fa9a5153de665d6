import RetraceLMDB
import RetraceSystem

/// The lock that serializes opening and closing the LMDB environments of a store.
///
/// It is byte 2^62 + 4 of `owner.lock`. When a process ends, the system releases this byte after
/// LMDB's own locks on `lock.mdb`. So if the next holder finds `lock.mdb` locked, the processes
/// that lock it have finished opening. If it is unlocked, LMDB initializes it again.
final class OpeningLock: EnvironmentOpeningLock {
  /// How long a process waits for another one that is opening or closing the store.
  static let timeoutMilliseconds: Int64 = 10_000

  private let store: StorePath
  private let lock: ByteRangeLock
  private let timeoutMilliseconds: Int64
  /// The number of threads of this process that hold the lock; the system does not distinguish
  /// threads.
  private let holderCount = Lock(0)

  /// Opens the lock file, which must exist.
  init(_ store: StorePath, timeoutMilliseconds: Int64) throws(StoreError) {
    self.store = store
    lock = ByteRangeLock(try store.open(StoreLocks.name, [.read, .write], doing: "be locked"))
    self.timeoutMilliseconds = timeoutMilliseconds
  }

  func enter() throws(LMDBError) {
    let result: Result<Void, LMDBError> = holderCount.withLock { holderCount in
      do throws(LMDBError) {
        if holderCount == 0 { try take() }
        holderCount += 1
        return .success(())
      } catch {
        return .failure(error)
      }
    }
    try result.get()
  }

  func leave() {
    holderCount.withLock { holderCount in
      holderCount -= 1
      if holderCount == 0 { try? lock.release(at: StoreLocks.openingByte) }
    }
  }

  /// Calls `body` while no other process opens or closes the store, and returns its result.
  ///
  /// - Throws: What `body` throws; ``StoreError/Code/inUse(pids:)`` if the lock is not released in
  ///   time.
  func withLock<Result: ~Copyable>(
    _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    do throws(LMDBError) {
      try enter()
    } catch {
      throw failure(error)
    }
    defer { leave() }
    return try body()
  }

  /// Returns the store's error for a failed LMDB call, or for a lock that was not released in time.
  func failure(_ error: LMDBError) -> StoreError {
    guard error.code == .openingStalled else {
      return StoreError(error, in: store.directory, doing: "be opened")
    }
    let pids = (try? lock.holders(at: StoreLocks.openingByte)) ?? []
    let others = pids.filter { $0 != ThisProcess.identifier }
    let who = others.first.map { "Process \($0)" } ?? "Another process"
    return StoreError(
      .inUse(pids: others), what: "The store \(store.directory) could not be opened.",
      why: "\(who) began to open or close it and makes no progress.",
      advice: "Resume it if it was stopped (`kill -CONT`), or end it; nothing is lost.",
      underlying: "\(error)")
  }

  private func take() throws(LMDBError) {
    let end = MonotonicClock.nanoseconds() + timeoutMilliseconds * 1_000_000
    var pause: Int64 = 20_000
    while try !tryTake() {
      guard MonotonicClock.nanoseconds() < end else {
        throw LMDBError(.openingStalled, during: .openEnvironment)
      }
      MonotonicClock.sleep(nanoseconds: pause)
      pause = min(pause * 2, 1_000_000)
    }
  }

  private func tryTake() throws(LMDBError) -> Bool {
    do throws(SystemError) {
      return try lock.tryAcquire(at: StoreLocks.openingByte)
    } catch {
      throw LMDBError(.init(rawValue: error.code.rawValue), during: .openEnvironment)
    }
  }
}
