import RetraceAvro

extension EntityTable {
  /// Opens a table that a snapshot holds, with nothing of it resident.
  ///
  /// - Parameters:
  ///   - root: What the snapshot says of the table.
  ///   - source: Where the snapshot's pages are.
  /// - Complexity: O(trunks), a trunk being 32,768 ids; reads no page.
  public init(stored root: TableRoot, source: some PageSource) {
    func hash<Source: PageSource>(_ source: Source) -> Digest {
      var writer = AvroWriter(capacity: 2_048)
      return PageReference.root(over: root.trunks, { Source.Hasher.digest(of: $0) }, &writer)
    }
    trunks = ContiguousArray(repeating: Trunk(), count: root.trunks.count)
    references = root.trunks
    self.root = hash(source)
    next = root.nextID
    live = root.count
    self.source = source
    number = root.number
    isTailResident = false
  }

  /// Makes the pages of a range of ids resident, which is less work than reading ids one by one.
  ///
  /// - Parameter ids: The range; ids that were never given are passed over.
  /// - Complexity: O(ids in the range / 32) pages read.
  public mutating func load(_ ids: ClosedRange<ID>) {
    let last = min(ids.upperBound.value, next - 1)
    var number = max(0, ids.lowerBound.value) & ~31
    while source != nil && number <= last {
      _ = loadLeaf(of: number)
      number += 32
    }
  }

  /// Makes every page resident and, unless a fault was met, lets the source go.
  ///
  /// Another number of entities than ``count`` is a fault: no hash covers that number.
  ///
  /// - Complexity: O(`count`) where nothing is resident, about 0.2 us for each entity.
  public mutating func loadAll() {
    load(ID(value: 0)...ID(value: .max))
    guard let source, source.fault == nil else { return }
    let found = trunks.reduce(0) { $0 + $1.filledSlots }
    guard found == live else {
      let key = PageKey(
        of: Trunk.self, references.last ?? .empty,
        from: TablePlace.trunkSpan * max(0, Int64(trunks.count) - 1),
        table: number)
      return source.report(PageFault(.malformed, key, "\(found) entities of \(live)"))
    }
    self.source = nil
  }

  /// Reads absent pages from another source from now on, one that has them as well.
  ///
  /// - Complexity: O(1).
  public mutating func changeSource(to source: some PageSource) {
    if self.source != nil { self.source = source }
  }

  /// What is needed to read absent pages.
  @inlinable var reading: TableReading { TableReading(source: source, table: number, next: next) }

  /// The entity of a number whose leaf may be absent.
  @inlinable
  @inline(never)
  func absentEntity(_ number: Int64) -> Entity? {
    guard number >= 0 && number < next else { return nil }
    let trunk = TablePlace.trunk(of: number)
    let reading = reading
    if trunks[trunk].isResident { return trunks[trunk].entity(at: number, reading) }
    if references[trunk].birth == 0 { return nil }
    return Trunk.storedEntity(at: number, references[trunk], reading)
  }

  /// What the body answers for the entity of a number whose leaf may be absent.
  @inlinable
  @inline(never)
  func readAbsent<Result>(_ number: Int64, _ body: (Entity) -> Result) -> Result? {
    absentEntity(number).map(body)
  }

  /// Changes the entity of a number whose leaf may be absent, and makes the leaf resident.
  @inlinable
  @inline(never)
  mutating func modifyAbsent<Result>(
    _ number: Int64, _ body: (inout Entity) -> Result
  ) -> Result? {
    loadLeaf(of: number) ? modifyResident(number, body) : nil
  }

  /// Makes the leaf of a number resident; answers whether that took a page.
  @inlinable
  @inline(never)
  mutating func loadLeaf(of number: Int64) -> Bool {
    guard number >= 0 && number < next else { return false }
    let trunk = TablePlace.trunk(of: number)
    return Trunk.load(&trunks, at: trunk, references[trunk], for: number, reading)
  }

  /// Makes the nodes above the next id resident, so that an entity can be appended there.
  ///
  /// A node whose page cannot be read is taken for empty: the source has a fault then.
  @inlinable
  @inline(never)
  mutating func makeTailResident() {
    let trunk = TablePlace.trunk(of: next)
    if trunk < trunks.count {
      trunks[trunk].makeTailResident(references[trunk], reading)
    }
    isTailResident = true
  }
}
