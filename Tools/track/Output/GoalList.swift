import CivilTime
import RetraceAvro
import RetraceState
import RetraceToolSupport
import TimeTracking

/// The goals of a user in some periods of each, in the output of a command.
struct GoalList {
  private let user: String
  private let missing: MissingUser?
  /// The range, on one line; `nil` for the current periods.
  private let heading: String?
  private let calendar: ReportCalendar
  /// Why no period of the range is listed; `nil` if one may be.
  private var remark: String?
  private var goals: [(name: String, period: GoalPeriod, progress: GoalProgress)] = []

  /// Finds the goals that are in use.
  ///
  /// - Parameters:
  ///   - user: The name of the user.
  ///   - domain: The entities.
  ///   - moment: The present.
  ///   - calendar: The days, weeks and months.
  ///   - range: A range; the periods are those that it touches, from the first entry of the user
  ///     up to the present. `nil` for the current ones.
  /// - Complexity: O(entries) with a range, plus the complexity of the progress in each period.
  init(
    of user: String, in domain: DomainState, at moment: Moment, _ calendar: ReportCalendar,
    in range: EntryRange? = nil
  ) {
    heading = range.map { $0.heading(in: calendar) }
    self.calendar = calendar
    self.user = user
    missing = MissingUser(user, in: domain)
    guard let id = domain.user(named: Name(user)) else { return }
    var found: [(GoalID, Goal)] = []
    domain.goals.forEach { goal, entity in
      if entity.user == id, entity.deleted == nil, !entity.isArchived {
        found.append((goal, entity))
      }
    }
    var (start, end) = (moment, moment)
    if let range, let heading, !found.isEmpty {
      let first = range.moments.lowerBound
      start = max(first, min(moment, domain.firstStart(of: id, notAfter: first) ?? moment))
      end = min(moment, max(first, range.moments.upperBound.adding(.microsecondBack)))
      if first > moment {
        remark = "The range has not begun: \(heading)."
      } else if start > end {
        remark = "\(user) has no entries up to the end of the range: \(heading)."
      }
    }
    for (goal, entity) in found {
      var instant = start
      while instant <= end,
        let progress = domain.progress(of: goal, at: moment, in: calendar, periodOf: instant)
      {
        goals.append((entity.name.text, entity.period, progress))
        instant = max(progress.period.upperBound, instant.adding(.seconds(1)))
      }
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
      Output.print(remark ?? "\(user) has no goals.")
      if let missing { Output.print(missing.text) }
      return
    }
    if let heading {
      Output.print(heading)
      Output.print("")
    }
    var table = Table([.text, .left, .left, .right, .right, .right, .right, .right])
    table.add(["", "", "", "Spent", "Target", "Left", "Over", "Done"], isBold: true)
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
          heading == nil ? "" : name(of: progress.period, goal.period),
          shown.text(spent), shown.text(target), difference(progress.remaining, target, spent),
          difference(progress.excess, spent, target), "\(progress.percent)%",
        ], share: Double(min(100, progress.percent)) / 100)
    }
    table.print(style)
  }

  /// Returns the name of a period.
  private func name(of period: Range<Moment>, _ kind: GoalPeriod) -> String {
    let first = calendar.day(at: period.lowerBound)
    return switch kind {
    case .day: first.withWeekday
    case .week: "week of \(first)"
    case .month: first.monthText
    }
  }
}

extension DomainState {
  /// Returns the start of the first entry of a user, or of any entry that begins at a moment or
  /// before it.
  ///
  /// - Complexity: O(entries); O(1) if the first one in the table begins before the moment.
  fileprivate func firstStart(of user: UserID, notAfter moment: Moment) -> Moment? {
    struct Found: Error {}
    var first: Moment?
    do throws(Found) {
      try timeEntries.forEach { (_, entry) throws(Found) in
        guard entry.user == user, isVisible(entry) else { return }
        first = min(first ?? entry.start, entry.start)
        if entry.start <= moment { throw Found() }
      }
    } catch {}
    return first
  }
}
