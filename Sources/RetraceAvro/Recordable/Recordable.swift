/// A value with exactly one canonical Avro encoding.
///
/// `Tools/generate` generates the conformance of every declaration that says `: Recordable`, unless
/// the declaration has its own `encode(into:)`.
///
/// ```swift
/// struct Percent { var number: Int64 }
///
/// extension Percent: Recordable {
///   static var recordedName: String { "Percent" }
///   static func schema(in composer: inout SchemaComposer) -> Schema { .long }
///   func encode(into writer: inout AvroWriter) { number.encode(into: &writer) }
///   init(decoding reader: inout AvroReader) throws(AvroError) {
///     number = try reader.read()
///     guard 0...100 ~= number else { throw AvroError(.outOfRange, at: 0, "\(number) %") }
///   }
/// }
/// ```
public protocol Recordable: Sendable, SendableMetatype {
  /// The name of the type in schemas, unique among the types of one schema.
  ///
  /// The name of a nested type follows the name of the outer type after `_`. The arguments of a
  /// generic type follow its name, each after `__`.
  static var recordedName: String { get }

  /// The former names of the type in schemas; empty by default.
  static var recordedAliases: [String] { get }

  /// The name of the rule that restricts the values of the type beyond its schema; `nil` if every
  /// value of the schema is valid.
  ///
  /// The rule is added to a schema without a name, to tell types with equal schemas apart. If an
  /// `Int32` becomes a percentage from 0 to 100, for example, the bytes are the same, but recorded
  /// values may be above 100. Composers ignore the rule of a record, enum or fixed, whose schema
  /// has a name. The default is the name of the type. When the valid values of a type change,
  /// change the name of its rule.
  static var recordedRule: String? { get }

  /// Returns the schema of the type; a reference if the composer has already defined the named
  /// type.
  static func schema(in composer: inout SchemaComposer) -> Schema

  /// Writes the canonical encoding.
  ///
  /// - Complexity: O(bytes written); allocates only when the writer grows.
  func encode(into writer: inout AvroWriter)

  /// Reads a value from its canonical encoding.
  ///
  /// - Throws: ``AvroError`` if the bytes are not the canonical encoding of a value of this type.
  init(decoding reader: inout AvroReader) throws(AvroError)

  /// Skips an encoding without making the value.
  ///
  /// It consumes the bytes that ``init(decoding:)`` consumes, and throws the same errors. By
  /// default it makes the value and discards it.
  ///
  /// - Throws: ``AvroError`` if the bytes are not the canonical encoding of a value of this type.
  static func skip(in reader: inout AvroReader) throws(AvroError)
}

extension Recordable {
  /// No former names.
  public static var recordedAliases: [String] { [] }

  /// The name of the type.
  public static var recordedRule: String? { recordedName }

  /// Decodes the value and discards it.
  @inlinable
  public static func skip(in reader: inout AvroReader) throws(AvroError) {
    _ = try Self(decoding: &reader)
  }

  /// The full schema of the type; every named type is defined at its first use.
  public static var schema: Schema {
    var composer = SchemaComposer()
    return composer.schema(of: Self.self)
  }

  /// Returns the canonical encoding in a new array.
  public func encoded() -> [UInt8] {
    var writer = AvroWriter()
    encode(into: &writer)
    return writer.bytes
  }

  /// Reads a value from bytes that contain nothing else.
  public init(encoded bytes: Span<UInt8>) throws(AvroError) {
    var reader = AvroReader(bytes)
    self = try Self(decoding: &reader)
    try reader.finish()
  }
}
