public import Retrace
import RetraceSystem

extension ReadView {
  /// Folds the records after the fold's sequence into its state.
  ///
  /// - Complexity: O(records folded).
  /// - Throws: `damaged` with the sequence; `incompatible` for a record of an unreadable schema;
  ///   `reducerTrapped` if two processes crashed at one record.
  @inlinable
  public func fold<App: ReplayableApp>(
    into records: inout RecordFold<App>, through last: UInt64
  ) throws(StoreError) {
    guard records.fold.sequence < last else { return }
    records.fold.prepare(for: last - records.fold.sequence)
    let schemas = records.plan.schemas
    var done = records.fold.sequence
    defer { records.skip(through: done) }
    try scan(
      foldingBy: App.reducerFingerprint, from: done + 1, through: last
    ) { record throws(StoreError) in
      if record.sequence == done + 1, try self.changesNothing(record, under: schemas) {
        done += 1
        return
      }
      records.skip(through: done)
      try self.fold(record, into: &records)
      done = record.sequence
    }
  }

  @usableFromInline
  func changesNothing(
    _ record: borrowing RecordCursor, under schemas: [LoggedSchema]
  ) throws(StoreError) -> Bool {
    do throws(FoldError) {
      return try record.changesNothing(under: schemas)
    } catch {
      throw StoreError(error)
    }
  }

  /// Folds one record of this log.
  ///
  /// - Complexity: As `RecordFold.advance(_:)`. For each session that was opened before the fold
  ///   began, and whose records have to be resolved, one block is read.
  /// - Throws: `damaged` or `incompatible`; the state is then unchanged.
  /// - Returns: The effect that the reducer returned.
  @inlinable
  @inline(__always)
  @discardableResult
  public func fold<App: ReplayableApp>(
    _ record: borrowing RecordCursor, into records: inout RecordFold<App>
  ) throws(StoreError) -> Effect<App.Action, App.Environment> {
    do throws(FoldError) {
      return try records.advance(record)
    } catch {
      return try fold(record, into: &records, after: error)
    }
  }

  /// Loads the session or the schema that a record needs and folds the record again, or throws the
  /// store's error for it.
  @usableFromInline
  func fold<App: ReplayableApp>(
    _ record: borrowing RecordCursor, into records: inout RecordFold<App>, after error: FoldError
  ) throws(StoreError) -> Effect<App.Action, App.Environment> {
    switch error {
    case .unregisteredSession(_, let session):
      try registerSession(session, by: &records)
      return try fold(record, into: &records)
    case .schemaNotLoaded(let sequence, let number):
      try load(number, of: sequence, into: &records.plan)
      return try fold(record, into: &records)
    case .unknownSchema(_, let schema), .unresolved(_, let schema, _):
      // A schema without the fingerprint that its session names is damage, not another version.
      try checkSchema(schema, ofSession: record.session)
    default: break
    }
    throw StoreError(error)
  }

  /// Passes the record that opened a session to the fold.
  private func registerSession<App: ReplayableApp>(
    _ session: UInt64, by records: inout RecordFold<App>
  ) throws(StoreError) {
    try withRecord(at: session) { opening throws(StoreError) in
      do throws(FoldError) {
        try records.registerSession(opening)
      } catch {
        throw StoreError(error)
      }
    }
  }

  private func load<App: ReplayableApp>(
    _ number: UInt32, of sequence: UInt64, into plan: inout DecodingPlan<App>
  ) throws(StoreError) {
    let schema = try parsedSchema(number, of: sequence)
    do throws(AvroError) {
      try plan.load(schema, as: number, hashing: SHA256Hasher.self)
    } catch {
      throw StoreError.damaged(sequence: 1, detail: "schema \(number) cannot be read: \(error)")
    }
  }

  package func parsedSchema(_ number: UInt32, of sequence: UInt64) throws(StoreError) -> Schema {
    guard let json = try schema(number) else {
      throw StoreError.damaged(sequence: sequence, detail: "schema \(number) is not in the log")
    }
    return try parsed(json, number: number)
  }

  /// Returns the log's schemas of actions, or of commands and refusals, in the order of their
  /// numbers, from 1.
  ///
  /// - Complexity: O(bytes of the schemas).
  /// - Throws: `damaged` if one cannot be parsed.
  package func parsedSchemas(ofCommands: Bool = false) throws(StoreError) -> [Schema] {
    var schemas: [Schema] = []
    var number = ofCommands ? LogFormat.commandSchemaNumber(1) : 1
    while let json = try schema(number) {
      schemas.append(try parsed(json, number: number))
      number += 1
    }
    return schemas
  }

