public import RetraceAvro

/// A target that an action names and the state lacks, such as an entity that was removed.
public struct MissingTarget: Sendable {
  /// The name of the target's type, as in schemas.
  public var type: String
  /// The id of the target, if it has one.
  public var id: Int64?

  /// Creates a missing target.
  public init(type: String, id: Int64? = nil) {
    self.type = type
    self.id = id
  }
}

extension MissingTarget: Hashable {
  /// Returns whether the names have the same bytes and the ids are equal.
  public static func == (left: MissingTarget, right: MissingTarget) -> Bool {
    left.id == right.id && left.type.utf8.elementsEqual(right.type.utf8)
  }

  /// Hashes the bytes of the name and the id.
  public func hash(into hasher: inout Hasher) {
    for byte in type.utf8 { hasher.combine(byte) }
    hasher.combine(id)
  }
}

/// A state that records that the target of an action was missing.
///
/// This is the one policy for a missing entity, scene or optional part: reducers neither trap nor
/// ignore the action. The state decides what to record; most states keep an outcome that a screen
/// or a command shows.
public protocol ReportsMissingTarget {
  /// Records that the target of an action was missing.
  mutating func targetWasMissing(_ target: MissingTarget)
}

extension MissingTarget: Recordable {
  /// The name of the record.
  public static var recordedName: String { "MissingTarget" }

  /// Returns a record of a string, `type`, and an optional long, `id`.
  public static func schema(in composer: inout SchemaComposer) -> Schema {
    composer.named(recordedName, for: Self.self) { _ in
      .record(
        name: recordedName,
        fields: [Schema.Field("type", .string), Schema.Field("id", .union([.null, .long]))])
    }
  }

  /// Writes both fields.
  public func encode(into writer: inout AvroWriter) {
    writer.string(type)
    id.encode(into: &writer)
  }

  /// Reads both fields.
  public init(decoding reader: inout AvroReader) throws(AvroError) {
    type = try reader.string()
    id = try Int64?(decoding: &reader)
  }
}
