import RetraceState

extension DomainState {
  /// Returns the preferences of a user.
  ///
  /// - Complexity: O(sets of preferences).
  public func preferences(of user: UserID) -> (id: PreferenceSetID, set: PreferenceSet)? {
    var found: (id: PreferenceSetID, set: PreferenceSet)?
    preferenceSets.forEach { id, set in
      if found == nil, set.user == user, set.deleted == nil { found = (id, set) }
    }
    return found
  }
}
