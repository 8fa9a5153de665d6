import Retrace
import RetraceBundle

/// A log whose commands are decided again, with some batches left out, moved or edited.
///
/// The outcome is a log of its own in memory. Its sessions are of this build, without login, host
/// and process. Effects do not run: the actions that they sent are kept, unless the record that
/// started the effect is gone.
final class PageWhatIf<App: ReplayableApp> {
  /// A command with another outcome than the recorded one.
  struct Difference {
    var record: UInt64
    /// Its record in the changed log.
    var changed: UInt64
    var isRefused: Bool
    var wasRefused: Bool
  }

  /// How many commands were decided, and what else became of the batches.
  struct Counts {
    var decided = 0
    /// Commands that cannot be decided again, whose facts were kept.
    var kept = 0
    /// Actions of effects that are gone.
    var answersLeftOut = 0
    var differences = 0
  }

  /// The most differences that are listed.
  private static var differencesMax: Int { 200 }
  private static var actionSchema: UInt32 { 1 }
  private static var commandSchema: UInt32 { 1 }
  private static var refusalSchema: UInt32 { 2 }

  /// The schemas of commands and refusals with their numbers; none for an app without commands.
  private static var commandSchemas: [(UInt32, Schema)] {
    App.commandNames.isEmpty
      ? [] : [(commandSchema, App.Command.schema), (refusalSchema, App.Refusal.schema)]
  }

  private let log: PageLog
  private let changes: SessionChanges
  private let store: StoreID
  private var blocks: LogBlocks<SwiftHasher>
  private var fold = Fold<App>()
  private let plan: DecodingPlan<App>
  private var commands = RecordedValues<App.Command>()
  private var refusals = RecordedValues<App.Refusal>()
  /// The first records of the batches, in their new order.
  private let order: [UInt64]
  private var place = 0
  /// The record in the changed log of each record of the log; 0 for none.
  private var places: [UInt64]
  private var last: (session: UInt64, moment: Moment) = (0, Moment(microseconds: 0))
  private(set) var counts = Counts()
  private(set) var differences: [Difference] = []

  init(
    _ request: JSONValue, of log: PageLog, plan: DecodingPlan<App>
  ) throws(PageFailure) {
    self.log = log
    self.plan = plan
    let changes = try SessionChanges(request, in: log)
    self.changes = changes
    order = changes.order(try log.batchStarts())
    places = Array(repeating: 0, count: Int(log.last) + 1)
    // Equal changes of equal logs have equal chains.
    var name = log.bundle.header.store.bytes
    name += Array(request.text().utf8)
    let digest = SwiftHasher.digest(of: name.span)
    let store = StoreID(digest.word0, digest.word1)
    self.store = store
    blocks = LogBlocks(store: store)
  }

  /// Whether all batches were decided.
  var isComplete: Bool { place == order.count }

  /// The number of records of the changed log so far.
  var records: UInt64 { blocks.sequence - 1 }

  /// Returns the record of the changed log for a record of the log, or for the last one before it
  /// that has one; 0 without one.
  func place(of record: UInt64) -> UInt64 {
    var record = Int(min(record, log.last))
    while record > 0, places[record] == 0 { record -= 1 }
    return places[record]
  }

  /// Decides further batches, until as many records were appended.
  func goOn(records: UInt64) throws(PageFailure) {
    let goal = blocks.sequence + max(1, records)
    while place < order.count, blocks.sequence < goal {
      let isMoved = changes.moves.contains { $0.batch == order[place] }
      try append(Batch(log.batch(of: order[place]), of: self, isMoved: isMoved))
      place += 1
    }
  }

  // MARK: - Batches

  /// What a record of a batch is.
  private enum Content {
    case actions([App.Action])
    case command(RecordedCommand)
    case opened(SessionOpened)
    case closed(SessionClosed)
    case finished(EffectFinished)
    /// The record of a crash or of a clock, which changes nothing.
    case other
  }

