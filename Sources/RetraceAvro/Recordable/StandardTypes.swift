extension Int64: Recordable {
  /// The name of the Avro primitive.
  public static var recordedName: String { "long" }
  /// No rule.
  public static var recordedRule: String? { nil }
  /// Returns the Avro primitive.
  public static func schema(in composer: inout SchemaComposer) -> Schema { .long }
  /// Writes a `long`.
  @inlinable
  @inline(__always)
  public func encode(into writer: inout AvroWriter) { writer.long(self) }
  /// Reads a `long`.
  @inlinable
  @inline(__always)
  public init(decoding reader: inout AvroReader) throws(AvroError) { self = try reader.long() }
}

extension Int: Recordable {
  /// The name of this type as the argument of a generic type; its schema is `long`.
  public static var recordedName: String { "Int" }
  /// No rule.
  public static var recordedRule: String? { nil }
  /// Returns the Avro primitive.
  public static func schema(in composer: inout SchemaComposer) -> Schema { .long }
  /// Writes a `long`.
  @inlinable
  @inline(__always)
  public func encode(into writer: inout AvroWriter) { writer.long(Int64(self)) }
  /// Reads a `long`.
  @inlinable
  @inline(__always)
  public init(decoding reader: inout AvroReader) throws(AvroError) {
    let start = reader.offset
    guard let value = Int(exactly: try reader.long()) else {
      throw AvroError(.outOfRange, at: start, "Int")
    }
    self = value
  }
}

extension Int32: Recordable {
  /// The name of the Avro primitive.
  public static var recordedName: String { "int" }
  /// No rule.
  public static var recordedRule: String? { nil }
  /// Returns the Avro primitive.
  public static func schema(in composer: inout SchemaComposer) -> Schema { .int }
  /// Writes an `int`.
  @inlinable
  @inline(__always)
  public func encode(into writer: inout AvroWriter) { writer.long(Int64(self)) }
  /// Reads an `int`.
  @inlinable
  public init(decoding reader: inout AvroReader) throws(AvroError) { self = try reader.int() }
}

extension Bool: Recordable {
  /// The name of the Avro primitive.
  public static var recordedName: String { "boolean" }
  /// No rule.
  public static var recordedRule: String? { nil }
  /// Returns the Avro primitive.
  public static func schema(in composer: inout SchemaComposer) -> Schema { .boolean }
  /// Writes a `boolean`.
  @inlinable
  @inline(__always)
  public func encode(into writer: inout AvroWriter) { writer.boolean(self) }
  // Not `@inline(__always)`: with that attribute, the compiler does not find the witness.
  /// Reads a `boolean`.
  @inlinable
  public init(decoding reader: inout AvroReader) throws(AvroError) { self = try reader.boolean() }
}

extension Double: Recordable {
  /// The name of the Avro primitive.
  public static var recordedName: String { "double" }
  /// No rule.
  public static var recordedRule: String? { nil }
  /// Returns the Avro primitive.
  public static func schema(in composer: inout SchemaComposer) -> Schema { .double }
  /// Writes a `double`; every NaN becomes the canonical one.
  @inlinable
  public func encode(into writer: inout AvroWriter) { writer.double(self) }
  /// Reads a `double`.
  @inlinable
  public init(decoding reader: inout AvroReader) throws(AvroError) { self = try reader.double() }
}

extension Float: Recordable {
  /// The name of the Avro primitive.
  public static var recordedName: String { "float" }
  /// No rule.
  public static var recordedRule: String? { nil }
  /// Returns the Avro primitive.
  public static func schema(in composer: inout SchemaComposer) -> Schema { .float }
  /// Writes a `float`; every NaN becomes the canonical one.
  @inlinable
  public func encode(into writer: inout AvroWriter) { writer.float(self) }
  /// Reads a `float`.
  @inlinable
  public init(decoding reader: inout AvroReader) throws(AvroError) { self = try reader.float() }
}

extension String: Recordable {
  /// The name of the Avro primitive.
  public static var recordedName: String { "string" }
  /// No rule.
  public static var recordedRule: String? { nil }
  /// Returns the Avro primitive.
  public static func schema(in composer: inout SchemaComposer) -> Schema { .string }
  /// Writes a `string` without normalization.
  @inlinable
  public func encode(into writer: inout AvroWriter) { writer.string(self) }
  /// Reads a `string`.
  @inlinable
  public init(decoding reader: inout AvroReader) throws(AvroError) { self = try reader.string() }
  /// Skips a `string`; throws if it is not UTF-8.
  @inlinable
  public static func skip(in reader: inout AvroReader) throws(AvroError) {
    try reader.skipString()
  }
}

extension UInt8: Recordable {
  /// The name of this type as the argument of a generic type; its schema is `int`.
  public static var recordedName: String { "byte" }
  /// Returns an `int` with the rule `byte`.
  public static func schema(in composer: inout SchemaComposer) -> Schema {
    .ruled(SchemaRule.byte, .int)
  }
  /// Writes an `int`.
  @inlinable
  @inline(__always)
  public func encode(into writer: inout AvroWriter) { writer.long(Int64(self)) }
  /// Reads an `int` from 0 to 255.
  @inlinable
  public init(decoding reader: inout AvroReader) throws(AvroError) {
    let start = reader.offset
    guard let value = UInt8(exactly: try reader.long()) else {
      throw AvroError(.outOfRange, at: start, "byte")
    }
    self = value
  }
}

extension Digest: Recordable {
  /// The name of the `fixed`.
  public static var recordedName: String { "Digest" }
  /// Returns a `fixed` of 32 bytes.
  public static func schema(in composer: inout SchemaComposer) -> Schema {
    composer.named(recordedName, for: Digest.self) { _ in
      .fixed(name: recordedName, size: byteCount)
    }
  }
  /// Writes 32 bytes.
  @inlinable
  public func encode(into writer: inout AvroWriter) { writer.digest(self) }
  /// Reads 32 bytes.
  @inlinable
  public init(decoding reader: inout AvroReader) throws(AvroError) { self = try reader.digest() }
}
