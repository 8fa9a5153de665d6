public import RetraceAvro

/// A leaf or an inner node of a table, resident or not.
///
/// Functions that may change a child in place take the array that holds it. They access the child
/// mutably only to change it: any mutable access copies a shared array, and unchanged parts are
/// recognized by shared storage.
@usableFromInline
protocol TableChild: Sendable, SendableMetatype {
  associatedtype Entity: TableEntity

  /// The height above the entities.
  static var level: UInt8 { get }
  /// The number of low bits of an id below the five bits that select the place.
  static var shift: Int64 { get }

  /// Creates a child that is not resident.
  init()
  /// Creates a resident child with `places` empty places.
  init(places: Int)
  /// Creates a resident child from its page.
  init(page: Span<UInt8>, places: Int, birth: UInt64) throws(AvroError)
  /// Returns a child that is about to get its first entity.
  static func forFirstEntity() -> Self

  /// Whether its places are in memory.
  var isResident: Bool { get }
  /// The number of resident entities below.
  var filledSlots: Int { get }

  mutating func append(_ entity: consuming Entity, at number: Int64)
  mutating func modify<Result>(_ number: Int64, _ body: (inout Entity) -> Result) -> Result?
  mutating func remove(_ number: Int64)
  /// Fills the slot of a number below a resident child; returns `false` if the slot is filled, or
  /// if its page cannot be read.
  mutating func fill(
    _ number: Int64, with entity: consuming Entity, _ pageReader: PageReader
  ) -> Bool

  /// Returns the entity whose id has the number, below a resident child.
  ///
  /// Reads pages that are not resident.
  func entity(at number: Int64, _ pageReader: PageReader) -> Entity?
  /// Returns the entity whose id has the number, below a stored child.
  static func storedEntity(
    at number: Int64, _ reference: PageReference, _ pageReader: PageReader
  ) -> Entity?

  /// Updates the hashes below a child and returns the reference to the child.
  static func refresh(
    _ children: inout ContiguousArray<Self>, at index: Int, _ digest: PageDigest,
    _ writer: inout AvroWriter
  ) -> PageReference

  /// Loads the leaf of an id's number; returns whether the leaf's page was read.
  static func load(
    _ children: inout ContiguousArray<Self>, at index: Int, _ reference: PageReference,
    for number: Int64, _ pageReader: PageReader
  ) -> Bool

  /// Loads the nodes and the leaf that the next number belongs to.
  ///
  /// A node or leaf that cannot be read counts as empty.
  mutating func makeTailResident(_ reference: PageReference, _ pageReader: PageReader)

  /// Writes the unsaved pages below a child, then its own, and sets its birth.
  static func save<H: ByteHasher, Sink: PageSink & ~Copyable>(
    _ children: inout ContiguousArray<Self>, at index: Int, _ reference: inout PageReference,
    from first: Int64, _ pageWriter: PageWriter<H>, _ writer: inout AvroWriter,
    into sink: inout Sink)

  /// Takes over births from a saved copy; returns whether the child has not changed since.
  static func adopt(
    _ children: inout ContiguousArray<Self>, at index: Int, from saved: Self
  ) -> Bool

  /// Returns whether two resident children hold equal entities.
  func isEqual(to other: Self, from first: Int64, _ readers: PageReaderPair) -> Bool
}

extension TableChild {
  /// The number of ids below one place.
  @inlinable static var placeSpan: Int64 { 1 << shift }
  /// The number of ids below the child.
  @inlinable static var idSpan: Int64 { 32 << shift }

  @inlinable
  static func place(of number: Int64) -> Int { Int(truncatingIfNeeded: number >> shift) & 31 }

  /// Returns the lowest number of the child that contains a number.
  @inlinable
  static func first(around number: Int64) -> Int64 { number & ~(idSpan - 1) }

  /// Returns the number of places of the child whose numbers start at `first`.
  ///
  /// All numbers below `next` were assigned.
  @inlinable
  static func places(from first: Int64, next: Int64) -> Int {
    Int(min(32, (next - first + placeSpan - 1) / placeSpan))
  }

  /// Returns the child, read from its page if it is not resident; `nil` after an error.
  @inlinable
  func resident(_ reference: PageReference, from first: Int64, _ pageReader: PageReader) -> Self? {
    if isResident { return self }
    if reference.birth == 0 { return Self(places: Self.places(from: first, next: pageReader.next)) }
    return pageReader.read(reference, from: first)
  }

