import Retrace
public import RetraceStorage
import RetraceSystem

extension Store {
  /// Waits until no effect waits or runs in this store any more.
  ///
  /// It waits for everything that was enqueued, for the effects of all batches, whichever call sent
  /// them, for effects of earlier sessions that this store recovered, and for the effects that
  /// these cause. A test and a program that ends call it before they look at the state, or close
  /// the store. ``Receipt/settled()`` waits for the effects of one batch, and says which effects
  /// never settle.
  ///
  /// ```swift
  /// let store = try await Store<CounterApp>.open(at: path, configuration: StoreConfiguration())
  /// try await store.settled()
  /// print(store.state.counters.count)
  /// try await store.close()
  /// ```
  ///
  /// - Throws: As ``Receipt/settled()`` and ``flush()``.
  public func settled() async throws(StoreError) {
    try await flush()
    try await writer.effects.settlement.wait()
  }

  /// Blocks until no effect waits or runs in this store any more; see ``settled()``.
  ///
  /// - Throws: As ``Receipt/settledBlocking()`` and ``flushBlocking()``.
  /// - Precondition: As for ``Receipt/settledBlocking()``.
  public func settledBlocking() throws(StoreError) {
    try flushBlocking()
    try writer.effects.settlement.waitBlocking()
  }

  /// Blocks until no effect waits or runs in this store that is due soon, or until a limit.
  ///
  /// An effect that starts while this waits is waited for, too, if it is due by the same moment.
  ///
  /// - Parameters:
  ///   - time: How long after now the latest effect is due that is waited for.
  ///   - limitMilliseconds: The longest wait.
  ///   - ignored: Effects that are not waited for.
  /// - Returns: The effects that had not ended at the limit.
  /// - Throws: As ``flushBlocking()``.
  /// - Precondition: As for ``Receipt/settledBlocking()``, and the caller is no observer.
  package func waitForEffects(
    dueWithin time: ElapsedTime, limitMilliseconds: Int, except ignored: Set<EffectLeafID>
  ) throws(StoreError) -> Set<EffectLeafID> {
    let deadline = MonotonicClock.deadline(inMilliseconds: limitMilliseconds)
    try flushBlocking()
    return writer.effects.waitForLeaves(
      dueBy: now.adding(time), except: ignored, until: deadline)
  }
}
