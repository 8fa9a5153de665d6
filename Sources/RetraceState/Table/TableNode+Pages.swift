public import RetraceAvro

extension TableNode {
  @inlinable
  func entity(at number: Int64, _ pageReader: PageReader) -> Entity? {
    let place = TableNode.place(of: number)
    guard place < children.count else { return nil }
    if children[place].isResident { return children[place].entity(at: number, pageReader) }
    if references[place].birth == 0 { return nil }
    return Child.storedEntity(at: number, references[place], pageReader)
  }

  @inlinable
  static func storedEntity(
    at number: Int64, _ reference: PageReference, _ pageReader: PageReader
  ) -> Entity? {
    let first = first(around: number)
    let place = place(of: number)
    let places = places(from: first, next: pageReader.next)
    guard place < places else { return nil }
    // Decodes only one reference: no node is created and no node type instantiated.
    var child = PageReference.empty
    pageReader.withPage(of: TableNode.self, reference, from: first) { page throws(AvroError) in
      child = try PageLayout.readReference(
        at: place, ofNode: page, places: places, latest: reference.birth)
    }
    return child.isEmpty ? nil : Child.storedEntity(at: number, child, pageReader)
  }

  @inlinable
  static func refresh(
    _ nodes: inout ContiguousArray<TableNode>, at index: Int, _ digest: PageDigest,
    _ writer: inout AvroWriter
  ) -> PageReference {
    nodes[index].refresh(digest, &writer)
  }

  /// Updates the references to the children and returns the node's own.
  @inlinable
  mutating func refresh(_ digest: PageDigest, _ writer: inout AvroWriter) -> PageReference {
    var pending = stale
    while pending != 0 {
      let place = pending.trailingZeroBitCount
      var fresh = Child.refresh(&children, at: place, digest, &writer)
      fresh.birth = references[place].birth
      references[place] = fresh
      pending &= pending - 1
    }
    marks &= ~0xffff_ffff
    return PageReference.node(over: references.span, digest, &writer)
  }

  @inlinable
  static func load(
    _ nodes: inout ContiguousArray<TableNode>, at index: Int, _ reference: PageReference,
    for number: Int64, _ pageReader: PageReader
  ) -> Bool {
    if !nodes[index].isResident {
      if reference.birth == 0 { return false }
      guard let node: TableNode = pageReader.read(reference, from: first(around: number)) else {
        return false
      }
      nodes[index] = node
    }
    let place = TableNode.place(of: number)
    guard place < nodes[index].children.count else { return false }
    let below = nodes[index].references[place]
    return Child.load(&nodes[index].children, at: place, below, for: number, pageReader)
  }

  @inlinable
  mutating func makeTailResident(_ reference: PageReference, _ pageReader: PageReader) {
    becomeResident(reference, pageReader)
    let place = TableNode.place(of: pageReader.next)
    guard place < children.count else { return }
    children[place].makeTailResident(references[place], pageReader)
  }

  @inlinable
  static func save<H: ByteHasher, Sink: PageSink & ~Copyable>(
    _ nodes: inout ContiguousArray<TableNode>, at index: Int, _ reference: inout PageReference,
    from first: Int64, _ pageWriter: PageWriter<H>, _ writer: inout AvroWriter,
    into sink: inout Sink
  ) {
    nodes[index].saveChildren(from: first, pageWriter, &writer, into: &sink)
    pageWriter.store(TableNode.self, &reference, from: first, &writer, into: &sink) { writer in
      PageLayout.writeNode(nodes[index].references, H.self, into: &writer)
    }
  }

  @inlinable
  mutating func saveChildren<H: ByteHasher, Sink: PageSink & ~Copyable>(
    from first: Int64, _ pageWriter: PageWriter<H>, _ writer: inout AvroWriter,
    into sink: inout Sink
  ) {
    var pending = unsaved
    while pending != 0 {
      let place = pending.trailingZeroBitCount
      Child.save(
        &children, at: place, &references[place], from: TableNode.first(of: place, from: first),
        pageWriter, &writer, into: &sink)
      pending &= pending - 1
    }
    marks &= 0xffff_ffff
  }

  @inlinable
  static func adopt(
    _ nodes: inout ContiguousArray<TableNode>, at index: Int, from saved: TableNode
  ) -> Bool {
    if !nodes[index].isResident && !saved.isResident { return true }
    if nodes[index].children.shares(saved.children) {
      nodes[index] = saved
      return true
    }
    nodes[index].adopt(saved)
    return nodes[index].marks == 0
  }

  /// Takes over the saved reference of each child that has not changed.
  ///
  /// For the other children, takes over only the birth of the page that the save wrote.
  @inlinable
  mutating func adopt(_ saved: TableNode) {
    for place in saved.children.indices where place < children.count {
      if Child.adopt(&children, at: place, from: saved.children[place]) {
        references[place] = saved.references[place]
        marks &= ~(0x1_0000_0001 << UInt64(place))
      } else {
        references[place].birth = saved.references[place].birth
      }
    }
  }

  @inlinable
  func isEqual(to other: TableNode, from first: Int64, _ readers: PageReaderPair) -> Bool {
    if children.shares(other.children) { return true }
    guard children.count == other.children.count else { return false }
    let stale = stale | other.stale
    for place in children.indices {
      let fresh = stale >> UInt32(place) & 1 == 0
      if fresh && references[place].hash == other.references[place].hash { continue }
      let first = TableNode.first(of: place, from: first)
      guard
        let left = children[place].resident(references[place], from: first, readers.left),
        let right = other.children[place].resident(
          other.references[place], from: first, readers.right),
        left.isEqual(to: right, from: first, readers)
      else { return false }
    }
    return true
  }
}

extension ContiguousArray {
  /// Returns whether both arrays have the same storage.
  @inlinable
  func shares(_ other: ContiguousArray) -> Bool { span.isIdentical(to: other.span) }
}
