import Retrace
import RetraceStorage

/// The leaf that sends a batch, and its end if the batch is its last.
struct LeafAnswer: Sendable {
  let id: EffectLeafID
  /// How the leaf ended; `nil` if it sends more.
  var outcome: EffectFinished.Outcome?
  var error = ""
  /// The counter of leaves in flight that counts this leaf and the effects of its answer.
  var settlement: Settlement?

  /// Returns this end as a failure, because the answer cannot be recorded; if the leaf goes on,
  /// returns the answer unchanged.
  func failing(because error: StoreError) -> LeafAnswer {
    guard outcome != nil else { return self }
    var failed = self
    failed.outcome = .failed
    failed.error = "The result of the effect could not be recorded. \(error.why)"
    return failed
  }
}

/// An effect that the reducer returned, with the record that caused it.
struct CausedEffect<App: ReplayableApp>: Sendable {
  let cause: UInt64
  /// The moment of that record, from which delays count.
  let moment: Moment
  let effect: Effect<App.Action, App.Environment>
}
