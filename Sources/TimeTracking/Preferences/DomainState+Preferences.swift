import RetraceState

extension DomainState {
  /// Returns the command that gives a user other preferences, or the first ones.
  ///
  /// - Parameters:
  ///   - after: The preferences.
  ///   - before: The preferences that the user saw; `nil` for a user without any.
  ///   - changesCurrency: Whether the currency changes although entries have rates in it.
  public static func command(
    setting after: PreferenceSet, from before: (id: PreferenceSetID, set: PreferenceSet)?,
    changesCurrency: Bool = false
  ) -> PreferenceSets.Command {
    guard let before else { return .create(after) }
    return .change(
      before.id, PreferenceSetChanges(from: before.set, to: after),
      changesCurrency: changesCurrency, reason: nil)
  }

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
