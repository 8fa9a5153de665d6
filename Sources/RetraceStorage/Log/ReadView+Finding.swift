public import RetraceLog

/// Access to single records.
extension ReadView {
  /// Calls `body` with one record and returns its result.
  ///
  /// - Parameters:
  ///   - sequence: The sequence of the record; at most that of the head.
  ///   - body: Receives the record.
  /// - Returns: What `body` returns.
  /// - Complexity: O(bytes of one block).
  /// - Throws: What `body` throws; ``StoreError/Code/damaged(sequence:)`` if the record cannot be
  ///   read.
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

  /// Returns the sequence of the first record of a range that satisfies a predicate, or `nil`.
  ///
  /// - Complexity: O(records visited), in steps of 1,024.
  /// - Throws: As ``forEachRecord(from:through:_:)``.
  public func firstRecord(
    in range: ClosedRange<UInt64>, where fits: (borrowing RecordCursor) -> Bool
  ) throws(StoreError) -> UInt64? {
    var start = range.lowerBound
    while start <= range.upperBound {
      let end = min(range.upperBound, start + ReadView.step - 1)
      var found: UInt64?
      try scan(from: start, through: end) { record throws(StoreError) in
        if found == nil, fits(record) { found = record.sequence }
      }
      if let found { return found }
      start = end + 1
    }
    return nil
  }

  /// Returns the sequence of the last record of a range that satisfies a predicate, or `nil`.
  ///
  /// - Complexity: O(records visited), in steps of 1,024 from the end.
  /// - Throws: As ``forEachRecord(from:through:_:)``.
  public func lastRecord(
    in range: ClosedRange<UInt64>, where fits: (borrowing RecordCursor) -> Bool
  ) throws(StoreError) -> UInt64? {
    var end = range.upperBound
    while end >= range.lowerBound {
      let start = max(range.lowerBound, end - min(end, ReadView.step - 1))
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

  /// The number of records that are visited before the search checks for a match.
  private static var step: UInt64 { 1_024 }
}
