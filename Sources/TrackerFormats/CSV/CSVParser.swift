/// A parser of comma-separated values (RFC 4180) in pieces of any size.
///
/// Lines end with LF, CR LF or CR, and the last line needs no end. A byte-order mark at the start
/// is skipped, and so are empty lines. Quotes in a field that does not begin with one belong to it.
/// Line numbers count lines of the file, so a record with line ends in quoted fields takes several.
public struct CSVParser: Sendable {
  /// The maximum number of bytes of a record; further bytes are dropped, and the record is invalid.
  public static let longestRecord = 1 << 20

  /// The byte-order mark.
  static let mark: [UInt8] = [0xef, 0xbb, 0xbf]

  /// The position of the parser in a field.
  private enum Place {
    case fieldStart
    case plain
    case quoted
    case quoteInQuoted
  }

  private var record: CSVRecord
  private var place = Place.fieldStart
  /// The line that the next byte is on, counted from 1.
  private var line: Int
  private var lastWasCarriageReturn = false
  /// The number of skipped bytes of a byte-order mark; `nil` after the mark or any other byte.
  private var markBytes: Int? = 0
  /// Whether `record.bytes` is a piece of the file, and not a buffer of the record.
  private var isShared = false
  private let separator: UInt8

  /// Creates a parser at the beginning of a file.
  ///
  /// - Parameters:
  ///   - separator: The byte between two fields.
  ///   - line: The number of the first line.
  public init(separator: UInt8 = UInt8(ascii: ","), line: Int = 1) {
    self.separator = separator
    self.line = line
    record = CSVRecord(line: line)
  }

  /// Parses the next piece of the file, and calls `body` with the records that end in it.
  ///
  /// - Parameters:
  ///   - piece: The piece, of any size.
  ///   - body: Receives each record.
  /// - Throws: The error of `body`, after which the parser must not be used.
  /// - Complexity: O(bytes).
  public mutating func feed<Failure>(
    _ piece: [UInt8], _ body: (CSVRecord) throws(Failure) -> Void
  ) throws(Failure) {
    var index = 0
    while index < piece.count {
      if let next = takePlainLine(of: piece, from: index) {
        index = next
        try emit(body)
      } else if take(piece[index], after: &index) {
        try emit(body)
      }
    }
  }

  /// Parses a whole line without quotes, whose fields are ranges of the piece.
  ///
  /// - Returns: The position after the line; `nil` if there is no such line, and then nothing is
  ///   parsed.
  private mutating func takePlainLine(of piece: [UInt8], from start: Int) -> Int? {
    guard markBytes == nil, isAtRecordStart, !lastWasCarriageReturn else { return nil }
    let bytes = piece.span
    let limit = min(bytes.count, start + Self.longestRecord)
    var (index, fieldStart) = (start, start)
    var seen: UInt8 = 0
    while index < limit {
      let byte = bytes[index]
      seen |= byte
      if byte == separator {
        record.fields.append(fieldStart..<index)
        fieldStart = index + 1
      } else if byte == 0x0a || byte == 0x0d {
        break
      } else if byte == UInt8(ascii: "\"") {
        index = limit
      }
      index += 1
    }
    guard index < limit else {
      record.fields.removeAll(keepingCapacity: true)
      return nil
    }
    record.fields.append(fieldStart..<index)
    record.bytes = piece
    record.isASCII = seen < 0x80
    isShared = true
    lastWasCarriageReturn = bytes[index] == 0x0d
    line += 1
    return index + 1
  }

  /// Whether no byte of a record has been parsed.
  private var isAtRecordStart: Bool {
    place == .fieldStart && record.fields.isEmpty && (isShared || record.bytes.isEmpty)
      && record.problem == nil
  }

  /// Ends the file, and calls `body` with a last record that had no line end.
  ///
  /// - Throws: The error of `body`.
  public mutating func finish<Failure>(
    _ body: (CSVRecord) throws(Failure) -> Void
  ) throws(Failure) {
    if isShared { record.bytes = [] }
    if let count = markBytes { for passed in Self.mark.prefix(count) { append(passed) } }
    markBytes = nil
    if place == .quoted { record.problem = .unclosedQuote }
    endField()
    try emit(body)
    self = CSVParser(separator: separator)
  }

  /// Skips a byte of a byte-order mark at the start of the file, and returns whether it was one.
  ///
  /// If the mark is incomplete, the skipped bytes belong to the record.
  private mutating func skipMark(_ byte: UInt8) -> Bool {
    guard let count = markBytes else { return false }
    if byte == Self.mark[count] {
      markBytes = count == 2 ? nil : count + 1
      return true
    }
    for passed in Self.mark.prefix(count) { append(passed) }
    if count > 0 { place = .plain }
    markBytes = nil
    return false
  }

  /// Parses one byte, and returns whether a record ends with it.
  private mutating func take(_ byte: UInt8, after index: inout Int) -> Bool {
    index += 1
    if markBytes != nil && skipMark(byte) { return false }
    if isShared {
      record.bytes = []
      isShared = false
    }
    let isLineFeed = byte == 0x0a
    let isSecondHalf = isLineFeed && lastWasCarriageReturn
    lastWasCarriageReturn = byte == 0x0d
    let endsLine = (isLineFeed && !isSecondHalf) || byte == 0x0d
    if endsLine { line += 1 }
    if place == .quoted {
      if byte == UInt8(ascii: "\"") { place = .quoteInQuoted } else { append(byte) }
      return false
    }
    if endsLine {
      endField()
      return true
    }
    if isSecondHalf {
      // The record ended at the carriage return before the line feed.
      return false
    }
    if byte == separator {
      endField()
    } else {
      takeInField(byte)
    }
    return false
  }

  /// Parses a byte of a field outside quotes, or right after a quote.
  private mutating func takeInField(_ byte: UInt8) {
    let isQuote = byte == UInt8(ascii: "\"")
    switch place {
    case .fieldStart where isQuote: place = .quoted
    case .quoteInQuoted where isQuote:
      append(byte)
      place = .quoted
    case .quoteInQuoted:
      record.problem = record.problem ?? .textAfterQuote
      append(byte)
      place = .plain
    default:
      append(byte)
      place = .plain
    }
  }

  private mutating func append(_ byte: UInt8) {
    if byte >= 0x80 { record.isASCII = false }
    if record.bytes.count < Self.longestRecord {
      record.bytes.append(byte)
    } else {
      record.problem = record.problem ?? .tooLong
    }
  }

  private mutating func endField() {
    if record.fields.count < Self.longestRecord {
      record.fields.append((record.fields.last?.upperBound ?? 0)..<record.bytes.count)
    } else {
      record.problem = record.problem ?? .tooLong
    }
    place = .fieldStart
  }

  private mutating func emit<Failure>(
    _ body: (CSVRecord) throws(Failure) -> Void
  ) throws(Failure) {
    let isBlank = record.fields.count == 1 && record.fields[0].isEmpty && record.problem == nil
    if !isBlank { try body(record) }
    if !isShared { record.bytes.removeAll(keepingCapacity: true) }
    record.fields.removeAll(keepingCapacity: true)
    record.problem = nil
    record.isASCII = true
    record.line = line
  }
}
