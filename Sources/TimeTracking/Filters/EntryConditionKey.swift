/// The keys of the terms of a condition on entries.
public enum EntryConditionKey: String, Hashable, Sendable, CaseIterable {
  /// The name of the project, or `none`.
  case project
  /// The name of the client of the project, or `none`.
  case client
  /// The name of the task, or `none`.
  case task
  /// The name of a tag, or `none`.
  case tag
  /// The name of the user.
  case user
  /// The name of the workspace, or `none`.
  case workspace
  /// A text that occurs in the description or in an annotation.
  case text
  /// Whether the entry is billable: `yes` or `no`.
  case billable
  /// The price of an hour, such as `85.50`, or `none`.
  case rate
  /// Whether the entry runs: `yes` or `no`.
  case running
  /// The duration of the entry, until the present if it is running: `duration>1h30`.
  case duration
  /// The start of the entry, as a range such as `yesterday` or `2026-11`.
  case date
  /// The start of the entry, as a day.
  case day
  /// The start of the entry, as a week or one of its days.
  case week
  /// The start of the entry, as a month or one of its days.
  case month
  /// The number of the entry.
  case id

  /// Finds the key with a name, ignoring ASCII letter case.
  public init?(name: String) {
    let name = name.utf8.map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 }
    guard let key = Self.allCases.first(where: { $0.rawValue.utf8.elementsEqual(name) }) else {
      return nil
    }
    self = key
  }

  /// Whether values of the key are ordered, so that they can be compared and have ranges.
  public var isOrdered: Bool {
    switch self {
    case .duration, .date, .day, .week, .month: true
    case .project, .client, .task, .tag, .user, .workspace, .text, .billable, .rate, .running,
      .id:
      false
    }
  }
}
