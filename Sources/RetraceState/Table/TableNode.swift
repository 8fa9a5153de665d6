public import RetraceAvro

/// A leaf or an inner node of a table, resident or not.
///
/// What works on a child in place takes the array that holds it: an access that changes nothing
/// must not copy a shared array, as shared arrays are how unchanged parts are recognised.
@usableFromInline
protocol TableChild: Sendable, SendableMetatype {
  associatedtype Entity: TableEntity

  /// How far above the entities it lies.
  static var level: UInt8 { get }
  /// How many bits of an id say where it lies below one of the 32 places.
  static var shift: Int64 { get }

  /// A child that is not resident.
  init()
  /// A resident child with so many places and nothing in them.
  init(places: Int)
  /// A resident child from its page.
  init(page: Span<UInt8>, places: Int, birth: UInt64) throws(AvroError)
  /// A child that is about to get its first entity.
  static func fresh() -> Self

  /// Whether its places are here.
  var isResident: Bool { get }
  /// The number of entities below that are resident.
  var filledSlots: Int { get }

  mutating func append(_ entity: consuming Entity, at number: Int64)
  mutating func modify<Result>(_ number: Int64, _ body: (inout Entity) -> Result) -> Result?
  mutating func remove(_ number: Int64)

  /// The entity of a number below a resident child, read where it is not resident.
  func entity(at number: Int64, _ reading: TableReading) -> Entity?
  /// The entity of a number below a stored child.
  static func storedEntity(
    at number: Int64, _ reference: PageReference, _ reading: TableReading
  ) -> Entity?

  /// Brings what lies below a child up to date and answers hash and sort keys of the child.
  static func refresh(
    _ children: inout ContiguousArray<Self>, at index: Int, _ digest: PageDigest,
    _ writer: inout AvroWriter
  ) -> PageReference

  /// Makes the leaf of a number resident; answers whether that took a page.
  static func load(
    _ children: inout ContiguousArray<Self>, at index: Int, _ reference: PageReference,
    for number: Int64, _ reading: TableReading
  ) -> Bool

  /// Makes the nodes above the next number resident, taking what cannot be read for empty.
  mutating func makeTailResident(_ reference: PageReference, _ reading: TableReading)

  /// Puts the unsaved pages below a child, then its own, and notes the birth.
  static func save<H: ByteHasher, Sink: PageSink & ~Copyable>(
    _ children: inout ContiguousArray<Self>, at index: Int, _ reference: inout PageReference,
    from first: Int64, _ saving: TableSaving<H>, _ writer: inout AvroWriter,
    into sink: inout Sink)

  /// Takes over births from a saved copy; answers whether the child is still what was saved.
  static func adopt(
    _ children: inout ContiguousArray<Self>, at index: Int, from saved: Self
  ) -> Bool

  /// Whether two resident children hold equal entities.
  func isEqual(to other: Self, from first: Int64, _ sides: TableSides) -> Bool
}

extension TableChild {
  /// How many ids lie below one place.
  @inlinable static var placeSpan: Int64 { 1 << shift }
  /// How many ids lie below.
  @inlinable static var span: Int64 { 32 << shift }

  /// The place below which a number lies.
  @inlinable
  static func place(of number: Int64) -> Int { Int(truncatingIfNeeded: number >> shift) & 31 }

  /// The first number below the child that a number lies in.
  @inlinable
  static func first(around number: Int64) -> Int64 { number & ~(span - 1) }

  /// How many places there are when ids below `next` were given.
  @inlinable
  static func places(from first: Int64, next: Int64) -> Int {
    Int(min(32, (next - first + placeSpan - 1) / placeSpan))
  }

  /// The child, or what its page holds if it is not resident; `nil` after a fault.
  @inlinable
  func resident(_ reference: PageReference, from first: Int64, _ reading: TableReading) -> Self? {
    if isResident { return self }
    if reference.birth == 0 { return Self(places: Self.places(from: first, next: reading.next)) }
    return reading.read(reference, from: first)
  }

  /// Makes the child resident if the next number lies in it, taking it for empty after a fault.
  @inlinable
  mutating func becomeResident(_ reference: PageReference, _ reading: TableReading) {
    if isResident { return }
    let first = Self.first(around: reading.next)
    self =
      resident(reference, from: first, reading)
      ?? Self(places: Self.places(from: first, next: reading.next))
  }
}

/// Up to 32 leaves, or up to 32 nodes of leaves.
///
/// Without any child, the node is not resident: its page is stored, or it has no entities.
@frozen
@usableFromInline
struct TableNode<Child: TableChild>: TableChild {
  @usableFromInline typealias Entity = Child.Entity
  @usableFromInline var children: ContiguousArray<Child> = []
  /// One for each child.
  @usableFromInline var references: ContiguousArray<PageReference> = []
  /// What is to be done about each child.
  ///
  /// Bit k: its hash and sort keys are out of date. Bit 32 + k: it has no page as it is.
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
    references = try PageBytes.readNode(page, places: places, latest: birth)
    children = ContiguousArray(repeating: Child(), count: places)
  }

  @inlinable static var level: UInt8 { Child.level + 1 }
  @inlinable static var shift: Int64 { Child.shift + 5 }
  @inlinable var isResident: Bool { !children.isEmpty }
  @inlinable var filledSlots: Int { children.reduce(0) { $0 + $1.filledSlots } }
  @inlinable static func fresh() -> TableNode { TableNode() }

  /// Bit k: hash and sort keys of child k are out of date.
  @inlinable var stale: UInt32 { UInt32(truncatingIfNeeded: marks) }
  /// Bit k: child k has no page as it is.
  @inlinable var unsaved: UInt32 { UInt32(truncatingIfNeeded: marks >> 32) }

  /// The first number below one of the places of the node that begins at `first`.
  @inlinable
  static func first(of place: Int, from first: Int64) -> Int64 { first + Int64(place) * placeSpan }

  /// Marks a child as changed: its hash is out of date, and it has no page as it is.
  ///
  /// Nothing is stored where both are known already, which most changes of a table find.
  @inlinable
  @inline(__always)
  mutating func mark(_ place: Int) {
    let bits: UInt64 = 0x1_0000_0001 &<< UInt64(truncatingIfNeeded: place)
    if marks & bits != bits { marks |= bits }
  }

  /// Inlined down to the slot, as the entity would be copied for each call.
  @inlinable
  @inline(__always)
  mutating func append(_ entity: consuming Entity, at number: Int64) {
    let place = TableNode.place(of: number)
    if place == children.count { addChild() }
    mark(place)
    children[place].append(entity, at: number)
  }

  /// Adds a child that is about to get its first entity.
  @inlinable
  @inline(never)
  mutating func addChild() {
    children.append(Child.fresh())
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
}
