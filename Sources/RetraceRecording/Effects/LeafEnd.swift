import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceState
import RetraceStorage

/// The end of a leaf, committed together with what the leaf answered.
struct LeafEnd: Sendable {
  let id: EffectLeafID
  var outcome: EffectFinished.Outcome
  var error = ""
  /// Who waits for the leaf, and for what its answers cause.
  var settlement: Settlement?

  /// Appends the record of the end and takes the leaf out of flight.
  ///
  /// Whoever comes second, or after a cancellation, finds the leaf no longer in flight: so a leaf
  /// ends once, whoever else ran or settled it.
  ///
  /// - Returns: Whether the leaf was in flight; else nothing is appended.
  func append<App: ReplayableApp>(
    to fold: inout Fold<App>, _ appender: inout LogAppender, session: UInt64, at moment: Moment,
    schema: UInt32
  ) throws(StoreError) -> Bool {
    guard fold.inFlight.contains(id) else { return false }
    let envelope = Envelope(session: session, moment: moment, schema: schema, cause: id.cause)
    let sequence = try appender.append(
      EffectFinished(id: id, outcome: outcome, error: error), envelope)
    fold.inFlight.finish(id)
    fold.pass(sequence)
    return true
  }
}

/// What the reducer answered to a record, when that was an effect.
struct CausedEffect<App: ReplayableApp>: Sendable {
  let cause: UInt64
  let effect: Effect<App.Action, App.Environment>
}
