public import RetraceArchitecture
public import RetraceAvro

// The two halves of `advance`, each on its own: what is measured for itself. A test holds them to
// the same states as the whole.
extension RecordFold {
  /// What a record was decoded to, before it is reduced.
  public enum Decoded: Sendable {
    /// One action, which nearly every record is.
    case action(App.Action)
    /// Actions, reduced in one step, as an upcaster made them.
    case actions([App.Action])
    /// Nothing: its case was retired.
    case ignored(CaseName)
    /// No action, but a record of the store itself.
    case system
  }

  /// Decodes the record that a cursor stands at, and changes nothing.
  ///
  /// - Complexity: That of decoding the record; one of an older schema is resolved.
  /// - Throws: ``FoldError``.
  public mutating func decode(
    _ record: borrowing RecordCursor
  ) throws(FoldError) -> Decoded {
    guard record.kind == .action else { return .system }
    let sequence = record.sequence
    if record.schema != lastDirectSchema {
      guard plan.decodesDirectly(record.schema) else {
        let outcome = try plan.outcome(
          of: record.payload, schema: record.schema, sequence: sequence, session: record.session,
          moment: record.moment)
        return switch outcome {
        case .action(let action): .action(action)
        case .actions(let actions): .actions(actions)
        case .ignored(let name): .ignored(name)
        }
      }
      lastDirectSchema = record.schema
    }
    var reader = AvroReader(record.payload)
    do throws(AvroError) {
      let action = try App.Action(decoding: &reader)
      try reader.finish()
      return .action(action)
    } catch {
      throw .undecodable(sequence: sequence, error)
    }
  }

  /// Folds what the record that a cursor stands at was decoded to.
  ///
  /// - Complexity: That of the reducer.
  /// - Throws: ``FoldError`` for a record of the store itself that cannot be read.
  /// - Precondition: The record follows the last one folded.
  public mutating func apply(
    _ decoded: Decoded, of record: borrowing RecordCursor
  ) throws(FoldError) {
    let sequence = record.sequence
    switch decoded {
    case .action(let action):
      _ = fold.apply(action, at: record.moment, sequence: sequence, hadEffect: record.hasEffect)
    case .actions(let actions):
      _ = fold.apply(actions, at: record.moment, sequence: sequence, hadEffect: record.hasEffect)
    case .ignored(let name):
      ignoredCounts[name, default: 0] += 1
      fold.pass(sequence)
    case .system:
      if record.kind == .sessionOpened { try checkSession(record) }
      if record.kind == .effectFinished { try finishEffect(record) }
      fold.pass(sequence)
    }
  }
}
