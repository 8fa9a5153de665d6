import RetraceLog
import RetraceStorage
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
}
