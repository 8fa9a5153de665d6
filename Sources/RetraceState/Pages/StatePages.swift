public import RetraceAvro

/// Functions that save whole states as scalars and pages, and open them without loading a page.
///
/// A save works on a copy of the state and writes its pages in one transaction. After the commit,
/// ``adopt(_:from:)`` updates the live state. If the transaction fails, drop the copy; the next
/// save writes the same pages again.
public enum StatePages {
  /// Writes the pages of a state that have changed since it was last saved or opened.
  ///
  /// - Parameters:
  ///   - state: A copy of the state to save; the call marks its pages as saved.
  ///   - sequence: The sequence of the state, above the snapshot from which it was opened.
  ///   - hasher: The hash functions.
  ///   - sink: The sink of the pages.
  /// - Returns: The contents of the snapshot's record.
  /// - Complexity: O(bytes of the scalars, and leaves changed since the last save).
  /// - Precondition: `sequence` is above 0; the state has at most 255 tables of at most 2^32 ids.
  @inlinable
  public static func save<State: RecordedState, H: ByteHasher, Sink: PageSink & ~Copyable>(
    _ state: inout State, at sequence: UInt64, with hasher: H.Type, into sink: inout Sink
  ) -> SnapshotRecord {
    let hash = StateHasher.hash(&state, with: hasher)
    var writer = AvroWriter(capacity: 2_048)
    state.encodeScalars(into: &writer)
    let scalars = writer.bytes
    writer.removeAll()
    // A visitor cannot hold a noncopyable value, so the sink and the writer go into a box.
    let box = SaveBox<Sink>(consume sink, writer)
    var visitor = StateWriter<H, Sink>(sequence: sequence, box: box)
    state.visitTables(&visitor)
    sink = box.takeSink()
    return SnapshotRecord(sequence: sequence, hash: hash, scalars: scalars, tables: visitor.tables)
  }

  /// Marks as saved the pages that were written by the save of a copy.
  ///
  /// - Parameters:
  ///   - state: The live state.
  ///   - saved: The copy after its save.
  /// - Complexity: O(nodes that the save wrote or that have changed since).
  /// - Precondition: The copy was made from this value or an earlier one, and no other copy was
  ///   adopted in between.
  @inlinable
  public static func adopt<State: RecordedState>(_ state: inout State, from saved: State) {
    var saved = saved
    var collector = TableCollector()
    saved.visitTables(&collector)
    var adopter = TableAdopter(tables: collector.tables)
    state.visitTables(&adopter)
  }

  /// Opens the state of a snapshot without loading a page.
  ///
  /// - Parameters:
  ///   - type: The type of the state.
  ///   - stored: The contents of the snapshot's record.
  ///   - source: The source of its pages.
  /// - Complexity: O(bytes of the scalars, and trunks).
  /// - Throws: ``StoredStateError`` if the record does not fit the type, or if scalars and tables
  ///   do not match the hash in the record.
  public static func open<State: RecordedState, Source: PageSource>(
    _ type: State.Type = State.self, from stored: SnapshotRecord, source: Source
  ) throws(StoredStateError) -> State {
    var state: State
    do throws(AvroError) {
      let scalars = stored.scalars
      var reader = AvroReader(scalars.span)
      state = try State(decodingScalars: &reader)
      try reader.finish()
    } catch {
      throw .scalars(error)
    }
    var writer = AvroWriter(capacity: 2_048)
    let hashes = stored.tables.map { $0.hash(with: Source.Hasher.self, &writer) }
    var opener = TableOpener(tables: stored.tables, hashes: hashes, source: source)
    state.visitTables(&opener)
    guard opener.isMatching && opener.position == stored.tables.count else { throw .tables }
    let hash = StateHasher.hash(
      state, opened: stored.tables, hashes: hashes, with: Source.Hasher.self, &writer)
    guard hash == stored.hash else { throw .hash }
    return state
  }

  /// Loads every page of a state and, unless there was an error, releases the source.
  ///
  /// - Complexity: O(entities that are not resident), about 0.2 us each.
  public static func loadAll<State: RecordedState>(_ state: inout State) {
    var loader = TableLoader()
    state.visitTables(&loader)
  }

  /// Switches a state to another source of the same pages and releases the previous one.
  ///
  /// - Complexity: O(tables).
  public static func changeSource<State: RecordedState>(
    of state: inout State, to source: some PageSource
  ) {
    var changer = TableSourceChanger(source: source)
    state.visitTables(&changer)
  }

  /// Releases the saved parts of a state from memory, except where the next entities are inserted.
  ///
  /// Released parts are read again from `source`, which must have the pages of the last save.
  ///
  /// - Complexity: O(resident nodes).
  public static func releaseSaved<State: RecordedState>(
    of state: inout State, to source: some PageSource
  ) {
    var releaser = TableReleaser(source: source)
    state.visitTables(&releaser)
  }

  /// Loads every page of the small tables, such as users and projects.
  ///
  /// Reducers look up entities of small tables by the ids in other entities. Looking up an entity
  /// that is not resident reads and verifies three pages and keeps none, which is cheap once and
  /// expensive thousands of times.
  ///
  /// - Parameters:
  ///   - state: The state.
  ///   - maxIDs: The maximum number of ids that a small table may have assigned.
  /// - Complexity: O(entities of the small tables that are not resident).
  public static func loadSmall<State: RecordedState>(_ state: inout State, maxIDs: Int64 = 1_024) {
    var loader = TableLoader(maxIDs: maxIDs)
    state.visitTables(&loader)
  }

  /// Loads every page and marks it as unsaved, so that the next save writes every page.
  ///
  /// - Complexity: O(entities).
  public static func markUnsaved<State: RecordedState>(_ state: inout State) {
    var marker = TableUnsavedMarker()
    state.visitTables(&marker)
  }
}

/// The error of a state that could not be opened from the record of a snapshot.
public enum StoredStateError: Error, Hashable, Sendable {
  /// The scalars cannot be decoded.
  case scalars(AvroError)
  /// The tables do not match the tables of the state's type in number or order.
  case tables
  /// Scalars and tables do not match the hash in the record.
  case hash
}
