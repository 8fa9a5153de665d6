/// Whether a change is in effect, that is, not undone.
///
/// ```swift
/// let status: ChangeStatus = try shelf.statusBlocking(ofChange: 12)
/// if status == .undone { _ = try shelf.restoreBlocking(12) }
/// ```
public enum ChangeStatus: Hashable, Sendable {
  /// The record is no command that undo takes back, or there is no such record.
  case unknown
  /// The change was made by another user, whose login name may be empty.
  case ofAnotherUser(login: String)
  /// The command undid the change of a command, or brought it back.
  case restore(of: UInt64)
  /// The change was never undone, or brought back since.
  case inEffect
  /// The change is undone, but for what the same user had changed since, or what is in use.
  ///
  /// The rest is undone once the later changes are.
  case undoneInPart
  /// The change is undone.
  case undone
}
