import RetraceArchitecture
public import RetraceLog
import RetraceState
public import RetraceStorage

/// The records that the options of a command choose.
public struct RecordSelection: Sendable {
  /// The first sequence that is looked at.
  public var first: UInt64 = 1
  /// The last sequence that is looked at; the log reaches it.
  public var last: UInt64 = 0
  var session: UInt64?
  var kind: RecordKind?
  var action: String?
  var mention: MentionedID?
  var since: Moment?
  var until: Moment?
  /// The most records that are wanted.
  public var limit = Int.max
  /// How many of the records that fit are wanted at most, the newest of them; `nil` for all.
  public var newest: UInt64?

  /// Shows the chosen records in order.
  ///
  /// - Parameters:
  ///   - storage: The log.
  ///   - body: Takes each record; answers whether to go on.
  /// - Complexity: O(records of the range), those decoded whose envelopes fit; of the newest only,
  ///   O(records from the end of the range to the first of them).
  /// - Throws: `damaged` with the sequence of a record that cannot be read.
  public func forEach(
    in storage: LogStorage, _ body: (RecordDescription) throws(StoreError) -> Bool
  ) throws(StoreError) {
    var left = limit
    guard left > 0, first <= last else { return }
    if let newest {
      let (found, failure) = newestRecords(newest, in: storage)
      for record in found.prefix(limit) where !Output.hasEnded {
        guard try body(record) else { return }
      }
      if let failure { throw failure }
      return
    }
    try forEachFitting(in: storage, from: first, through: last) { record throws(StoreError) in
      left -= 1
      return try body(record) && left > 0 && !Output.hasEnded
    }
  }

  private func forEachFitting(
    in storage: LogStorage, from first: UInt64, through last: UInt64,
    _ body: (RecordDescription) throws(StoreError) -> Bool
  ) throws(StoreError) {
    try RecordDescription.forEach(
      in: storage, from: first, through: last, where: accepts
    ) { record throws(StoreError) in try accepts(record) ? body(record) : true }
  }

  /// How many records are looked at together, from the end on.
  private static var stretch: UInt64 { 4_096 }

  /// The newest records that fit, in order, and why there are not more of them, if records could
  /// not be read.
  private func newestRecords(
    _ count: UInt64, in storage: LogStorage
  ) -> (found: [RecordDescription], failure: StoreError?) {
    var found: [[RecordDescription]] = []
    var missing = Int(clamping: count)
    var end = last
    while missing > 0 {
      let start = max(first, end - min(end, Self.stretch - 1))
      var records: [RecordDescription] = []
      do throws(StoreError) {
        try forEachFitting(in: storage, from: start, through: end) { record in
          records.append(record)
          return true
        }
      } catch {
        // What lies behind the damage was found before.
        return (found.reversed().flatMap { $0 }, error)
      }
      found.append(records.suffix(missing))
      missing -= found[found.count - 1].count
      guard start > first else { break }
      end = start - 1
    }
    return (found.reversed().flatMap { $0 }, nil)
  }

  /// Prints the chosen records in order, one on a line.
  ///
  /// - Parameters:
  ///   - storage: The log.
  ///   - asJSON: Whether each is printed as an object.
  /// - Complexity: As ``forEach(in:_:)``.
  /// - Throws: `damaged` with the sequence of a record that cannot be read.
  public func print(in storage: LogStorage, asJSON: Bool) throws(ToolFailure) {
    Output.collect()
    do throws(StoreError) {
      try forEach(in: storage) { record in
        if asJSON { Output.print(record.json) } else { Output.print(record.line) }
        return true
      }
    } catch {
      throw ToolFailure(error)
    }
  }

  /// Whether the envelope of a record fits.
  public func accepts(_ envelope: Envelope) -> Bool {
    (session == nil || envelope.session == session)
      && (kind == nil || envelope.kind == kind)
      && (action == nil || envelope.kind == .action)
      && since.map { envelope.moment >= $0 } ?? true && until.map { envelope.moment < $0 } ?? true
  }

  /// Whether what is in a record fits, its envelope aside.
  public func accepts(_ record: RecordDescription) -> Bool {
    if let action {
      guard let name = record.action, name == action || name.hasPrefix(action + ".") else {
        return false
      }
    }
    if let mention {
      guard record.mentions(mention.type, mention.id) else { return false }
    }
    return true
  }
}
