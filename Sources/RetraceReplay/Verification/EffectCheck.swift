public import Retrace
import RetraceStorage

/// A check that compares the effects of a fold with what the log says of effects.
@usableFromInline
struct EffectCheck {
  private(set) var results = Verification.Effects()
  /// The moment of the last record.
  @usableFromInline var lastMoment = Moment(microseconds: .min)
  /// The last record with an earlier moment than its predecessor, or 0.
  @usableFromInline var lastSetBack: UInt64 = 0
  /// The sessions whose moments come from a running clock.
  private var timedSessions: Set<UInt64> = []
  /// The skipped records that had an effect when they were recorded: the fold has no leaf of them.
  private var skippedCauses: Set<UInt64> = []
  /// The last `effectFinished` record, and the cause of its leaf.
  private var lastEnd: (sequence: UInt64, cause: UInt64) = (0, 0)

  /// Notes whether the moments of a session come from a running clock.
  ///
  /// Logs of version 1 do not say so, so the moments of their sessions are not compared.
  mutating func register(_ session: UInt64, _ opened: SessionOpened) {
    if opened.origin?.isClockFixed == false { timedSessions.insert(session) }
  }

  /// Notes an action with an effect that the fold skips because its case is retired.
  mutating func skip(_ sequence: UInt64) { skippedCauses.insert(sequence) }

  /// Compares the effect that the log has of an action with the effect in the fold.
  mutating func compare<Action, Environment>(
    _ effect: Effect<Action, Environment>, of record: borrowing RecordCursor
  ) {
    results.actions += 1
    if record.hasEffect, effect.isNone {
      note(.missing, at: record.sequence)
    } else if !record.hasEffect, !effect.isNone {
      note(.unrecorded(leaves: effect.leaves.map(\.leaf.name)), at: record.sequence)
    }
  }

  /// Compares the end of a leaf, or the start of an answer, with the leaves in flight before it.
  ///
  /// - Throws: `damaged` if the record of the cause cannot be read.
  mutating func compareAnswer(
    _ record: borrowing RecordCursor, with inFlight: EffectsInFlight, in view: borrowing ReadView
  ) throws(StoreError) {
    if record.kind == .effectFinished {
      // The fold reports a payload that cannot be decoded.
      guard let end = try? record.systemPayload(as: EffectFinished.self) else { return }
      if !skippedCauses.contains(end.id.cause) {
        try compareEnd(end, record, with: inFlight, in: view)
      }
      lastEnd = (record.sequence, end.id.cause)
      return
    }
    guard record.kind == .action || record.kind == .command, record.startsBatch,
      let cause = record.cause, !skippedCauses.contains(cause)
    else { return }
    // The last answer of a leaf follows its end.
    if lastEnd == (record.sequence - 1, cause) || inFlight.contains(cause: cause) { return }
    note(.answerOfUnknownLeaf(cause: cause), at: record.sequence)
  }

  private mutating func compareEnd(
    _ end: EffectFinished, _ record: borrowing RecordCursor, with inFlight: EffectsInFlight,
    in view: borrowing ReadView
  ) throws(StoreError) {
    results.ends += 1
    guard let leaf = inFlight.leaf(end.id) else {
      return note(.endOfUnknownLeaf(end.id), at: record.sequence)
    }
    switch end.outcome {
    case .finished, .failed, .replaced: break
    // A cancelled or a dropped leaf ends at any time.
    case .cancelled, .dropped: return
    }
    guard record.moment < leaf.due, lastSetBack <= end.id.cause,
      timedSessions.contains(record.session)
    else { return }
    let session = try view.withRecord(at: end.id.cause) { $0.session }
    guard timedSessions.contains(session) else { return }
    note(.endedEarly(end.id, due: leaf.due), at: record.sequence)
  }

  private mutating func note(_ kind: Verification.EffectDivergence.Kind, at sequence: UInt64) {
    results.divergences += 1
    if results.firstDivergence == nil {
      results.firstDivergence = Verification.EffectDivergence(sequence: sequence, kind: kind)
    }
  }
}
