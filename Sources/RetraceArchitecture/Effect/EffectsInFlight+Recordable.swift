public import RetraceAvro
import RetraceState

extension EffectsInFlight: Recordable {
  /// The name of the record.
  public static var recordedName: String { "EffectsInFlight" }

  /// Returns a record of two arrays, `leaves` in the order of their ids, and `windows`.
  public static func schema(in composer: inout SchemaComposer) -> Schema {
    composer.named(recordedName, for: Self.self) { composer in
      .record(
        name: recordedName,
        fields: [
          Schema.Field("leaves", .array(Leaf.schema(in: &composer))),
          Schema.Field("windows", .array(ThrottleWindow.schema(in: &composer))),
        ])
    }
  }

  /// Writes the leaves and the windows in order.
  public func encode(into writer: inout AvroWriter) {
    leaves.encode(into: &writer)
    windows.encode(into: &writer)
  }

  /// Reads the leaves, which must be in the order of their ids, and the windows.
  public init(decoding reader: inout AvroReader) throws(AvroError) {
    let start = reader.offset
    let leaves = try [Leaf](decoding: &reader)
    let windows = try [ThrottleWindow](decoding: &reader)
    guard let decoded = EffectsInFlight(leaves: leaves, windows: windows) else {
      throw AvroError(.outOfRange, at: start, "leaves out of order, or two windows of one key")
    }
    self = decoded
  }
}

extension EffectsInFlight.Leaf: Recordable {
  /// The name of the record.
  public static var recordedName: String { "EffectInFlight" }

  /// Returns a record of the id, the moment `due`, the scope, and the names of the cancellations.
  public static func schema(in composer: inout SchemaComposer) -> Schema {
    composer.named(recordedName, for: Self.self) { composer in
      .record(
        name: recordedName,
        fields: [
          Schema.Field("id", EffectLeafID.schema(in: &composer)),
          Schema.Field("due", Moment.schema(in: &composer)),
          Schema.Field("scope", EffectScope.schema(in: &composer)),
          Schema.Field("cancellations", .array(.string)),
        ])
    }
  }

  /// Writes the fields in order.
  public func encode(into writer: inout AvroWriter) {
    id.encode(into: &writer)
    due.encode(into: &writer)
    scope.encode(into: &writer)
    cancellations.map { $0.name }.encode(into: &writer)
  }

  /// Reads the fields in order.
  public init(decoding reader: inout AvroReader) throws(AvroError) {
    id = try EffectLeafID(decoding: &reader)
    due = try Moment(decoding: &reader)
    scope = try EffectScope(decoding: &reader)
    cancellations = try [String](decoding: &reader).map { CancellationID(name: $0) }
  }
}

extension EffectsInFlight.ThrottleWindow: Recordable {
  static var recordedName: String { "ThrottleWindow" }

  static func schema(in composer: inout SchemaComposer) -> Schema {
    composer.named(recordedName, for: Self.self) { composer in
      .record(
        name: recordedName,
        fields: [
          Schema.Field("scope", EffectScope.schema(in: &composer)),
          Schema.Field("id", .string),
          Schema.Field("time", ElapsedTime.schema(in: &composer)),
          Schema.Field("end", Moment.schema(in: &composer)),
          Schema.Field("waiting", .array(EffectLeafID.schema(in: &composer))),
        ])
    }
  }

  func encode(into writer: inout AvroWriter) {
    scope.encode(into: &writer)
    writer.string(id.name)
    time.encode(into: &writer)
    end.encode(into: &writer)
    waiting.encode(into: &writer)
  }

  init(decoding reader: inout AvroReader) throws(AvroError) {
    scope = try EffectScope(decoding: &reader)
    id = CancellationID(name: try reader.string())
    time = try ElapsedTime(decoding: &reader)
    end = try Moment(decoding: &reader)
    waiting = try [EffectLeafID](decoding: &reader)
  }
}

extension EffectScope: Recordable {
  /// The name of the record.
  public static var recordedName: String { "EffectScope" }

  /// Returns a record with one field, `components`: an array of records, outermost first.
  public static func schema(in composer: inout SchemaComposer) -> Schema {
    composer.named(recordedName, for: Self.self) { composer in
      .record(
        name: recordedName,
        fields: [Schema.Field("components", .array(Component.schema(in: &composer)))])
    }
  }

  /// Writes the components in order.
  public func encode(into writer: inout AvroWriter) {
    components.encode(into: &writer)
  }

  /// Reads the components in order.
  public init(decoding reader: inout AvroReader) throws(AvroError) {
    self.init(try [Component](decoding: &reader))
  }
}

extension EffectScope.Component: Recordable {
  /// The name of the record.
  public static var recordedName: String { "EffectScopeComponent" }

  /// Returns a record of a string, `name`, and an optional long, `id`.
  public static func schema(in composer: inout SchemaComposer) -> Schema {
    composer.named(recordedName, for: Self.self) { _ in
      .record(
        name: recordedName,
        fields: [Schema.Field("name", .string), Schema.Field("id", .union([.null, .long]))])
    }
  }

  /// Writes both fields.
  public func encode(into writer: inout AvroWriter) {
    writer.string(name)
    id.encode(into: &writer)
  }

  /// Reads both fields.
  public init(decoding reader: inout AvroReader) throws(AvroError) {
    let name = try reader.string()
    self.init(name: name, id: try Int64?(decoding: &reader))
  }
}
