public import RetraceArchitecture
public import RetraceStorage

/// What a send answers once its batch is durable.
public struct Receipt<App: ReplayableApp>: Sendable {
  /// The sequences of the batch's actions; empty when the batch was empty.
  public internal(set) var sequences: Range<UInt64>
  /// The state right after the batch.
  public internal(set) var state: App.State

  /// The sequence of the last record that the state stands after.
  public internal(set) var sequence: UInt64
  /// What is in flight right after the batch, the effects of earlier batches included.
  public internal(set) var effectsInFlight = EffectsInFlight()
  /// The effects of the batch, which start once it is published.
  var effects: [CausedEffect<App>] = []
  /// What counts the effects of the batch; `nil` if it has none.
  var settlement: Settlement?
}

/// Why a transaction appended nothing.
public enum TransactionError<Refusal: Error>: Error {
  /// The caller's own body refused.
  case refused(Refusal)
  /// The store failed.
  case store(StoreError)
}
