import RetraceArchitecture
import RetraceLog
import RetraceStorage

/// What sessions that ended with their process left behind.
extension Engine {
  /// Appends a `crashed` record for each batch that a dead session was reducing when its process
  /// ended and that the log lacks, and removes the attempt files of dead sessions.
  ///
  /// The records belong to this session, which found them. What is left is looked for under the
  /// write lock, and so is what was recorded: of several processes that find the same, one records
  /// it. The records are durable before the files go, so that an end in between repeats nothing.
  ///
  /// - Returns: The sequences of the records appended.
  mutating func settle(in storage: LogStorage) throws(StoreError) -> [UInt64] {
    guard try !storage.leftAttempts().isEmpty else { return [] }
    var time = Self.turnTimeMin
    while true {
      var next = committed
      var sequences: [UInt64] = []
      var isCaughtUp = false
      do throws(StoreError) {
        try storage.appendDirectly { (appender: inout LogAppender) throws(StoreError) in
          isCaughtUp = try self.catchUp(to: appender.head, within: time, in: storage)
          guard isCaughtUp else { return }
          next = committed
          sequences = try self.appendCrashed(in: storage, &next, &appender)
        }
      } catch {
        if committed.session == nil { try? leaveSession(in: storage) }
        throw error
      }
      guard isCaughtUp else {
        try gainOnOthers(in: storage)
        time = min(time * 2, 1 << 40)
        continue
      }
      if next.fold.sequence > committed.fold.sequence { committed = next }
      try storage.removeLeftAttempts()
      // This session may have the number of one that died before its first commit.
      if attempt == nil, let session = heldSession {
        try storage.removeAttempt(session: session)
      }
      return sequences
    }
  }

  private mutating func appendCrashed(
    in storage: LogStorage, _ next: inout Progress, _ appender: inout LogAppender
  ) throws(StoreError) -> [UInt64] {
    var sequences: [UInt64] = []
    for attempt in try storage.leftAttempts() {
      guard var crashed = try storage.unrecordedCrash(of: attempt) else { continue }
      if let json = attempt.attempt?.newSchema, !json.isEmpty {
        // Its number went with the group, and may be another's by now.
        crashed.schema = try appender.schemaNumber(json: json)
      }
      let schema = try appender.schemaNumber(json: identity.actionSchema)
      if next.session == nil {
        try openSession(&next, &appender, schema: schema, at: nil, in: storage)
      }
      let answers = attempt.crashedAnswer
      let envelope = Envelope(
        session: next.session ?? 0, moment: configuration.clock(), schema: schema,
        cause: answers?.cause)
      let sequence = try appender.append(crashed, envelope)
      next.fold.pass(sequence)
      sequences.append(sequence)
      if let id = answers, try storage.hasCrashed(onAnswersOf: id.cause) {
        // Once may have been a kill. A leaf that answers the same again would end every program.
        let end = LeafEnd(
          id: id, outcome: .failed, error: "Programs ended twice while they reduced the answer.")
        _ = try end.append(
          to: &next.fold, &appender, session: next.session ?? 0, at: envelope.moment,
          schema: schema)
      }
    }
    return sequences
  }
}
