public import RetraceAvro

/// What happens to an entry that overlaps others of its user, begins in the future, or is longer
/// than ``TimeEntry/usualDurationMax``.
public enum Policy: Recordable, Hashable, CaseIterable {
  /// The command is refused, and the refusal names what is in the way.
  case refuse
  /// The entry wins: others of the user are shortened, split or deleted where they overlap it. One
  /// in the future or a long one is refused.
  case adjust
  /// The entry is recorded as it is.
  case allow
}
