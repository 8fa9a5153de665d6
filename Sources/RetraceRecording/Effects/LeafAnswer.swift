import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceState
import RetraceStorage

/// The leaf that sends a batch, and its end if the batch is its last.
struct LeafAnswer: Sendable {
  let id: EffectLeafID
  /// How the leaf ended; `nil` if it sends more.
  var outcome: EffectFinished.Outcome?
  var error = ""
  /// The counter of leaves to which this leaf and the effects of its answer belong.
  var settlement: Settlement?

  /// Returns the end of a leaf whose answer cannot be recorded; a leaf that goes on stays so.
  func failing(because error: StoreError) -> LeafAnswer {
    guard outcome != nil else { return self }
    var failed = self
    failed.outcome = .failed
    failed.error = "The result of the effect could not be recorded. \(error.why)"
    return failed
  }

  /// Appends the record of the end, and removes the leaf from those in flight; does neither if the
  /// leaf goes on.
  ///
  /// A leaf ends once, even if several processes run or recover it: after the first end or a
  /// cancellation, the leaf is no longer in flight, and nothing that it sends is appended.
  ///
  /// - Returns: Whether the leaf was in flight; otherwise nothing is appended.
  func append<App: ReplayableApp>(
    to fold: inout Fold<App>, _ appender: inout LogAppender, session: UInt64, at moment: Moment,
    schema: UInt32
  ) throws(StoreError) -> Bool {
    guard fold.inFlight.contains(id) else { return false }
    guard let outcome else { return true }
    let envelope = Envelope(session: session, moment: moment, schema: schema, cause: id.cause)
    let sequence = try appender.append(
      EffectFinished(id: id, outcome: outcome, error: error), envelope)
    fold.inFlight.finish(id)
    fold.skip(sequence)
    return true
  }
}

/// An effect that the reducer returned, with the record that caused it.
struct CausedEffect<App: ReplayableApp>: Sendable {
  let cause: UInt64
  /// The moment of that record, from which delays count.
  let moment: Moment
  let effect: Effect<App.Action, App.Environment>
}
