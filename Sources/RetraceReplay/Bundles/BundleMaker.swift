import Retrace
import RetraceBundle
package import RetraceStorage
import RetraceSystem

/// Makes the bundle of a whole log.
///
/// The log is folded, and the changed log beside it, so that the bundle has the state hashes of
/// what it holds. Effects are not run.
package final class BundleMaker<App: ReplayableApp> {
  private let options: BundleOptions
  private var redactor: ValueRedactor
  private let finder: DraftFinder<App.State>
  private var codecs: [UInt32: SchemaCodec] = [:]
  /// The fold of the log.
  private var original: RecordFold<App>
  /// The fold of the changed log, once a value was changed.
  private var changed: RecordFold<App>?
  /// Folds the changed log.
  private var single = SingleRecords(startingAt: 1)
  private var blocks: LogBlocks<SHA256Hasher>
  private var zones: Set<String> = []
  /// Whether the records differ from those of the log.
  private var differs = false
  private let identity: StoreID
  private var writer = AvroWriter(capacity: 4_096)

  private init(
    _ options: BundleOptions, _ seams: WordSeams, _ plan: DecodingPlan<App>, of store: StoreID
  ) throws(StoreError) {
    self.options = options
    redactor = ValueRedactor(
      TextRedactor(key: options.key, keeping: App.publicWords, seams: seams),
      keeping: App.publicTexts + options.allowed, hiding: App.privateTexts,
      reading: App.expressionTexts, offering: App.offeredTexts, isPlain: options.isPlain)
    do throws(AvroError) {
      finder = try DraftFinder()
    } catch {
      throw StoreError.encodingMismatch(error)
    }
    original = RecordFold(plan: plan)
    // Two plain bundles of one log are the same; two others cannot be told to be of one log.
    let seed = (options.isPlain ? Array("retrace.bundle".utf8) : options.key) + store.bytes
    let digest = SHA256Hasher.digest(of: seed.span)
    identity = StoreID(digest.word0, digest.word1)
    blocks = LogBlocks(store: identity)
  }

  /// Makes the bundle of a log.
  ///
  /// - Parameters:
  ///   - storage: The log; it is verified first.
  ///   - last: The last record of the bundle, which ends a batch; `nil` for that of the log.
  ///   - options: What becomes of texts.
  ///   - zoneFile: Returns the bytes of the file of a time zone by its id, if there is one.
  /// - Complexity: O(records), each hashed, decoded and reduced; twice after the first text that is
  ///   replaced, and all of it twice if a word is within another one. Memory for the bundle, twice.
  /// - Throws: `damaged` if the log does not verify; `incompatible` if this build cannot fold it;
  ///   `invalidRecord` if a text cannot be replaced.
  package static func make(
    of storage: LogStorage, through last: UInt64? = nil, _ options: BundleOptions,
    zoneFile: (String) -> [UInt8]?
  ) throws(StoreError) -> MadeBundle {
    try storage.withReadView { (view) throws(StoreError) in
      try view.verify()
      let last = min(last ?? .max, view.head.sequence)
      var maker = try made(of: view, through: last, options, WordSeams())
      let seams = WordSeams(of: maker.redactor.words)
      if !seams.isEmpty { maker = try made(of: view, through: last, options, seams) }
      return try maker.finish(
        view, of: storage.bundle?.header, through: last, zoneFile: zoneFile)
    }
  }

  private static func made(
    of view: borrowing ReadView, through last: UInt64, _ options: BundleOptions, _ seams: WordSeams
  ) throws(StoreError) -> BundleMaker {
    let maker = try BundleMaker(options, seams, try view.plan(for: App.self), of: view.storeID)
    guard last > 0 else { return maker }
    try view.scan(foldingBy: App.reducerFingerprint, from: 1, through: last) {
      record throws(StoreError) in try maker.add(record, of: view)
    }
    return maker
  }
}

// MARK: - The records

extension BundleMaker {
  /// Adds a record, with what may not leave removed or replaced.
  private func add(
    _ record: borrowing RecordCursor, of view: borrowing ReadView
  ) throws(StoreError) {
    let before = original
    try view.fold(record, into: &original)
    var envelope = record.envelope
    let payload = [UInt8](copying: record.payload)
    let bytes = try replaced(record, after: before.fold.state, in: view)
    if bytes != payload {
      differs = true
      if changed == nil, envelope.kind == .action {
        changed = before
        single = SingleRecords(startingAt: envelope.sequence)
      }
    }
    if let key = envelope.key, !options.isPlain, !key.starts(with: Self.ownKeyPrefix) {
      envelope.key = redactor.redactor.redacted(key)
      differs = true
    }
    try foldChanged(&envelope, bytes)
    try append(envelope, bytes)
    if envelope.kind == .action { noteZones() }
  }

