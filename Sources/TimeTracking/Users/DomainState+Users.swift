extension DomainState {
  /// Returns the user of a name who is not deleted.
  ///
  /// - Complexity: O(users).
  public func user(named name: Name) -> UserID? { users.rival(of: User(name: name)) }
}
