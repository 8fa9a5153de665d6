public import Retrace

/// Access to single records.
extension ReadView {
  /// Calls `body` with one record and returns its result.
  ///
  /// - Parameters:
  ///   - sequence: The sequence of the record, at most the head's.
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
  /// Most searches are for the start of a batch or the newest command, which is near. Each check
  /// reads a block again.
  private static var firstStep: UInt64 { 64 }
  /// The most records that are visited between two checks.
  private static var lastStep: UInt64 { 1_024 }
}

/// A command in the log, whose facts are the records after it in its batch.
package struct CommandPlace: Sendable {
  package var sequence: UInt64
  package var session: UInt64
  /// Whether the command has a cause: the record whose effect asked for it.
  package var hasCause: Bool
  /// The first sequence after the batch.
  package var end: UInt64

  package init(sequence: UInt64, session: UInt64, hasCause: Bool, end: UInt64) {
    self.sequence = sequence
    self.session = session
    self.hasCause = hasCause
    self.end = end
  }

  /// Whether no record follows the command in its batch.
  package var hasNoFacts: Bool { end <= sequence + 1 }
}

extension ReadView {
  /// Calls `body` with the commands up to a record, newest first, until it returns `false`.
  ///
  /// - Parameters:
  ///   - last: The last record of a batch, or 0.
  ///   - body: Receives the place of a command, and returns whether to continue.
  /// - Returns: The number of records visited.
  /// - Complexity: O(records from the last command that `body` receives to `last`).
  /// - Throws: What `body` throws, and as ``forEachRecord(from:through:_:)``.
  @discardableResult
  package func forEachCommand(
    through last: UInt64, _ body: (CommandPlace) throws(StoreError) -> Bool
  ) throws(StoreError) -> Int {
    var visited = 0
    var end = last
    // The start of the first batch after the records that are still to be read.
    var next = last + 1
    var step = Self.firstStep
    while end > 0 {
      let start = end - min(end, step) + 1
      step = min(step * 4, Self.lastStep)
      var places: [CommandPlace] = []
      var firstBatch: UInt64?
      try scan(from: start, through: end) { record in
        guard record.startsBatch else { return }
        if firstBatch == nil { firstBatch = record.sequence }
        if let last = places.indices.last, places[last].end == next {
          places[last].end = record.sequence
        }
        guard record.kind == .command else { return }
        places.append(
          CommandPlace(
            sequence: record.sequence, session: record.session, hasCause: record.cause != nil,
            end: next))
      }
      visited += Int(end - start) + 1
      for place in places.reversed() {
        guard try body(place) else { return visited }
      }
      next = firstBatch ?? next
      end = start - 1
    }
    return visited
  }
}
