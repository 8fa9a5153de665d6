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
  /// - Complexity: O(records up to the one that is found).
  /// - Throws: As ``forEachRecord(from:through:_:)``.
  public func firstRecord(
    in range: ClosedRange<UInt64>, where fits: (borrowing RecordCursor) -> Bool
  ) throws(StoreError) -> UInt64? {
    var start = range.lowerBound
    var step = ReadView.firstStep
    while start <= range.upperBound {
      let end = min(range.upperBound, start + step - 1)
      var found: UInt64?
      try scan(from: start, through: end) { record throws(StoreError) in
        if found == nil, fits(record) { found = record.sequence }
      }
      if let found { return found }
      start = end + 1
      step = min(step * 4, ReadView.lastStep)
    }
    return nil
  }

  /// Returns the sequence of the last record of a range that satisfies a predicate, or `nil`.
  ///
  /// - Complexity: O(records from the one that is found to the end).
  /// - Throws: As ``forEachRecord(from:through:_:)``.
  public func lastRecord(
    in range: ClosedRange<UInt64>, where fits: (borrowing RecordCursor) -> Bool
  ) throws(StoreError) -> UInt64? {
    var end = range.upperBound
    var step = ReadView.firstStep
    while end >= range.lowerBound {
      let start = max(range.lowerBound, end - min(end, step - 1))
      var found: UInt64?
      try scan(from: start, through: end) { record throws(StoreError) in
        if fits(record) { found = record.sequence }
      }
      if let found { return found }
      guard start > range.lowerBound else { return nil }
      end = start - 1
      step = min(step * 4, ReadView.lastStep)
    }
    return nil
  }

  /// The number of records that are visited before the search first checks for a match.
  ///
  /// Most searches are for the start of a batch, which is near. Each check reads a block again.
  private static var firstStep: UInt64 { 64 }
  /// The most records that are visited between two checks.
  private static var lastStep: UInt64 { 1_024 }
}
