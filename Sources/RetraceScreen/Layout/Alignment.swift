/// Where a text is in the cells that it has.
public enum Alignment: UInt8, Hashable, Sendable, CaseIterable {
  /// At the left.
  case left
  /// In the middle.
  case center
  /// At the right, as numbers are.
  case right
}
