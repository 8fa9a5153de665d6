/// A field of a time entry that a row of a file can give.
public enum ImportField: String, CaseIterable, Hashable, Sendable {
  /// When it began; required.
  case start
  /// When it ended; where there is a duration, both have to agree.
  case end
  /// How long it took.
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
  /// What was done.
  case description
  /// Yes or no.
  case billable
  /// The id by which a second import of the same row is noticed.
  case id

  /// The fields in which a row is compared with the entry that it became; a user keeps entries.
  public static let compared: Set<ImportField> = [
    .start, .end, .client, .project, .task, .tags, .description, .billable,
  ]
}
