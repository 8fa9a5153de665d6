/// The position of an id in the tree: five bits for each level below the trunk.
@frozen
@usableFromInline
struct TablePath {
  /// The maximum number of children of a node and of slots of a leaf.
  @inlinable static var fanout: Int { 32 }
  /// The number of ids of a leaf, below a branch and below a trunk.
  @inlinable static var leafSpan: Int64 { 32 }
  @inlinable static var branchSpan: Int64 { 1024 }
  @inlinable static var trunkSpan: Int64 { 32_768 }

  @usableFromInline let trunk: Int
  @usableFromInline let branch: Int
  @usableFromInline let leaf: Int
  @usableFromInline let slot: Int

  /// Creates the path of a number; the path of a negative number is outside every table.
  @inlinable
  init(_ number: Int64) {
    trunk = TablePath.trunk(of: number)
    branch = Int(truncatingIfNeeded: number >> 10) & 31
    leaf = Int(truncatingIfNeeded: number >> 5) & 31
    slot = Int(truncatingIfNeeded: number) & 31
  }

  /// Returns the trunk of a number, which is outside every table for a negative number.
  @inlinable
  static func trunk(of number: Int64) -> Int {
    Int(clamping: UInt64(bitPattern: number) >> 15)
  }
}
