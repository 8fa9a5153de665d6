import RetraceAvro
public import RetraceArchitecture
public import RetraceLog
public import RetraceStorage

/// One session of a log: one opening of the store for writing.
public struct SessionSummary: Sendable {
  /// The number of the session: the sequence of its `sessionOpened`.
  public var number: UInt64
  /// What the session said of itself.
  public var opened: SessionOpened
  /// When it was opened.
  public var openedAt: Moment
  /// The number of its actions.
  public var actions: UInt64 = 0
  /// The sequence of its last record.
  public var last: UInt64
  /// Whether it was closed in order.
  public var isClosed = false
  /// The sequences of the records of its batches that crashed.
  public var crashed: [UInt64] = []

  /// All sessions of a log in order.
  ///
  /// - Complexity: O(records).
  /// - Throws: `damaged` with the sequence of a record that cannot be read.
  public static func all(in storage: LogStorage) throws(StoreError) -> [SessionSummary] {
    var sessions: [SessionSummary] = []
    var places: [UInt64: Int] = [:]
    try storage.withSnapshot { (snapshot) throws(StoreError) in
      guard snapshot.head.sequence > 0 else { return }
      try snapshot.forEachRecord(from: 1, through: snapshot.head.sequence) {
        (envelope, payload) throws(StoreError) in
        if envelope.kind == .sessionOpened {
          guard let opened = try? SessionOpened(encoded: payload) else {
            throw StoreError.damaged(sequence: envelope.sequence, detail: "session record")
          }
          places[envelope.session] = sessions.count
          sessions.append(
            SessionSummary(
              number: envelope.session, opened: opened, openedAt: envelope.moment,
              last: envelope.sequence))
        }
        guard let place = places[envelope.session] else { return }
        sessions[place].last = envelope.sequence
        switch envelope.kind {
        case .action: sessions[place].actions += 1
        case .sessionClosed: sessions[place].isClosed = true
        case .crashed:
          // A session whose first batch crashed was never opened; the one that found it shows it.
          let dead = (try? Crashed(encoded: payload))?.session ?? envelope.session
          sessions[places[dead] ?? place].crashed.append(envelope.sequence)
        default: break
        }
      }
    }
    return sessions
  }
}
