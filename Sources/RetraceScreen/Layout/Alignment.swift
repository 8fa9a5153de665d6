/// Where a text is in the cells that it has.
///
/// ```swift
/// var canvas = Canvas(Screen.Size(columns: 20, rows: 3))
/// var rest = canvas.bounds
/// for alignment in Alignment.allCases {
///   canvas.drawLine("1:30", aligned: alignment, in: rest.removeTop(1))
/// }
/// ```
public enum Alignment: UInt8, Hashable, Sendable, CaseIterable {
  /// At the left.
  case left
  /// In the middle.
  case center
  /// At the right, as numbers are.
  case right
}