  /// Checks that a schema is the one that a session named at its start.
  ///
  /// Does nothing if the session's own schema has another number.
  ///
  /// - Complexity: O(bytes of one block and of the schema).
  /// - Throws: `damaged` with the session's first record if the schema differs.
  package func checkSchema(_ number: UInt32, ofSession session: UInt64) throws(StoreError) {
    try forEachRecord(from: session, through: session) { envelope, payload throws(StoreError) in
      guard envelope.kind == .sessionOpened, envelope.schema == number,
        let opened = try? SessionOpened(encoded: payload, version: version)
      else { return }
      let schema = try self.parsedSchema(number, of: session)
      guard schema.fingerprint(with: SHA256Hasher.self) == opened.actionSchema else {
        throw StoreError.damaged(
          sequence: session,
          detail: "schema \(number) does not have the fingerprint that the session recorded")
      }
    }
  }

  private func parsed(_ json: String, number: UInt32) throws(StoreError) -> Schema {
    do throws(AvroError) {
      return try Schema(parsing: json)
    } catch {
      throw StoreError.damaged(sequence: 1, detail: "schema \(number) cannot be parsed: \(error)")
    }
  }
}

extension RecordCursor {
  /// Returns the payload of the current record.
  ///
  /// - Complexity: O(bytes of the payload).
  /// - Throws: `damaged` if it cannot be decoded.
  package func storedPayload<Payload: SystemPayload>(
    as type: Payload.Type
  ) throws(StoreError) -> Payload {
    do throws(AvroError) {
      return try systemPayload(as: type)
    } catch {
      throw StoreError.damaged(sequence: sequence, payload: error)
    }
  }
}

extension StoreError {
  package init(_ error: FoldError) {
    switch error {
    case .gap(let expected, let found):
      self = .damaged(sequence: expected, detail: "record \(found) is in its place")
    case .unknownSchema(let sequence, let schema):
      self.init(
        .incompatible, what: "The log cannot be folded.",
        why:
          "Record \(sequence) was written under schema \(schema), which this build does not have.",
        advice: "Use the build that recorded it; `audit` can read every record without folding.")
    case .schemaNotLoaded(let sequence, let schema):
      self = .damaged(sequence: sequence, detail: "schema \(schema) was not loaded")
    case .undecodable(let sequence, let cause):
      self = .damaged(sequence: sequence, detail: "its payload cannot be decoded: \(cause)")
    case .unresolved(let sequence, let schema, let difference):
      self.init(
        .incompatible, what: "The log cannot be folded.",
        why: "Record \(sequence) was written under schema \(schema): "
          + "\(difference).",
        advice: "Use the build that recorded it; `audit` can read every record without folding.")
    case .upcasterFailed(let sequence, let name, let detail):
      self.init(
        .incompatible, what: "The log cannot be folded.",
        why: "The upcaster of \(name) failed at record \(sequence): "
          + "\(detail).",
        advice: "Correct the upcaster, or use the build that recorded it; `audit` can read "
          + "every record without folding.")
    case .schemaMismatch(let session, let schema):
      self = .damaged(
        sequence: session,
        detail: "schema \(schema) does not have the fingerprint that the session recorded")
    case .unregisteredSession(let sequence, let session):
      self = .damaged(sequence: sequence, detail: "session \(session) was not registered")
    }
  }

  /// Returns the error for a record whose payload does not match its schema.
  package static func damaged(sequence: UInt64, payload error: AvroError) -> StoreError {
    damaged(sequence: sequence, detail: "payload: \(error)")
  }

  /// Returns the error for a record whose schema is not valid.
  package static func damaged(sequence: UInt64, schema error: AvroError) -> StoreError {
    damaged(sequence: sequence, detail: "schema: \(error)")
  }

  package static func damaged(sequence: UInt64, detail: String) -> StoreError {
    StoreError(
      .damaged(sequence: sequence), what: "The log is damaged from record \(sequence) on.",
      why: sentence(detail),
      advice: "Keep a copy of the directory, and restore a backup; `audit list` reads the "
        + "records before the damage.")
  }
}
