extension Int64: Recordable {
  /// The Avro primitive.
  public static var recordedName: String { "long" }
  /// The Avro primitive.
  public static func schema(in composer: inout SchemaComposer) -> Schema { .long }
  /// Writes a `long`.
  public func encode(into writer: inout AvroWriter) { writer.long(self) }
  /// Reads a `long`.
  public init(decoding reader: inout AvroReader) throws(AvroError) { self = try reader.long() }
}

extension String: Recordable {
  /// The Avro primitive.
  public static var recordedName: String { "string" }
  /// The Avro primitive.
  public static func schema(in composer: inout SchemaComposer) -> Schema { .string }
  /// Writes a `string`.
  public func encode(into writer: inout AvroWriter) { writer.string(self) }
  /// Reads a `string`.
  public init(decoding reader: inout AvroReader) throws(AvroError) { self = try reader.string() }
}
