public import RetraceLog

/// Looking at single records.
extension LogSnapshot {
  /// Lends one record.
  ///
  /// - Parameters:
  ///   - sequence: The sequence of the record; the log has to reach it.
  ///   - body: Takes the record.
  /// - Returns: What `body` returns.
  /// - Complexity: O(bytes of one block).
  /// - Throws: What `body` throws; ``StoreError/Code/damaged(sequence:)`` if it cannot be read.
  public func withRecord<R>(
    at sequence: UInt64, _ body: (borrowing RecordCursor) throws(StoreError) -> R
  ) throws(StoreError) -> R {
    var result: R?
    try scan(from: sequence, through: sequence) { record throws(StoreError) in
      result = try body(record)
    }
    guard let result else {
      throw StoreError.damaged(sequence, "The record is missing", in: path)
    }
    return result
  }

  /// The first record of a range that fits; `nil` if none does.
  ///
  /// - Complexity: O(records looked at), a thousand at a time.
  /// - Throws: As ``forEachRecord(from:through:_:)``.
  public func firstRecord(
    in range: ClosedRange<UInt64>, where fits: (borrowing RecordCursor) -> Bool
  ) throws(StoreError) -> UInt64? {
    var start = range.lowerBound
    while start <= range.upperBound {
      let end = min(range.upperBound, start + LogSnapshot.step - 1)
      var found: UInt64?
      try scan(from: start, through: end) { record throws(StoreError) in
        if found == nil, fits(record) { found = record.sequence }
      }
      if let found { return found }
      start = end + 1
    }
    return nil
  }

  /// The last record of a range that fits; `nil` if none does.
  ///
  /// - Complexity: O(records looked at), a thousand at a time from the end.
  /// - Throws: As ``forEachRecord(from:through:_:)``.
  public func lastRecord(
    in range: ClosedRange<UInt64>, where fits: (borrowing RecordCursor) -> Bool
  ) throws(StoreError) -> UInt64? {
    var end = range.upperBound
    while end >= range.lowerBound {
      let start = max(range.lowerBound, end - min(end, LogSnapshot.step - 1))
      var found: UInt64?
      try scan(from: start, through: end) { record throws(StoreError) in
        if fits(record) { found = record.sequence }
      }
      if let found { return found }
      guard start > range.lowerBound else { return nil }
      end = start - 1
    }
    return nil
  }

  /// How many records are looked at before it is asked whether one was found.
  private static var step: UInt64 { 1_024 }
}
