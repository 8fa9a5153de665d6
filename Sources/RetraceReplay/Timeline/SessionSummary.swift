public import Retrace
public import RetraceStorage

/// One session of a log: one opening of the store for writing.
///
/// ```swift
/// let sessions: [SessionSummary] = try SessionSummary.all(in: storage)
/// print(sessions.filter { !$0.isClosed }.map(\.number))
/// ```
public struct SessionSummary: Sendable {
  /// The number of the session: the sequence of its `sessionOpened`.
  public var number: UInt64
  /// The content of its `sessionOpened`.
  public var opened: SessionOpened
  /// The moment of the opening.
  public var openedAt: Moment
  /// A remark on the moment of the opening, if there is one.
  package var clock: RecordClocks.Remark?
  /// The number of its actions.
  public var actions: UInt64 = 0
  /// The sequence of its last record.
  public var last: UInt64
  /// The end of the session; `nil` if the log has no record of it.
  ///
  /// The session may still be open, or its process has ended and no other process has recorded that
  /// yet.
  public var end: SessionClosed.Reason?
  /// Whether it was closed properly.
  public var isClosed: Bool { end != nil && end != .foundDead }
  /// Whether one of its actions had an effect.
  public var hadEffects = false
  /// The sequences of the `crashed` records of its batches.
  public var crashed: [UInt64] = []

  /// Returns all sessions of a log in order.
  ///
  /// - Complexity: O(records).
  /// - Throws: `damaged` with the sequence of a record that cannot be read.
  public static func all(in storage: LogStorage) throws(StoreError) -> [SessionSummary] {
    var sessions: [SessionSummary] = []
    var places: [UInt64: Int] = [:]
    var clocks = RecordClocks()
    try storage.withReadView { (view) throws(StoreError) in
      guard view.head.sequence > 0 else { return }
      try view.scan(from: 1, through: view.head.sequence) { record throws(StoreError) in
        let session = record.session
        if record.kind == .sessionOpened {
          let opened = try record.storedPayload(as: SessionOpened.self)
          places[session] = sessions.count
          clocks.origins.note(opened.origin, of: session)
          sessions.append(
            SessionSummary(
              number: session, opened: opened, openedAt: record.moment, last: record.sequence))
        }
        let remark = try clocks.remark(on: record.envelope, in: view)
        guard let place = places[session] else { return }
        if record.kind == .sessionOpened { sessions[place].clock = remark }
        sessions[place].last = record.sequence
        switch record.kind {
        case .action:
          sessions[place].actions += 1
          if record.hasEffect { sessions[place].hadEffects = true }
        case .sessionClosed:
          sessions[place].end = try record.storedPayload(as: SessionClosed.self).reason
        case .crashed:
          // A session whose first batch crashed has no records, so its crash is listed under the
          // session that recorded it.
          let dead = (try? Crashed(encoded: record.payload))?.session ?? session
          sessions[places[dead] ?? place].crashed.append(record.sequence)
        default: break
        }
      }
    }
    return sessions
  }

  /// Returns the effects in flight at the end of a log, by the session whose action caused them.
  ///
  /// - Parameters:
  ///   - app: The app.
  ///   - storage: The log.
  /// - Complexity: O(records after the newest snapshot), plus ``Replayer/namedEffectsInFlight()``.
  /// - Throws: The errors of folding.
  public static func effectsInFlight<App: ReplayableApp>(
    of app: App.Type, in storage: LogStorage
  ) throws(StoreError) -> [UInt64: [EffectInFlight]] {
    var replayer = try Replayer<App>(storage)
    try replayer.seek(to: replayer.last)
    let effects = try replayer.namedEffectsInFlight()
    return try storage.withReadView { (view) throws(StoreError) in
      var found: [UInt64: [EffectInFlight]] = [:]
      for effect in effects {
        let session = try view.withRecord(at: effect.leaf.id.cause) { $0.session }
        found[session, default: []].append(effect)
      }
      return found
    }
  }
}
