public import RetraceAvro

// The payloads of the system's records. Their encodings belong to the version of the format, not
// to any app, so the conformances are written by hand: a generator that changed its mind about a
// detail must not change what is on disk.

/// The payload of a record that is not an action.
public protocol SystemPayload: Recordable, Hashable {
  /// The kind of the record that carries it.
  static var kind: RecordKind { get }

  /// The schema of the payload in a version of the format.
  static func schema(ofVersion version: UInt8, in composer: inout SchemaComposer) -> Schema

  /// Reads the payload as a version of the format has it.
  init(decoding reader: inout AvroReader, version: UInt8) throws(AvroError)
}

extension SystemPayload {
  /// The schema of the payload, where all versions of the format have the same.
  public static func schema(
    ofVersion version: UInt8, in composer: inout SchemaComposer
  ) -> Schema {
    schema(in: &composer)
  }

  /// Reads the payload, where all versions of the format have the same.
  public init(decoding reader: inout AvroReader, version: UInt8) throws(AvroError) {
    try self.init(decoding: &reader)
  }

  /// Reads a whole payload as a version of the format has it.
  ///
  /// - Complexity: O(bytes).
  /// - Throws: `AvroError` if the bytes are no such payload, or more than one.
  public init(encoded bytes: Span<UInt8>, version: UInt8) throws(AvroError) {
    var reader = AvroReader(bytes)
    try self.init(decoding: &reader, version: version)
    try reader.finish()
  }
}

extension RecordCursor {
  /// The payload of the record as the version of its block has it.
  ///
  /// - Complexity: O(bytes of the payload).
  /// - Throws: `AvroError` if the payload is no such value.
  public func systemPayload<P: SystemPayload>(as type: P.Type) throws(AvroError) -> P {
    try P(encoded: payload, version: header.version)
  }
}

/// The number of a record in a payload: a `long` from 1.
func decodeSequence(_ reader: inout AvroReader) throws(AvroError) -> UInt64 {
  let start = reader.offset
  let value = try reader.long()
  guard value >= 1, UInt64(value) <= LogFormat.lastSequence else {
    throw AvroError(.outOfRange, at: start, "sequence")
  }
  return UInt64(value)
}

/// A small number in a payload: an `int` from 0.
func decodeIndex(_ reader: inout AvroReader) throws(AvroError) -> Int {
  let start = reader.offset
  let value = try reader.int()
  guard value >= 0 else { throw AvroError(.outOfRange, at: start, "index") }
  return Int(value)
}

/// The schema of a fingerprint or another digest.
func digestSchema(in composer: inout SchemaComposer) -> Schema {
  composer.schema(of: Digest.self)
}

extension RecordKind {
  /// The schema of the payload in a version of the format.
  ///
  /// - Precondition: The kind is not `action`, whose schemas are in the log.
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

  /// The schema of the payload in a version of the format, by itself.
  ///
  /// - Precondition: The kind is not `action`, whose schemas are in the log.
  public func payloadSchema(ofVersion version: UInt8) -> Schema {
    var composer = SchemaComposer()
    return payloadSchema(ofVersion: version, in: &composer)
  }
}
