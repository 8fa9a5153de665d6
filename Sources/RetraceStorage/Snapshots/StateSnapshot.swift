import RetraceArchitecture
public import RetraceAvro
import RetraceLog
public import RetraceState
import RetraceSystem

/// What decides whether a stored state is the one that a fold would give: the schema of the state,
/// the reducer, and how records become actions.
public struct SnapshotIdentity: Hashable, Sendable {
  /// The fingerprint of the schema of the state.
  public var stateSchema: Digest
  /// The fingerprint of the reducer; zero if the app does not know it.
  public var reducer: Digest
  /// The fingerprint of what turns records into actions.
  public var decoding: Digest

  /// Makes an identity.
  public init(stateSchema: Digest, reducer: Digest, decoding: Digest) {
    self.stateSchema = stateSchema
    self.reducer = reducer
    self.decoding = decoding
  }

  /// Whether snapshots can be told apart at all: an app whose reducer has no fingerprint has none.
  public var isKnown: Bool { reducer != .zero }
}

/// A state at a sequence as it is stored, without the pages of its tables.
public struct StateSnapshot: Hashable, Sendable {
  /// The chain digest of the record that the state stands after.
  public var chain: Digest
  /// What made the state.
  public var identity: SnapshotIdentity
  /// What was in flight after the record, encoded.
  public var inFlight: [UInt8]
  /// Sequence, hash, scalars and the roots of the tables.
  public var state: StoredState

  /// Makes a snapshot.
  public init(chain: Digest, identity: SnapshotIdentity, inFlight: [UInt8], state: StoredState) {
    self.chain = chain
    self.identity = identity
    self.inFlight = inFlight
    self.state = state
  }

  /// The sequence of the record that the state stands after.
  public var sequence: UInt64 { state.sequence }

  /// The version of the bytes.
  private static var version: UInt64 { 1 }

  /// The bytes: checksum, version, digests, what is in flight with its length, and the state.
  ///
  /// - Complexity: O(bytes).
  func encoded() -> [UInt8] {
    var writer = AvroWriter(capacity: 4_096)
    writer.littleEndian(Self.version)
    for digest in [chain, identity.stateSchema, identity.reducer, identity.decoding] {
      writer.digest(digest)
    }
    writer.bytes(inFlight)
    state.encode(into: &writer)
    var whole = AvroWriter(capacity: writer.count + 8)
    whole.littleEndian(SHA256Hasher.checksum(writer.span))
    whole.raw(writer.span)
    return whole.bytes
  }

  /// Reads the bytes.
  ///
  /// - Throws: ``TreeFault`` if they are not what was written.
  init(decoding bytes: Span<UInt8>) throws(TreeFault) {
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
      identity = SnapshotIdentity(stateSchema: stateSchema, reducer: reducer, decoding: decoding)
      inFlight = try reader.byteArray()
      state = try StoredState(decoding: &reader)
      try reader.finish()
    } catch {
      throw TreeFault("the record of a snapshot: \(error)")
    }
  }
}
