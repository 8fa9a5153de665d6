import Retrace
import RetraceBundle

/// The log in a bundle, record by record.
struct PageLog {
  let bundle: Bundle

  init(_ bytes: [UInt8], of app: String) throws(PageFailure) {
    do throws(BundleError) {
      bundle = try Bundle(bytes, hashing: SwiftHasher.self)
    } catch {
      throw PageFailure(error.description)
    }
    guard bundle.header.app.utf8.elementsEqual(app.utf8) else {
      throw PageFailure(
        "the bundle is of the app \(bundle.header.app), and the page's module is of \(app)")
    }
    guard bundle.last <= UInt64(UInt32.max) else {
      throw PageFailure("the bundle has more records than a page can show")
    }
  }

  /// The sequence of the last record.
  var last: UInt64 { bundle.last }

  /// Calls `body` with the records of a range, in order.
  ///
  /// - Parameters:
  ///   - first: The first sequence.
  ///   - last: The last sequence.
  ///   - body: Receives a record, and returns whether to continue.
  /// - Complexity: O(records of the blocks of the range).
  /// - Throws: What the body throws; a failure that names a record that cannot be read.
  func forEachRecord(
    from first: UInt64, through last: UInt64,
    _ body: (borrowing RecordCursor) throws(PageFailure) -> Bool
  ) throws(PageFailure) {
    guard first <= last else { return }
    try bundle.scanBlocks(from: first) { (key, bytes) throws(PageFailure) in
      var cursor = try Self.cursor(of: bytes, at: key)
      while try Self.moveOn(&cursor), cursor.sequence <= last {
        if cursor.sequence < first { continue }
        guard try body(cursor) else { return false }
      }
      return cursor.sequence < last
    }
  }

  /// Returns the value that `body` makes of a record.
  ///
  /// - Throws: What the body throws; a failure if there is no such record.
  func withRecord<Value>(
    at sequence: UInt64, _ body: (borrowing RecordCursor) throws(PageFailure) -> Value
  ) throws(PageFailure) -> Value {
    var value: Value?
    try forEachRecord(from: sequence, through: sequence) { (record) throws(PageFailure) in
      value = try body(record)
      return false
    }
    guard let value else { throw PageFailure("there is no record \(sequence)") }
    return value
  }

  /// Returns the last sequence, at most the given one, that ends a batch; 0 without one.
  ///
  /// - Complexity: O(records of the blocks of the batch).
  func batchEnd(atOrBefore sequence: UInt64) throws(PageFailure) -> UInt64 {
    guard sequence > 0, sequence < last else { return sequence }
    var next = sequence + 1
    while next > 0 {
      // A block, and the part of the next one that was looked at before.
      var (start, found): (UInt64, UInt64?) = (next, nil)
      try bundle.scanBlocks(from: next) { (key, bytes) throws(PageFailure) in
        start = key
        var cursor = try Self.cursor(of: bytes, at: key)
        while try Self.moveOn(&cursor), cursor.sequence <= next {
          if cursor.startsBatch { found = cursor.sequence }
        }
        return false
      }
      if let found { return found - 1 }
      next = start - 1
    }
    return 0
  }

  /// Returns the records of the batch of a record.
  ///
  /// - Complexity: O(records of the blocks of the batch).
  func batch(of sequence: UInt64) throws(PageFailure) -> ClosedRange<UInt64> {
    let first = try batchEnd(atOrBefore: sequence - 1) + 1
    var end = sequence
    try forEachRecord(from: sequence + 1, through: last) { (record) throws(PageFailure) in
      if record.startsBatch { return false }
      end = record.sequence
      return true
    }
    return first...end
  }

  /// Returns the first records of all batches, in order.
  ///
  /// - Complexity: O(records).
  func batchStarts() throws(PageFailure) -> [UInt64] {
    var starts: [UInt64] = []
    try forEachRecord(from: 1, through: last) { (record) throws(PageFailure) in
      if record.startsBatch { starts.append(record.sequence) }
      return true
    }
    return starts
  }

  /// Returns the JSON of a schema by the number that records name it by.
  func schema(_ number: UInt32) -> Schema? {
    let commands = LogFormat.commandSchemaNumber(0)
    let json =
      number < commands
      ? bundle.schema(.action, number) : bundle.schema(.command, number - commands)
    return json.flatMap { try? Schema(parsing: $0) }
  }

  /// Returns the rules of a time zone; `nil` if the bundle does not have them.
  func zone(_ id: String) -> ZoneRules? {
    if id == "UTC" || id == "Etc/UTC" { return ZoneRules(id: id, offsetSeconds: 0) }
    guard let file = bundle.zoneFile(id) else { return ZoneRules(posixRule: id) }
    return try? ZoneRules(id: id, tzif: file.span)
  }

  @_lifetime(copy bytes)
  private static func cursor(
    of bytes: Span<UInt8>, at key: UInt64
  ) throws(PageFailure) -> RecordCursor {
    do throws(LogError) {
      return try RecordCursor(bytes, at: key)
    } catch {
      throw PageFailure(error)
    }
  }

  @_lifetime(cursor: copy cursor)
  private static func moveOn(_ cursor: inout RecordCursor) throws(PageFailure) -> Bool {
    do throws(LogError) {
      return try cursor.next()
    } catch {
      throw PageFailure(error)
    }
  }
}

extension RecordedValues {
  /// Returns a value of a log; `nil` if this build cannot read it.
  mutating func value(of encoded: RecordedCommand.Encoded, in log: PageLog) -> Value? {
    value(of: encoded) { log.bundle.schema(.command, $0) }
  }
}
