import CivilTime
import RetraceState
import Testing
import ToolTestSupport

/// Zones by a rule in the form of `TZ`.
@Suite
struct PosixRuleTests {
  private func offset(_ rule: String, _ instant: String) throws -> Int32 {
    try #require(ZoneRules(posixRule: rule), "\(rule)").offset(at: ZoneFiles.moment(instant))
  }

  @Test(
    arguments: [
      // Without dates the rule of the United States holds: 8 March and 1 November in 2026.
      ("CET-1CEST", "2026-03-08 00:59:59", 3_600), ("CET-1CEST", "2026-03-08 01:00:00", 7_200),
      ("CET-1CEST", "2026-11-01 00:00:00", 3_600),
      ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-03-29 01:00:00", 7_200),
      ("UTC0", "2026-07-01 00:00:00", 0), ("<+0530>-5:30", "2026-07-01 00:00:00", 19_800),
      // New Zealand: daylight saving time over New Year.
      ("NZST-12NZDT,M9.5.0,M4.1.0/3", "2026-12-31 12:00:00", 46_800),
      ("NZST-12NZDT,M9.5.0,M4.1.0/3", "2026-07-01 00:00:00", 43_200),
      // Dublin: winter is the negative daylight saving time.
      ("IST-1GMT0,M10.5.0,M3.5.0/1", "2026-01-01 00:00:00", 0),
      ("IST-1GMT0,M10.5.0,M3.5.0/1", "2026-07-01 00:00:00", 3_600),
      // Nuuk: the hours of a change may be negative, or more than a day in Gaza.
      ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2026-03-29 00:59:59", -7_200),
      ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2026-03-29 01:00:00", -3_600),
      ("EET-2EEST,M3.4.4/50,M10.4.4/50", "2026-03-28 00:00:00", 10_800),
      // Day 60 is 1 March, without 29 February; the other form counts it.
      ("AAA0BBB,J60/0,J300/0", "2024-02-29 12:00:00", 0),
      ("AAA0BBB,J60/0,J300/0", "2024-03-01 00:00:00", 3_600),
      ("AAA0BBB,59/0,300/0", "2024-02-29 00:00:00", 3_600),
    ] as [(String, String, Int32)])
  func `A rule has the offset that POSIX says`(rule: String, instant: String, offset: Int32) throws
  {
    #expect(try self.offset(rule, instant) == offset)
  }

  @Test(arguments: ["EST5EDT,0/0,J365/25", "AST3ADT4,0/0,J365/23"])
  func `Daylight saving time all year has no changes`(rule: String) throws {
    let rules = try #require(ZoneRules(posixRule: rule))
    for instant in [
      "2025-12-31 23:59:59", "2026-01-01 00:00:00", "2026-01-01 04:59:59", "2026-01-01 05:00:00",
      "2026-07-01 00:00:00", "2024-12-31 12:00:00",
    ] {
      #expect(try offset(rule, instant) == -14_400, "\(instant)")
    }
    #expect(rules.change(after: try ZoneFiles.moment("2026-01-01 00:00:00")) == nil)
    let local = try DateFormat("yyyy-MM-dd HH:mm").parse("2026-01-01 00:30")
    #expect(
      rules.resolve(local)
        == .existing(try ZoneFiles.moment("2026-01-01 04:30:00"), offsetSeconds: -14_400))
  }

  @Test
  func `A change may lie in the year before or after its own`() throws {
    // From 100 hours after the last Sunday of December to 100 hours before the first of January of
    // the following year's rule: the year of the rule is not the year of the change.
    let late = "AAA0BBB,M12.5.0/100,M6.1.0/0"
    #expect(try offset(late, "2024-01-04 03:59:59") == 0)
    #expect(try offset(late, "2024-01-04 04:00:00") == 3_600)
    let early = "AAA0BBB,M6.1.0/0,M1.1.0/-100"
    #expect(try offset(early, "2024-12-31 18:59:59") == 3_600)
    #expect(try offset(early, "2024-12-31 19:00:00") == 0)
    #expect(try offset(early, "2025-01-10 00:00:00") == 0)
  }

  @Test(
    arguments: [
      "", "CET", "Europe/Berlin", "-1", "CE-1", "CET-25", "CET-1CEST,M3.5.0", "CET-1CEST,",
      "CET-1CEST,M3.5.0,M10.5.0/3 ", "CET-1CEST,M13.1.0,M10.5.0", "CET-1CEST,M3.6.0,M10.5.0",
      "CET-1CEST,M3.5.7,M10.5.0", "CET-1CEST,J0,J365", "CET-1CEST,J366,J1", "CET-1CEST,366,1",
      "CET-1CEST,M3.5.0/168,M10.5.0", "<CET-1", "<C T>-1", "<\u{1b}[2J>-1", "CET-1:60", "CET--1",
      "CET-1CEST,M3.5.0,M10.5.0,M1.1.1", "Zürich-1", "unnamed",
      "<" + String(repeating: "a", count: 128) + ">0",
    ])
  func `A text that is not a POSIX rule gives no rules`(text: String) {
    #expect(ZoneRules(posixRule: text) == nil)
  }

  @Test(arguments: ["CET-1CEST", "CET-1CEST,M3.5.0,M10.5.0/3", "UTC0", "<-03>3"])
  func `The id of a rule gives the same rules again`(text: String) throws {
    let rules = try #require(ZoneRules(posixRule: text))
    #expect(ZoneRules(posixRule: rules.id) == rules)
    #expect(text != "CET-1CEST" || rules.id == "CET-1CEST,M3.2.0,M11.1.0")
  }
}
