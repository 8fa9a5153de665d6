/// One record of a CSV file: its fields as bytes and the line it starts on.
public struct CSVRecord: Hashable, Sendable {
  /// Something wrong with the record as a whole.
  public enum Problem: Hashable, Sendable {
    /// A quote in a field that does not begin with one.
    case strayQuote
    /// Text between a closing quote and the next separator.
    case textAfterQuote
    /// The file ends inside quotes.
    case unclosedQuote
    /// The record is longer than ``CSVParser/longestRecord``.
    case tooLong
  }

  /// The line of the file on which the record starts, counted from 1.
  public internal(set) var line: Int
  /// Something wrong with the record, found while reading it.
  public internal(set) var problem: Problem?
  /// The bytes of all fields, one after another, quotes resolved.
  var bytes: [UInt8]
  /// Where each field ends in ``bytes``.
  var ends: [Int]

  init(line: Int) {
    self.line = line
    bytes = []
    ends = []
  }

  /// The number of fields.
  public var count: Int { ends.count }

  /// The bytes of a field.
  ///
  /// - Precondition: `index` is at least 0 and below ``count``.
  public func field(_ index: Int) -> ArraySlice<UInt8> {
    bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]]
  }

  /// A field as text, or `nil` when its bytes are not UTF-8.
  ///
  /// - Precondition: `index` is at least 0 and below ``count``.
  public func text(_ index: Int) -> String? {
    let field = field(index)
    guard let text = try? UTF8Span(validating: field.span) else { return nil }
    return String(copying: text)
  }

  /// A field as text for a person: what is not UTF-8 is replaced.
  ///
  /// - Precondition: `index` is at least 0 and below ``count``.
  public func shown(_ index: Int) -> String {
    String(decoding: field(index), as: UTF8.self)
  }
}
