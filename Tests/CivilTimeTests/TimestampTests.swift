import CivilTime
import RetraceArchitecture
import RetraceState
import Testing

/// Instants as RFC 3339 writes them.
struct TimestampTests {
  @Test("Digits beyond microseconds are dropped")
  func fractions() {
    let second = Moment(timestamp: "2026-03-02T09:00:00Z")
    for (fraction, microseconds) in [
      (".1", 100_000), (".123456", 123_456), (".1234567", 123_456), (".123456789", 123_456),
      (".000000999999999999", 0), ("." + String(repeating: "9", count: 40), 999_999),
    ] as [(String, Int64)] {
      #expect(
        Moment(timestamp: "2026-03-02T09:00:00\(fraction)Z")?.microseconds
          == second.map { $0.microseconds + microseconds }, "\(fraction)")
    }
    for text in [".", ".Z", ".1a", ". 1"] {
      #expect(Moment(timestamp: "2026-03-02T09:00:00\(text)Z") == nil, "\(text)")
    }
  }

  @Test func `A moment is cut down to the whole second, also before 1970`() {
    for (microseconds, second) in [
      (0, 0), (999_999, 0), (1_000_000, 1_000_000), (-1, -1_000_000), (-1_000_000, -1_000_000),
      (.min, .min), (.max, .max - .max % 1_000_000),
    ] as [(Int64, Int64)] {
      let moment = Moment(microseconds: microseconds)
      #expect(moment.wholeSecond.microseconds == second, "\(microseconds)")
    }
  }

  @Test("A leap second is the second after it")
  func leapSeconds() {
    #expect(
      Moment(timestamp: "2016-12-31T23:59:60Z") == Moment(timestamp: "2017-01-01T00:00:00Z"))
    #expect(
      Moment(timestamp: "2017-01-01T01:59:60.5+02:00")
        == Moment(timestamp: "2017-01-01T00:00:00.5Z"))
    for text in [
      "2016-12-31T23:58:60Z", "2016-12-31T22:59:60Z", "2016-12-31T23:59:60+01:00",
      "2016-12-31T23:59:61Z",
    ] {
      #expect(Moment(timestamp: text) == nil, "\(text)")
    }
  }
}
