/// The findings of opening a store.
public struct OpeningReport: Hashable, Sendable {
  /// The processes that ended without closing the store.
  public var uncleanEnds: [UncleanEnd] = []
  /// The result of checking the pages of the data file; `nil` if they were not checked.
  public var structure: StructureReport?

  /// Whether no process crashed while it had the store open.
  public var wasClean: Bool { uncleanEnds.isEmpty }
}
