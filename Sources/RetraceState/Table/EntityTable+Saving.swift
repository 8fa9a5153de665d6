public import RetraceAvro

extension EntityTable {
  /// Writes the pages that have changed since the last save, and reports the pages they replace.
  ///
  /// A table that was never saved is written whole. If the tables of a state are saved in order,
  /// the keys of all pages ascend.
  ///
  /// - Parameters:
  ///   - sequence: The sequence of the snapshot, above all earlier ones.
  ///   - number: The number of the table in its state.
  ///   - hasher: The hash functions.
  ///   - writer: A buffer; its contents are left unchanged.
  ///   - sink: The sink of the pages.
  /// - Returns: The table's part of the snapshot's record.
  /// - Complexity: O(leaves changed since the last save, and trunks).
  /// - Precondition: `sequence` is above 0, and at most 2^32 ids were assigned.
  @inlinable
  public mutating func save<H: ByteHasher, Sink: PageSink & ~Copyable>(
    at sequence: UInt64, number: UInt8, with hasher: H.Type, _ writer: inout AvroWriter,
    into sink: inout Sink
  ) -> TableRoot {
    precondition(sequence > 0, "EntityTable: the sequence of a snapshot must be above 0")
    precondition(next <= TableRoot.idLimit, "EntityTable: more than 2^32 ids cannot be saved")
    _ = hash(with: hasher, &writer)
    let pageWriter = PageWriter<H>(sequence: sequence, table: number)
    for trunk in trunks.indices where trunks[trunk].unsaved != 0 {
      Trunk.save(
        &trunks, at: trunk, &references[trunk], from: Int64(trunk) * TablePath.trunkSpan,
        pageWriter, &writer, into: &sink)
    }
    return TableRoot(number: number, nextID: next, count: liveCount, trunks: references)
  }

  /// Marks as saved the pages that were written by the save of a copy.
  ///
  /// Parts that have not changed since the copy was made count as saved. The next save replaces the
  /// pages of the other parts.
  ///
  /// - Parameter saved: The copy after its save.
  /// - Complexity: O(nodes that the save wrote or that have changed since).
  /// - Precondition: The copy was made from this value or an earlier one, and no other copy was
  ///   adopted in between.
  @inlinable
  public mutating func adopt(_ saved: EntityTable) {
    if saved.hasTrunks { makeTrunks() }
    let wasStale = trunks.contains { $0.stale != 0 }
    for trunk in saved.trunks.indices where trunk < trunks.count {
      if Trunk.adopt(&trunks, at: trunk, from: saved.trunks[trunk]) {
        references[trunk] = saved.references[trunk]
      } else {
        references[trunk].birth = saved.references[trunk].birth
      }
    }
    // The hash of the copy is right if this table has not changed since the copy was made. A change
    // that was not hashed leaves a trunk stale here. After a change that was hashed, `wasStale` is
    // false.
    if wasStale && trunks.allSatisfy({ $0.stale == 0 }) { rootHash = saved.rootHash }
  }

  /// Loads every page and marks it as unsaved, so that the next save writes every page.
  ///
  /// After an error nothing is marked: the pages that could not be read would count as empty.
  ///
  /// - Complexity: O(`count`).
  public mutating func markUnsaved() {
    loadAll()
    guard source == nil else { return }
    for trunk in trunks.indices {
      references[trunk].birth = 0
      trunks[trunk].markUnsaved()
      for branch in trunks[trunk].children.indices {
        trunks[trunk].children[branch].markUnsaved()
      }
    }
  }
}

extension TableNode {
  mutating func markUnsaved() {
    for place in references.indices { references[place].birth = 0 }
    marks |= ((1 << UInt64(children.count)) - 1) << 32
  }
}
