import CivilTime
import RetraceArchitecture
import RetraceState
import Testing
import TimeTracking

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
}
