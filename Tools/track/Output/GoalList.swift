import CivilTime
import RetraceAvro
import RetraceState
import RetraceToolSupport
import TimeTracking

/// The goals of a user in one period of each, in the output of a command.
struct GoalList {
  private let user: String
  private let missing: MissingUser?
  /// What says which periods are meant; `nil` for the current ones.
  private let heading: String?
  private var goals: [(name: String, period: GoalPeriod, progress: GoalProgress)] = []

  /// Finds the goals that are in use.
  ///
  /// - Parameters:
  ///   - user: The name of the user.
  ///   - domain: The entities.
  ///   - moment: The present.
  ///   - calendar: The days, weeks and months.
  ///   - range: A range; the periods are those of its last day, or of the present if the range is
  ///     not over. `nil` for the current ones.
  init(
    of user: String, in domain: DomainState, at moment: Moment, _ calendar: ReportCalendar,
    in range: EntryRange? = nil
  ) {
    let last = range?.moments.upperBound.adding(.microsecondBack)
    let instant = min(moment, last ?? moment)
    heading = range.map { _ in
      "Periods that contain \(calendar.day(at: instant).withWeekday)"
    }
    self.user = user
    missing = MissingUser(user, in: domain)
    guard let id = domain.user(named: Name(user)) else { return }
    var found: [(GoalID, Goal)] = []
    domain.goals.forEach { goal, entity in
      if entity.user == id, entity.deleted == nil, !entity.isArchived {
        found.append((goal, entity))
      }
    }
    for (goal, entity) in found {
      guard
        let progress = domain.progress(
          of: goal, at: moment, in: calendar, periodOf: instant)
      else { continue }
      goals.append((entity.name.text, entity.period, progress))
    }
  }

  /// The goals for programs.
  var json: JSONValue {
    [
      "version": .integer(1), "user": .string(user),
      "goals": .array(
        goals.map { goal in
          [
            "id": .integer(goal.progress.goal.value), "name": .string(goal.name),
            "period": .string("\(goal.period)"),
            "start": .string(goal.progress.period.lowerBound.timestamp),
            "end": .string(goal.progress.period.upperBound.timestamp),
            "limit": .bool(goal.progress.isLimit),
            "seconds": .integer(goal.progress.time.seconds),
            "targetSeconds": .integer(goal.progress.target.seconds),
            "leftSeconds": .integer(goal.progress.remaining.seconds),
            "overSeconds": .integer(goal.progress.excess.seconds),
            "percent": .integer(goal.progress.percent),
          ]
        }),
    ]
  }

  /// Prints the goals.
  func print(_ style: OutputStyle, _ shown: ShownTimes) {
    guard !goals.isEmpty else {
      Output.print("\(user) has no goals.")
      if let missing { Output.print(missing.text) }
      return
    }
    if let heading {
      Output.print(heading)
      Output.print("")
    }
    var table = Table([.text, .left, .right, .right, .right, .right, .right])
    table.add(["", "", "Spent", "Target", "Left", "Over", "Done"], isBold: true)
    for goal in goals {
      let progress = goal.progress
      let (spent, target) = (shown.shown(progress.time), shown.shown(progress.target))
      // What is printed adds up: what was spent and what is left is the target.
      func difference(_ time: ElapsedTime, _ first: ElapsedTime, _ second: ElapsedTime) -> String {
        guard time > .zero else { return "" }
        return shown.text(ElapsedTime(microseconds: first.microseconds - second.microseconds))
      }
      table.add(
        [
          goal.name, (progress.isLimit ? "at most each " : "each ") + "\(goal.period)",
          shown.text(spent), shown.text(target), difference(progress.remaining, target, spent),
          difference(progress.excess, spent, target), "\(progress.percent)%",
        ], share: Double(min(100, progress.percent)) / 100)
    }
    table.print(style)
  }
}
