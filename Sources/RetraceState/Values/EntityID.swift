public import RetraceAvro

/// The id of an entity, taken from a counter in the state, so that every process assigns the same
/// ids.
public protocol EntityID: Recordable, Hashable, Comparable {
  /// The number; the first id of a table is 0.
  var value: Int64 { get }

  /// Creates an id from its number.
  init(value: Int64)
}

extension EntityID {
  /// Returns whether the left id has the lower number.
  @inlinable
  public static func < (left: Self, right: Self) -> Bool { left.value < right.value }

  /// Returns a record named after the type with one field, `value`.
  public static func schema(in composer: inout SchemaComposer) -> Schema {
    composer.named(recordedName, for: Self.self) { _ in
      .record(
        name: recordedName, aliases: recordedAliases, fields: [Schema.Field("value", .long)])
    }
  }

  /// Writes a `long`.
  @inlinable
  public func encode(into writer: inout AvroWriter) { writer.long(value) }

  /// Reads a `long`.
  @inlinable
  @inline(__always)
  public init(decoding reader: inout AvroReader) throws(AvroError) {
    self.init(value: try reader.long())
  }
}

/// The id of a scene: one window of the app, which outlives sessions.
@frozen
public struct SceneID: EntityID {
  /// The number of the scene.
  public var value: Int64
  /// Creates an id from its number.
  @inlinable
  public init(value: Int64) { self.value = value }
  /// The name of the id in schemas.
  public static var recordedName: String { "SceneID" }
}