  private struct Batch {
    var envelopes: [Envelope] = []
    var contents: [Content] = []
    /// The kind of the state hash that the batch has.
    var hash: RecordedStateHash?

    init(
      _ records: ClosedRange<UInt64>, of owner: PageWhatIf, isMoved: Bool
    ) throws(PageFailure) {
      let (log, plan, last) = (owner.log, owner.plan, owner.last)
      var (envelopes, contents): ([Envelope], [Content]) = ([], [])
      try log.forEachRecord(from: records.lowerBound, through: records.upperBound) {
        (record) throws(PageFailure) in
        var envelope = record.envelope
        if isMoved { (envelope.session, envelope.moment) = (last.session, last.moment) }
        envelopes.append(envelope)
        contents.append(try Self.content(of: record, plan))
        return true
      }
      (self.envelopes, self.contents) = (envelopes, contents)
      hash = envelopes.last?.recordedHash
    }

    private static func content(
      of record: borrowing RecordCursor, _ plan: DecodingPlan<App>
    ) throws(PageFailure) -> Content {
      if record.kind == .action {
        do throws(FoldError) {
          return .actions(try plan.actions(of: record) ?? [])
        } catch {
          throw PageFailure(error)
        }
      }
      do throws(AvroError) {
        switch record.kind {
        case .command: return .command(try record.systemPayload(as: RecordedCommand.self))
        case .sessionOpened: return .opened(try record.systemPayload(as: SessionOpened.self))
        case .sessionClosed: return .closed(try record.systemPayload(as: SessionClosed.self))
        case .effectFinished: return .finished(try record.systemPayload(as: EffectFinished.self))
        case .action, .crashed, .clockJumped: return .other
        }
      } catch {
        throw PageFailure("record \(record.sequence) cannot be read: \(error.description)")
      }
    }
  }

  private func append(_ batch: Batch) throws(PageFailure) {
    guard let first = batch.envelopes.first else { return }
    if let cause = first.cause, places[Int(cause)] == 0 {
      counts.answersLeftOut += 1
      return
    }
    if case .command(let recorded) = batch.contents[0] { return try decide(recorded, batch) }
    try keep(batch, from: 0, startsBatch: true)
  }

  /// Appends the records of a batch from an index on as they were recorded.
  private func keep(_ batch: Batch, from start: Int, startsBatch: Bool) throws(PageFailure) {
    var startsBatch = startsBatch
    for index in batch.envelopes.indices.dropFirst(start) {
      var envelope = batch.envelopes[index]
      let isLast = index == batch.envelopes.count - 1
      envelope.startsBatch = startsBatch
      let before = blocks.sequence
      try keep(batch.contents[index], envelope, isLast ? batch.hash : nil)
      if blocks.sequence > before { startsBatch = false }
    }
  }

  private func keep(
    _ content: Content, _ envelope: Envelope, _ hash: RecordedStateHash?
  ) throws(PageFailure) {
    switch content {
    case .actions(var actions):
      if changes.edits.contains(where: { $0.record == envelope.sequence }), actions.count == 1 {
        actions = [try edited(actions[0], of: envelope)]
      }
      try append(actions, envelope, hash, replacing: [envelope.sequence])
    case .opened(var opened):
      opened.build = "\(App.build), what if"
      opened.actionSchema = App.Action.schema.fingerprint(with: SwiftHasher.self)
      var composer = SchemaComposer()
      opened.stateSchema = App.State.stateSchema(in: &composer)
        .fingerprint(with: SwiftHasher.self)
      opened.reducer = App.reducerFingerprint
      opened.origin = nil
      opened.schemas = Self.commandSchemas.map { number, schema in
        NamedSchema(number: number, fingerprint: schema.fingerprint(with: SwiftHasher.self))
      }
      try append(envelope, opened.encoded())
    case .closed(let closed): try append(envelope, closed.encoded())
    case .finished(var finished):
      guard let cause = mapped(finished.id.cause) else { return }
      finished.id.cause = cause
      fold.inFlight.finish(finished.id)
      try append(envelope, finished.encoded())
    case .command, .other: break
    }
  }
}

