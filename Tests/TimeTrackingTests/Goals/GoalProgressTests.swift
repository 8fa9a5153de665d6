import CivilTime
import RetraceArchitecture
import RetraceState
import Testing
import TimeTracking
import ToolTestSupport

/// How much of a goal was spent.
@Suite struct GoalProgressTests {
  @Test func `a goal counts the user's time of its project and tag in its period`() throws {
    var desk = try ReportDesk()
    desk.now = time(3 * minutesOfDay)
    let (old, new) = (try desk.project("Old"), try desk.project("New"))
    let tag = try desk.tag("deep")
    try desk.entry(from: time(-10), to: time(20), project: new, tags: [tag])
    try desk.entry(from: time(30), to: time(40), project: old, tags: [tag])
    try desk.entry(from: time(50), to: time(60), project: new)
    try desk.entry(from: time(70), to: time(80), of: desk.bob, project: new, tags: [tag])
    try desk.entry(from: time(minutesOfDay), to: time(minutesOfDay + 7), project: new, tags: [tag])
    try desk.perform(.project(.merge(old, into: new, reason: nil)))
    func goal(_ name: String, _ set: (inout Goal) -> Void) throws -> GoalID {
      let id = desk.state.goals.nextID
      var goal = Goal(name: Name(name), user: desk.ann, target: minutes(60))
      set(&goal)
      try desk.perform(.goal(.create(goal)))
      return id
    }
    let daily = try goal("daily") { ($0.project, $0.tag) = (new, tag) }
    let weekly = try goal("weekly") { ($0.project, $0.period) = (new, .week) }
    let limit = try goal("limit") {
      ($0.period, $0.isLimit, $0.target) = (.month, true, minutes(50))
    }
    let calendar = ReportCalendar(.utc)
    func progress(_ goal: GoalID, at moment: Moment) throws -> GoalProgress {
      try #require(desk.state.progress(of: goal, at: moment, in: calendar))
    }
    let noon = try progress(daily, at: time(720))
    #expect(noon.time == minutes(30) && noon.remaining == minutes(30) && noon.percent == 50)
    #expect(noon.period == time(0)..<time(minutesOfDay) && !noon.isReached)
    // Time after the moment of the report does not count.
    #expect(try progress(daily, at: time(35)).time == minutes(25))
    #expect(try progress(daily, at: time(minutesOfDay + 720)).time == minutes(7))
    #expect(try progress(weekly, at: time(3 * minutesOfDay)).time == minutes(47))
    let month = try progress(limit, at: time(3 * minutesOfDay))
    #expect(month.time == minutes(10 + 47) && month.excess == minutes(7) && month.isLimit)
    #expect(month.isReached && month.remaining == .zero && month.percent == 114)
    try desk.perform(.goal(.delete(daily, reason: nil)))
    #expect(desk.state.progress(of: daily, at: time(0), in: calendar) == nil)
  }

  @Test(.enabled(if: ZoneFiles.exist))
  func `the target of a day is as long as the day, and that of a week is not`() throws {
    var desk = try ReportDesk()
    let goals = try [GoalPeriod.day, .week, .month].map { period in
      let id = desk.state.goals.nextID
      var goal = Goal(name: Name("\(period)"), user: desk.ann, target: minutes(8 * 60))
      goal.period = period
      try desk.perform(.goal(.create(goal)))
      return id
    }
    let berlin = ReportCalendar(try ZoneFiles.load("Europe/Berlin"))
    func targets(_ day: String, _ calendar: ReportCalendar) throws -> [Int64] {
      let noon = try ZoneFiles.moment("\(day) 12:00:00")
      return try goals.map { goal in
        try #require(desk.state.progress(of: goal, at: noon, in: calendar)).target.seconds / 60
      }
    }
    #expect(try targets("2026-03-28", berlin) == [480, 480, 480])
    #expect(try targets("2026-03-29", berlin) == [460, 480, 480])
    #expect(try targets("2026-10-25", berlin) == [500, 480, 480])
    #expect(try targets("2026-10-25", ReportCalendar(.utc)) == [480, 480, 480])
    // The night of the change belongs to the day before if days begin at 4:00.
    let late = ReportCalendar(berlin.rules, dayStart: .seconds(4 * 3_600))
    #expect(try targets("2026-10-24", late) == [500, 480, 480])
    #expect(try targets("2026-10-25", late) == [480, 480, 480])
    // All of a day of 23 hours is a whole goal of 24 hours.
    var whole = Goal(name: Name("all"), user: desk.ann, target: minutes(minutesOfDay))
    whole.period = .day
    let id = desk.state.goals.nextID
    try desk.perform(.goal(.create(whole)))
    let (start, end) = try (
      ZoneFiles.moment("2026-03-28 23:00:00"), ZoneFiles.moment("2026-03-29 22:00:00")
    )
    desk.now = end
    try desk.entry(from: start, to: end)
    let found = desk.state.progress(
      of: id, at: end, in: berlin, periodOf: start)
    let progress = try #require(found)
    #expect(progress.percent == 100 && progress.isReached && progress.excess == .zero)
  }
}
