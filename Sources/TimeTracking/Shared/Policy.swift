public import RetraceAvro

/// The handling of an entry that overlaps others of its user, begins in the future, or is longer
/// than ``TimeEntry/usualDurationMax``.
public enum Policy: Recordable, Hashable, CaseIterable {
  /// The command is refused, and the refusal names the conflict.
  case refuse
  /// The user's other entries are shortened, split or deleted where they overlap the entry. An
  /// entry in the future and one that is too long are refused.
  case adjust
  /// The entry is recorded as it is.
  case allow
}
