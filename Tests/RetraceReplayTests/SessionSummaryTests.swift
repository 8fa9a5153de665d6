import RetraceState
import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceStorage
import RetraceFixtures
import Testing

@testable import RetraceReplay

@Suite struct SessionSummaryTests {
  private let opened = WrittenLog.Item.opened(stateSchema: CounterState.fingerprint)
  private let added = WrittenLog.Item.action(.added(name: "a"))

  private func sessions(_ items: [WrittenLog.Item]) throws -> [SessionSummary] {
    try CounterLog.withDirectory { path in
      try WrittenLog.write(items, at: path)
      return try CounterLog.reading(path) { try SessionSummary.all(in: $0) }
    }
  }

  @Test func `sessions are listed in order with their actions, ends and what they said`() throws {
    let found = try sessions([opened, added, added, .closed(), opened, added])
    #expect(found.map(\.number) == [1, 5])
    #expect(found.map(\.actions) == [2, 1])
    #expect(found.map(\.last) == [4, 6])
    #expect(found.map(\.isClosed) == [true, false])
    #expect(found.map(\.openedAt.microseconds) == [1_000_000, 5_000_000])
    #expect(found.map(\.opened.app) == ["counter", "counter"])
    #expect(found.map(\.opened.scene) == [SceneID(value: 3), SceneID(value: 3)])
    #expect(found.map(\.opened.zone) == ["Europe/Berlin", "Europe/Berlin"])
  }

  @Test func `a crashed batch is shown with the session that was reducing it`() throws {
    let found = try sessions([opened, added, opened, .crashed(session: 1), added, .closed()])
    #expect(found.map(\.crashed) == [[4], []])
    #expect(found.map(\.isClosed) == [false, true])
    #expect(found.map(\.actions) == [1, 1])
  }

  @Test func `a crash before a session's first record is shown with the one that found it`() throws
  {
    let found = try sessions([opened, .crashed(session: 0), added])
    #expect(found.map(\.crashed) == [[2]])
  }

  @Test(arguments: [RecordKind.sessionOpened, .sessionClosed])
  func `a record of a session that cannot be decoded is damage`(kind: RecordKind) throws {
    try CounterLog.withDirectory { path in
      try WrittenLog.write([opened], at: path)
      let storage = try LogStorage.open(at: path, access: .create)
      try storage.append { appender throws(StoreError) in
        var envelope = Envelope(
          session: kind == .sessionOpened ? 2 : 1, moment: Moment(microseconds: 2_000_000),
          schema: 1)
        envelope.kind = kind
        let payload: [UInt8] = [0xff]
        try appender.append(envelope, payload: payload.span)
      }
      storage.close()
      let error = #expect(throws: StoreError.self) {
        try CounterLog.reading(path) { try SessionSummary.all(in: $0) }
      }
      #expect(error?.code == .damaged(sequence: 2))
      #expect(error?.why.hasPrefix("Payload: ") == true, "\(String(describing: error))")
    }
  }

  @Test func `an empty log has no sessions`() throws {
    try CounterLog.withDirectory { path in
      try LogStorage.open(at: path, access: .create).close()
      #expect(try CounterLog.reading(path) { try SessionSummary.all(in: $0) }.isEmpty)
    }
  }
}
