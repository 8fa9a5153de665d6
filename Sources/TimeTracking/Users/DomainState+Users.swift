extension DomainState {
  /// Returns the user with a name, unless the user is deleted.
  ///
  /// - Complexity: O(users).
  public func user(named name: Name) -> UserID? { users.rival(of: User(name: name)) }

  /// Returns the user with a typed name, compared by canonical equivalence.
  ///
  /// It depends on the Unicode tables of the toolchain, so it belongs at the edge.
  ///
  /// - Complexity: O(users).
  package func user(named text: String) -> UserID? { user(named: Name(text, in: users)) }
}
