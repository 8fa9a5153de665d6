import Retrace
import RetraceStorage
import RetraceToolCommands
import RetraceToolSupport

/// Describes records outside a scan of the log.
struct RecordReader {
  private let storage: LogStorage
  private var codecs = PayloadCodecs()
  private var clocks = RecordClocks()
  /// The users of the sessions that were met.
  private var users: [UInt64: String] = [:]

  init(_ storage: LogStorage) { self.storage = storage }

  /// Returns the description of a record.
  ///
  /// - Complexity: O(size of the record), and O(records from the latest earlier one with a known
  ///   real time).
  /// - Throws: `damaged` if the payload does not match its schema.
  mutating func description(
    _ envelope: Envelope, _ payload: [UInt8]
  ) throws(StoreError) -> RecordDescription {
    try storage.withReadView { (view) throws(StoreError) in
      let clock = try clocks.remark(on: envelope, in: view)
      return try RecordDescription(envelope, payload.span, clock: clock, &codecs, in: view)
    }
  }

  /// Returns the user and the machine of a session, such as `anna@desk`; empty if unknown.
  ///
  /// - Complexity: O(bytes of one block) for a session that was not met before, else O(1).
  /// - Throws: `damaged` if the first record of the session cannot be read.
  mutating func user(of session: UInt64) throws(StoreError) -> String {
    if let known = users[session] { return known }
    let user = try storage.withReadView { (view) throws(StoreError) in
      try view.withRecord(at: session) { record in
        (try? record.systemPayload(as: SessionOpened.self))?.origin?.user ?? ""
      }
    }
    users[session] = user
    return user
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
        let clock = try clocks.remark(on: envelope, in: view)
        command = try RecordDescription(envelope, payload, clock: clock, &codecs, in: view)
      }
      return command
    }
  }
}

extension SessionOrigin {
  /// The user and the machine, such as `anna@desk`.
  fileprivate var user: String { host.isEmpty ? login : "\(login)@\(host)" }
}
