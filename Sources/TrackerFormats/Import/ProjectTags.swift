public import TimeTracking

/// The tags of rows that name their projects, as users of timewarrior and klog tag them.
public struct ProjectTags: Hashable, Sendable {
  /// The tags, the most important first.
  public var names: [Name] = []
  /// Whether the first tag of a row names its project if it has none of ``names``.
  public var takesFirst = false

  /// Creates a value without tags.
  public init() {}

  /// Whether no tag names a project.
  public var isEmpty: Bool { names.isEmpty && !takesFirst }

  /// Gives a row without a project the one that a tag names, and removes the tag.
  ///
  /// - Complexity: O(tags of the row and ``names``).
  public func apply(to row: inout ImportedRow) {
    guard row.project == nil, let first = row.tags.first else { return }
    guard let name = names.first(where: row.tags.contains) ?? (takesFirst ? first : nil) else {
      return
    }
    row.project = row.tags.first { $0 == name }
    row.tags.removeAll { $0 == name }
  }
}
