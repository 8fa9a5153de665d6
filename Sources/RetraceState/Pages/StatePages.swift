public import RetraceAvro

/// Saves whole states as scalars and pages, and opens them again with nothing resident.
///
/// A save works on a copy of the state, whose pages are written in one transaction. When that is
/// committed, ``adopt(_:from:)`` tells the live state; if it fails, the copy is dropped, and the
/// next save puts the same pages once more.
public enum StatePages {
  /// Puts the pages of a state that changed since it was last saved or opened.
  ///
  /// - Parameters:
  ///   - state: A copy of the state to save; afterwards it counts as saved.
  ///   - sequence: The sequence of the state, above that of the snapshot it was opened from.
  ///   - hasher: The hash functions.
  ///   - sink: Where pages go.
  /// - Returns: What the snapshot's record has to hold.
  /// - Complexity: O(bytes of the scalars, and leaves changed since the last save).
  /// - Precondition: `sequence` is above 0; the state has at most 255 tables of at most 2^32 ids.
  @inlinable
  public static func save<State: RecordedState, H: ByteHasher, Sink: PageSink & ~Copyable>(
    _ state: inout State, at sequence: UInt64, with hasher: H.Type, into sink: inout Sink
  ) -> StoredState {
    let hash = StateHasher.hash(&state, with: hasher)
    var writer = AvroWriter(capacity: 2_048)
    state.encodeScalars(into: &writer)
    let scalars = writer.bytes
    writer.removeAll()
    // The visitor cannot hold what is not copyable: it is lent in a box.
    let box = SaveBox<Sink>(consume sink, writer)
    var visitor = StateSaving<H, Sink>(sequence: sequence, box: box)
    state.visitTables(&visitor)
    sink = box.takeSink()
    return StoredState(sequence: sequence, hash: hash, scalars: scalars, tables: visitor.tables)
  }

  /// Takes note that a copy of this state, or of an earlier value of it, was saved.
  ///
  /// - Parameters:
  ///   - state: The live state.
  ///   - saved: The copy after its save.
  /// - Complexity: O(nodes that the save put or that changed since).
  /// - Precondition: The copy was made from this value or an earlier one, and nothing was adopted
  ///   in between.
  @inlinable
  public static func adopt<State: RecordedState>(_ state: inout State, from saved: State) {
    var saved = saved
    var collector = TableCollector()
    saved.visitTables(&collector)
    var adoption = TableAdoption(tables: collector.tables)
    state.visitTables(&adoption)
  }

  /// Opens a state that a snapshot holds, with no page resident.
  ///
  /// - Parameters:
  ///   - type: The type of the state.
  ///   - stored: What the snapshot's record holds.
  ///   - source: Where its pages are.
  /// - Complexity: O(bytes of the scalars, and trunks).
  /// - Throws: ``StoredStateError`` if the record is not one of such a state, or its parts do not
  ///   give the hash it names.
  public static func open<State: RecordedState, Source: PageSource>(
    _ type: State.Type = State.self, from stored: StoredState, source: Source
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
    var opening = TableOpening(tables: stored.tables, source: source)
    state.visitTables(&opening)
    guard opening.isRight && opening.position == stored.tables.count else { throw .tables }
    guard StateHasher.hash(&state, with: Source.Hasher.self) == stored.hash else {
      throw .hash
    }
    return state
  }

  /// Makes every page of a state resident and, unless a fault was met, lets the source go.
  ///
  /// - Complexity: O(entities that are not resident), about 0.2 us for each.
  public static func loadAll<State: RecordedState>(_ state: inout State) {
    var loading = TableLoading()
    state.visitTables(&loading)
  }

  /// Reads absent pages of a state from another source from now on, one that has them as well; the
  /// one before is let go.
  ///
  /// - Complexity: O(tables).
  public static func changeSource<State: RecordedState>(
    of state: inout State, to source: some PageSource
  ) {
    var changing = TableChangingSource(source: source)
    state.visitTables(&changing)
  }

  /// Makes every page of the tables resident that are small, such as those of users and projects.
  ///
  /// Reducers look entities up by the ids that others hold. A look at an absent page reads and
  /// verifies three pages and keeps none, which is right for one and wrong for thousands.
  ///
  /// - Parameters:
  ///   - state: The state.
  ///   - idsMax: The most ids that a small table has given.
  /// - Complexity: O(entities of the small tables that are not resident).
  public static func loadSmall<State: RecordedState>(_ state: inout State, idsMax: Int64 = 1_024) {
    var loading = TableLoading(idsMax: idsMax)
    state.visitTables(&loading)
  }

  /// Drops all memory of snapshots, so that the next save puts every page.
  ///
  /// - Complexity: O(entities).
  public static func forgetSaves<State: RecordedState>(_ state: inout State) {
    var forgetting = TableForgetting()
    state.visitTables(&forgetting)
  }
}

/// Why a state could not be opened from the record of a snapshot.
public enum StoredStateError: Error, Hashable, Sendable {
  /// The scalars cannot be read.
  case scalars(AvroError)
  /// The number of tables is another.
  case tables
  /// Scalars and tables do not give the hash that the record names.
  case hash
}
