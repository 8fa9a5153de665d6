public import RetraceAvro

/// The computation of the hash of a state.
///
/// All folds of one log produce the same hash, and a script can recompute it. The hash is the
/// SHA-256 of the byte 0x02, then the Avro bytes of the scalars in order, then three items for each
/// table in order: its number in one byte, its `nextID` as a little-endian 64-bit integer, and its
/// hash.
public enum StateHasher {
  /// Returns the hash of a state; only the changed parts of its tables are rehashed.
  ///
  /// - Parameters:
  ///   - state: The state; only the hashes cached in its tables change.
  ///   - hasher: The hash functions.
  ///   - writer: A buffer; reusing one saves an allocation. Its contents are left unchanged.
  ///   - workers: Threads to share the work if many leaves have changed; does not affect the hash.
  /// - Complexity: O(bytes of the scalars, and leaves changed since the last time).
  /// - Precondition: The state has at most 256 tables.
  @inlinable
  public static func hash<State: RecordedState, H: ByteHasher>(
    _ state: inout State, with hasher: H.Type, _ writer: inout AvroWriter,
    on workers: WorkerPool? = nil
  ) -> Digest {
    let start = writer.count
    writer.byte(0x02)
    state.encodeScalars(into: &writer)
    // A visitor cannot hold the noncopyable writer, so the writer goes into a box.
    var visitor = TableHasher<H>(workers)
    swap(&visitor.box.writer, &writer)
    state.visitTables(&visitor)
    swap(&visitor.box.writer, &writer)
    return writer.takeDigest(from: start) { H.digest(of: $0) }
  }

  /// Returns the hash of a state, using a temporary buffer.
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

  /// Returns the hash of a state whose tables have just been opened; visits no table.
  ///
  /// - Complexity: O(bytes of the scalars, and tables).
  static func hash<State: RecordedState, H: ByteHasher>(
    _ state: State, opened tables: [TableRoot], hashes: [Digest], with hasher: H.Type,
    _ writer: inout AvroWriter
  ) -> Digest {
    let start = writer.count
    writer.byte(0x02)
    state.encodeScalars(into: &writer)
    for (table, hash) in zip(tables, hashes) {
      writer.table(table.number, nextID: table.nextID, hash: hash)
    }
    return writer.takeDigest(from: start) { H.digest(of: $0) }
  }
}

extension AvroWriter {
  /// Appends the data of one table that the hash of a state covers.
  @inlinable
  mutating func table(_ number: UInt8, nextID: Int64, hash: Digest) {
    byte(number)
    littleEndian(UInt64(bitPattern: nextID))
    digest(hash)
  }
}

/// A visitor that appends the number, the next id and the hash of each table to the bytes to hash.
@usableFromInline
struct TableHasher<H: ByteHasher>: TableVisitor {
  @usableFromInline let box = WriterBox()
  @usableFromInline let workers: WorkerPool?
  @usableFromInline var number = 0

  @inlinable
  init(_ workers: WorkerPool?) { self.workers = workers }

  @inlinable
  mutating func visit<ID, Entity>(_ table: inout EntityTable<ID, Entity>) {
    // Without trunks, avoids a call, which would instantiate the type of the table at run time.
    let digest =
      table.hasTrunks ? table.hash(with: H.self, &box.writer, on: workers) : table.rootHash
    guard let byte = UInt8(exactly: number) else {
      preconditionFailure("StateHasher: more than 256 tables")
    }
    box.writer.table(byte, nextID: table.next, hash: digest)
    number += 1
  }
}

/// A writer in a reference type.
@usableFromInline
final class WriterBox {
  @usableFromInline var writer = AvroWriter(capacity: 0)

  @inlinable
  init() {}
}
