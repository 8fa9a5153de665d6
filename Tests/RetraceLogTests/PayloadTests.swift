import RetraceArchitecture
import RetraceAvro
import RetraceLog
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

  @Test("Every payload comes back, and no part of it is one")
  func payloads() throws {
    var dice = Dice(seed: 1)
    for scene in [nil, SceneID(value: 0), SceneID(value: 1 << 40)] {
      try roundTrip(
        SessionOpened(
          app: "track", build: "1.0", actionSchema: dice.digest(), stateSchema: dice.digest(),
          reducer: dice.digest(), scene: scene, zone: "Asia/Kathmandu", zoneDatabase: ""))
    }
    for reason in SessionClosed.Reason.allCases { try roundTrip(SessionClosed(reason: reason)) }
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

  @Test("The bytes of the payloads are those of the specification")
  func golden() {
    let closed = SessionClosed(reason: .foundDead)
    #expect(closed.encoded() == [2])
    let end = EffectFinished(id: EffectLeafID(cause: 1, ordinal: 2), outcome: .dropped, error: "")
    #expect(end.encoded() == [2, 4, 4, 0])
    let crashed = Crashed(
      session: 1, moment: Moment(microseconds: -1), schema: 3, batch: 0, actions: [[9]])
    #expect(crashed.encoded() == [2, 1, 6, 0, 2, 2, 9, 0])
    let opened = SessionOpened(
      app: "a", build: "", actionSchema: .zero, stateSchema: .zero, reducer: .zero,
      scene: SceneID(value: 1), zone: "Z", zoneDatabase: "")
    let digests = [UInt8](repeating: 0, count: 96)
    #expect(opened.encoded() == [2, 0x61, 0] + digests + [2, 2, 2, 0x5a, 0])
  }
}
