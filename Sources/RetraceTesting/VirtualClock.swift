import RetraceArchitecture
public import RetraceState
import RetraceSystem

/// A clock that stands still until a test advances it.
///
/// It is a `Clock` for delays, and provides the time of day as a `Moment`.
///
/// ```swift
/// let clock = VirtualClock(at: Moment(microseconds: 0))
/// let store = TestStore<NotesApp>(clock: clock)
/// clock.advance(by: .milliseconds(500))
/// ```
public final class VirtualClock: Clock, Sendable {
  /// An instant of the clock.
  public struct Instant: InstantProtocol {
    /// The time since the clock was made.
    public var offset: Duration

    /// Returns the instant later by a duration.
    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

    /// Returns the duration from this instant to another one.
    public func duration(to other: Instant) -> Duration { other.offset - offset }

    /// Returns whether one instant is earlier than another.
    public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private struct Sleeper {
    var number: Int
    var deadline: Instant
    /// The leaf of a test store that sleeps.
    var leaf: EffectLeafID?
    var continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var now = Instant(offset: .zero)
    var next = 0
    var sleepers: [Sleeper] = []
    var cancelled: Set<Int> = []
    var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let start: Moment
  private let state = Lock(State())

  /// Makes a clock that starts at a moment.
  public init(at start: Moment = Moment(microseconds: 1_000_000)) { self.start = start }

  /// The current instant.
  public var now: Instant { state.withLock { $0.now } }

  /// Zero, because the clock advances by exactly the given time.
  public var minimumResolution: Duration { .zero }

  /// The current moment.
  public var moment: Moment {
    let parts = now.offset.components
    return Moment(
      microseconds: start.microseconds + parts.seconds * 1_000_000
        + parts.attoseconds / 1_000_000_000_000)
  }

  /// The number of sleeping tasks.
  public var sleeping: Int { state.withLock { $0.sleepers.count } }

  /// The leaves of test stores that sleep.
  var sleepingLeaves: Set<EffectLeafID> {
    state.withLock { Set($0.sleepers.compactMap(\.leaf)) }
  }

  /// Returns once at least `count` tasks sleep.
  public func whenSleeping(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isReached = state.withLock { state in
        if state.sleepers.count >= count { return true }
        state.watchers.append((count, continuation))
        return false
      }
      if isReached { continuation.resume() }
    }
  }

  /// Advances the clock and wakes the tasks that are due, earliest first.
  public func advance(by time: Duration) {
    let due = state.withLock { state in
      state.now = state.now.advanced(by: time)
      let now = state.now
      let due = state.sleepers.filter { $0.deadline <= now }
      state.sleepers.removeAll { $0.deadline <= now }
      return due.sorted { ($0.deadline, $0.number) < ($1.deadline, $1.number) }
    }
    for sleeper in due { sleeper.continuation.resume() }
  }

  /// Sleeps until the clock has reached an instant or the task is cancelled.
  ///
  /// - Throws: `CancellationError` if the task is cancelled, also before it sleeps.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    let number = state.withLock { state in
      state.next += 1
      return state.next
    }
    // The task can also be cancelled after it was woken.
    defer { state.withLock { _ = $0.cancelled.remove(number) } }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        fallAsleep(
          Sleeper(
            number: number, deadline: deadline, leaf: CurrentLeaf.id, continuation: continuation))
      }
    } onCancel: {
      let sleeper = state.withLock { state -> Sleeper? in
        guard let place = state.sleepers.firstIndex(where: { $0.number == number }) else {
          state.cancelled.insert(number)
          return nil
        }
        return state.sleepers.remove(at: place)
      }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }

  private func fallAsleep(_ sleeper: Sleeper) {
    let (result, watchers) = state.withLock {
      state -> (Result<Void, any Error>?, [CheckedContinuation<Void, Never>]) in
      if state.cancelled.contains(sleeper.number) { return (.failure(CancellationError()), []) }
      if sleeper.deadline <= state.now { return (.success(()), []) }
      state.sleepers.append(sleeper)
      let count = state.sleepers.count
      defer { state.watchers.removeAll { $0.count <= count } }
      return (nil, state.watchers.filter { $0.count <= count }.map(\.continuation))
    }
    if let result { sleeper.continuation.resume(with: result) }
    for watcher in watchers { watcher.resume() }
  }
}
