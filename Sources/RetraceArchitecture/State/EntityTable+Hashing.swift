public import RetraceAvro

extension EntityTable {
  /// The hash of the contents, recomputed only where something changed since the last call.
  ///
  /// Equal contents under equal ids give equal hashes whatever the history; an empty table's hash
  /// is 32 zero bytes. `nextID` is no part of it. The bytes hashed are described in the article on
  /// pages and hashes.
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
      references[trunk] = trunks[trunk].refresh(hasher, &writer)
      changed = true
    }
    if changed { root = ChildReference.root(over: references, hasher, &writer) }
    return root
  }
}

extension TableTrunk {
  /// Brings the references up to date and answers the trunk's own.
  @inlinable
  mutating func refresh<H: ByteHasher>(
    _ hasher: H.Type, _ writer: inout AvroWriter
  ) -> ChildReference {
    while stale != 0 {
      let branch = stale.trailingZeroBitCount
      references[branch] = branches[branch].refresh(hasher, &writer)
      stale &= stale - 1
    }
    return ChildReference.node(over: references.span, hasher, &writer)
  }
}

extension TableBranch {
  /// Brings the references up to date and answers the branch's own.
  @inlinable
  mutating func refresh<H: ByteHasher>(
    _ hasher: H.Type, _ writer: inout AvroWriter
  ) -> ChildReference {
    while stale != 0 {
      let leaf = stale.trailingZeroBitCount
      references[leaf] = TableBranch.reference(of: leaves[leaf], hasher, &writer)
      stale &= stale - 1
    }
    return ChildReference.node(over: references.span, hasher, &writer)
  }

  /// The hash of `00` and the page, and the zones of its entities.
  @inlinable
  static func reference<H: ByteHasher>(
    of leaf: TableLeaf<Entity>, _ hasher: H.Type, _ writer: inout AvroWriter
  ) -> ChildReference {
    var result = ChildReference.empty
    let start = writer.count
    writer.byte(0x00)
    guard writePage(of: leaf, into: &writer) else {
      writer.truncate(to: start)
      return result
    }
    for slot in leaf.indices {
      guard let zone = leaf[slot]?.zone else { continue }
      result.lowestZone = min(result.lowestZone, zone)
      result.highestZone = max(result.highestZone, zone)
    }
    result.hash = writer.takeDigest(from: start, hasher)
    return result
  }

  /// Writes the page of a leaf: which slots are filled, then one array of what fills them.
  ///
  /// - Returns: Whether there is a page: a leaf without entities has none.
  @inlinable
  static func writePage(of leaf: TableLeaf<Entity>, into writer: inout AvroWriter) -> Bool {
    var present: UInt32 = 0
    for slot in leaf.indices where leaf[slot] != nil { present |= 1 << UInt32(slot) }
    guard present != 0 else { return false }
    writer.littleEndian(present)
    writer.beginBlock(count: present.nonzeroBitCount)
    for slot in leaf.indices { leaf[slot]?.encode(into: &writer) }
    writer.endBlocks()
    return true
  }
}

extension ChildReference {
  /// The hash of `01` and of what is known about each child, and the zones of all.
  @inlinable
  static func node<H: ByteHasher>(
    over children: Span<ChildReference>, _ hasher: H.Type, _ writer: inout AvroWriter
  ) -> ChildReference {
    var result = ChildReference.empty
    var present: UInt32 = 0
    for index in children.indices where !children[index].isEmpty { present |= 1 << UInt32(index) }
    guard present != 0 else { return result }
    let start = writer.count
    writer.byte(0x01)
    writer.littleEndian(present)
    for index in children.indices where !children[index].isEmpty {
      let child = children[index]
      writer.digest(child.hash)
      writer.littleEndian(UInt64(bitPattern: child.lowestZone))
      writer.littleEndian(UInt64(bitPattern: child.highestZone))
      result.lowestZone = min(result.lowestZone, child.lowestZone)
      result.highestZone = max(result.highestZone, child.highestZone)
    }
    result.hash = writer.takeDigest(from: start, hasher)
    return result
  }

  /// Reduces trunks in groups of 32, at least once, until one node is left.
  @inlinable
  static func root<H: ByteHasher>(
    over trunks: ContiguousArray<ChildReference>, _ hasher: H.Type, _ writer: inout AvroWriter
  ) -> Digest {
    var level = trunks
    repeat {
      var above: ContiguousArray<ChildReference> = []
      for start in stride(from: 0, to: level.count, by: TablePlace.span) {
        let end = min(start + TablePlace.span, level.count)
        above.append(node(over: level.span.extracting(start..<end), hasher, &writer))
      }
      while above.last?.isEmpty == true { above.removeLast() }
      level = above
    } while level.count > 1
    return level.first?.hash ?? .zero
  }
}

extension AvroWriter {
  /// The digest of what was written after the first `start` bytes, which is forgotten.
  @inlinable
  mutating func takeDigest<H: ByteHasher>(from start: Int, _ hasher: H.Type) -> Digest {
    let digest = digest(from: start, hasher)
    truncate(to: start)
    return digest
  }

  /// The digest of what was written after the first `start` bytes.
  @inlinable
  func digest<H: ByteHasher>(from start: Int, _ hasher: H.Type) -> Digest {
    H.digest(of: span.extracting(start..<count))
  }
}
