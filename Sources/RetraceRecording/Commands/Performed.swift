public import RetraceArchitecture
import RetraceStorage

/// The result of a command that was accepted and is durable or, with relaxed durability,
/// acknowledged.
public struct Performed<App: ReplayableApp>: Sendable {
  /// The receipt of the batch, whose sequences are those of the command and its facts.
  public let receipt: Receipt<App>
  /// The facts, in order, as they are recorded.
  ///
  /// What a caller needs to know, such as the id of a new entity, is computed from them, so that a
  /// command repeated with its key gets the same answer.
  public let facts: [App.Action]
  /// Whether the log already had the command under its key.
  public let wasRepeated: Bool
}

extension Receipt {
  /// Returns the result of the command that the receipt is for.
  func performed(in log: LogStorage) throws(TransactionError<App.Refusal>) -> Performed<App> {
    switch decision?.outcome {
    case .accepted(let facts, _):
      return Performed(receipt: self, facts: facts, wasRepeated: false)
    case .refused(let refusal): throw .refused(refusal)
    case .failed(let error): throw .store(error)
    case nil:
      do throws(StoreError) {
        let facts = try log.actions(of: App.self, at: sequences)
        return Performed(receipt: self, facts: facts, wasRepeated: true)
      } catch {
        throw .store(error)
      }
    }
  }
}
