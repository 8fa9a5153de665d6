import Retrace
import RetraceStorage
import RetraceSystem

/// The reduction of a large group on a second thread, while the writer's thread appends the
/// records.
///
/// Both happen inside the write transaction. The reducing thread notes each batch in the attempt
/// before it reduces it, as the writer's thread does for a small group. Batches are handed over in
/// chunks, so that the threads seldom wait for each other.
final class GroupReduction<App: ReplayableApp>: Sendable {
  struct Reduced: Sendable {
    var effects: [ReducedEffect<App>]
    var fold: Fold<App>
  }

  struct Chunk: Sendable {
    /// The batches that get a receipt, by their positions.
    var reduced: [Int: Reduced] = [:]
    /// The hash of the state after the last batch of the group, if requested.
    var hash: Digest?
  }

  /// The number of actions of a chunk, unless a batch has more.
  private static var chunkActions: Int { 2_000 }

  /// The chunks of batches handed over together, in order.
  let chunks: [Range<Int>]
  private let batches: [PendingBatch<App>]
  private let isObserved: Bool
  private let hashesState: Bool
  private let phaseObserver: (@Sendable (Attempt.Phase) -> Void)?
  private let state: Lock<State>
  /// Signalled once for each chunk.
  private let chunkReady = Semaphore()
  /// Signalled once, when the fold can be taken.
  private let finished = Semaphore()

  private struct State: ~Copyable {
    var fold: Fold<App>
    var attempt: AttemptWriter?
    /// The chunks reduced but not yet appended, in order.
    var reduced: [Chunk] = []
    var failure: StoreError?
    var isAborted = false
    var reductionNanoseconds: Int64 = 0
  }

  /// Prepares the reduction of a group.
  ///
  /// - Parameters:
  ///   - batches: The batches, none of which is the answer of an effect.
  ///   - fold: The fold to reduce them into.
  ///   - attempt: The attempt, in which the group is noted.
  ///   - isObserved: Whether the state after each batch is needed.
  ///   - hashesState: Whether to hash the state after the last batch.
  ///   - phaseObserver: Called with the phase of each batch, before the batch is reduced.
  init(
    _ batches: [PendingBatch<App>], into fold: Fold<App>, attempt: consuming AttemptWriter?,
    isObserved: Bool, hashesState: Bool, phaseObserver: (@Sendable (Attempt.Phase) -> Void)?
  ) {
    self.batches = batches
    self.isObserved = isObserved
    self.hashesState = hashesState
    self.phaseObserver = phaseObserver
    chunks = Self.chunks(of: batches)
    state = Lock(State(fold: fold, attempt: attempt))
  }

  private static func chunks(of batches: [PendingBatch<App>]) -> [Range<Int>] {
    var chunks: [Range<Int>] = []
    var start = 0
    var actions = 0
    for index in batches.indices {
      actions += batches[index].actions.count
      guard actions >= chunkActions || index == batches.count - 1 else { continue }
      chunks.append(start..<index + 1)
      (start, actions) = (index + 1, 0)
    }
    return chunks
  }

  // MARK: On the reducing thread

  /// Reduces all batches, unless one cannot be noted or the group is aborted.
  func run() {
    let begin = ThreadClock.nanoseconds()
    var fold = state.withLock { $0.fold }
    let attempt = state.withLock { $0.attempt.take() }
    for chunk in chunks {
      if !state.withLock({ $0.isAborted }) { reduce(chunk, into: &fold, attempt) }
      chunkReady.signal()
    }
    var file = consume attempt
    state.withLock { state in
      state.fold = fold
      state.attempt = file.take()
      state.reductionNanoseconds = ThreadClock.nanoseconds() - begin
    }
    finished.signal()
  }

  private func reduce(
    _ chunk: Range<Int>, into fold: inout Fold<App>, _ attempt: borrowing AttemptWriter?
  ) {
    var found = Chunk()
    for index in chunk {
      do throws(StoreError) {
        try attempt?.note(.reducing(index))
      } catch {
        return state.withLock { state in
          state.failure = error
          state.isAborted = true
        }
      }
      phaseObserver?(.reducing(index))
      let batch = batches[index]
      let effects = App.reduce(batch.actions, into: &fold, at: batch.moment)
      if batch.needsReceipt || isObserved || !effects.isEmpty {
        found.reduced[index] = Reduced(effects: effects, fold: fold)
      }
    }
    if hashesState && chunk.upperBound == batches.count {
      found.hash = StateHasher.hash(&fold.state, with: SHA256Hasher.self)
    }
    state.withLock { $0.reduced.append(found) }
  }

  // MARK: On the writer's thread

  /// Waits until the next chunk is reduced.
  func next() throws(StoreError) -> Chunk {
    chunkReady.wait()
    return try state.withLock { (state) throws(StoreError) in
      if let failure = state.failure { throw failure }
      return state.reduced.removeFirst()
    }
  }

  /// Stops reducing after the current chunk.
  func abort() { state.withLock { $0.isAborted = true } }

  /// Waits until the reduction is over, and returns the fold.
  func waitForFold() -> Fold<App> {
    finished.wait()
    return state.withLock { $0.fold }
  }

  var reductionNanoseconds: Int64 { state.withLock { $0.reductionNanoseconds } }

  func takeAttempt() -> AttemptWriter? { state.withLock { $0.attempt.take() } }
}
