import RetraceArchitecture
public import RetraceLog
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

  /// Shows the chosen records in order.
  ///
  /// - Parameters:
  ///   - storage: The log.
  ///   - body: Takes each record; answers whether to go on.
  /// - Complexity: O(records of the range), those decoded whose envelopes fit.
  /// - Throws: `damaged` with the sequence of a record that cannot be read.
  public func forEach(
    in storage: LogStorage, _ body: (RecordDescription) throws(StoreError) -> Bool
  ) throws(StoreError) {
    var left = limit
    guard left > 0, first <= last else { return }
    try RecordDescription.forEach(
      in: storage, from: first, through: last, where: accepts
    ) { record throws(StoreError) in
      guard accepts(record) else { return true }
      left -= 1
      return try body(record) && left > 0 && !Output.hasEnded
    }
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
