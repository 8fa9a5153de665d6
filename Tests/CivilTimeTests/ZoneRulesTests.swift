import ToolTestSupport
import CivilTime
import RetraceState
import RetraceArchitecture
import RetraceTesting
import Testing

import struct Foundation.Data
import class Foundation.FileManager
import struct Foundation.URL

@Suite
struct ZoneRulesTests {
  /// Instants whose offsets were asked of Python's zoneinfo.
  static let instants = [
    "1900-01-01 00:00:00", "1945-05-24 02:00:00", "2011-12-30 09:59:59", "2011-12-30 10:00:00",
    "2021-03-28 00:59:59", "2021-03-28 01:00:00", "2021-10-31 00:59:59", "2021-10-31 01:00:00",
    "2026-04-04 14:59:59", "2026-04-04 15:00:00", "2026-10-03 15:30:00", "2026-03-08 06:59:59",
    "2026-03-08 07:00:00", "2026-11-01 06:00:00", "2075-07-01 00:00:00", "2099-12-31 00:00:00",
  ]

  static let offsets: [(zone: String, seconds: [Int32])] = [
    (
      "Europe/Berlin",
      [
        3600, 10800, 3600, 3600, 3600, 7200, 7200, 3600, 7200, 7200, 7200, 3600, 3600, 3600, 7200,
        3600,
      ]
    ),
    (
      "America/New_York",
      [
        -18000, -14400, -18000, -18000, -14400, -14400, -14400, -14400, -14400, -14400, -14400,
        -18000, -14400, -18000, -14400, -18000,
      ]
    ),
    (
      "Asia/Kolkata",
      [19270, 23400] + Array(repeating: 19800, count: 14)
    ),
    (
      "Australia/Lord_Howe",
      [
        36000, 36000, 39600, 39600, 39600, 39600, 39600, 39600, 39600, 37800, 39600, 39600, 39600,
        39600, 37800, 39600,
      ]
    ),
    (
      "Europe/Dublin",
      [-1521, 3600, 0, 0, 0, 3600, 3600, 0, 3600, 3600, 3600, 0, 0, 0, 3600, 0]
    ),
    (
      "Pacific/Apia",
      [-41216, -41400, -36000, 50400, 50400, 50400] + Array(repeating: 46800, count: 10)
    ),
  ]

  @Test(.enabled(if: ZoneFiles.exist), arguments: offsets)
  func `Offsets are those of the tz database`(zone: String, seconds: [Int32]) throws {
    let rules = try ZoneFiles.load(zone)
    #expect(seconds.count == Self.instants.count)
    for (instant, offset) in zip(Self.instants, seconds) {
      let moment = try ZoneFiles.moment(instant)
      #expect(rules.offset(at: moment) == offset, "\(zone) at \(instant)")
    }
  }

  @Test(
    .enabled(if: ZoneFiles.exist),
    arguments: [
      ("Europe/Berlin", "2026-03-29 02:30:00", []),
      ("Europe/Berlin", "2026-03-29 03:00:00", ["2026-03-29 01:00:00"]),
      ("Europe/Berlin", "2026-10-25 02:30:00", ["2026-10-25 00:30:00", "2026-10-25 01:30:00"]),
      ("Europe/Berlin", "2026-10-25 03:00:00", ["2026-10-25 02:00:00"]),
      ("Europe/Berlin", "2080-10-27 02:30:00", ["2080-10-27 00:30:00", "2080-10-27 01:30:00"]),
      (
        "Australia/Lord_Howe", "2026-04-05 01:45:00",
        ["2026-04-04 14:45:00", "2026-04-04 15:15:00"]
      ),
      ("Australia/Lord_Howe", "2026-10-04 02:15:00", []),
      ("Pacific/Apia", "2011-12-30 12:00:00", []),
      ("America/New_York", "2026-11-01 01:30:00", ["2026-11-01 05:30:00", "2026-11-01 06:30:00"]),
      ("Asia/Kolkata", "2026-06-01 05:30:00", ["2026-06-01 00:00:00"]),
    ])
  func `A local time happens once, twice or never`(
    zone: String, local: String, instants: [String]
  ) throws {
    let rules = try ZoneFiles.load(zone)
    let time = try DateFormat("yyyy-MM-dd HH:mm:ss").parse(local)
    #expect(rules.moments(forLocal: time) == (try instants.map { try ZoneFiles.moment($0) }))
  }

