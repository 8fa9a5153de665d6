import RetraceArchitecture
import RetraceAvro
import RetraceLMDB
import RetraceLog
import RetraceState
import RetraceStorage
import RetraceSystem
import Testing
import ToolTestSupport

/// Gives a test a directory of its own, which is removed.
func withDirectory<R>(_ body: (String) throws -> R) throws -> R {
  let directory = try FileSystem.makeTemporaryDirectory("retrace-storage-")
  defer { try? FileSystem.removeTree(directory) }
  return try body(directory)
}

/// The error of a closure that has to throw a ``StoreError``.
func storeError<R>(_ body: () throws(StoreError) -> R) -> StoreError? {
  do throws(StoreError) {
    _ = try body()
    return nil
  } catch {
    return error
  }
}

/// Writes bytes into a file at a position, or at its end.
func overwrite(_ path: String, at offset: Int, with bytes: [UInt8]) throws {
  let file = try OpenFile.open(path, [.read, .write])
  try file.write(bytes.span, at: offset)
}

/// A record of a test log: its text, and when.
struct Note: Equatable {
  var text: [UInt8]
  var moment: Int64
}

extension LogStorage {
  /// Appends notes as actions of one batch, in a session that the first batch opens.
  @discardableResult
  func write(_ notes: [Note]) throws(StoreError) -> UInt64 {
    try append { appender throws(StoreError) in
      let schema = try appender.schemaNumber(json: "\"bytes\"")
      var session: UInt64 = 1
      if appender.head.sequence == 0 {
        session = try appender.append(
          SessionOpened(
            app: "test", build: "1",
            actionSchema: Schema.bytes.fingerprint(with: SHA256Hasher.self), stateSchema: .zero,
            reducer: .zero, scene: nil, zone: "UTC", zoneDatabase: ""),
          Envelope(
            session: 1, moment: Moment(microseconds: notes.first?.moment ?? 0), schema: schema))
      }
      var first = true
      for note in notes {
        let envelope = Envelope(
          session: session, moment: Moment(microseconds: note.moment), schema: schema,
          startsBatch: first)
        try appender.append(envelope, payload: note.text.span)
        first = false
      }
      return appender.nextSequence - 1
    }
  }

  /// The notes that are in the log.
  func notes() throws(StoreError) -> [Note] {
    try withReadView { view throws(StoreError) in
      var notes: [Note] = []
      try view.forEachRecord(from: 1, through: view.head.sequence) {
        envelope, payload throws(StoreError) in
        guard envelope.kind == .action else { return }
        notes.append(
          Note(
            text: [UInt8](payload), moment: envelope.moment.microseconds))
      }
      return notes
    }
  }

  /// A check of the whole log.
  func report() throws(StoreError) -> LogReport {
    try withReadView { view throws(StoreError) in
      try view.verifyLog(with: SHA256Hasher.self)
    }
  }
}

/// Notes with texts of random lengths.
func randomNotes(_ count: Int, using dice: inout some RandomNumberGenerator) -> [Note] {
  (0..<count).map { _ in
    let long = Int.random(in: 0..<200, using: &dice) == 0
    let length = Int.random(in: long ? 15_000...40_000 : 0...300, using: &dice)
    return Note(
      text: (0..<length).map { _ in UInt8.random(in: 0...255, using: &dice) },
      moment: Int64.random(in: -1_000_000...1_000_000, using: &dice))
  }
}
