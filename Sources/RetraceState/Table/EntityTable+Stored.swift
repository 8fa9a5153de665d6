import RetraceAvro

extension EntityTable {
  /// Opens the table of a snapshot without loading a page.
  ///
  /// - Parameters:
  ///   - root: The table's part of the snapshot's record.
  ///   - source: The source of the snapshot's pages.
  /// - Complexity: O(trunks), of 32,768 ids each; reads no page.
  public init<Source: PageSource>(stored root: TableRoot, source: Source) {
    var writer = AvroWriter(capacity: 2_048)
    self.init()
    open(root, hash: root.hash(with: Source.Hasher.self, &writer), source: source)
  }

  /// Opens the table of a snapshot in this empty table without loading a page.
  ///
  /// Inlined, because a call would instantiate the type of the table at run time.
  ///
  /// - Complexity: O(1).
  @inline(__always)
  mutating func open(_ root: TableRoot, hash: Digest, source: some PageSource) {
    references = root.trunks
    rootHash = hash
    next = root.nextID
    liveCount = root.count
    self.source = source
    tableNumber = root.number
    isTailResident = false
    hasTrunks = false
  }

  /// Loads the pages of a range of ids, which is cheaper than reading the ids one by one.
  ///
  /// - Parameter ids: The range; ids that were never assigned are ignored.
  /// - Complexity: O(ids in the range / 32) pages read.
  public mutating func load(_ ids: ClosedRange<ID>) {
    let last = min(ids.upperBound.value, next - 1)
    var number = max(0, ids.lowerBound.value) & ~31
    while source != nil && number <= last {
      _ = loadLeaf(of: number)
      number += 32
    }
  }

  /// Loads every page and, unless there was an error, releases the source.
  ///
  /// Reports an error if the pages do not have ``count`` entities; no hash covers the count.
  ///
  /// - Complexity: O(`count`) if nothing is resident, about 0.2 us for each entity.
  public mutating func loadAll() {
    load(ID(value: 0)...ID(value: .max))
    guard let source, source.firstError == nil else { return }
    var found = 0
    for trunk in trunks { found += trunk.filledSlots }
    guard found == liveCount else {
      let key = PageKey(
        of: Trunk.self, references.last ?? .empty,
        from: TablePath.trunkSpan * max(0, Int64(references.count) - 1),
        table: tableNumber)
      return source.report(
        PageError(.malformed, key, "entities found: \(found), recorded: \(liveCount)"))
    }
    self.source = nil
  }

  /// Switches to another source of the same pages.
  ///
  /// - Complexity: O(1).
  public mutating func changeSource(to source: some PageSource) {
    if self.source != nil { self.source = source }
  }

  /// A reader of the pages that are not resident.
  @inlinable var pageReader: PageReader {
    PageReader(source: source, table: tableNumber, next: next)
  }

  /// Returns the entity of an id's number, reading its leaf if it is not resident.
  @inlinable
  @inline(never)
  func nonresidentEntity(_ number: Int64) -> Entity? {
    guard number >= 0 && number < next else { return nil }
    let trunk = TablePath.trunk(of: number)
    let pageReader = pageReader
    if isResident(trunk) { return trunks[trunk].entity(at: number, pageReader) }
    if references[trunk].birth == 0 { return nil }
    return Trunk.storedEntity(at: number, references[trunk], pageReader)
  }

  /// Calls `body` with the entity of an id's number, reading its leaf if it is not resident.
  @inlinable
  @inline(never)
  func readNonresident<Result>(_ number: Int64, _ body: (Entity) -> Result) -> Result? {
    nonresidentEntity(number).map(body)
  }

  /// Loads the leaf of an id's number and changes the entity.
  @inlinable
  @inline(never)
  mutating func modifyNonresident<Result>(
    _ number: Int64, _ body: (inout Entity) -> Result
  ) -> Result? {
    loadLeaf(of: number) ? modifyResident(number, body) : nil
  }

  /// Loads the leaf of an id's number; returns whether the leaf's page was read.
  @inlinable
  @inline(never)
  mutating func loadLeaf(of number: Int64) -> Bool {
    guard number >= 0 && number < next else { return false }
    let trunk = TablePath.trunk(of: number)
    makeTrunks()
    return Trunk.load(&trunks, at: trunk, references[trunk], for: number, pageReader)
  }

  /// Loads the nodes and the leaf that the next id belongs to, so that an entity can be appended.
  ///
  /// A node or leaf whose page cannot be read counts as empty, and the source has an error.
  @inlinable
  @inline(never)
  mutating func makeTailResident() {
    let trunk = TablePath.trunk(of: next)
    makeTrunks()
    if trunk < trunks.count {
      trunks[trunk].makeTailResident(references[trunk], pageReader)
    }
    isTailResident = true
  }
}
