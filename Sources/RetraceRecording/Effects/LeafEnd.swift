import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceState
import RetraceStorage

/// The end of a leaf, committed together with the leaf's answer.
struct LeafEnd: Sendable {
  let id: EffectLeafID
  var outcome: EffectFinished.Outcome
  var error = ""
  /// The counter of leaves to which this leaf and the effects of its answer belong.
  var settlement: Settlement?

  /// Appends the record of the end, and removes the leaf from those in flight.
  ///
  /// A leaf ends once, even if several processes run or recover it: after the first end or a
  /// cancellation, the leaf is no longer in flight.
  ///
  /// - Returns: Whether the leaf was in flight; otherwise nothing is appended.
  func append<App: ReplayableApp>(
    to fold: inout Fold<App>, _ appender: inout LogAppender, session: UInt64, at moment: Moment,
    schema: UInt32
  ) throws(StoreError) -> Bool {
    guard fold.inFlight.contains(id) else { return false }
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
  let effect: Effect<App.Action, App.Environment>
}
