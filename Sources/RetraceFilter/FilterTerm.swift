/// The smallest part of a filter.
///
/// The program that uses the filter defines the meaning of a term.
public enum FilterTerm: Hashable, Sendable {
  /// A key, which is one or more letters of ASCII, and a value: `project:Acme`, `duration>=1h`.
  case field(key: String, FilterComparison, FilterValue)
  /// The name of a tag: `#review` or `+review`.
  case tag(String)
  /// The name of a project: `@Acme`.
  case project(String)
  /// A bare word or a quoted text: `review`, `"code review"`.
  case text(String)
  /// A range: `2026-03-01..2026-03-31`. An empty side means that the range has no such end.
  case range(String, String)
}

/// The comparison of a key with a value.
public enum FilterComparison: String, Hashable, Sendable, CaseIterable {
  /// The value of the key is the value, or is in the range.
  case equal = ":"
  /// The value of the key is lower.
  case less = "<"
  /// The value of the key is lower or equal.
  case lessOrEqual = "<="
  /// The value of the key is greater.
  case greater = ">"
  /// The value of the key is greater or equal.
  case greaterOrEqual = ">="
}

/// The value after a key.
public enum FilterValue: Hashable, Sendable {
  /// A word or a quoted text.
  case text(String)
  /// The word `none` without quotes.
  case nothing
  /// A range. An empty side means that the range has no such end.
  case range(String, String)
}

extension FilterTerm: CustomStringConvertible {
  /// The term as a text of the grammar; what could be misread is quoted.
  public var description: String {
    switch self {
    case .field(let key, let comparison, let value): "\(key)\(comparison.rawValue)\(value)"
    case .tag(let name): "#\(FilterText.value(name))"
    case .project(let name): "@\(FilterText.value(name))"
    case .text(let text): FilterText.word(text)
    case .range(let start, let end): FilterText.range(start, end)
    }
  }
}

extension FilterValue: CustomStringConvertible {
  /// The value as a text of the grammar; what could be misread is quoted.
  public var description: String {
    switch self {
    case .text(let text):
      FilterText.isNone(text.utf8) ? FilterText.quoted(text) : FilterText.value(text)
    case .nothing: FilterText.none
    case .range(let start, let end): FilterText.range(start, end)
    }
  }
}
