public import RetraceAvro

/// The rules by which a command is decided.
///
/// New commands name the ``latest`` rules. Commands that were recorded before ``second`` existed
/// lack the field, which is then read as ``first``, so that they are decided as they were.
public enum RuleSet: Recordable, Hashable {
  /// The rules of commands that were recorded without the field.
  case first
  /// The rules of ``first``, and these:
  ///
  /// - Two clients that both have a project of the same name cannot be merged, because these
  ///   projects could not be told apart. The same holds for two projects and their tasks.
  /// - A project cannot get a name that another project of its client has by a merge.
  /// - A change puts entries with rates into another currency only if the command allows it.
  /// - An entry that is not billable cannot get a rate.
  /// - No command takes time that a correction of the same change gives to its entry.
  /// - A refusal names the difference that prevents a join, or the entity in another workspace.
  case second
  /// The rules of ``second``, and these, unless the policy of the command is ``Policy/allow``:
  ///
  /// - No entry begins to run with a start more than 12 hours ago, and no running entry gets such
  ///   a start, or an earlier one than it had.
  /// - No entry that makes room for another one begins in the future.
  /// - No running entry that makes room for another one ends more than 12 hours after its start.
  ///
  /// A command for which the user confirmed an early start is decided by ``second``; see
  /// ``TimeEntryCommand/withoutRunningLimit``.
  case third

  /// The rules of new commands.
  public static var latest: RuleSet { .third }

  /// Whether the time since the start of a running entry is limited.
  var limitsRunning: Bool { self == .third }
}
