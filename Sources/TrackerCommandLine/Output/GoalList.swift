import Retrace
import RetraceToolSupport
import TimeTracking
import TrackerFeatures

/// The goals of a user in some periods of each, in the output of a command.
struct GoalList {
  private let user: String
  private let missing: MissingUser?
  /// The range, on one line; `nil` for the current periods.
  private let heading: String?
  private let calendar: ReportCalendar
  /// The reason why no period of the range is listed; `nil` if one may be.
  private var remark: String?
  private let moment: Moment
  private var goals: [Row] = []

  /// A goal in a period, or in all of its listed periods that have ended.
  private struct Row {
    let name: String
    let period: GoalPeriod
    var progress: GoalProgress
    /// The number of periods of a balance; `nil` for a single period.
    var periods: Int?

    /// The time spent beyond the target; negative if it was less.
    var balance: ElapsedTime {
      progress.excess > .zero
        ? progress.excess : ElapsedTime(microseconds: -progress.remaining.microseconds)
    }
  }

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
    self.moment = moment
    self.user = user
    missing = MissingUser(user, in: domain)
    guard let id = domain.user(named: user) else { return }
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
      var rows: [Row] = []
      var instant = start
      while instant <= end,
        let progress = domain.progress(of: goal, at: moment, in: calendar, periodOf: instant)
      {
        rows.append(Row(name: entity.name.text, period: entity.period, progress: progress))
        instant = max(progress.period.upperBound, instant.adding(.seconds(1)))
      }
      goals += rows
      if rows.count > 1, let balance = balance(of: rows) { goals.append(balance) }
    }
  }

  /// Returns the sum of the periods that have ended; `nil` if none has.
  private func balance(of rows: [Row]) -> Row? {
    let ended = rows.filter { hasEnded($0) }
    guard var sum = ended.first else { return nil }
    sum.periods = ended.count
    for row in ended.dropFirst() {
      sum.progress.period = sum.progress.period.lowerBound..<row.progress.period.upperBound
      sum.progress.time = sum.progress.time.adding(row.progress.time)
      sum.progress.target = sum.progress.target.adding(row.progress.target)
    }
    return sum
  }

  private func hasEnded(_ row: Row) -> Bool { row.progress.period.upperBound <= moment }

  /// The goals for programs.
  var json: JSONValue {
    [
      "version": .integer(1), "user": .string(user),
      "goals": .array(goals.filter { $0.periods == nil }.map { .object(Self.members($0)) }),
      "balances": .array(
        goals.compactMap { goal in
          goal.periods.map { periods in
            .object(
              Self.members(goal) + [
                .init("periods", .integer(Int64(periods))),
                .init("balanceSeconds", .integer(goal.balance.seconds)),
              ])
          }
        }),
    ]
  }

  private static func members(_ goal: Row) -> [JSONValue.Member] {
    [
      .init("id", .integer(goal.progress.goal.value)), .init("name", .string(goal.name)),
      .init("period", .string("\(goal.period)")),
      .init("start", .string(goal.progress.period.lowerBound.timestamp)),
      .init("end", .string(goal.progress.period.upperBound.timestamp)),
      .init("limit", .bool(goal.progress.isLimit)),
      .init("seconds", .integer(goal.progress.time.seconds)),
      .init("targetSeconds", .integer(goal.progress.target.seconds)),
      .init("leftSeconds", .integer(goal.progress.remaining.seconds)),
      .init("overSeconds", .integer(goal.progress.excess.seconds)),
      .init("percent", .integer(goal.progress.percent)),
    ]
  }

  /// Prints the goals as comma-separated values: a header, and a line for each period.
  func printCSV(_ output: Output, _ texts: CSVTexts) {
    output.startBuffering()
    let header = [
      "goal", "period", "first_day", "last_day", "at_most", "ended", "seconds", "target_seconds",
      "balance_seconds",
    ]
    CSVLine(fields: header).print(output)
    for goal in goals where goal.periods == nil {
      let period = goal.progress.period
      let fields = [
        texts.field(goal.name), "\(goal.period)", "\(calendar.day(at: period.lowerBound))",
        "\(calendar.day(at: period.upperBound.adding(.microsecondBack)))",
        goal.progress.isLimit ? "yes" : "no", hasEnded(goal) ? "yes" : "no",
        "\(goal.progress.time.seconds)", "\(goal.progress.target.seconds)",
        "\(goal.balance.seconds)",
      ]
      CSVLine(fields: fields).print(output)
    }
  }

  func print(_ style: OutputStyle, _ form: ShownTimes) {
    let shown = form.styled(as: calendar.style)
    guard !goals.isEmpty else {
      style.output.print(remark ?? "\(user) has no goals.")
      if let missing { style.output.print(missing.text) }
      return
    }
    if let heading {
      style.output.print(heading)
      style.output.print("")
    }
    var table = TextTable([.text, .left, .left, .right, .right, .right, .right, .right])
    table.add(["", "", "", "Spent", "Target", "Left", "Over", "Done"], isBold: true)
    for goal in goals {
      let progress = goal.progress
      let (spent, target) = (shown.shown(progress.time), shown.shown(progress.target))
      // Printed times add up: the spent and the remaining time are the target.
      func difference(_ time: ElapsedTime, _ first: ElapsedTime, _ second: ElapsedTime) -> String {
        guard time > .zero else { return "" }
        return shown.text(ElapsedTime(microseconds: first.microseconds - second.microseconds))
      }
      table.add(
        [
          goal.name, kind(of: goal), heading == nil ? "" : name(of: goal),
          shown.text(spent), shown.text(target), difference(progress.remaining, target, spent),
          difference(progress.excess, spent, target), "\(progress.percent)%",
        ], share: goal.periods == nil ? Double(min(100, progress.percent)) / 100 : nil,
        isBold: goal.periods != nil)
    }
    table.print(style)
    var notes: [String] = []
    let singles = goals.filter { $0.periods == nil }
    if goals.count > singles.count, !singles.allSatisfy({ hasEnded($0) }) {
      notes.append("A balance counts periods that have ended.")
    }
    let addUp = goals.allSatisfy { goal in
      guard goal.periods != nil else { return true }
      let ended = singles.filter { $0.progress.goal == goal.progress.goal && hasEnded($0) }
      return shown.sum(ended.map(\.progress.time)) == shown.shown(goal.progress.time)
    }
    if !addUp { notes.append(shown.note) }
    style.print(notes: notes)
  }

  /// Returns the kind of the target of a row.
  ///
  /// With a range, the name of the period shows how often.
  private func kind(of goal: Row) -> String {
    let isLimit = goal.progress.isLimit
    guard heading == nil else { return isLimit ? "at most" : "" }
    return (isLimit ? "at most each " : "each ") + "\(goal.period)"
  }

  /// Returns the name of the period of a row, or of its periods.
  private func name(of goal: Row) -> String {
    if let count = goal.periods {
      return "balance of \(count) \(goal.period)" + (count == 1 ? "" : "s")
    }
    let first = calendar.day(at: goal.progress.period.lowerBound)
    return switch goal.period {
    case .day: calendar.style.withWeekday(first)
    case .week: "week of \(calendar.style.text(first))"
    case .month: first.monthText
    }
  }
}

extension DomainState {
  /// Returns the start of the first entry of a user, or of any entry of the user that begins at a
  /// moment or before it.
  ///
  /// - Complexity: O(entries); O(1) if the first one in the table begins before the moment.
  fileprivate func firstStart(of user: UserID, notAfter moment: Moment) -> Moment? {
    struct Found: Error {}
    var first: Moment?
    var visible = VisibleEntries(self)
    do throws(Found) {
      try timeEntries.forEach { (_, entry) throws(Found) in
        guard entry.user == user, visible.contains(entry) else { return }
        first = min(first ?? entry.start, entry.start)
        if entry.start <= moment { throw Found() }
      }
    } catch {}
    return first
  }
}
