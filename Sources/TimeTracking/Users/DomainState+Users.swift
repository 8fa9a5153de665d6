extension DomainState {
  /// Returns the user of a name who is not deleted.
  ///
  /// - Complexity: O(users).
  public func user(named name: Name) -> UserID? { users.rival(of: User(name: name)) }

  /// Returns the user of a name that was typed, in whatever form of Unicode.
  ///
  /// - Complexity: O(users).
  package func user(named text: String) -> UserID? { user(named: Name(text, in: users)) }
}
