import RetraceArchitecture
import RetraceStorage

/// What one turn of the writer thread brought about.
struct Advance<App: ReplayableApp>: Sendable {
  /// A receipt for each batch that was committed, in order, with the effects of its records; `nil`
  /// for one that nobody waits for.
  ///
  /// A receipt keeps the state after its batch, so that what changes next has to be copied.
  var receipts: [Receipt<App>?] = []
  /// What batches are answered with that the log has already, by their position in the group.
  var answers: [Int: Result<Receipt<App>, StoreError>] = [:]
}
