public import RetraceArchitecture
public import RetraceAvro

/// Why a record could not be folded.
public enum FoldError: Error, Hashable, Sendable {
  /// The record does not follow the last one folded.
  case gap(expected: UInt64, found: UInt64)
  /// The record was written under a schema that this build does not decode directly.
  case otherSchema(sequence: UInt64, schema: UInt32)
  /// The payload is not the canonical encoding of an action.
  case undecodable(sequence: UInt64, AvroError)
}

/// Folds the records of a log into a state: actions are decoded and reduced, all others pass.
///
/// Store, test store and replayer fold through this type and no other.
public struct RecordFold<App: ReplayableApp>: Sendable {
  /// The state and the sequence it stands after.
  public var fold: Fold<App>
  /// The numbers of the schemas whose records decode directly.
  public var directSchemas: Set<UInt32>
  /// The last number found among ``directSchemas``, which nearly every record has.
  @usableFromInline var lastDirectSchema: UInt32?

  /// Starts before the first record.
  ///
  /// - Parameter directSchemas: The numbers of the schemas equal to the app's own.
  public init(directSchemas: Set<UInt32>) {
    self.init(fold: Fold(), directSchemas: directSchemas)
  }

  /// Starts from a fold that already stands somewhere.
  public init(fold: Fold<App>, directSchemas: Set<UInt32>) {
    self.fold = fold
    self.directSchemas = directSchemas
  }

  /// Folds the record that a cursor stands at.
  ///
  /// - Complexity: That of decoding and reducing the record.
  /// - Throws: ``FoldError``; the state is then unchanged.
  /// - Returns: What the reducer answered; none for a record that is not an action.
  @inlinable
  @discardableResult
  public mutating func advance(
    _ record: borrowing RecordCursor
  ) throws(FoldError) -> Effect<App.Action, App.Environment> {
    let sequence = record.sequence
    guard sequence == fold.sequence + 1 else {
      throw .gap(expected: fold.sequence + 1, found: sequence)
    }
    guard record.kind == .action else {
      fold.pass(sequence)
      return .none
    }
    if record.schema != lastDirectSchema { try checkSchema(record.schema, of: sequence) }
    var reader = AvroReader(record.payload)
    let action: App.Action
    do throws(AvroError) {
      action = try App.Action(decoding: &reader)
      try reader.finish()
    } catch {
      throw .undecodable(sequence: sequence, error)
    }
    return fold.apply(action, at: record.moment, sequence: sequence)
  }

  @usableFromInline
  mutating func checkSchema(_ schema: UInt32, of sequence: UInt64) throws(FoldError) {
    guard directSchemas.contains(schema) else {
      throw .otherSchema(sequence: sequence, schema: schema)
    }
    lastDirectSchema = schema
  }
}
