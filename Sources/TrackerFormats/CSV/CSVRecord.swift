/// A record of a CSV file: its fields as bytes, and its first line.
public struct CSVRecord: Sendable {
  /// The reason why a record breaks the rules of CSV.
  public enum Problem: Hashable, Sendable {
    /// Text between a closing quote and the next separator.
    case textAfterQuote
    /// The file ends inside quotes.
    case unclosedQuote
    /// The record is longer than ``CSVParser/longestRecord``.
    case tooLong
  }

  /// The line of the file on which the record starts, counted from 1.
  public internal(set) var line: Int
  /// The problem of the record, if any.
  public internal(set) var problem: Problem?
  /// Whether all bytes of the fields are ASCII.
  var isASCII = true
  /// The bytes that contain the fields, with quotes resolved.
  var bytes: [UInt8]
  /// The range of each field in ``bytes``.
  var fields: [Range<Int>]

  init(line: Int) {
    self.line = line
    bytes = []
    fields = []
  }

  /// The number of fields.
  public var count: Int { fields.count }

  /// Returns the bytes of a field.
  ///
  /// - Precondition: `index` is at least 0 and below ``count``.
  public func field(_ index: Int) -> ArraySlice<UInt8> { bytes[fields[index]] }

  /// Whether the bytes of the fields are UTF-8.
  ///
  /// - Complexity: O(bytes) if there are others than ASCII.
  var isUTF8: Bool {
    guard !isASCII, let first = fields.first, let last = fields.last else { return true }
    let span = bytes.span.extracting(first.lowerBound..<last.upperBound)
    return (try? UTF8Span(validating: span)) != nil
  }

  /// Returns a field as text without spaces and tabs around it; empty if the record has no such
  /// field, `nil` if its bytes are not UTF-8.
  func trimmedText(_ index: Int) -> String? {
    guard index < count else { return "" }
    let span = bytes.span
    var (start, end) = (fields[index].lowerBound, fields[index].upperBound)
    while start < end, Self.isBlank(span[start]) { start += 1 }
    while start < end, Self.isBlank(span[end - 1]) { end -= 1 }
    guard let text = try? UTF8Span(validating: span.extracting(start..<end)) else { return nil }
    return String(copying: text)
  }

  /// Returns a field as text for a user, with replacement characters for bytes that are not UTF-8;
  /// empty if the record has no such field.
  public func shown(_ index: Int) -> String {
    index < count ? String(decoding: field(index), as: UTF8.self) : ""
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}
