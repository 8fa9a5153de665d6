public import Retrace
public import RetraceStorage

/// The result of a send whose batch is durable or, with relaxed durability, acknowledged.
///
/// ```swift
/// let receipt: Receipt<CounterApp> = try await store.send(.added(name: "tea"), key: "request-7")
/// try await receipt.settled()
/// print(receipt.state.counters.count)
/// ```
public struct Receipt<App: ReplayableApp>: Sendable {
  /// The sequences of the batch's command, if it has one, and of its actions; empty when the batch
  /// was empty.
  public internal(set) var sequences: Range<UInt64>
  /// The state right after the batch.
  public internal(set) var state: App.State

  /// The sequence of the last record folded into the state.
  public internal(set) var sequence: UInt64
  /// The effects in flight right after the batch, also of earlier batches.
  public internal(set) var effectsInFlight = EffectsInFlight()
  /// The effects of the batch, which start after it is published.
  var effects: [CausedEffect<App>] = []
  /// The counter of the batch's effects; `nil` if it has none.
  var settlement: Settlement?
  /// The decision on the command; `nil` for a batch of actions, and for a command that the log
  /// already has under its key.
  var decision: Decision<App>?
}

/// The reason why a transaction appended nothing.
///
/// ```swift
/// enum CountRefusal: Error { case missing, belowZero }
///
/// func countDown(_ id: CounterID) throws(TransactionError<CountRefusal>) {
///   try store.transactBlocking { (state, _) throws(CountRefusal) -> [CounterAction] in
///     guard let value = state.counters[id]?.value else { throw .missing }
///     guard value > 0 else { throw .belowZero }
///     return [.counted(id, by: -1)]
///   }
/// }
/// ```
public enum TransactionError<Refusal: Error>: Error {
  /// The caller's body threw a refusal.
  case refused(Refusal)
  /// The store failed.
  case store(StoreError)
}