  @Test(.enabled(if: ZoneFiles.exist))
  func `The local time of an instant leads back to it, in every zone`() throws {
    let zones = [
      "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "Pacific/Apia",
      "Europe/Dublin", "America/St_Johns", "Africa/Casablanca", "Asia/Tehran", "America/Sao_Paulo",
    ]
    try withSeed { random in
      for zone in zones {
        let rules = try ZoneFiles.load(zone)
        for _ in 0..<repetitions(5_000) {
          let second = Int64.random(in: -5_000_000_000...8_000_000_000, using: &random)
          let moment = Moment(microseconds: second * 1_000_000)
          let instants = rules.moments(forLocal: rules.local(at: moment))
          #expect(instants.contains(moment), "\(zone) at second \(second)")
          #expect((1...2).contains(instants.count) && instants == instants.sorted())
          let date = rules.local(at: moment).date
          let start = rules.startOfDay(date)
          let before = Moment(microseconds: start.microseconds - 1)
          #expect(start <= moment && rules.local(at: start).date == date, "\(zone), \(date)")
          #expect(rules.local(at: before).date < date, "\(zone), \(date)")
        }
      }
    }
  }

  @Test(.enabled(if: ZoneFiles.exist))
  func `A day begins at its first instant and may have 23 or 25 hours`() throws {
    let berlin = try ZoneFiles.load("Europe/Berlin")
    func hours(_ day: Int, _ month: Int) throws -> Int64 {
      let date = try #require(CivilDate(year: 2026, month: month, day: day))
      let next = CivilDate(daysSince1970: date.daysSince1970 + 1)
      return berlin.startOfDay(next).elapsed(since: berlin.startOfDay(date)).seconds / 3_600
    }
    #expect(try hours(28, 3) == 24)
    #expect(try hours(29, 3) == 23)
    #expect(try hours(25, 10) == 25)
  }

  @Test(
    .enabled(if: ZoneFiles.exist),
    arguments: [
      ("America/Sao_Paulo", "2018-11-04", "2018-11-04 03:00:00"),
      // The gap ends at 00:44:30.
      ("Africa/Monrovia", "1972-01-07", "1972-01-07 00:44:30"),
      // Samoa skipped the whole 30th.
      ("Pacific/Apia", "2011-12-29", "2011-12-29 10:00:00"),
      ("Pacific/Apia", "2011-12-30", "2011-12-30 10:00:00"),
      ("Pacific/Apia", "2011-12-31", "2011-12-30 10:00:00"),
      ("Pacific/Apia", "2012-01-01", "2011-12-31 10:00:00"),
      // A rule applies after the last transition of the file.
      ("America/Havana", "2080-03-10", "2080-03-10 05:00:00"),
      // Clocks went from 00:01 back to 23:01, and showed midnight twice.
      ("America/St_Johns", "2006-10-29", "2006-10-29 02:30:00"),
    ])
  func `A day starts at a gap over midnight, and at the first of two midnights`(
    zone: String, day: String, start: String
  ) throws {
    let date = try DateFormat("yyyy-MM-dd").parse(day).date
    let rules = try ZoneFiles.load(zone)
    #expect(rules.startOfDay(date) == (try ZoneFiles.moment(start)))
  }

  @Test
  func `Bytes that are no tz file are refused`() throws {
    #expect(throws: ZoneFileError.notTZif) { try ZoneRules(id: "x", tzif: [1, 2, 3, 4].span) }
    #expect(throws: ZoneFileError.notTZif) { try ZoneRules(id: "x", tzif: [UInt8]().span) }
    let header = Array("TZif2".utf8) + Array(repeating: 0, count: 39)
    #expect(throws: ZoneFileError.truncated) { try ZoneRules(id: "x", tzif: header.span) }
    // The largest counts, whose sum has more than 32 bits.
    for version in ["TZif1", "TZif2"] {
      let most = Array(version.utf8) + Array(repeating: 0xff, count: 39)
      #expect(throws: ZoneFileError.truncated) { try ZoneRules(id: "x", tzif: most.span) }
    }
    withSeed { random in
      for _ in 0..<repetitions(20_000) {
        var bytes: [UInt8] = Array("TZif".utf8)
        bytes.append([0, 0x31, 0x32, 0x33].randomElement(using: &random) ?? 0)
        for _ in 0..<Int.random(in: 0..<200, using: &random) {
          bytes.append(UInt8(truncatingIfNeeded: random.next() & random.next() & random.next()))
        }
        _ = try? ZoneRules(id: "x", tzif: bytes.span).offset(at: Moment(microseconds: 0))
      }
    }
  }
}