  /// Loads the child, which contains a number; returns `false` after an error.
  @inlinable
  mutating func makeResident(
    _ reference: PageReference, around number: Int64, _ pageReader: PageReader
  ) -> Bool {
    if isResident { return true }
    guard
      let child = resident(reference, from: Self.first(around: number), pageReader)
    else { return false }
    self = child
    return true
  }

  /// Loads the child, which contains the next number; the child is empty after an error.
  @inlinable
  mutating func becomeResident(_ reference: PageReference, _ pageReader: PageReader) {
    if isResident { return }
    let first = Self.first(around: pageReader.next)
    self =
      resident(reference, from: first, pageReader)
      ?? Self(places: Self.places(from: first, next: pageReader.next))
  }
}

/// An inner node: up to 32 leaves, or up to 32 nodes.
///
/// A node without children is not resident: its page is stored, or it has no entities.
@frozen
@usableFromInline
struct TableNode<Child: TableChild>: TableChild {
  @usableFromInline typealias Entity = Child.Entity
  @usableFromInline var children: ContiguousArray<Child> = []
  @usableFromInline var references: ContiguousArray<PageReference> = []
  /// Two marks for each child.
  ///
  /// Bit k: its hash and sort keys are out of date. Bit 32 + k: its current contents are not saved.
  @usableFromInline var marks: UInt64 = 0

  @inlinable
  init() {}

  @inlinable
  init(places: Int) {
    children = ContiguousArray(repeating: Child(), count: places)
    references = ContiguousArray(repeating: .empty, count: places)
  }

  @inlinable
  init(page: Span<UInt8>, places: Int, birth: UInt64) throws(AvroError) {
    references = try PageLayout.readNode(page, places: places, latest: birth)
    children = ContiguousArray(repeating: Child(), count: places)
  }

  @inlinable static var level: UInt8 { Child.level + 1 }
  @inlinable static var shift: Int64 { Child.shift + 5 }
  @inlinable var isResident: Bool { !children.isEmpty }
  @inlinable var filledSlots: Int {
    var filled = 0
    for child in children { filled += child.filledSlots }
    return filled
  }
  @inlinable static func forFirstEntity() -> TableNode { TableNode() }

  /// Bit k: the hash and the sort keys of child k are out of date.
  @inlinable var stale: UInt32 { UInt32(truncatingIfNeeded: marks) }
  /// Bit k: the current contents of child k are not saved.
  @inlinable var unsaved: UInt32 { UInt32(truncatingIfNeeded: marks >> 32) }

  /// Returns the lowest number below a place of the node whose numbers start at `first`.
  @inlinable
  static func first(of place: Int, from first: Int64) -> Int64 { first + Int64(place) * placeSpan }

  /// Marks a child as stale and unsaved.
  ///
  /// Stores nothing if both marks are set, as they are for most changes.
  @inlinable
  @inline(__always)
  mutating func mark(_ place: Int) {
    let bits: UInt64 = 0x1_0000_0001 &<< UInt64(truncatingIfNeeded: place)
    if marks & bits != bits { marks |= bits }
  }

  /// Appends an entity.
  ///
  /// Inlined down to the slot, because each call would copy the entity.
  @inlinable
  @inline(__always)
  mutating func append(_ entity: consuming Entity, at number: Int64) {
    let place = TableNode.place(of: number)
    if place == children.count { addChild() }
    mark(place)
    children[place].append(entity, at: number)
  }

  /// Appends a child that is about to get its first entity.
  @inlinable
  @inline(never)
  mutating func addChild() {
    children.append(Child.forFirstEntity())
    references.append(.empty)
  }

  @inlinable
  @inline(__always)
  mutating func modify<Result>(
    _ number: Int64, _ body: (inout Entity) -> Result
  ) -> Result? {
    let place = TableNode.place(of: number)
    guard place < children.count else { return nil }
    guard let result = children[place].modify(number, body) else { return nil }
    mark(place)
    return result
  }

  @inlinable
  mutating func remove(_ number: Int64) {
    let place = TableNode.place(of: number)
    mark(place)
    children[place].remove(number)
  }

  @inlinable
  mutating func fill(
    _ number: Int64, with entity: consuming Entity, _ pageReader: PageReader
  ) -> Bool {
    let place = TableNode.place(of: number)
    guard place < children.count,
      children[place].makeResident(references[place], around: number, pageReader),
      children[place].fill(number, with: entity, pageReader)
    else { return false }
    mark(place)
    return true
  }
}
