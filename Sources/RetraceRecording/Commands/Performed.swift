public import Retrace
public import RetraceStorage

/// The result of a command that was accepted and is durable or, with relaxed durability,
/// acknowledged.
public struct Performed<App: ReplayableApp>: Sendable {
  /// The receipt of the batch, with the sequences of the command and its facts.
  public let receipt: Receipt<App>
  /// The facts, in order.
  ///
  /// For a repeated command, they are the facts in the log as this build reads them, without facts
  /// of retired cases. A caller computes its result from the facts, such as the id of a new entity,
  /// so that a repeated command gives the same result.
  public let facts: [App.Action]
  /// Whether the log already had the command under its key.
  public let wasRepeated: Bool
}

/// The reason why a command was not carried out.
///
/// ```swift
/// do throws(CommandError<HeaterApp>) {
///   let performed: Performed<HeaterApp> = try await heater.perform(.warm(to: 21))
///   print(performed.facts)
/// } catch {
///   switch error {
///   case .refused(let refusal, _): print("refused: \(refusal)")
///   case .store(let error): print(error)
///   }
/// }
/// ```
public enum CommandError<App: ReplayableApp>: Error {
  /// The app's decider refused the command on the state after the record `after`.
  case refused(App.Refusal, after: UInt64)
  /// An error of the store; its code says which.
  case store(StoreError)
}

extension CommandError {
  /// Returns the decider's refusal, or throws the error of the store.
  func refusal() throws(StoreError) -> App.Refusal {
    switch self {
    case .refused(let refusal, _): return refusal
    case .store(let failure): throw failure
    }
  }
}

extension Receipt {
  /// The facts of the command that the receipt is for, or the reason why it has none; `nil` if the
  /// log already had the command under its key.
  var decidedFacts: Result<[App.Action], CommandError<App>>? {
    switch decision?.outcome {
    case .accepted(let facts, _): .success(facts)
    // If the refusal was recorded, `sequences` holds that record, which follows the decided state.
    case .refused(let refusal):
      .failure(.refused(refusal, after: sequence - UInt64(sequences.count)))
    case .failed(let error): .failure(.store(error))
    case nil: nil
    }
  }

  func performed(in log: LogStorage) throws(CommandError<App>) -> Performed<App> {
    if let decidedFacts {
      return Performed(receipt: self, facts: try decidedFacts.get(), wasRepeated: false)
    }
    do throws(StoreError) {
      let facts = try log.actions(of: App.self, at: sequences)
      return Performed(receipt: self, facts: facts, wasRepeated: true)
    } catch {
      throw .store(error)
    }
  }
}