  private func append(_ envelope: Envelope, _ payload: [UInt8]) throws(StoreError) {
    do throws(LogError) {
      try blocks.append(envelope, payload)
    } catch {
      throw StoreError(error, in: "a bundle")
    }
  }

  /// The start of the idempotency keys that a store makes, which have no text of the user.
  private static var ownKeyPrefix: [UInt8] { Array("retrace.".utf8) }

  /// Folds a record of the changed log, and replaces its state hash.
  ///
  /// Where the log does not have the hash of its state, the changed log has not either.
  private func foldChanged(
    _ envelope: inout Envelope, _ payload: [UInt8]
  ) throws(StoreError) {
    guard var fold = changed.take() else { return }
    let recorded = envelope.recordedHash
    envelope.recordedHash = nil
    try single.fold(envelope, payload, into: &fold)
    if let recorded {
      let isRight = recorded.matches(
        StateHasher.hash(&original.fold.state, with: SHA256Hasher.self, &writer))
      var hash = StateHasher.hash(&fold.fold.state, with: SHA256Hasher.self, &writer)
      if !isRight { hash = SHA256Hasher.digest(of: hash.bytes.span) }
      switch recorded {
      case .whole: envelope.recordedHash = .whole(hash)
      case .short: envelope.recordedHash = RecordedStateHash(shortOf: hash)
      }
    }
    changed = fold
  }

  private func noteZones() {
    let state = changed?.fold.state ?? original.fold.state
    for scene in App.scenes(in: state) {
      if let seen = App.seen(of: scene, in: state) { zones.insert(seen.zone) }
    }
  }
}

// MARK: - The payloads

extension BundleMaker {
  /// Returns the payload of a record with what may not leave removed or replaced.
  ///
  /// - Parameters:
  ///   - record: The record.
  ///   - state: The state before it.
  private func replaced(
    _ record: borrowing RecordCursor, after state: App.State, in view: borrowing ReadView
  ) throws(StoreError) -> [UInt8] {
    let (sequence, schema) = (record.sequence, record.envelope.schema)
    switch record.kind {
    case .action:
      let bytes = [UInt8](copying: record.payload)
      return try replaced(
        Encoded(bytes: bytes, schema: schema, sequence: sequence), as: App.Action.self,
        from: state, in: view)
    case .command:
      return try replaced(record.storedPayload(as: RecordedCommand.self), at: sequence, in: view)
    case .sessionOpened:
      var opened = try record.storedPayload(as: SessionOpened.self)
      zones.insert(opened.zone)
      if let origin = opened.origin {
        opened.origin = SessionOrigin(
          login: "", host: "", process: 0, isClockFixed: origin.isClockFixed)
      }
      return opened.encoded()
    case .sessionClosed:
      return try record.storedPayload(as: SessionClosed.self).encoded()
    case .effectFinished:
      var finished = try record.storedPayload(as: EffectFinished.self)
      finished.error = redactor.redacted(
        finished.error, at: redactor.root("\(EffectFinished.recordedName).error"))
      return finished.encoded()
    case .crashed:
      var crash = try record.storedPayload(as: Crashed.self)
      for index in crash.actions.indices {
        crash.actions[index] = try replaced(
          Encoded(bytes: crash.actions[index], schema: crash.schema, sequence: sequence),
          as: App.Action.self, from: nil, in: view)
      }
      return crash.encoded()
    case .clockJumped: return [UInt8](copying: record.payload)
    }
  }

  /// A value with the number of its schema in the log, and the record that has it.
  private struct Encoded {
    var bytes: [UInt8]
    var schema: UInt32
    var sequence: UInt64
  }

  private func replaced(
    _ command: RecordedCommand, at sequence: UInt64, in view: borrowing ReadView
  ) throws(StoreError) -> [UInt8] {
    var command = command
    command.command.bytes = try replaced(
      Encoded(
        bytes: command.command.bytes,
        schema: LogFormat.commandSchemaNumber(command.command.schema), sequence: sequence),
      as: App.Command.self, from: nil, in: view)
    if let refusal = command.refusal {
      command.refusal?.bytes = try replaced(
        Encoded(
          bytes: refusal.bytes, schema: LogFormat.commandSchemaNumber(refusal.schema),
          sequence: sequence),
        as: App.Refusal.self, from: nil, in: view)
    }
    return command.encoded()
  }

