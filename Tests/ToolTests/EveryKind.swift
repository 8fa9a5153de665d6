import RetraceArchitecture
import RetraceAvro
import RetraceFixtures
import RetraceLog
import RetraceRecording
import RetraceState
import RetraceStorage
import ToolTestSupport

/// A log of the kiosk with a record of every kind: commands, refusals, a crashed action, a crashed
/// command, a crashed value whose schema the log lacks, and moments with and without fractions.
enum EveryKind {
  static let moment = Moment(microseconds: 1_772_445_600_000_000)
  /// The user of the first session, whose name a spreadsheet would compute.
  static let login = "=anna"

  /// Records the log in a new store.
  static func record(at path: String) throws {
    var configuration = StoreConfiguration(clock: { moment })
    configuration.origin.login = login
    let store = try Store<KioskApp>.openBlocking(at: path, configuration: configuration)
    try store.performBlocking(.add(name: "tea, \"green\" \u{1F3F4}\u{E0067}\u{E007F}"))
    try store.performBlocking(.restock(KioskItemID(value: 0), count: 9), from: .scene, key: "k")
    _ = try? store.performBlocking(.sell(KioskItemID(value: 7), count: 1), from: .scene)
    try store.closeBlocking()
    try appendRareKinds(to: path)
  }

  /// Appends a session with records that no app appends at will.
  private static func appendRareKinds(to path: String) throws {
    let storage = try LogStorage.open(at: path, access: .write)
    defer { storage.close() }
    var opened: SessionOpened?
    var action: [UInt8] = []
    var command: RecordedCommand.Encoded?
    var schema: UInt32 = 0
    try storage.withReadView { view throws(StoreError) in
      try view.forEachRecord(from: 1, through: view.head.sequence) { envelope, payload in
        schema = envelope.schema
        switch envelope.kind {
        case .sessionOpened: opened = try? SessionOpened(encoded: payload)
        case .action: action = [UInt8](payload)
        case .command: command = (try? RecordedCommand(encoded: payload))?.command
        default: break
        }
      }
    }
    guard let opened, let command else { return }
    let (number, bytes) = (schema, action)
    let commandNumber = LogFormat.commandSchemaNumber(command.schema)
    // Half a second later in this session's clock, and a second earlier by the machine's.
    let later = Moment(microseconds: moment.microseconds + 500_000)
    let realTime = Moment(microseconds: moment.microseconds - 1_000_000)
    try storage.append { appender throws(StoreError) in
      let session = appender.nextSequence
      func envelope(startsBatch: Bool = true) -> Envelope {
        var envelope = Envelope(
          session: session, moment: later, schema: number, startsBatch: startsBatch)
        envelope.realTime = realTime
        return envelope
      }
      try appender.append(opened, envelope())
      let batches: [(UInt32, [[UInt8]])] = [
        (number, [bytes, bytes]), (commandNumber, [command.bytes]), (77, [[1, 2, 0xff]]),
      ]
      for (schema, actions) in batches {
        let crashed = Crashed(
          session: session, moment: later, schema: schema, batch: 0, actions: actions)
        try appender.append(crashed, envelope())
      }
      let ended = EffectFinished(id: EffectLeafID(cause: 1, ordinal: 0), outcome: .cancelled)
      try appender.append(ended, envelope())
      try appender.append(ClockJumped(expected: moment, observed: later), envelope())
      try appender.append(SessionClosed(reason: .closed), envelope())
    }
  }
}
