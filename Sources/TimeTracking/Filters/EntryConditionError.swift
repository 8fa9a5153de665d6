public import CivilTime
public import RetraceFilter

/// The reasons for which a filter is no condition on entries.
///
/// Texts of the user are quoted as they were given, so a program escapes them before printing.
public enum EntryConditionError: Error, Hashable, Sendable {
  /// There is no such key.
  case unknownKey(String)
  /// Nothing has this name; `known` are the names that are not deleted, in order of their ids.
  case unknownName(EntryConditionKey, String, known: [String])
  /// The key can be compared by `:` only.
  case notComparable(EntryConditionKey)
  /// The key takes no range.
  case rangeNotAllowed(EntryConditionKey)
  /// Blanks stand in a range of the key.
  case rangeWithBlanks(EntryConditionKey, start: String, end: String)
  /// The words after a time or a duration, which are a text of their own, belong to it; the term is
  /// the one with them.
  case valueWithBlanks(FilterTerm, text: String)
  /// An equals sign stands between a key and the value.
  case equalsSign(EntryConditionKey, String)
  /// The value of the key has to be `yes` or `no`.
  case neitherYesNorNo(EntryConditionKey, String)
  /// The value is not the number of an entry.
  case notAnID(String)
  /// The value is not a range of time or a duration.
  case unreadable(EntryConditionKey, ExpressionError)

  /// The text that may be misspelled.
  public var misspelled: String? {
    switch self {
    case .unknownKey(let name), .unknownName(_, let name, _): name
    case .neitherYesNorNo, .notAnID, .notComparable, .rangeNotAllowed, .rangeWithBlanks,
      .valueWithBlanks, .equalsSign, .unreadable:
      nil
    }
  }

  /// The texts that may be meant by ``misspelled``.
  public var known: [String] {
    switch self {
    case .unknownKey: EntryConditionKey.allCases.map(\.rawValue)
    case .unknownName(_, _, let known): known
    case .neitherYesNorNo, .notAnID, .notComparable, .rangeNotAllowed, .rangeWithBlanks,
      .valueWithBlanks, .equalsSign, .unreadable:
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
    case .neitherYesNorNo(let key, let text):
      "`\(key.rawValue)` is `yes` or `no`, not `\(text)`."
    case .notAnID(let text): "`\(text)` is not the number of an entry."
    case .unreadable(let key, let error): "`\(key.rawValue)` cannot be read. \(error)"
    }
  }
}
