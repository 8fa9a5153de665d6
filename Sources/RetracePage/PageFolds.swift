import Retrace
import RetraceBundle

/// The states of a log, of which some are kept, so that any other is folded from one nearby.
struct PageFolds<App: ReplayableApp> {
  /// The state of most records between two that are kept.
  private static var spacingMin: UInt64 { 64 }
  /// About how many states are kept.
  private static var keptMax: UInt64 { 512 }

  private var position: RecordFold<App>
  /// The states after the records 0, `spacing`, and so on, as far as they were folded.
  private var kept: [Fold<App>]
  private let spacing: UInt64

  init(_ log: PageLog) throws(PageFailure) {
    var plan = DecodingPlan<App>()
    var number: UInt32 = 1
    while let json = log.bundle.schema(.action, number) {
      do throws(AvroError) {
        try plan.append(Schema(parsing: json), hashing: SwiftHasher.self)
      } catch {
        throw PageFailure("the schema \(number) cannot be read: \(error.description)")
      }
      number += 1
    }
    position = RecordFold(plan: plan)
    kept = [position.fold]
    spacing = max(Self.spacingMin, log.last / Self.keptMax + 1)
  }

  /// The state, and the sequence of the last record folded into it.
  var fold: Fold<App> { position.fold }

  /// The plan by which the actions of the log are decoded.
  var plan: DecodingPlan<App> { position.plan }

  /// Returns the hash of the state.
  mutating func stateHash() -> Digest {
    StateHasher.hash(&position.fold.state, with: SwiftHasher.self)
  }

  /// Goes to the state after a record.
  ///
  /// - Parameters:
  ///   - sequence: The record; at most the last one.
  ///   - log: The log.
  ///   - body: Called with each record that is folded, and the effect of the reducer.
  /// - Complexity: O(records between two states that are kept), if the log was folded before.
  /// - Throws: A failure that names the record that cannot be folded; the state is then the one
  ///   before it.
  mutating func seek(
    to sequence: UInt64, in log: PageLog,
    _ body: (borrowing RecordCursor, Effect<App.Action, App.Environment>) -> Void = { _, _ in }
  ) throws(PageFailure) {
    let nearest = kept[Int(min(sequence / spacing, UInt64(kept.count - 1)))]
    if position.fold.sequence > sequence || position.fold.sequence < nearest.sequence {
      position.resume(from: nearest)
    }
    try log.forEachRecord(from: position.fold.sequence + 1, through: sequence) {
      (record) throws(PageFailure) in
      let effect = try advance(record, in: log)
      body(record, effect)
      return true
    }
  }

  /// Folds the record after the last one.
  mutating func advance(
    _ record: borrowing RecordCursor, in log: PageLog
  ) throws(PageFailure) -> Effect<App.Action, App.Environment> {
    let effect: Effect<App.Action, App.Environment>
    do throws(FoldError) {
      effect = try position.advance(record)
    } catch {
      guard case .unregisteredSession(_, let session) = error else { throw PageFailure(error) }
      try register(session, in: log)
      do throws(FoldError) {
        effect = try position.advance(record)
      } catch {
        throw PageFailure(error)
      }
    }
    if position.fold.sequence == UInt64(kept.count) * spacing { kept.append(position.fold) }
    return effect
  }

  /// Checks the opening of a session that precedes a state from which folding went on.
  private mutating func register(_ session: UInt64, in log: PageLog) throws(PageFailure) {
    let start = position
    position = try log.withRecord(at: session) { (opening) throws(PageFailure) in
      var registered = start
      do throws(FoldError) {
        try registered.registerSession(opening)
      } catch {
        throw PageFailure(error)
      }
      return registered
    }
  }
}