// MARK: - Commands

extension PageWhatIf {
  private func decide(_ recorded: RecordedCommand, _ batch: Batch) throws(PageFailure) {
    var envelope = batch.envelopes[0]
    guard var command = commands.value(of: recorded.command, in: log),
      App.canDecideAgain(command)
    else { return try keepCommand(recorded, batch) }
    if changes.edits.contains(where: { $0.record == envelope.sequence }) {
      command = try edited(command, of: envelope)
    }
    var decided: [App.Action]?
    var refusal: App.Refusal?
    do throws(App.Refusal) {
      decided = try App._decide(command, on: fold, at: envelope.moment)
    } catch {
      refusal = error
    }
    if decided == nil, refusal == nil { return try keepCommand(recorded, batch) }
    let facts = decided ?? []
    counts.decided += 1
    note(facts, refusal, recorded, batch)
    envelope.startsBatch = true
    try append(envelope, Self.payload(command, refusal, from: recorded.origin).encoded())
    var next = envelope
    (next.kind, next.startsBatch, next.key) = (.action, false, nil)
    try append(
      facts, next, batch.hash, replacing: batch.envelopes.dropFirst().map { $0.sequence })
  }

  private func keepCommand(_ recorded: RecordedCommand, _ batch: Batch) throws(PageFailure) {
    counts.kept += 1
    let envelope = batch.envelopes[0]
    guard let command = commands.value(of: recorded.command, in: log) else {
      return try keep(batch, from: 1, startsBatch: true)
    }
    let refusal = recorded.refusal.flatMap { refusals.value(of: $0, in: log) }
    try append(envelope, Self.payload(command, refusal, from: recorded.origin).encoded())
    try keep(batch, from: 1, startsBatch: false)
  }

  private static func payload(
    _ command: App.Command, _ refusal: App.Refusal?, from origin: RecordedCommand.Origin
  ) -> RecordedCommand {
    RecordedCommand(
      origin: origin,
      command: RecordedCommand.Encoded(schema: commandSchema, bytes: command.encoded()),
      refusal: refusal.map {
        RecordedCommand.Encoded(schema: refusalSchema, bytes: $0.encoded())
      })
  }

  /// Notes a command whose outcome is not the recorded one.
  private func note(
    _ facts: [App.Action], _ refusal: App.Refusal?, _ recorded: RecordedCommand, _ batch: Batch
  ) {
    var before: [[UInt8]] = []
    for case .actions(let actions) in batch.contents.dropFirst() {
      before += actions.map { $0.encoded() }
    }
    let wasRefused = recorded.refusal.flatMap { refusals.value(of: $0, in: log) }
    let isSame =
      refusal?.encoded() == wasRefused?.encoded()
      && (refusal == nil) == (recorded.refusal == nil)
      && facts.map { $0.encoded() } == before
    if isSame { return }
    counts.differences += 1
    guard differences.count < Self.differencesMax else { return }
    differences.append(
      Difference(
        record: batch.envelopes[0].sequence, changed: blocks.sequence,
        isRefused: refusal != nil, wasRefused: recorded.refusal != nil))
  }

  /// Returns a command or an action with its edits.
  private func edited<Value: Recordable>(
    _ value: Value, of envelope: Envelope
  ) throws(PageFailure) -> Value {
    var editable = try EditableValue(value, moments: .shortest)
    for edit in changes.edits where edit.record == envelope.sequence {
      try editable.replace(edit.path, with: edit.text)
    }
    return try editable.value(as: Value.self)
  }

  // MARK: - Records

