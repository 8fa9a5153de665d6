public import RetraceAvro

/// The type of the commands and of the refusals of an app without commands; it has no values.
public enum NoCommand: Recordable, Error, Equatable {
  /// The name in schemas.
  public static var recordedName: String { "NoCommand" }

  /// Returns the `null` schema.
  public static func schema(in composer: inout SchemaComposer) -> Schema { .null }

  /// Writes nothing, because there is no value.
  public func encode(into writer: inout AvroWriter) {}

  /// Throws, because no bytes are the encoding of a value.
  public init(decoding reader: inout AvroReader) throws(AvroError) {
    throw AvroError(.outOfRange, at: reader.offset, Self.recordedName)
  }
}
