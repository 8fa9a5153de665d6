public import RetraceAvro

// The payloads of system records. Their encodings are part of the format version, not of any app.
// The conformances are written by hand, so that a change in the generator cannot change the format.

/// The payload of a record that is not an action.
public protocol SystemPayload: Recordable, Hashable {
  /// The kind of the payload's records.
  static var kind: RecordKind { get }

  /// Returns the schema of the payload in a format version.
  static func schema(ofVersion version: UInt8, in composer: inout SchemaComposer) -> Schema

  /// Reads the payload of a format version.
  init(decoding reader: inout AvroReader, version: UInt8) throws(AvroError)
}

extension SystemPayload {
  /// Returns the schema of the payload, by default the same in all format versions.
  public static func schema(
    ofVersion version: UInt8, in composer: inout SchemaComposer
  ) -> Schema {
    schema(in: &composer)
  }

  /// Reads the payload, by default the same in all format versions.
  public init(decoding reader: inout AvroReader, version: UInt8) throws(AvroError) {
    try self.init(decoding: &reader)
  }

  /// Reads exactly one payload of a format version.
  ///
  /// - Complexity: O(bytes).
  /// - Throws: `AvroError` if the bytes are not such a payload, or if bytes are left over.
  public init(encoded bytes: Span<UInt8>, version: UInt8) throws(AvroError) {
    var reader = AvroReader(bytes)
    try self.init(decoding: &reader, version: version)
    try reader.finish()
  }
}

extension RecordCursor {
  /// Returns the payload of the current record, decoded in its block's format version.
  ///
  /// - Complexity: O(bytes of the payload).
  /// - Throws: `AvroError` if the payload cannot be decoded.
  public func systemPayload<P: SystemPayload>(as type: P.Type) throws(AvroError) -> P {
    try P(encoded: payload, version: header.version)
  }
}

/// Reads a sequence from a payload: a `long` from 1.
func decodeSequence(_ reader: inout AvroReader) throws(AvroError) -> UInt64 {
  let start = reader.offset
  let value = try reader.long()
  guard value >= 1, UInt64(value) <= LogFormat.sequenceMax else {
    throw AvroError(.outOfRange, at: start, "sequence")
  }
  return UInt64(value)
}

/// Reads a small number from a payload: an `int` from 0.
func decodeIndex(_ reader: inout AvroReader) throws(AvroError) -> Int {
  let start = reader.offset
  let value = try reader.int()
  guard value >= 0 else { throw AvroError(.outOfRange, at: start, "index") }
  return Int(value)
}

func digestSchema(in composer: inout SchemaComposer) -> Schema {
  composer.schema(of: Digest.self)
}

extension RecordKind {
  /// Returns the schema of the payload in a format version.
  ///
  /// - Precondition: The kind is not `action`; the log holds the schemas of actions.
  public func payloadSchema(
    ofVersion version: UInt8, in composer: inout SchemaComposer
  ) -> Schema {
    switch self {
    case .action: preconditionFailure("RecordKind: the schema of an action is in the log")
    case .sessionOpened: SessionOpened.schema(ofVersion: version, in: &composer)
    case .sessionClosed: SessionClosed.schema(ofVersion: version, in: &composer)
    case .effectFinished: EffectFinished.schema(ofVersion: version, in: &composer)
    case .crashed: Crashed.schema(ofVersion: version, in: &composer)
    case .clockJumped: ClockJumped.schema(ofVersion: version, in: &composer)
    case .command: RecordedCommand.schema(ofVersion: version, in: &composer)
    }
  }

  /// Returns the schema of the payload in a format version, using a new composer.
  ///
  /// - Precondition: The kind is not `action`; the log holds the schemas of actions.
  public func payloadSchema(ofVersion version: UInt8) -> Schema {
    var composer = SchemaComposer()
    return payloadSchema(ofVersion: version, in: &composer)
  }
}
