package import Retrace
package import RetraceStorage
package import RetraceToolSupport

package struct RecordSelection: Sendable {
  package var first: UInt64 = 1
  /// The last sequence of the range; the log reaches it.
  package var last: UInt64 = 0
  var session: UInt64?
  var kind: RecordKind?
  var action: String?
  var mention: MentionedID?
  var since: Moment?
  var until: Moment?
  var filter: RecordFilter?
  package var limit = Int.max
  /// The number of matching records to return, newest first; `nil` for all of them.
  package var newest: UInt64?

  /// Calls `body` with the selected records in order.
  ///
  /// - Parameters:
  ///   - storage: The log.
  ///   - body: Receives each record, and returns whether to continue.
  /// - Complexity: O(records of the range); only records with a matching envelope are decoded, or
  ///   all with a filter. For the newest records, O(records from the first one returned to the end
  ///   of the range).
  /// - Throws: `damaged` with the sequence of a record that cannot be read.
  package func forEach(
    in storage: LogStorage, _ body: (RecordDescription) throws(StoreError) -> Bool
  ) throws(StoreError) {
    var left = limit
    guard left > 0, first <= last else { return }
    if let newest {
      let (found, failure) = newestRecords(newest, in: storage)
      for record in found.prefix(limit) where !Output.standard.hasFailed {
        guard try body(record) else { return }
      }
      if let failure { throw failure }
      return
    }
    try forEachMatching(in: storage, from: first, through: last) { record throws(StoreError) in
      left -= 1
      return try body(record) && left > 0 && !Output.standard.hasFailed
    }
  }

  private func forEachMatching(
    in storage: LogStorage, from first: UInt64, through last: UInt64,
    _ body: (RecordDescription) throws(StoreError) -> Bool
  ) throws(StoreError) {
    try RecordDescription.forEach(
      in: storage, from: first, through: last, where: accepts
    ) { record throws(StoreError) in try accepts(record) ? body(record) : true }
  }

  /// The number of records scanned at a time, from the end backwards.
  private static var recordsPerScan: UInt64 { 4_096 }

  /// Returns the newest matching records in order, and the error if damage ended the search.
  private func newestRecords(
    _ count: UInt64, in storage: LogStorage
  ) -> (found: [RecordDescription], failure: StoreError?) {
    var found: [[RecordDescription]] = []
    var missing = Int(clamping: count)
    var end = last
    while missing > 0 {
      let start = max(first, end - min(end, Self.recordsPerScan - 1))
      var records: [RecordDescription] = []
      do throws(StoreError) {
        try forEachMatching(in: storage, from: start, through: end) { record in
          records.append(record)
          return true
        }
      } catch {
        // The scan runs backwards, so all records found so far follow the damage.
        return (found.reversed().flatMap { $0 }, error)
      }
      found.append(records.suffix(missing))
      missing -= found[found.count - 1].count
      guard start > first else { break }
      end = start - 1
    }
    return (found.reversed().flatMap { $0 }, nil)
  }

  /// Prints the selected records in order, one per line.
  ///
  /// - Parameters:
  ///   - storage: The log.
  ///   - asJSON: Whether each is printed as a JSON object.
  ///   - joinsTyping: Whether letters that were typed one after the other are one line of text.
  /// - Complexity: As ``forEach(in:_:)``.
  /// - Throws: `damaged` with the sequence of a record that cannot be read.
  package func print(
    in storage: LogStorage, asJSON: Bool, joiningTyping joinsTyping: Bool = false
  ) throws(ToolFailure) {
    let output = Output.standard
    output.startBuffering()
    // The last record, whose text the next one may continue.
    var held: RecordDescription?
    defer { if let held { output.print(held.line) } }
    try orFail(
      try forEach(in: storage) { record in
        if asJSON {
          output.print(record.json)
        } else if joinsTyping, let joined = held?.joined(with: record) {
          held = joined
        } else {
          if let held { output.print(held.line) }
          held = record
        }
        return true
      })
  }

  package func accepts(_ envelope: Envelope) -> Bool {
    (session == nil || envelope.session == session)
      && (kind == nil || envelope.kind == kind)
      && (action == nil || envelope.kind == .action)
      && since.map { envelope.moment >= $0 } ?? true && until.map { envelope.moment < $0 } ?? true
  }

  /// Returns whether a record passes the options about payloads: the action, the id and the filter.
  ///
  /// The options about envelopes are not checked.
  package func accepts(_ record: RecordDescription) -> Bool {
    (action.map(record.isAction) ?? true) && (mention.map(record.mentions) ?? true)
      && (filter?.accepts(record) ?? true)
  }
}
