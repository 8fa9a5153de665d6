public import RetraceAvro
import RetraceState

extension EffectsInFlight: Recordable {
  /// The name of the record.
  public static var recordedName: String { "EffectsInFlight" }

  /// Returns a record with one field, `leaves`: an array of records in the order of their ids.
  public static func schema(in composer: inout SchemaComposer) -> Schema {
    composer.named(recordedName, for: Self.self) { composer in
      .record(
        name: recordedName,
        fields: [Schema.Field("leaves", .array(Leaf.schema(in: &composer)))])
    }
  }

  /// Writes the leaves in order.
  public func encode(into writer: inout AvroWriter) {
    Leaf.encode(array: leaves, into: &writer)
  }

  /// Reads the leaves, which must be in the order of their ids.
  public init(decoding reader: inout AvroReader) throws(AvroError) {
    let start = reader.offset
    let leaves = try Leaf.decodeArray(from: &reader)
    self.init()
    for leaf in leaves {
      guard append(leaf) else { throw AvroError(.outOfRange, at: start, "leaves out of order") }
    }
  }
}

extension EffectsInFlight.Leaf: Recordable {
  /// The name of the record.
  public static var recordedName: String { "EffectInFlight" }

  /// Returns a record of the id, the moment `due`, and the names of the cancellations.
  public static func schema(in composer: inout SchemaComposer) -> Schema {
    composer.named(recordedName, for: Self.self) { composer in
      .record(
        name: recordedName,
        fields: [
          Schema.Field("id", EffectLeafID.schema(in: &composer)),
          Schema.Field("due", Moment.schema(in: &composer)),
          Schema.Field("cancellations", .array(.string)),
        ])
    }
  }

  /// Writes the fields in order.
  public func encode(into writer: inout AvroWriter) {
    id.encode(into: &writer)
    due.encode(into: &writer)
    String.encode(array: cancellations.map(\.name), into: &writer)
  }

  /// Reads the fields in order.
  public init(decoding reader: inout AvroReader) throws(AvroError) {
    id = try EffectLeafID(decoding: &reader)
    due = try Moment(decoding: &reader)
    cancellations = try String.decodeArray(from: &reader).map { CancellationID($0) }
  }
}
