public import RetraceAvro
public import RetraceState

/// The contents of the fact that an accepted ``Restore`` leads to.
public struct Restored<Edit: UndoableEdit>: Recordable, Equatable {
  /// The place of the restore in the user's history.
  public var links: RestoreLinks
  /// The edits, which the reducer applies in order.
  public var edits: [Edit]
  /// The fields that were left as they are, because something else changed them meanwhile.
  public var unrestored: [UnrestoredField]

  /// Creates the contents.
  public init(links: RestoreLinks, edits: [Edit], unrestored: [UnrestoredField]) {
    self.links = links
    self.edits = edits
    self.unrestored = unrestored
  }

  /// Carries the edits out.
  public func apply(to state: inout Edit.State) {
    for edit in edits { edit.apply(to: &state) }
  }
}
