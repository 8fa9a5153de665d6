import Retrace
import RetraceLMDB
import RetraceSystem

/// Appends the records of one log to a new one, under the same sequences.
///
/// Payloads of an older format version are converted to the current one. The idempotency keys are
/// rebuilt from the records.
struct RecordCopier: ~Copyable {
  private struct Record: Sendable {
    var envelope: Envelope
    var payload: [UInt8]
  }

  /// A batch with an idempotency key, to which more records may be added.
  private struct OpenKeyedBatch: Sendable {
    var key: [UInt8]
    var sequences: Range<UInt64>
    private(set) var hasCommand = false
    private var hasher = SHA256Hasher()

    init(key: [UInt8], at sequence: UInt64) {
      self.key = key
      sequences = sequence..<sequence
    }

    /// Adds a record whose payload the digest does not cover.
    mutating func addRecord() { sequences = sequences.lowerBound..<sequences.upperBound + 1 }

    mutating func add(command: [UInt8]) {
      hasCommand = true
      let prefix = KeyedBatch.commandPrefix
      hasher.update(prefix.span)
      add(command.span)
    }

    /// Adds a record with the bytes that the digest covers.
    mutating func add(_ payload: Span<UInt8>) {
      var length = AvroWriter(capacity: 4)
      length.littleEndian(UInt32(payload.count))
      hasher.update(length.bytes.span)
      hasher.update(payload)
      addRecord()
    }

    var stored: KeyedBatch {
      KeyedBatch(sequences: sequences, digest: KeyedBatch.digest(hasher))
    }
  }

  private static var groupBytes: Int { 4 << 20 }

  private let destination: LogStorage
  private let version: UInt8
  /// The schemas that are not stored yet; the first transaction stores them.
  private var schemas: [UInt32: String]
  private var records: [Record] = []
  private var bytes = 0
  private var keyed: OpenKeyedBatch?
  private var keys: [(key: [UInt8], batch: KeyedBatch)] = []

  /// Creates a copier into an empty store.
  ///
  /// - Parameter schemas: The JSON of the log's schemas by number.
  init(into destination: LogStorage, from version: UInt8, schemas: [UInt32: String]) {
    self.destination = destination
    self.version = version
    self.schemas = schemas
  }

  /// Appends the next record.
  ///
  /// - Throws: ``StoreError``; `damaged` if the payload is invalid for its version.
  mutating func append(_ envelope: Envelope, _ payload: Span<UInt8>) throws(StoreError) {
    // Flush before adding the record. A transaction without records is not committed, so the last
    // transaction needs a record, or the remaining keys would not be stored.
    if bytes >= Self.groupBytes { try flush() }
    if envelope.startsBatch { finishBatch() }
    if let key = envelope.key {
      keyed = OpenKeyedBatch(key: key, at: envelope.sequence)
    }
    if keyed != nil { try addToKeyedBatch(envelope, payload) }
    records.append(Record(envelope: envelope, payload: try converted(payload, of: envelope)))
    bytes += payload.count
  }

  /// Appends the remaining records; all are on disk when this returns.
  mutating func finish() throws(StoreError) {
    finishBatch()
    try flush()
  }

  /// Adds a record to the batch with a key.
  ///
  /// The digest covers the command of a batch, because its sender does not know the facts; in a
  /// batch without a command it covers the actions. Other records, such as the end of an effect,
  /// do not belong to the batch's sequences.
  private mutating func addToKeyedBatch(
    _ envelope: Envelope, _ payload: Span<UInt8>
  ) throws(StoreError) {
    switch envelope.kind {
    case .command:
      do throws(AvroError) {
        let record = try RecordedCommand(encoded: payload, version: version)
        keyed?.add(command: record.command.bytes)
      } catch {
        throw StoreError.damaged(
          sequence: envelope.sequence, detail: "its payload cannot be decoded: \(error)")
      }
    case .action where keyed?.hasCommand == true: keyed?.addRecord()
    case .action: keyed?.add(payload)
    default: break
    }
  }

  private mutating func finishBatch() {
    guard let batch = keyed.take(), !batch.sequences.isEmpty else { return }
    keys.append((batch.key, batch.stored))
  }

  private mutating func flush() throws(StoreError) {
    guard !records.isEmpty else { return }
    let (schemas, records, keys) = (self.schemas, self.records, self.keys)
    let limit = KeyedBatch.keysMax
    try destination.append { (appender) throws(StoreError) in
      for (number, json) in schemas { try appender.store(schema: json, number: number) }
      for record in records {
        try appender.append(record.envelope, payload: record.payload.span)
      }
      for (key, batch) in keys { try appender.note(key: key, of: batch, keeping: limit) }
    }
    (self.schemas, self.records, self.keys, bytes) = ([:], [], [], 0)
  }

  private func converted(
    _ payload: Span<UInt8>, of envelope: Envelope
  ) throws(StoreError) -> [UInt8] {
    guard version != LogFormat.version else { return payload.indices.map { payload[$0] } }
    do throws(AvroError) {
      switch envelope.kind {
      case .sessionOpened:
        return try SessionOpened(encoded: payload, version: version).encoded()
      case .sessionClosed:
        return try SessionClosed(encoded: payload, version: version).encoded()
      default: return payload.indices.map { payload[$0] }
      }
    } catch {
      throw StoreError.damaged(
        sequence: envelope.sequence, detail: "its payload cannot be decoded: \(error)")
    }
  }
}
