import RetraceAvro
public import RetraceState

extension DomainState {
  /// Returns the moment from which on the time of a running entry is not confirmed by its user: the
  /// start, or the later moment until which the user has confirmed it.
  ///
  /// - Complexity: O(log users).
  public func unconfirmedStart(of entry: TimeEntry) -> Moment {
    let confirmed = users.read(entry.user) { $0.confirmed } ?? nil
    return max(entry.start, confirmed ?? entry.start)
  }

  /// Returns the command by which a user confirms the time of the running entry until a moment.
  public func confirming(_ user: UserID, until moment: Moment) -> Users.Command {
    var changes = UserChanges()
    changes.confirmed = Change(from: users.read(user) { $0.confirmed } ?? nil, to: moment)
    return .change(user, changes, reason: nil)
  }
}
