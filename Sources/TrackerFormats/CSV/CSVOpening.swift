/// The beginning of a file of CSV: the line that names its separator, and its header.
struct CSVOpening {
  /// The bytes so far.
  private let bytes: [UInt8]
  /// The position of the header.
  private let start: Int
  /// The line of the header, counted from 1.
  let line: Int
  /// The separator that a line `sep=;` before the header names.
  let separator: UInt8?

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    let mark = bytes.starts(with: CSVParser.mark) ? CSVParser.mark.count : 0
    let rest = bytes[mark...]
    guard rest.count > 5, rest.starts(with: "sep=".utf8), !"\"\r\n".utf8.contains(rest[mark + 4]),
      "\r\n".utf8.contains(rest[mark + 5])
    else {
      (start, line, separator) = (0, 1, nil)
      return
    }
    separator = rest[mark + 4]
    let isPair = rest.dropFirst(5).starts(with: "\r\n".utf8)
    start = mark + (isPair ? 7 : 6)
    line = 2
  }

  /// The separators that the header can have.
  var separators: [UInt8] { separator.map { [$0] } ?? CSVHeader.separators }

  /// The bytes from the header on.
  var body: [UInt8] { start == 0 ? bytes : Array(bytes[start...]) }

  /// Returns the header; `nil` if its end has not been read, or the file has none.
  ///
  /// - Parameters:
  ///   - separator: The byte between two columns.
  ///   - isWhole: Whether the bytes are the whole file, in which the header may have no line end.
  /// - Complexity: O(bytes of the header).
  func header(separatedBy separator: UInt8, isWhole: Bool) -> CSVRecord? {
    struct Found: Error { let record: CSVRecord }
    var parser = CSVParser(separator: separator, line: line)
    do throws(Found) {
      try parser.feed(body) { (record) throws(Found) in throw Found(record: record) }
      guard isWhole else { return nil }
      try parser.finish { (record) throws(Found) in throw Found(record: record) }
      return nil
    } catch {
      return error.record
    }
  }
}
