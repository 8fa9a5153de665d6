import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceState
import RetraceStorage
import RetraceFixtures
import ToolTestSupport

/// Faults that a recorder could have, each planted by writing a log again as it would have.
enum MutantRecorder: String, CaseIterable {
  /// Every record begins a batch.
  case splitsBatches
  /// Only the first record of a session begins a batch.
  case joinsBatches
  /// The last record of each batch of several is lost.
  case losesTheLastOfABatch
  /// A moment is never before the one of the record before.
  case clampsMoments
  /// A moment is kept as seconds in 32 bits.
  case keepsMomentsAs32Bits
  /// A moment is kept as whole seconds.
  case roundsMoments
  /// Records are written session by session.
  case groupsSessions
  /// Records that a second session appends between records of the first are lost.
  case losesForeignRecords
  /// No record says that its action had an effect.
  case losesEffectMarks
  /// Only a record whose effect starts something says that it had one.
  case marksEffectsWithLeavesOnly
  /// The end of an effect is not recorded.
  case losesEffectEnds

  /// A record as it stands in the log.
  private struct Item {
    var envelope: Envelope
    var payload: [UInt8]
  }

  /// Writes a log again with the fault; checksums, chain and head are right.
  func copy(_ source: String, to path: String) throws {
    let storage = try LogStorage.open(at: source, access: .read)
    defer { storage.close() }
    var items: [Item] = []
    var schemas: [UInt32: String] = [:]
    try storage.withReadView { (view) throws(StoreError) in
      try view.forEachRecord(from: 1, through: view.head.sequence) {
        (envelope, payload) throws(StoreError) in
        items.append(Item(envelope: envelope, payload: [UInt8](payload)))
        schemas[envelope.schema] = try view.schema(envelope.schema)
      }
    }
    let mutated = mutate(items)
    let texts = schemas.keys.sorted().compactMap { schemas[$0] }
    let copy = try LogStorage.open(at: path, access: .create)
    defer { copy.close() }
    try copy.append { (appender) throws(StoreError) in
      for text in texts { _ = try appender.schemaNumber(json: text) }
      // A session is numbered by its first record, which a lost record before it moves.
      var sessions: [UInt64: UInt64] = [:]
      for item in mutated {
        var envelope = item.envelope
        if envelope.kind == .sessionOpened { sessions[envelope.session] = appender.nextSequence }
        envelope.session = sessions[envelope.session] ?? envelope.session
        try appender.append(envelope, payload: item.payload.span)
      }
    }
  }

  private func mutate(_ items: [Item]) -> [Item] {
    var items = items
    switch self {
    case .splitsBatches:
      for index in items.indices where items[index].envelope.kind == .action {
        items[index].envelope.startsBatch = true
      }
    case .joinsBatches:
      for index in items.indices.dropFirst()
      where items[index].envelope.kind == .action && items[index - 1].envelope.kind == .action {
        items[index].envelope.startsBatch = false
      }
    case .losesTheLastOfABatch:
      let all = items
      items = all.indices.filter { index in
        let isInside = all[index].envelope.kind == .action && !all[index].envelope.startsBatch
        return !isInside || (index + 1 < all.count && !all[index + 1].envelope.startsBatch)
      }.map { all[$0] }
    case .clampsMoments:
      var latest = Moment(microseconds: .min)
      for index in items.indices {
        latest = max(latest, items[index].envelope.moment)
        items[index].envelope.moment = latest
      }
    case .keepsMomentsAs32Bits:
      for index in items.indices {
        let seconds = items[index].envelope.moment.microseconds / 1_000_000
        let kept = Int64(Int32(truncatingIfNeeded: seconds)) * 1_000_000
        let rest = items[index].envelope.moment.microseconds % 1_000_000
        items[index].envelope.moment = Moment(microseconds: kept + rest)
      }
    case .roundsMoments:
      for index in items.indices {
        let whole = items[index].envelope.moment.microseconds / 1_000_000 * 1_000_000
        items[index].envelope.moment = Moment(microseconds: whole)
      }
    case .groupsSessions:
      let sessions = Set(items.map(\.envelope.session)).sorted()
      items = sessions.flatMap { session in items.filter { $0.envelope.session == session } }
    case .losesEffectMarks:
      for index in items.indices { items[index].envelope.hasEffect = false }
    case .marksEffectsWithLeavesOnly:
      for index in items.indices {
        let payload = items[index].payload
        guard let action = try? HouseAction(encoded: payload.span), case .stopped = action
        else { continue }
        items[index].envelope.hasEffect = false
      }
    case .losesEffectEnds:
      // Another record in its place keeps the numbers of the rest.
      for index in items.indices where items[index].envelope.kind == .effectFinished {
        items[index].envelope.kind = .clockJumped
        let moment = items[index].envelope.moment
        items[index].payload = ClockJumped(expected: moment, observed: moment).encoded()
      }
    case .losesForeignRecords:
      let first = items.first?.envelope.session
      guard let end = items.lastIndex(where: { $0.envelope.session == first }) else { break }
      items = items.indices.filter { $0 > end || items[$0].envelope.session == first }
        .map { items[$0] }
    }
    return items
  }
}