  /// Returns a value with its texts replaced.
  ///
  /// - Parameters:
  ///   - encoded: The value.
  ///   - type: The type in this build, by which a changed value is brought into its canonical form.
  ///   - state: The state before the action that the value is.
  private func replaced<Value: Recordable>(
    _ encoded: Encoded, as type: Value.Type, from state: App.State?, in view: borrowing ReadView
  ) throws(StoreError) -> [UInt8] {
    let codec = try codec(encoded, in: view)
    let counts = redactor.replaced
    let own = codec.schema == Value.schema
    do throws(AvroError) {
      let value = try codec.decode(encoded.bytes.span)
      var draft: EditedDraft?
      if let state, let edit = DraftFinder<App.State>.edit(in: value) {
        draft = finder.draft(from: state, to: original.fold.state, by: edit, redactor)
      }
      let result = redactor.redacted(
        value, at: redactor.root(Value.recordedName), edit: draft)
      if redactor.replaced == counts { return encoded.bytes }
      var bytes = AvroWriter(capacity: encoded.bytes.count + 16)
      try codec.encode(result, into: &bytes)
      guard own else { return bytes.bytes }
      var reader = AvroReader(resolved: bytes.span, inputByteCount: encoded.bytes.count)
      let read = try Value(decoding: &reader)
      try reader.finish()
      return read.encoded()
    } catch {
      throw Self.unreplaceable(
        encoded.sequence, error,
        fields: redactor.replaced.filter { counts[$0.key] != $0.value }.map { $0.key })
    }
  }

  private func codec(
    _ encoded: Encoded, in view: borrowing ReadView
  ) throws(StoreError) -> SchemaCodec {
    if let known = codecs[encoded.schema] { return known }
    let schema = try view.parsedSchema(encoded.schema, of: encoded.sequence)
    do throws(AvroError) {
      let codec = try SchemaCodec(schema)
      codecs[encoded.schema] = codec
      return codec
    } catch {
      throw StoreError.damaged(sequence: encoded.sequence, schema: error)
    }
  }

  private static func unreplaceable(
    _ sequence: UInt64, _ error: AvroError, fields: [String]
  ) -> StoreError {
    let names = fields.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    return StoreError(
      .invalidRecord, what: "No bundle was made.",
      why: "Record \(sequence) is not valid after its texts were replaced: \(error).",
      advice: names.isEmpty
        ? "Verify the log: it may be damaged."
        : "Keep the texts of one of these fields: \(names.joined(separator: ", ")).")
  }
}

// MARK: - The file

extension BundleMaker {
  private func finish(
    _ view: borrowing ReadView, of source: BundleHeader?, through last: UInt64,
    zoneFile: (String) -> [UInt8]?
  ) throws(StoreError) -> MadeBundle {
    // What was done to a bundle before is done to a bundle of it.
    var header =
      source ?? BundleHeader(app: App.name, store: view.storeID, contents: .original)
    if differs {
      let isRedacted = header.contents == .redacted || !options.isPlain
      header.store = identity
      header.contents =
        isRedacted || !redactor.replaced.isEmpty ? .redacted : .anonymous
      header.allowed = options.allowed
    } else {
      try keepOriginal(view, through: last)
    }
    header.logVersion = LogFormat.version
    if !options.message.isEmpty { header.message = options.message }
    let head = blocks.finish()
    var file = BundleWriter<SHA256Hasher>(header)
    try Self.appendSchemas(of: view, to: &file)
    var found: [(id: String, hasFile: Bool)] = []
    for zone in zones.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
      let bytes = zoneFile(zone)
      if let bytes { file.append(zoneFile: bytes, name: zone) }
      found.append((zone, bytes != nil))
    }
    for block in blocks.finished { file.append(block: block.bytes.span, first: block.first) }
    file.finish(head)
    var bytes: [UInt8] = []
    file.drain { part in bytes += [UInt8](copying: part) }
    return MadeBundle(
      header: header, bytes: bytes,
      replaced: redactor.replaced.map { ($0.key, $0.value) }
        .sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) },
      zones: found)
  }

  /// Makes the blocks again, with the identity of the store: those of a log to which nothing was
  /// done.
  private func keepOriginal(
    _ view: borrowing ReadView, through last: UInt64
  ) throws(StoreError) {
    blocks = LogBlocks(store: view.storeID)
    guard last > 0 else { return }
    try view.scan(from: 1, through: last) { record throws(StoreError) in
      try append(record.envelope, [UInt8](copying: record.payload))
    }
  }

  private static func appendSchemas(
    of view: borrowing ReadView, to file: inout BundleWriter<SHA256Hasher>
  ) throws(StoreError) {
    for kind in [BundleSchemaKind.action, .command] {
      var number: UInt32 = 1
      while let json = try view.schema(
        kind == .action ? number : LogFormat.commandSchemaNumber(number))
      {
        file.append(schema: json, kind: kind, number: number)
        number += 1
      }
    }
    var composer = SchemaComposer()
    file.append(
      schema: App.State.stateSchema(in: &composer).text, kind: .state, number: 1)
  }
}
