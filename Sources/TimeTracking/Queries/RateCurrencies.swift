import RetraceState

/// A cache of the currencies of entries, which reads each workspace once.
public struct RateCurrencies {
  private let state: DomainState
  private var known: [WorkspaceID: String] = [:]

  /// Creates an empty cache.
  public init(_ state: DomainState) { self.state = state }

  /// Returns the currency of the workspace of an entry, or else of the workspace of its user.
  public mutating func currency(of entry: borrowing TimeEntry) -> String? {
    guard let id = entry.workspace ?? state.users.read(entry.user, { $0.workspace }) ?? nil else {
      return nil
    }
    if let currency = known[id] { return currency }
    let currency = state.workspaces.read(id) { $0.currency }
    known[id] = currency
    return currency
  }
}
