/// A field of a time entry that a row of a file can give.
public enum ImportField: String, CaseIterable, Hashable, Sendable {
  /// The start, which is required.
  case start
  /// The end, which must agree with the duration if a row has both.
  case end
  /// The duration.
  case duration
  /// The name of the user.
  case user
  /// The name of the client of the project.
  case client
  /// The name of the project.
  case project
  /// The name of the task of the project.
  case task
  /// The names of tags, separated by commas.
  case tags
  /// The description of the work.
  case description
  /// Whether the entry is billable: yes or no.
  case billable
  /// The id by which an import recognizes a row that was imported before.
  case id

  /// The fields in which a row is compared with the entry that was created from it.
  ///
  /// The user is not among them, because an import does not move entries to another user.
  public static let compared: Set<ImportField> = [
    .start, .end, .client, .project, .task, .tags, .description, .billable,
  ]
}
