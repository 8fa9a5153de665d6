public import RetraceArchitecture
public import RetraceStorage

/// What a send answers once its batch is durable.
public struct Receipt<App: ReplayableApp>: Sendable {
  /// The sequences of the batch's actions; empty when the batch was empty.
  public let sequences: Range<UInt64>
  /// The state right after the batch.
  public let state: App.State

  /// The sequence of the last record that the state stands after.
  public let sequence: UInt64
}

/// Why a transaction appended nothing.
public enum TransactionError<Refusal: Error>: Error {
  /// The caller's own body refused.
  case refused(Refusal)
  /// The store failed.
  case store(StoreError)
}
