public import RetraceAvro

// The payloads of the system's records. Their encodings belong to the version of the format, not
// to any app, so the conformances are written by hand: a generator that changed its mind about a
// detail must not change what is on disk.

/// The payload of a record that is not an action.
public protocol SystemPayload: Recordable, Hashable {
  /// The kind of the record that carries it.
  static var kind: RecordKind { get }
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
