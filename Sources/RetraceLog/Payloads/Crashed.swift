import RetraceArchitecture
public import RetraceAvro
public import RetraceState

/// A batch whose reduction crashed the program.
///
/// It can be shown and exported, but is never folded.
public struct Crashed: SystemPayload {
  /// The kind of the record.
  public static var kind: RecordKind { .crashed }

  /// The session that was reducing the batch; 0 if that session had no record yet.
  public var session: UInt64
  /// The moment of the batch.
  public var moment: Moment
  /// The number of the schema of the actions.
  public var schema: UInt32
  /// The index of the batch in its group, from 0.
  public var batch: Int
  /// The encoded actions of the batch, in order.
  public var actions: [[UInt8]]

  /// Creates the payload.
  public init(session: UInt64, moment: Moment, schema: UInt32, batch: Int, actions: [[UInt8]]) {
    self.session = session
    self.moment = moment
    self.schema = schema
    self.batch = batch
    self.actions = actions
  }

  /// The name in schemas.
  public static var recordedName: String { "Crashed" }

  /// Returns a record of five fields.
  public static func schema(in composer: inout SchemaComposer) -> Schema {
    composer.named(recordedName) { composer in
      .record(
        name: recordedName,
        fields: [
          Schema.Field("session", .long),
          Schema.Field("moment", Moment.schema(in: &composer)),
          Schema.Field("schema", .long),
          Schema.Field("batch", .int),
          Schema.Field("actions", .array(.bytes)),
        ])
    }
  }

  /// Writes the fields in order.
  public func encode(into writer: inout AvroWriter) {
    writer.long(Int64(clamping: session))
    moment.encode(into: &writer)
    writer.long(Int64(schema))
    writer.long(Int64(batch))
    actions.encode(into: &writer)
  }

  /// Reads the fields in order.
  public init(decoding reader: inout AvroReader) throws(AvroError) {
    var start = reader.offset
    let number = try reader.long()
    guard number >= 0, UInt64(number) <= LogFormat.sequenceMax else {
      throw AvroError(.outOfRange, at: start, "session")
    }
    session = UInt64(number)
    moment = try Moment(decoding: &reader)
    start = reader.offset
    guard let schema = UInt32(exactly: try reader.long()) else {
      throw AvroError(.outOfRange, at: start, "schema")
    }
    self.schema = schema
    batch = try decodeIndex(&reader)
    actions = try [[UInt8]](decoding: &reader)
  }
}
