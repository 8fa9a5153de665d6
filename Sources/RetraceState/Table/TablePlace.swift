/// Where an id lies in the tree: five bits for each level below the trunk.
@frozen
@usableFromInline
struct TablePlace {
  /// How many children each node has at most, and how many slots a leaf.
  @inlinable static var span: Int { 32 }
  /// How many ids lie below a trunk.
  @inlinable static var trunkSpan: Int64 { 32_768 }

  @usableFromInline let trunk: Int
  @usableFromInline let branch: Int
  @usableFromInline let leaf: Int
  @usableFromInline let slot: Int

  /// The place of a number; a negative one lies beyond every table.
  @inlinable
  init(_ number: Int64) {
    trunk = TablePlace.trunk(of: number)
    branch = Int(truncatingIfNeeded: number >> 10) & 31
    leaf = Int(truncatingIfNeeded: number >> 5) & 31
    slot = Int(truncatingIfNeeded: number) & 31
  }

  /// The trunk of a number; that of a negative one lies beyond every table.
  @inlinable
  static func trunk(of number: Int64) -> Int {
    Int(truncatingIfNeeded: UInt64(bitPattern: number) >> 15)
  }
}
