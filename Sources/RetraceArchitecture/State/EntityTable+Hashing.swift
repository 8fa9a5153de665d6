public import RetraceAvro

extension EntityTable {
  /// The hash of the contents, recomputed only where something changed since the last call.
  ///
  /// Equal contents under equal ids give equal hashes whatever the history; an empty table's hash
  /// is 32 zero bytes. `nextID` is no part of it. The bytes hashed are described in the article on
  /// the format of the log. Reads no page.
  ///
  /// - Parameters:
  ///   - hasher: The hash functions.
  ///   - writer: A buffer for the bytes of nodes; what it held is left as it was.
  /// - Complexity: O(leaves changed since the last call), about 4 us for one changed leaf of a
  ///   million entities.
  @inlinable
  public mutating func hash<H: ByteHasher>(
    with hasher: H.Type, _ writer: inout AvroWriter
  ) -> Digest {
    var changed = false
    for trunk in trunks.indices where trunks[trunk].stale != 0 {
      var fresh = trunks[trunk].refresh(hasher, &writer)
      fresh.birth = references[trunk].birth
      references[trunk] = fresh
      changed = true
    }
    if changed { root = PageReference.root(over: references, hasher, &writer) }
    return root
  }
}
