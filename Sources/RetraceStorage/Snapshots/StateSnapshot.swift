import LMDBFile
public import Retrace
import RetraceSystem

/// The values that decide whether a stored state equals the one that a fold would give: the schema
/// of the state, the reducer, and how records become actions.
public struct FoldFingerprint: Hashable, Sendable {
  package var stateSchema: Digest
  /// The fingerprint of the reducer; zero if unknown.
  package var reducer: Digest
  /// The fingerprint of the action schema, which says how records become actions.
  package var decoding: Digest

  /// Creates a fingerprint.
  public init(stateSchema: Digest, reducer: Digest, decoding: Digest) {
    self.stateSchema = stateSchema
    self.reducer = reducer
    self.decoding = decoding
  }

  /// Whether the fingerprint can tell snapshots apart, which needs the reducer's fingerprint.
  package var isKnown: Bool { reducer != .zero }
}

/// A stored state at a sequence, without the pages of its tables.
public struct StateSnapshot: Hashable, Sendable {
  /// The chain digest of the record after which the state was saved.
  package var chain: Digest
  package var fingerprint: FoldFingerprint
  /// The encoded effects in flight after that record.
  package var inFlight: [UInt8]
  /// The sequence, the hash, the scalars and the roots of the tables.
  package var state: SnapshotRecord

  package init(
    chain: Digest, fingerprint: FoldFingerprint, inFlight: [UInt8], state: SnapshotRecord
  ) {
    self.chain = chain
    self.fingerprint = fingerprint
    self.inFlight = inFlight
    self.state = state
  }

  /// The sequence of the record after which the state was saved.
  package var sequence: UInt64 { state.sequence }

  private static var version: UInt64 { 1 }

  /// Returns the bytes: checksum, version, digests, effects in flight with their length, state.
  ///
  /// - Complexity: O(bytes).
  func encoded() -> [UInt8] {
    var writer = AvroWriter(capacity: 4_096)
    writer.littleEndian(Self.version)
    for digest in [chain, fingerprint.stateSchema, fingerprint.reducer, fingerprint.decoding] {
      writer.digest(digest)
    }
    writer.bytes(inFlight)
    state.encode(into: &writer)
    var whole = AvroWriter(capacity: writer.count + 8)
    whole.littleEndian(SHA256Hasher.checksum(writer.span))
    whole.raw(writer.span)
    return whole.bytes
  }

  /// Decodes a snapshot.
  ///
  /// - Throws: ``TreeFileError`` if the bytes are damaged or of another version.
  init(decoding bytes: Span<UInt8>) throws(TreeFileError) {
    do throws(AvroError) {
      var reader = AvroReader(bytes)
      let sum = try reader.littleEndian64()
      guard sum == SHA256Hasher.checksum(bytes.extracting(8...)) else {
        throw AvroError(.outOfRange, at: 0, "checksum")
      }
      guard try reader.littleEndian64() == Self.version else {
        throw AvroError(.outOfRange, at: 8, "version")
      }
      chain = try reader.digest()
      let stateSchema = try reader.digest()
      let reducer = try reader.digest()
      let decoding = try reader.digest()
      fingerprint = FoldFingerprint(stateSchema: stateSchema, reducer: reducer, decoding: decoding)
      inFlight = try reader.byteArray()
      state = try SnapshotRecord(decoding: &reader)
      try reader.finish()
    } catch {
      throw TreeFileError("a snapshot cannot be decoded: \(error)")
    }
  }
}
