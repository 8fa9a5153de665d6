import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceRecording
import RetraceState
import RetraceStorage
import RetraceSystem
import RetraceFixtures
import Testing
import ToolTestSupport

/// How `replay` prints effects that answer with commands, and subscriptions.
@Suite struct EffectTextTests {
  private let kiosk = ["TESTAPP_KIOSK": "1"]

  /// Records an order and a refused one, and leaves a subscription in flight.
  private func record(at path: String) async throws {
    let tea = KioskItemID(value: 0)
    let window = SceneID(value: 0)
    var desk = KioskDesk { order in order.count }
    desk.prices = { _, receive in
      try await receive(KioskPrice(number: 1, price: 0))
      try await Task.sleep(for: .seconds(3_600))
    }
    let store = try Store<KioskApp>.openBlocking(
      at: path, configuration: StoreConfiguration(), environment: desk)
    try store.performBlocking(.add(name: "tea", price: 3))
    try store.sendBlocking([.opened(window), .window(window, .selected(tea))])
    try await store.send(.window(window, .orderPressed)).settled()
    try store.sendBlocking([.window(window, .followed(true))])
    while store.sequence < 11 { try await Task.sleep(for: .milliseconds(1)) }
    try await store.close()
  }

  private func lines(_ arguments: [String], _ path: String) throws -> [String] {
    let result = try run("testapp", arguments + ["--store", path], environment: kiosk)
    #expect(result.status == 0, "\(result.errors)")
    return result.output.split(separator: "\n").map(String.init)
  }

  @Test func `a duration is written without rounding`() {
    let texts: [(Int64, String)] = [
      (0, "0 s"), (8_000_000, "8 s"), (250_000, "0.25 s"), (-1, "-0.000001 s"),
      (59_999_999, "59.999999 s"), (65_000_000, "0:01:05"), (-3_900_000_000, "-1:05:00"),
      (360_000_500_000, "100:00:00.5"), (.min, "-2562047788:00:54.775808"),
    ]
    for (microseconds, text) in texts {
      let time = ElapsedTime(microseconds: microseconds)
      #expect(time.exactText == text)
      let json = MomentFormat.readable.json("ElapsedTime", .long(microseconds))
      #expect(json == .string(text))
      #expect(MomentFormat.shortest.json("ElapsedTime", .long(microseconds)) == nil)
      let value: JSONValue = ["microseconds": .integer(microseconds)]
      let nested: JSONValue = ["facts": .array([["time": value]])]
      #expect(nested.withDurationTexts == ["facts": .array([["time": .string(text)]])])
    }
  }

  @Test func `a command of an effect names its cause, and a subscription is in flight`()
    async throws
  {
    let folder = try FileSystem.makeTemporaryDirectory("retrace-tool")
    defer { try? FileSystem.removeTree(folder) }
    let path = folder + "/store"
    try await record(at: path)
    let shown = try lines(["show"], path)
    let order = try #require(shown.first { $0.contains(" command ") && $0.contains("restock") })
    #expect(order.contains("sent by the effect of 6"), "\(order)")
    let refused = try #require(shown.first { $0.contains(" command ") && $0.contains("announce") })
    #expect(refused.contains("invalidPrice"), "\(refused)")
    for command in ["state", "sessions"] {
      let found = try lines([command], path)
      let line = found.first { $0.contains("KioskPrices, due") }
      #expect(line?.contains("cancellable as KioskPrices 00") == true, "\(found)")
    }
    let verified = try lines(["verify", "--decide"], path)
    #expect(verified.contains { $0.contains("3 decided again") }, "\(verified)")
  }
}
