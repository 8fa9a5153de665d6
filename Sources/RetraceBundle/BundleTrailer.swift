public import RetraceAvro
public import RetraceLog
import RetraceState

/// The last item of a bundle: what it has to have, and the hash of all that precedes the hash.
public struct BundleTrailer: Hashable, Sendable {
  /// The number of schemas.
  public var schemas: Int
  /// The number of time zone files.
  public var zones: Int
  /// The number of blocks.
  public var blocks: Int
  /// The end of the log; its sequence is the number of records.
  public var head: Head
  /// The SHA-256 of all bytes of the file before it.
  public var hash: Digest

  init(schemas: Int, zones: Int, blocks: Int, head: Head) {
    self.schemas = schemas
    self.zones = zones
    self.blocks = blocks
    self.head = head
    hash = .zero
  }

  func encode(into writer: inout AvroWriter) {
    writer.long(Int64(schemas))
    writer.long(Int64(zones))
    writer.long(Int64(blocks))
    writer.long(Int64(clamping: head.sequence))
    writer.long(head.moment.microseconds)
    writer.long(Int64(clamping: head.lastBlockKey))
    writer.digest(head.chain)
    writer.digest(hash)
  }

  init(decoding reader: inout AvroReader) throws(AvroError) {
    schemas = try Self.count(&reader)
    zones = try Self.count(&reader)
    blocks = try Self.count(&reader)
    let sequence = try Self.sequence(&reader)
    let moment = Moment(microseconds: try reader.long())
    let last = try Self.sequence(&reader)
    head = Head(
      sequence: sequence, chain: try reader.digest(), moment: moment, lastBlockKey: last)
    hash = try reader.digest()
  }

  private static func count(_ reader: inout AvroReader) throws(AvroError) -> Int {
    let start = reader.offset
    guard let count = Int(exactly: try reader.long()), count >= 0 else {
      throw AvroError(.outOfRange, at: start, "count")
    }
    return count
  }

  private static func sequence(_ reader: inout AvroReader) throws(AvroError) -> UInt64 {
    let start = reader.offset
    guard let sequence = UInt64(exactly: try reader.long()), sequence <= LogFormat.sequenceMax
    else { throw AvroError(.outOfRange, at: start, "sequence") }
    return sequence
  }
}
