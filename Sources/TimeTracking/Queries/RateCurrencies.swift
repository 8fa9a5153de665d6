import RetraceState

extension DomainState {
  /// Refuses to give the rates of entries another currency, because their numbers stay.
  ///
  /// - Parameters:
  ///   - old: The currency of the entries; with none, their rates only get one.
  ///   - new: The currency that they would have.
  ///   - isOf: Returns whether an entry is concerned.
  /// - Complexity: O(entries) if the currency changes.
  /// - Throws: The refusal.
  func checkCurrency(
    from old: String?, to new: String?, of isOf: (TimeEntry) -> Bool
  ) throws(EntityRefusal) {
    guard let old else { return }
    if let new, old.utf8.elementsEqual(new.utf8) { return }
    var count: Int64 = 0
    var visible = VisibleEntries(self)
    timeEntries.forEach { _, entry in
      if entry.rate != nil, isOf(entry), visible.contains(entry) { count += 1 }
    }
    if count > 0 { throw .changesCurrency(entries: count, from: old, to: new) }
  }
}

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
