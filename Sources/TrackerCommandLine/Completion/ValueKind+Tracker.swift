import RetraceCommandLine

/// The kinds of values that come from the data of the tracker.
enum TrackerValue: String {
  case project
  case client
  case tag
  case task
  case user
  case workspace
  case goal
  /// Names of changes that are not undone.
  case change
  /// Names of changes that are undone.
  case undoneChange
  /// Ids of entries.
  case entry
  /// Words of an entry: @PROJECT, #TAG and +TAG among others.
  case entryWords
  /// Ids of entries, then words of an entry.
  case entryThenWords
  /// Ids of entries, then tags with a sign or without.
  case entryThenTags
  /// Words of a range; @PROJECT, #TAG and +TAG among them.
  case rangeAndTerms
}

extension ValueKind {
  /// Returns the kind of a value from the data of the tracker.
  static func tracker(_ value: TrackerValue) -> ValueKind { .data(value.rawValue) }

  /// The ranges that have a name, and names of days.
  static var range: ValueKind { .words(ranges) }

  static let ranges = [
    ":day", ":yesterday", ":week", ":lastweek", ":month", ":lastmonth", ":quarter",
    ":lastquarter", ":year", ":lastyear", ":all", "today",
    "yesterday",
  ]

  /// The groupings of reports.
  static var groups: ValueKind {
    .list([
      "client", "project", "task", "tag", "each-tag", "description", "user", "workspace", "day",
      "week", "month",
    ])
  }
}
