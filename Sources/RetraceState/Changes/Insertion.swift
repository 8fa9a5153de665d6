public import RetraceAvro

/// An entity that a fact inserted into its table.
///
/// The ``EntityID`` beside it in the fact is the id of the entity; see ``Change``.
@frozen
public struct Insertion<Entity: Recordable>: Sendable {
  /// The entity after the fact.
  public var entity: Entity

  /// Creates an insertion.
  @inlinable
  public init(_ entity: Entity) { self.entity = entity }
}

extension Insertion: Equatable where Entity: Equatable {}
extension Insertion: Hashable where Entity: Hashable {}

extension Insertion: Recordable {
  /// `Insertion`, joined with the name of the entity's type.
  public static var recordedName: String { "Insertion__" + Entity.recordedName }

  /// `Insertion`, joined with the former names of the entity's type.
  public static var recordedAliases: [String] {
    _RecordedNames.aliases(of: "Insertion", formerly: [], with: [Entity._recordedNames])
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
