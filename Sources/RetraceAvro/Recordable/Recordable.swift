/// A value with one canonical Avro encoding.
///
/// Conformances are generated ahead of time by `Tools/generate` for every declaration that says
/// `: Recordable`; nobody writes them by hand outside this package.
public protocol Recordable: Sendable, SendableMetatype {
  /// The name of the type in schemas, unique among the types of one schema.
  ///
  /// Dots separate nesting; an instantiation of a generic joins its arguments with two underscores.
  static var recordedName: String { get }

  /// The names that the type had in schemas before; none unless the declaration says so.
  static var recordedAliases: [String] { get }

  /// The name of the rule that a value of the type keeps beyond its schema; `nil` where every value
  /// of the schema is one of the type.
  ///
  /// It stands in the schema of a type without a name there, and tells such types apart: an
  /// `Int32` that becomes a percentage from 0 to 100 has the same bytes, but what was recorded may
  /// be above 100. The default is the name of the type. A type that changes its rule names another
  /// one. Composers ignore the rule of a record, enum or fixed: its name tells it from others.
  static var recordedRule: String? { get }

  /// The schema of the type; a named type that the composer has met already answers a reference.
  static func schema(in composer: inout SchemaComposer) -> Schema

  /// Writes the canonical encoding.
  ///
  /// - Complexity: O(bytes written); allocates only when the writer grows.
  func encode(into writer: inout AvroWriter)

  /// Reads a value from its canonical encoding.
  ///
  /// - Throws: ``AvroError`` for anything but the canonical encoding of a value of this type.
  init(decoding reader: inout AvroReader) throws(AvroError)

  /// Passes over an encoding without making the value.
  ///
  /// It consumes the bytes that ``init(decoding:)`` consumes, and refuses what that refuses with
  /// the same error; the default makes the value and drops it.
  ///
  /// - Throws: ``AvroError`` for anything but the canonical encoding of a value of this type.
  static func skip(in reader: inout AvroReader) throws(AvroError)

  /// The schema of an array of values of this type: `array` unless the type says otherwise.
  ///
  /// Only bytes do: an array of `UInt8` is `bytes`.
  static func arraySchema(in composer: inout SchemaComposer) -> Schema

  /// Writes an array of values of this type.
  static func encode(array: [Self], into writer: inout AvroWriter)

  /// Reads an array of values of this type.
  static func decodeArray(from reader: inout AvroReader) throws(AvroError) -> [Self]

  /// Passes over an array of values of this type.
  static func skipArray(in reader: inout AvroReader) throws(AvroError)
}

extension Recordable {
  /// None.
  public static var recordedAliases: [String] { [] }

  /// The name of the type.
  public static var recordedRule: String? { recordedName }

  /// Makes the value and drops it.
  @inlinable
  public static func skip(in reader: inout AvroReader) throws(AvroError) {
    _ = try Self(decoding: &reader)
  }

  /// The whole schema of the type, every named type defined where it is first met.
  public static var schema: Schema {
    var composer = SchemaComposer()
    return composer.schema(of: Self.self)
  }

  /// The canonical encoding, newly allocated.
  public func encoded() -> [UInt8] {
    var writer = AvroWriter()
    encode(into: &writer)
    return writer.bytes
  }

  /// Reads a value from bytes that hold it and nothing else.
  public init(encoded bytes: Span<UInt8>) throws(AvroError) {
    var reader = AvroReader(bytes)
    self = try Self(decoding: &reader)
    try reader.finish()
  }
}