  /// Folds actions, and appends them.
  ///
  /// - Parameters:
  ///   - actions: The actions.
  ///   - envelope: The envelope of each; of the first one, whether it starts the batch.
  ///   - hash: The kind of the state hash of the last one.
  ///   - records: The records of the log that they replace, in order.
  private func append(
    _ actions: [App.Action], _ envelope: Envelope, _ hash: RecordedStateHash?,
    replacing records: [UInt64]
  ) throws(PageFailure) {
    for (index, action) in actions.enumerated() {
      var envelope = envelope
      envelope.sequence = index < records.count ? records[index] : 0
      envelope.recordedHash = nil
      if index > 0 { (envelope.startsBatch, envelope.key) = (false, nil) }
      let effect = fold.apply(action, at: envelope.moment, sequence: blocks.sequence)
      envelope.hasEffect = !effect.isNone
      if index == actions.count - 1, let hash {
        let state = StateHasher.hash(&fold.state, with: SwiftHasher.self)
        if case .short = hash { envelope.recordedHash = RecordedStateHash(shortOf: state) }
        if case .whole = hash { envelope.recordedHash = .whole(state) }
      }
      try write(envelope, action.encoded())
    }
  }

  /// Appends a record that changes no state.
  private func append(_ envelope: Envelope, _ payload: [UInt8]) throws(PageFailure) {
    var envelope = envelope
    (envelope.recordedHash, envelope.hasEffect) = (nil, false)
    fold.skip(blocks.sequence)
    try write(envelope, payload)
  }

  /// Returns the record in the changed log of a record of the log.
  private func mapped(_ record: UInt64) -> UInt64? {
    guard record < UInt64(places.count), places[Int(record)] > 0 else { return nil }
    return places[Int(record)]
  }

  /// Appends a record, whose envelope has the numbers of the log.
  private func write(_ envelope: Envelope, _ payload: [UInt8]) throws(PageFailure) {
    let record = Int(envelope.sequence)
    if envelope.kind == .sessionOpened { places[record] = blocks.sequence }
    guard let session = mapped(envelope.session) else {
      throw PageFailure("nothing can come before the first session")
    }
    last = (envelope.session, envelope.moment)
    var envelope = envelope
    (envelope.session, envelope.schema) = (session, Self.actionSchema)
    envelope.cause = envelope.cause.flatMap { mapped($0) }
    envelope.key = envelope.key.flatMap { mapped(key: $0) }
    envelope.realTime = nil
    if record > 0 { places[record] = blocks.sequence }
    do throws(LogError) {
      try blocks.append(envelope, payload)
    } catch {
      throw PageFailure(error)
    }
  }

  /// Returns the key of a batch; `nil` for an undo of a command that is gone.
  private func mapped(key: [UInt8]) -> [UInt8]? {
    let undo = Array("retrace.undo/".utf8)
    guard key.starts(with: undo) else { return key }
    let digits = String(decoding: key.dropFirst(undo.count), as: UTF8.self)
    return UInt64(digits).flatMap { mapped($0) }.map { undo + Array("\($0)".utf8) }
  }

  /// Returns the changed log as a bundle.
  ///
  /// - Precondition: All batches were decided; it is called once.
  func bundle() -> [UInt8] {
    let original = log.bundle
    let head = blocks.finish()
    let contents =
      original.header.contents == .original ? .anonymous : original.header.contents
    var writer = BundleWriter<SwiftHasher>(
      BundleHeader(
        app: App.name, store: store, contents: contents, allowed: original.header.allowed))
    var composer = SchemaComposer()
    let state = App.State.stateSchema(in: &composer)
    writer.append(schema: App.Action.schema.text, kind: .action, number: Self.actionSchema)
    for (number, schema) in Self.commandSchemas {
      writer.append(schema: schema.text, kind: .command, number: number)
    }
    writer.append(schema: state.text, kind: .state, number: 1)
    for name in original.zoneNames {
      if let file = original.zoneFile(name) { writer.append(zoneFile: file, name: name) }
    }
    for block in blocks.finished { writer.append(block: block.bytes.span, first: block.first) }
    writer.finish(head)
    var file: [UInt8] = []
    writer.drain { part in file += [UInt8](copying: part) }
    return file
  }
}
