public import RetraceAvro

/// The value of a field before and after a fact.
///
/// The first ``EntityID`` in the case or struct that holds the change identifies the entity. The
/// label of the change names the field, so use the name of the entity's field. Programs without the
/// app's code find changes in the log by the name `Change` in the schema: `audit history` lists the
/// changes of an entity, and `audit blame` the record that set each field.
@frozen
public struct Change<Value: Recordable>: Sendable {
  /// The value before the fact.
  public var before: Value
  /// The value after the fact.
  public var after: Value

  /// Creates a change.
  @inlinable
  public init(from before: Value, to after: Value) {
    self.before = before
    self.after = after
  }

  /// The change that undoes this one.
  @inlinable public var inverted: Change { Change(from: after, to: before) }
}

extension Change: Equatable where Value: Equatable {}
extension Change: Hashable where Value: Hashable {}

extension Change: Recordable {
  /// `Change`, joined with the name of the value's type.
  public static var recordedName: String { "Change__" + Value.recordedName }

  /// `Change`, joined with the former names of the value's type.
  public static var recordedAliases: [String] {
    _RecordedNames.aliases(of: "Change", formerly: [], with: [Value._recordedNames])
  }

  /// Returns a record of the fields `before` and `after`.
  public static func schema(in composer: inout SchemaComposer) -> Schema {
    composer.named(recordedName, for: Self.self) { composer in
      let before = composer.schema(of: Value.self)
      let after = composer.schema(of: Value.self)
      return .record(
        name: recordedName, aliases: recordedAliases,
        fields: [Schema.Field("before", before), Schema.Field("after", after)])
    }
  }

  /// Writes the value before, then the value after.
  @inlinable
  public func encode(into writer: inout AvroWriter) {
    before.encode(into: &writer)
    after.encode(into: &writer)
  }

  /// Reads the value before, then the value after.
  @inlinable
  public init(decoding reader: inout AvroReader) throws(AvroError) {
    let before = try Value(decoding: &reader)
    self.init(from: before, to: try Value(decoding: &reader))
  }
}
