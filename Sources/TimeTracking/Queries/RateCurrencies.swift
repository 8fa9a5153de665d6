import RetraceState

extension DomainState {
  /// Refuses to put the rates of entries into another currency, because they are not converted.
  ///
  /// - Parameters:
  ///   - old: The currency of the entries. If it is `nil`, any new currency is accepted.
  ///   - new: The currency that they would have.
  ///   - isAffected: Returns whether the currency of an entry would change.
  /// - Complexity: O(entries) if the currency changes.
  /// - Throws: The refusal.
  func checkCurrency(
    from old: String?, to new: String?, of isAffected: (TimeEntry) -> Bool
  ) throws(EntityRefusal) {
    guard let old else { return }
    if let new, old.utf8.elementsEqual(new.utf8) { return }
    var count: Int64 = 0
    var visible = VisibleEntries(self)
    timeEntries.forEach { _, entry in
      if entry.rate != nil, isAffected(entry), visible.contains(entry) { count += 1 }
    }
    if count > 0 { throw .changesCurrency(entries: count, from: old, to: new) }
  }
}

extension DomainState {
  /// Returns the currency of the rates of a user's entries without a workspace: of the user's
  /// workspace, or else of the preferences.
  ///
  /// - Complexity: O(sets of preferences) for a user without a workspace.
  public func currency(of user: UserID) -> String? {
    let workspace = users.read(user) { $0.workspace } ?? nil
    return workspace.flatMap { workspaces.read($0) { $0.currency } }
      ?? preferences(of: user)?.set.currency
  }
}

/// A cache of the currencies of entries, which reads each workspace and each user once.
public struct RateCurrencies: Sendable {
  private let state: DomainState
  private var known: [WorkspaceID: String] = [:]
  private var ofUsers: [UserID: String?] = [:]

  /// Creates an empty cache.
  public init(_ state: DomainState) { self.state = state }

  /// Returns the currency of the workspace of an entry, or else of the workspace of its user, or
  /// else of the preferences of its user.
  public mutating func currency(of entry: borrowing TimeEntry) -> String? {
    guard let id = entry.workspace else {
      if let currency = ofUsers[entry.user] { return currency }
      let currency = state.currency(of: entry.user)
      ofUsers.updateValue(currency, forKey: entry.user)
      return currency
    }
    if let currency = known[id] { return currency }
    let currency = state.workspaces.read(id) { $0.currency }
    known[id] = currency
    return currency
  }
}
