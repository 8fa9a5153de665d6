import CivilTime
import RetraceFilter
import RetraceState
import Testing
import TimeTracking

/// The times of conditions: an entry is in the time in which it began.
@Suite struct EntryConditionTimeTests {
  /// A state in which an entry begins at noon of each day from 16 February to 5 April 2026, and
  /// today is Wednesday, 4 March.
  private static func desk() throws -> ReportDesk {
    var desk = try ReportDesk()
    let noon = minutesOfDay / 2
    desk.now = time(2 * minutesOfDay + noon + 60)
    for day in -14...34 {
      let start = Int64(day) * minutesOfDay + noon
      try desk.entry(from: time(start), to: time(start + minutesOfDay))
    }
    return desk
  }

  /// Returns the days of the entries that match, counted from Monday, 2 March.
  private func days(_ text: String, _ desk: ReportDesk) throws -> [Int64] {
    try desk.ids(text).map { $0.value - 14 }
  }

  @Test func `days, weeks and months are ranges`() throws {
    let desk = try Self.desk()
    for text in ["day:today", "date:today", "day:2026-03-04", "day:wed", "day:this"] {
      #expect(try days(text, desk) == [2], "\(text)")
    }
    for text in ["day:yesterday", "day:last", "date:tuesday"] {
      #expect(try days(text, desk) == [1], "\(text)")
    }
    for text in ["week:this", "week::week", "week:2026-03-08", "week:2026-W10", "date::week"] {
      #expect(try days(text, desk) == Array(0...6), "\(text)")
    }
    #expect(try days("week:last", desk) == Array(-7...(-1)))
    for text in ["month:this", "month:2026-03", "month:2026-03-31", "date:2026-03"] {
      #expect(try days(text, desk) == Array(-1...29), "\(text)")
    }
    #expect(try days("month:last", desk) == Array(-14...(-2)))
    #expect(try days("not month:this", desk) == Array(-14...(-2)) + Array(30...34))
    #expect(try days(#"date:"11:59 - 12:01""#, desk) == [2])
    #expect(try days(#"date:"12:01 - 13:00""#, desk).isEmpty)
    #expect(try days(#"date:"from 2026-04-01""#, desk) == Array(30...34))
  }

  @Test func `two dots are between two times, both of them in it`() throws {
    let desk = try Self.desk()
    #expect(try days("2026-03-01..2026-03-03", desk) == [-1, 0, 1])
    #expect(try days("date:2026-03-01..2026-03-03", desk) == [-1, 0, 1])
    #expect(try days("date:2026-04-01..", desk) == Array(30...34))
    #expect(try days("date:..2026-02-17", desk) == [-14, -13])
    #expect(try days("month:2026-02..2026-03", desk) == Array(-14...29))
    #expect(try days("date:2025..2026", desk).count == 49)
    #expect(try days("week:2026-02-24..2026-03-03", desk) == Array(-7...6))
    // The second weekday is the first one after the other.
    #expect(try days("monday..friday", desk) == Array(0...4))
    #expect(try days("friday..monday", desk) == [-3, -2, -1, 0])
    #expect(try days(#"date:"yesterday 11:00".."13:00""#, desk) == [1])
    #expect(try days(##"date:"".."""##, desk).count == 49)
  }

  @Test func `times are compared with all of a day`() throws {
    let desk = try Self.desk()
    #expect(try days("date<2026-02-18", desk) == [-14, -13])
    #expect(try days("date<=2026-02-18", desk) == [-14, -13, -12])
    #expect(try days("date>2026-04-03", desk) == [33, 34])
    #expect(try days("date>=2026-04-03", desk) == [32, 33, 34])
    #expect(try days("month>2026-03", desk) == Array(30...34))
    #expect(try days("week<last", desk) == Array(-14...(-8)))
    #expect(try days(#"date>="2026-04-03 12:00""#, desk) == [32, 33, 34])
    #expect(try days(#"date>"2026-04-03 12:00""#, desk) == [33, 34])
    #expect(try days(#"date<="2026-02-17 12:00""#, desk) == [-14, -13])
    #expect(try days("date>=2026-03-01 date<2026-03-03", desk) == [-1, 0])
  }

  @Test func `days are those of the zone, and weeks begin on its first weekday`() throws {
    var desk = try ReportDesk()
    desk.now = time(3 * minutesOfDay)
    let late = try desk.entry(from: time(-90), to: time(-80))
    let sunday = try desk.entry(from: time(-600), to: time(-590))
    let east = ZoneRules(id: "east", offsetSeconds: 7_200)
    func ids(_ text: String, firstWeekday: Int) throws -> [TimeEntryID] {
      var filter = EntryFilter()
      filter.condition = try EntryCondition(
        FilterExpression(text), in: desk.state,
        ExpressionContext(zone: east, now: desk.now, firstWeekday: firstWeekday))
      return desk.state.entries(filter).entries.map(\.id).sorted()
    }
    #expect(try ids("day:2026-03-02", firstWeekday: 1) == [late])
    #expect(try ids("week:this", firstWeekday: 1) == [late])
    #expect(try ids("week:this", firstWeekday: 0) == [late, sunday])
    #expect(try ids("week:2026-03-02", firstWeekday: 0) == [late, sunday])
  }

  @Test func `days begin when those of the context do`() throws {
    var desk = try ReportDesk()
    let hour: Int64 = 60
    // Entries at noon on Sunday and Monday, and at 01:00 and 05:00 on Tuesday; it is 02:00.
    desk.now = time(minutesOfDay + 2 * hour)
    var entries: [Int64: TimeEntryID] = [:]
    for start in [-12 * hour, 12 * hour, 25 * hour, 29 * hour] {
      entries[start / hour] = try desk.entry(from: time(start), to: time(start + 1))
    }
    func hours(_ text: String) throws -> [Int64] {
      var filter = EntryFilter()
      filter.condition = try EntryCondition(
        FilterExpression(text), in: desk.state,
        ExpressionContext(
          zone: .utc, now: desk.now, firstWeekday: 1, dayStart: .seconds(4 * 3_600)))
      let found = Set(desk.state.entries(filter).entries.map(\.id))
      return entries.filter { found.contains($0.value) }.keys.sorted()
    }
    for text in ["date:today", "day:this", "date:2026-03-02", "date:monday", "monday..today"] {
      #expect(try hours(text) == [12, 25], "\(text)")
    }
    for text in ["date:yesterday", "day:last", "date<2026-03-02", "week:last", "date<=sunday"] {
      #expect(try hours(text) == [-12], "\(text)")
    }
    #expect(try hours("date>2026-03-02") == [29])
    #expect(try hours(#"date:"from 2026-03-03""#) == [29])
    #expect(try hours("date>=2026-03-03") == [29])
    #expect(try hours("month:2026-03") == [-12, 12, 25, 29])
    // Times of day are local times.
    #expect(try hours(#"date>="2026-03-03 00:30""#) == [25, 29])
    #expect(try hours(#"date:"00:30 - 01:30""#) == [25])
    #expect(try hours(#"date:"00:30 - now""#) == [25])
  }
}
