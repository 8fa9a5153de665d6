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
  ///   - crew: Threads to share the work among where much changed; the hash is the same without.
  /// - Complexity: O(leaves changed since the last call), about 4 us for one changed leaf of a
  ///   million entities.
  @inlinable
  public mutating func hash<H: ByteHasher>(
    with hasher: H.Type, _ writer: inout AvroWriter, sharedBy crew: (any WorkSharing)? = nil
  ) -> Digest {
    // The nodes are handed over, as what works on them is compiled for the entity.
    var tree = _TableTree<Entity>()
    swap(&tree.trunks, &trunks)
    swap(&tree.references, &references)
    let isChanged = Entity._refresh(&tree, { H.digest(of: $0) }, &writer, sharedBy: crew)
    swap(&tree.trunks, &trunks)
    swap(&tree.references, &references)
    if isChanged { root = PageReference.root(over: references, { H.digest(of: $0) }, &writer) }
    return root
  }
}

/// The nodes of a table, for as long as they are brought up to date.
@frozen
public struct _TableTree<Entity: TableEntity> {
  @usableFromInline var trunks: ContiguousArray<TableNode<TableNode<TableLeaf<Entity>>>> = []
  /// One for each trunk.
  @usableFromInline var references: ContiguousArray<PageReference> = []

  @inlinable
  init() {}
}

extension TableEntity {
  /// Brings the hashes of a table's nodes up to date, and the references to its trunks.
  ///
  /// - Complexity: O(leaves changed since the last time).
  @inlinable
  public static func _refresh(
    _ tree: inout _TableTree<Self>, _ digest: @Sendable (Span<UInt8>) -> Digest,
    _ writer: inout AvroWriter, sharedBy crew: (any WorkSharing)?
  ) -> Bool {
    if let crew { tree.refreshLeaves(digest, sharedBy: crew) }
    var isChanged = false
    for trunk in tree.trunks.indices where tree.trunks[trunk].stale != 0 {
      var fresh = tree.trunks[trunk].refresh(digest, &writer)
      fresh.birth = tree.references[trunk].birth
      tree.references[trunk] = fresh
      isChanged = true
    }
    return isChanged
  }
}
