/// What was found, and done about it, when a store was opened.
public struct OpeningReport: Hashable, Sendable {
  /// The processes that had ended without closing the store.
  public var uncleanEnds: [UncleanEnd] = []
  /// What the check of the pages of the data file found; `nil` if there was no cause for one.
  public var structure: StructureReport?

  /// Whether everyone who had the store open before has closed it, or has it open still.
  public var wasClean: Bool { uncleanEnds.isEmpty }
}
