import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceState
import Testing

@Suite("System payloads")
struct PayloadTests {
  private func roundTrip<P: SystemPayload>(_ payload: P) throws {
    let bytes = payload.encoded()
    #expect(try P(encoded: bytes.span) == payload)
    for count in bytes.indices {
      #expect(throws: AvroError.self) { try P(encoded: bytes.span.extracting(..<count)) }
    }
    #expect(throws: AvroError.self) { try P(encoded: (bytes + [0]).span) }
  }

  @Test("Every payload is read back, and no prefix of one is accepted")
  func payloads() throws {
    var dice = Dice(seed: 1)
    for scene in [nil, SceneID(value: 0), SceneID(value: 1 << 40)] {
      let origin = SessionOrigin(
        login: "ada", host: "", process: .max, isClockFixed: scene == nil)
      for origin in [nil, origin] {
        try roundTrip(
          SessionOpened(
            app: "track", build: "1.0", actionSchema: dice.digest(), stateSchema: dice.digest(),
            reducer: dice.digest(), scene: scene, zone: "Asia/Kathmandu", zoneDatabase: "",
            origin: origin,
            schemas: (0..<UInt32(scene == nil ? 0 : 2)).map { number in
              NamedSchema(number: 1 << 31 - 1 - number, fingerprint: dice.digest())
            }))
      }
    }
    let reasons: [SessionClosed.Reason] = [.closed, .foundDead, .signalled(15)]
    for reason in reasons { try roundTrip(SessionClosed(reason: reason)) }
    for origin in RecordedCommand.Origin.allCases {
      let command = RecordedCommand.Encoded(schema: 1 << 31 - 1, bytes: dice.bytes(300))
      for refusal in [nil, RecordedCommand.Encoded(schema: 1, bytes: [])] {
        try roundTrip(RecordedCommand(origin: origin, command: command, refusal: refusal))
      }
    }
    for outcome in EffectFinished.Outcome.allCases {
      try roundTrip(
        EffectFinished(id: EffectLeafID(cause: 12, ordinal: 300), outcome: outcome, error: "x"))
    }
    try roundTrip(
      Crashed(
        session: 0, moment: Moment(microseconds: 1), schema: 7, batch: 2,
        actions: [[], [1, 2, 3], dice.bytes(400)]))
    try roundTrip(
      Crashed(
        session: 5, moment: Moment(microseconds: 1), schema: .max, batch: 0, actions: []))
    try roundTrip(
      ClockJumped(
        expected: Moment(microseconds: .min), observed: Moment(microseconds: .max)))
  }

  @Test("The payloads have the bytes of the specification")
  func golden() {
    let closed = SessionClosed(reason: .foundDead)
    #expect(closed.encoded() == [2, 0])
    #expect(SessionClosed(reason: .signalled(15)).encoded() == [4, 2, 30])
    let command = RecordedCommand(
      origin: .scene, command: .init(schema: 3, bytes: [7, 8]),
      refusal: .init(schema: 4, bytes: []))
    #expect(command.encoded() == [2, 6, 4, 7, 8, 2, 8, 0])
    let end = EffectFinished(id: EffectLeafID(cause: 1, ordinal: 2), outcome: .dropped, error: "")
    #expect(end.encoded() == [2, 4, 4, 0])
    let crashed = Crashed(
      session: 1, moment: Moment(microseconds: -1), schema: 3, batch: 0, actions: [[9]])
    #expect(crashed.encoded() == [2, 1, 6, 0, 2, 2, 9, 0])
    let opened = SessionOpened(
      app: "a", build: "", actionSchema: .zero, stateSchema: .zero, reducer: .zero,
      scene: SceneID(value: 1), zone: "Z", zoneDatabase: "",
      origin: SessionOrigin(login: "l", host: "h", process: 1, isClockFixed: true))
    let digests = [UInt8](repeating: 0, count: 96)
    let before = [2, 0x61, 0] + digests + [2, 2, 2, 0x5a, 0]
    #expect(opened.encoded() == before + [2, 2, 0x6c, 2, 0x68, 2, 1, 0, 0])
    var named = opened
    named.origin = nil
    named.schemas = [NamedSchema(number: 2, fingerprint: .zero)]
    #expect(named.encoded() == before + [0, 2, 4] + digests.prefix(32) + [0, 0])
    named.sleptMilliseconds = 3
    #expect(named.encoded() == before + [0, 2, 4] + digests.prefix(32) + [0, 2, 6])
  }

  @Test("The payloads of versions 1 and 2 are read")
  func olderVersions() throws {
    let digests = [UInt8](repeating: 0, count: 96)
    let second = try SessionOpened(
      encoded: ([2, 0x61, 0] + digests + [0, 2, 0x5a, 0, 0, 0]).span, version: 2)
    #expect(second.zone == "Z" && second.origin == nil && second.sleptMilliseconds == nil)
    let opened = try SessionOpened(
      encoded: ([2, 0x61, 0] + digests + [0, 2, 0x5a, 0]).span, version: 1)
    #expect(opened.app == "a" && opened.zone == "Z" && opened.origin == nil)
    #expect(try SessionClosed(encoded: [0].span, version: 1).reason == .closed)
    #expect(try SessionClosed(encoded: [2].span, version: 1).reason == .foundDead)
    #expect(throws: AvroError.self) { try SessionClosed(encoded: [4].span, version: 1) }
  }

  @Test(
    "A signal belongs to the end by a signal alone", arguments: [[4, 0], [0, 2, 30], [2, 2, 30]])
  func signals(bytes: [UInt8]) {
    #expect(throws: AvroError.self) { try SessionClosed(encoded: bytes.span) }
  }
}
