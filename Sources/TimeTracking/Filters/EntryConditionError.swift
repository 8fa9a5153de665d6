public import CivilTime
public import RetraceFilter

/// A reason why a filter is not a condition on entries.
///
/// It contains texts of the user as they are, so escape them before printing.
public enum EntryConditionError: Error, Hashable, Sendable {
  /// There is no such key.
  case unknownKey(String)
  /// No entity has the name. `known` has the names of live entities, in order of their ids.
  case unknownName(EntryConditionKey, String, known: [String])
  /// The key can only be compared by `:`.
  case notComparable(EntryConditionKey)
  /// The key takes no range.
  case rangeNotAllowed(EntryConditionKey)
  /// The range of a key contains spaces.
  case rangeWithBlanks(EntryConditionKey, start: String, end: String)
  /// Words after a time or a duration seem to belong to that value, but are read as texts. The
  /// associated term has the value with these words.
  case valueWithBlanks(FilterTerm, text: String)
  /// An equals sign separates a key and a value.
  case equalsSign(EntryConditionKey, String)
  /// A word such as `:week` stands without a key.
  case colonWord(String, isRange: Bool)
  /// The value is neither `yes` nor `no`.
  case neitherYesNorNo(EntryConditionKey, String)
  /// The value is not an entry id.
  case notAnID(String)
  /// The value is not a rate.
  case notARate(String)
  /// The value is not a time range or duration.
  case unreadable(EntryConditionKey, ExpressionError)

  /// The text that may be misspelled.
  public var misspelled: String? {
    switch self {
    case .unknownKey(let name), .unknownName(_, let name, _), .colonWord(let name, isRange: false):
      name
    case .neitherYesNorNo, .notAnID, .notARate, .notComparable, .rangeNotAllowed,
      .rangeWithBlanks, .valueWithBlanks, .equalsSign, .colonWord, .unreadable:
      nil
    }
  }

  /// The known texts, one of which ``misspelled`` may mean.
  public var known: [String] {
    switch self {
    case .unknownKey: EntryConditionKey.allCases.map { $0.rawValue }
    case .unknownName(_, _, let known): known
    case .neitherYesNorNo, .notAnID, .notARate, .notComparable, .rangeNotAllowed,
      .rangeWithBlanks, .valueWithBlanks, .equalsSign, .colonWord, .unreadable:
      []
    }
  }
}

extension EntryConditionError: CustomStringConvertible {
  /// The reason as a sentence.
  public var description: String {
    switch self {
    case .unknownKey(let name) where Name(name) == Name("year"):
      "There is no key `\(name)`. Write `date:` and the year."
    case .unknownKey(let name):
      "There is no key `\(name)`. Put quotes around a text with a colon or a comparison in it."
    case .unknownName(let key, let name, _): "There is no \(key.rawValue) `\(name)`."
    case .notComparable(let key): "`\(key.rawValue)` cannot be compared. Write `\(key.rawValue):`."
    case .rangeNotAllowed(let key):
      "`\(key.rawValue)` takes no range. Put quotes around a text with two dots in it."
    case .rangeWithBlanks(let key, let start, let end):
      "A range of `\(key.rawValue)` has two dots and no blanks: `\(key.rawValue):\(start)..\(end)`."
    case .valueWithBlanks(let term, let text):
      "Quote a value with a blank in it: `\(term)`. Write "
        + "`\(FilterTerm.field(key: "text", .equal, .text(text)))` for that text."
    case .equalsSign(let key, let value):
      "`\(key.rawValue)` takes a colon: `\(key.rawValue):\(value)`. "
        + "Write `text:\(key.rawValue)=\(value)` for that text."
    case .colonWord(let text, let isRange):
      (isRange ? "Write `date:\(text)` for that range, and " : "`\(text)` is not a range. Write ")
        + "`\(FilterTerm.field(key: "text", .equal, .text(text)))` for that text."
    case .neitherYesNorNo(let key, let text):
      "`\(key.rawValue)` is `yes` or `no`, not `\(text)`."
    case .notAnID(let text): "`\(text)` is not the number of an entry."
    case .notARate(let text): "`rate` is a price of an hour such as 85.50, or none, not `\(text)`."
    case .unreadable(let key, let error): "`\(key.rawValue)` cannot be read. \(error)"
    }
  }
}
