public import RetraceAvro

/// The rules by which a command is decided.
///
/// New commands name the ``latest`` rules. Records of commands from before ``second`` lack the
/// field. It is then read as ``first``, so that they are decided as they were.
public enum RuleSet: Recordable, Hashable {
  /// The rules of commands that were recorded without the field.
  case first
  /// The rules of ``first``, and these:
  ///
  /// - Two clients that both have a project of one name are not merged, nor are two projects that
  ///   both have a task of one name: nothing would tell these projects or tasks apart.
  /// - A project does not get the name that another project of its client has by a merge.
  /// - Entries with rates get another currency only if the command says so.
  /// - An entry that is not billable gets no rate.
  /// - Of several corrections, none takes the time that another one gives to its entry.
  /// - A refusal says what keeps two entries apart, and what is in another workspace.
  case second

  /// The rules of new commands.
  public static var latest: RuleSet { .second }
}
