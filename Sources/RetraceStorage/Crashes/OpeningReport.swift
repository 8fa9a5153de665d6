package import LMDBFile

package struct OpeningReport: Hashable, Sendable {
  /// The processes that ended without closing the store.
  package var uncleanShutdowns: [UncleanShutdown] = []
  /// Whether there were attempts of sessions that may have ended.
  package var hasAttempts = false
  /// The result of checking the pages of the data file; `nil` if they were not checked.
  package var structure: StructureReport?

  /// Whether no process crashed while it had the store open.
  package var wasClean: Bool { uncleanShutdowns.isEmpty }
}
