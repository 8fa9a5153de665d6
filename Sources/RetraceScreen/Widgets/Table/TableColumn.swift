/// A column of a ``Table``: its heading, its width and its alignment.
public struct TableColumn: Hashable, Sendable {
  /// The heading.
  public var heading: String
  /// The width, and how it becomes narrower.
  public var rule: ColumnRule
  /// Where headings and cells are in their column; numbers are at the right.
  public var alignment: Alignment

  /// Creates a column.
  public init(_ heading: String, _ rule: ColumnRule, aligned alignment: Alignment = .left) {
    self.heading = heading
    self.rule = rule
    self.alignment = alignment
  }
}
