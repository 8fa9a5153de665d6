public import RetraceAvro

/// An entity that a fact removed from its table.
///
/// The ``EntityID`` beside it in the fact is the id of the entity; see ``Change``.
@frozen
public struct Removal<Entity: Recordable>: Sendable {
  /// The entity before the fact.
  public var entity: Entity

  /// Creates a removal.
  @inlinable
  public init(_ entity: Entity) { self.entity = entity }
}

extension Removal: Equatable where Entity: Equatable {}
extension Removal: Hashable where Entity: Hashable {}

extension Removal: Recordable {
  /// `Removal`, joined with the name of the entity's type.
  public static var recordedName: String { "Removal__" + Entity.recordedName }

  /// `Removal`, joined with the former names of the entity's type.
  public static var recordedAliases: [String] {
    _RecordedNames.aliases(of: "Removal", formerly: [], with: [Entity._recordedNames])
  }

  /// Returns a record of the field `entity`.
  public static func schema(in composer: inout SchemaComposer) -> Schema {
    composer.named(recordedName, for: Self.self) { composer in
      let entity = composer.schema(of: Entity.self)
      return .record(
        name: recordedName, aliases: recordedAliases, fields: [Schema.Field("entity", entity)])
    }
  }

  /// Writes the entity.
  @inlinable
  public func encode(into writer: inout AvroWriter) { entity.encode(into: &writer) }

  /// Reads the entity.
  @inlinable
  public init(decoding reader: inout AvroReader) throws(AvroError) {
    self.init(try Entity(decoding: &reader))
  }
}
