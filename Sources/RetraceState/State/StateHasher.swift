public import RetraceAvro

/// The hash of a state, which two folds of one log share and a script can recompute.
///
/// It is the SHA-256 of `02`, the Avro bytes of the scalars in order, and for each table in order
/// its number (one byte), the value of its `nextID` (64 bits, little end first) and its hash.
public enum StateHasher {
  /// Hashes a state; only what changed in its tables since the last time is recomputed.
  ///
  /// - Parameters:
  ///   - state: The state; its contents stay, the hashes kept in its tables are brought up to date.
  ///   - hasher: The hash functions.
  ///   - writer: A buffer; keeping one between calls saves its allocation. What it held is left as
  ///     it was.
  ///   - crew: Threads to share the work among where much changed; the hash is the same without.
  /// - Complexity: O(bytes of the scalars, and leaves changed since the last time).
  /// - Precondition: The state has at most 256 tables.
  @inlinable
  public static func hash<State: RecordedState, H: ByteHasher>(
    _ state: inout State, with hasher: H.Type, _ writer: inout AvroWriter,
    sharedBy crew: (any WorkSharing)? = nil
  ) -> Digest {
    let start = writer.count
    writer.byte(0x02)
    state.encodeScalars(into: &writer)
    // The visitor cannot hold the writer itself, which is not copyable: it is lent in a box.
    var visitor = TableHashing<H>(crew)
    swap(&visitor.box.writer, &writer)
    state.visitTables(&visitor)
    swap(&visitor.box.writer, &writer)
    return writer.takeDigest(from: start) { H.digest(of: $0) }
  }

  /// Hashes a state with a buffer of its own.
  ///
  /// - Complexity: O(bytes of the scalars, and leaves changed since the last time).
  /// - Precondition: The state has at most 256 tables.
  @inlinable
  public static func hash<State: RecordedState, H: ByteHasher>(
    _ state: inout State, with hasher: H.Type
  ) -> Digest {
    var writer = AvroWriter(capacity: 2_048)
    return hash(&state, with: hasher, &writer)
  }
}

/// Writes what the state hash covers of each table.
@usableFromInline
struct TableHashing<H: ByteHasher>: TableVisitor {
  @usableFromInline let box = WriterBox()
  @usableFromInline let crew: (any WorkSharing)?
  @usableFromInline var number = 0

  @inlinable
  init(_ crew: (any WorkSharing)?) { self.crew = crew }

  @inlinable
  mutating func visit<ID, Entity>(_ table: inout EntityTable<ID, Entity>) {
    let digest = table.hash(with: H.self, &box.writer, sharedBy: crew)
    guard let byte = UInt8(exactly: number) else {
      preconditionFailure("StateHasher: more than 256 tables")
    }
    box.writer.byte(byte)
    box.writer.littleEndian(UInt64(bitPattern: table.nextID.value))
    box.writer.digest(digest)
    number += 1
  }
}

/// A writer behind a reference.
@usableFromInline
final class WriterBox {
  @usableFromInline var writer = AvroWriter(capacity: 0)

  @inlinable
  init() {}
}
