package import Retrace
package import RetraceStorage
package import RetraceToolSupport

/// Describes records outside a scan of the log.
package struct RecordReader {
  private let storage: LogStorage
  private var codecs = PayloadCodecs()
  private var clocks = RecordClocks()

  package init(_ storage: LogStorage) { self.storage = storage }

  /// Returns the description of a record.
  ///
  /// - Complexity: O(size of the record), and O(records from the latest earlier one with a known
  ///   real time).
  /// - Throws: `damaged` if the payload does not match its schema.
  package mutating func description(
    _ envelope: Envelope, _ payload: [UInt8]
  ) throws(StoreError) -> RecordDescription {
    try storage.withReadView { (view) throws(StoreError) in
      let clock = try clocks.remark(on: envelope, in: view)
      return try RecordDescription(envelope, payload.span, clock: clock, &codecs, in: view)
    }
  }

  /// Returns the last record of the part of the log that ends at a record or a time.
  ///
  /// Prints a note if the clock was set back over the time.
  ///
  /// - Complexity: As `HistoryEnd.past(in:)`.
  package func last(of end: HistoryEnd) throws(StoreError) -> UInt64 {
    let past = try storage.withReadView { (view) throws(StoreError) in try end.past(in: view) }
    if let note = past.note { Output.standard.printErrorWrapped(note) }
    return past.last
  }

  /// Returns the user and the machine of a session, such as `anna@desk`; empty if unknown.
  ///
  /// - Complexity: O(bytes of one block) for a session that was not met before, else O(1).
  /// - Throws: `damaged` if the first record of the session cannot be read.
  package mutating func user(of session: UInt64) throws(StoreError) -> String {
    try storage.withReadView { (view) throws(StoreError) in
      try clocks.origins.user(of: session, in: view)
    }
  }

  /// Returns a remark on the moment of a record in a list of changes, if there is one.
  ///
  /// - Complexity: As `RecordClocks.remark(onChange:in:)`.
  /// - Throws: `damaged` if a record cannot be read.
  package mutating func remark(onChange envelope: Envelope) throws(StoreError) -> RecordClocks
    .Remark?
  {
    try storage.withReadView { (view) throws(StoreError) in
      try clocks.remark(onChange: envelope, in: view)
    }
  }

  /// Returns the command whose batch contains a record; `nil` if none led to the record.
  ///
  /// - Complexity: O(records of the batch).
  /// - Throws: `damaged` if a record cannot be read.
  package mutating func command(of sequence: UInt64) throws(StoreError) -> RecordDescription? {
    try storage.withReadView { (view) throws(StoreError) in
      let start = try view.lastRecord(in: 1...max(1, sequence)) { $0.startsBatch }
      guard let start, start < sequence else { return nil }
      var command: RecordDescription?
      try view.forEachRecord(from: start, through: start) {
        (envelope, payload) throws(StoreError) in
        guard envelope.kind == .command else { return }
        let clock = try clocks.remark(on: envelope, in: view)
        command = try RecordDescription(envelope, payload, clock: clock, &codecs, in: view)
      }
      return command
    }
  }
}
