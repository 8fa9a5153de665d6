public import RetraceAvro

extension EntityTable {
  /// Puts the pages that changed since the last save, and names those that they replace.
  ///
  /// Saves a table that was never saved whole. Pages come in ascending order of their keys if the
  /// tables of a state are saved in order.
  ///
  /// - Parameters:
  ///   - sequence: The sequence of the snapshot, above those of earlier ones.
  ///   - number: The number of the table in its state.
  ///   - hasher: The hash functions.
  ///   - writer: A buffer; what it held is left as it was.
  ///   - sink: Where pages go.
  /// - Returns: What the snapshot's record has to hold of the table.
  /// - Complexity: O(leaves changed since the last save, and trunks).
  /// - Precondition: `sequence` is above 0, and at most 2^32 ids were given.
  @inlinable
  public mutating func save<H: ByteHasher, Sink: PageSink & ~Copyable>(
    at sequence: UInt64, number: UInt8, with hasher: H.Type, _ writer: inout AvroWriter,
    into sink: inout Sink
  ) -> TableRoot {
    precondition(sequence > 0, "EntityTable: a snapshot at sequence 0")
    precondition(next <= TableRoot.idLimit, "EntityTable: more than 2^32 ids cannot be saved")
    _ = hash(with: hasher, &writer)
    let saving = TableSaving<H>(sequence: sequence, table: number)
    for trunk in trunks.indices where trunks[trunk].unsaved != 0 {
      Trunk.save(
        &trunks, at: trunk, &references[trunk], from: Int64(trunk) * TablePlace.trunkSpan,
        saving, &writer, into: &sink)
    }
    return TableRoot(number: number, nextID: next, count: live, trunks: references)
  }

  /// Takes note that a copy of this table, or of an earlier value of it, was saved.
  ///
  /// What has not changed since the copy was made counts as saved; what has changed will replace
  /// the pages that the copy's save put.
  ///
  /// - Parameter saved: The copy after its save.
  /// - Complexity: O(nodes that the save put or that changed since).
  /// - Precondition: The copy was made from this value or an earlier one, and nothing was adopted
  ///   in between.
  @inlinable
  public mutating func adopt(_ saved: EntityTable) {
    let wasStale = trunks.contains { $0.stale != 0 }
    for trunk in saved.trunks.indices where trunk < trunks.count {
      if Trunk.adopt(&trunks, at: trunk, from: saved.trunks[trunk]) {
        references[trunk] = saved.references[trunk]
      } else {
        references[trunk].birth = saved.references[trunk].birth
      }
    }
    // A change after the copy was made would still be stale, or hashed with all before it.
    if wasStale && trunks.allSatisfy({ $0.stale == 0 }) { root = saved.root }
  }

  /// Makes every page resident and drops all memory of saves, so that the next one puts every page.
  ///
  /// After a fault nothing is dropped: what could not be read would count as empty.
  ///
  /// - Complexity: O(`count`).
  public mutating func forgetSaves() {
    loadAll()
    guard source == nil else { return }
    for trunk in trunks.indices {
      references[trunk].birth = 0
      trunks[trunk].forgetSaves()
      for branch in trunks[trunk].children.indices {
        trunks[trunk].children[branch].forgetSaves()
      }
    }
  }
}

extension TableNode {
  /// Marks every child as never saved.
  mutating func forgetSaves() {
    for place in references.indices { references[place].birth = 0 }
    marks |= ((1 << UInt64(children.count)) - 1) << 32
  }
}
