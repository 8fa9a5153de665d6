import Retrace
import RetraceStorage
import RetraceToolCommands
import RetraceToolSupport

/// Describes records outside a scan of the log.
struct RecordReader {
  private let storage: LogStorage
  private var codecs = PayloadCodecs()

  init(_ storage: LogStorage) { self.storage = storage }

  /// Returns the description of a record.
  ///
  /// - Throws: `damaged` if the payload does not match its schema.
  mutating func description(
    _ envelope: Envelope, _ payload: [UInt8]
  ) throws(StoreError) -> RecordDescription {
    try storage.withReadView { (view) throws(StoreError) in
      try RecordDescription(envelope, payload.span, &codecs, in: view)
    }
  }

  /// Returns the command whose batch contains a record; `nil` if none led to the record.
  ///
  /// - Complexity: O(records of the batch).
  /// - Throws: `damaged` if a record cannot be read.
  mutating func command(of sequence: UInt64) throws(StoreError) -> RecordDescription? {
    try storage.withReadView { (view) throws(StoreError) in
      let start = try view.lastRecord(in: 1...max(1, sequence)) { $0.startsBatch }
      guard let start, start < sequence else { return nil }
      var command: RecordDescription?
      try view.forEachRecord(from: start, through: start) {
        (envelope, payload) throws(StoreError) in
        guard envelope.kind == .command else { return }
        command = try RecordDescription(envelope, payload, &codecs, in: view)
      }
      return command
    }
  }
}
