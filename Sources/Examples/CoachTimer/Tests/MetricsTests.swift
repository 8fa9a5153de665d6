import Retrace
import Testing

@testable import CoachTimer

@Suite struct MetricsTests {
  private static func session(
    _ distance: Int64, _ seconds: [Int64], saved: Int64? = nil
  ) -> Session {
    Session(
      user: UserID(value: 0), name: "Ada", distance: distance, laps: seconds.map { .seconds($0) },
      watch: Stopwatch(since: nil), saved: saved.map { Moment(microseconds: $0) })
  }

  @Test func `metrics count all laps [X1]`() throws {
    let metrics = try #require(LapMetrics(Self.session(100, [10, 12, 14])))
    #expect(metrics.total == .seconds(36))
    #expect(metrics.average == .seconds(12))
    #expect(metrics.variability == .seconds(4))
    #expect(abs(metrics.variance - 8.0 / 3) < 1e-12)
    #expect(metrics.cadence == 5)
    #expect(metrics.speeds == [10_000, 8_333, 7_143])
    #expect(metrics.peakSpeed == 10_000)
    #expect(metrics.averageSpeed == 8_333)
  }

  @Test func `there are no metrics without a lap`() {
    #expect(LapMetrics(Self.session(100, [])) == nil)
  }

  @Test func `the best are found by speed over any distance, or by their number of laps [X1]`() {
    var state = SessionsState()
    // The shorter lap takes less time at a lower speed.
    state.list.insert(Self.session(100, [20, 25, 30], saved: 1))
    state.list.insert(Self.session(400, [50], saved: 2))
    state.list.insert(Self.session(100, [20], saved: 3))
    state.list.insert(Self.session(100, [1]))
    #expect(state.leaderboard(by: .speed).map(\.id.value) == [1, 0, 2])
    #expect(state.leaderboard(by: .laps).map(\.id.value) == [0, 1, 2])
  }

  @Test(arguments: [(0, "0.000"), (7_143, "7.143"), (-5, "-0.005"), (Int64.min, nil)])
  func `a number has its decimals`(number: Int64, text: String?) {
    #expect(decimal(number, 3) == text ?? "-9223372036854775.808")
  }

  @Test(arguments: [(0, "0:00.0"), (59_990, "0:59.9"), (3_723_400, "62:03.4")])
  func `a stopwatch shows minutes, seconds and tenths`(milliseconds: Int64, text: String) {
    #expect(watchText(ElapsedTime(microseconds: milliseconds * 1_000)) == text)
  }
}
