import CivilTime

/// The times on the clock that a rule gives from the start of an event on.
///
/// The days of a period are those that pass the day parts of the rule, and each has the times of
/// the time parts. That is what the table of RFC 5545, section 3.3.10 comes to: a part limits the
/// days whether the table says that it expands or that it limits.
struct RecurrenceExpansion {
  private let rule: RecurrenceRule
  /// The start of the event, in seconds on the clock since 1970.
  private let start: Int64
  private let hours: [Int]
  private let minutes: [Int]
  private let seconds: [Int]
  private let positions: [Int]
  /// The days of the period, in days since 1970.
  private var days: [Int] = []

  /// The last second of the year 9999.
  static var clockMax: Int64 { 253_402_300_799 }

  /// Prepares to expand a rule, completed by the start of the event.
  init(_ rule: RecurrenceRule, start: Int64) {
    (self.rule, self.start) = (rule, start)
    (hours, minutes) = (rule.hours.numbers, rule.minutes.numbers)
    (seconds, positions) = (rule.seconds.numbers, rule.positions.numbers)
  }

  /// Calls `body` with the times from one time through another, in ascending order.
  ///
  /// - Parameters:
  ///   - lower: The first time; times before the start are left out.
  ///   - upper: The last time.
  ///   - steps: The number of periods, months of years and times that may be looked at, which is
  ///     lowered by those that were.
  ///   - body: Receives a time, and returns whether it needs the next one.
  /// - Complexity: O(steps), and each has at most the days of a month. Periods before `lower` are
  ///   not looked at, and those shorter than a day are skipped by days, hours and minutes.
  /// - Returns: Whether the steps sufficed.
  mutating func forEach(
    from lower: Int64, through upper: Int64, steps: inout Int, _ body: (Int64) -> Bool
  ) -> Bool {
    let range = (lower: max(lower, start), upper: min(upper, Self.clockMax))
    guard range.lower <= range.upper else { return true }
    return rule.frequency < .daily
      ? forEachPart(range, &steps, body) : forEachPeriod(range, &steps, body)
  }

  private typealias Range = (lower: Int64, upper: Int64)

  // MARK: Days and longer periods

  private mutating func forEachPeriod(
    _ range: Range, _ steps: inout Int, _ body: (Int64) -> Bool
  ) -> Bool {
    let first = index(of: Int(floorDiv(start, 86_400)))
    let wanted = Int64(index(of: Int(floorDiv(range.lower, 86_400))) - first)
    var number = first + Int(wanted / rule.interval * rule.interval)
    let lastDay = Int(floorDiv(range.upper, 86_400))
    while collectDays(number, through: lastDay, &steps) {
      switch forEachTime(range, &steps, body) {
      case .goesOn: number += Int(rule.interval)
      case .ends: return true
      case .isOutOfSteps: return false
      }
      if steps <= 0 { return false }
    }
    return true
  }

  /// Returns the number of the period in which a day is.
  private func index(of day: Int) -> Int {
    let date = CivilDate(daysSince1970: day)
    switch rule.frequency {
    case .yearly: return date.year
    case .monthly: return date.year * 12 + date.month - 1
    case .weekly: return Int(floorDiv(Int64(day - weekOffset), 7))
    default: return day
    }
  }

  /// The days from 1970-01-01, a Thursday, to the first day of a week.
  private var weekOffset: Int { rule.weekStart - 4 }

  /// Sets ``days`` to those of a period, and returns whether it begins by the last day.
  private mutating func collectDays(_ period: Int, through last: Int, _ steps: inout Int) -> Bool {
    days.removeAll(keepingCapacity: true)
    switch rule.frequency {
    case .yearly:
      for month in 1...12 where rule.months.isEmpty || rule.months.contains(month) {
        steps -= 1
        guard collectMonth(period, month) else { return false }
      }
      return firstDay(period, 1).map { $0 <= last } == true
    case .monthly:
      steps -= 1
      let (year, month) = (period / 12, period % 12 + 1)
      guard let first = firstDay(year, month), first <= last else { return false }
      return rule.months.isEmpty || rule.months.contains(month) ? collectMonth(year, month) : true
    case .weekly:
      steps -= 1
      let first = period * 7 + weekOffset
      for day in first..<first + 7 { collectDay(day) }
      return first <= last
    default:
      steps -= 1
      collectDay(period)
      return period <= last
    }
  }

  private func firstDay(_ year: Int, _ month: Int) -> Int? {
    CivilDate(year: year, month: month, day: 1)?.daysSince1970
  }

  private mutating func collectMonth(_ year: Int, _ month: Int) -> Bool {
    guard let first = firstDay(year, month), let january = firstDay(year, 1) else { return false }
    let length = CivilDate.days(inMonth: month, of: year)
    for day in 1...length {
      let date = DayOfYear(
        year: year, month: month, day: day, length: length, since1970: first + day - 1,
        ofYear: first - january + day)
      if matches(date) { days.append(date.since1970) }
    }
    return true
  }

  private mutating func collectDay(_ day: Int) {
    if matches(DayOfYear(day)) { days.append(day) }
  }

  private enum Progress { case goesOn, ends, isOutOfSteps }

  /// Calls `body` with the times of ``days``.
  private func forEachTime(
    _ range: Range, _ steps: inout Int, _ body: (Int64) -> Bool
  ) -> Progress {
    let perDay = hours.count * minutes.count * seconds.count
    guard positions.isEmpty else {
      for index in places(in: days.count * perDay) {
        let next = pass(clock(days[index / perDay], index % perDay), range, &steps, body)
        guard next == .goesOn else { return next }
      }
      return .goesOn
    }
    for day in days where Int64(day) * 86_400 + 86_399 >= range.lower {
      for index in 0..<perDay {
        let next = pass(clock(day, index), range, &steps, body)
        guard next == .goesOn else { return next }
      }
    }
    return .goesOn
  }

  /// Returns the indices of the times of a period that its positions select, in ascending order.
  private func places(in count: Int) -> [Int] {
    var places: [Int] = []
    for position in positions where abs(position) <= count {
      places.append(position > 0 ? position - 1 : count + position)
    }
    return Set(places).sorted()
  }

  private func clock(_ day: Int, _ index: Int) -> Int64 {
    let (hour, rest) = index.quotientAndRemainder(dividingBy: minutes.count * seconds.count)
    let (minute, second) = rest.quotientAndRemainder(dividingBy: seconds.count)
    return Int64(day) * 86_400
      + Int64(hours[hour] * 3_600 + minutes[minute] * 60 + seconds[second])
  }

  private func pass(
    _ clock: Int64, _ range: Range, _ steps: inout Int, _ body: (Int64) -> Bool
  ) -> Progress {
    if clock > range.upper { return .ends }
    steps -= 1
    if steps < 0 { return .isOutOfSteps }
    return clock < range.lower || body(clock) ? .goesOn : .ends
  }

  // MARK: Parts of a day

  /// Calls `body` with the times of hours, minutes or seconds.
  private func forEachPart(
    _ range: Range, _ steps: inout Int, _ body: (Int64) -> Bool
  ) -> Bool {
    let unit: Int64 =
      switch rule.frequency {
      case .hourly: 3_600
      case .minutely: 60
      default: 1
      }
    let base = floorDiv(start, unit) * unit
    let step = unit * rule.interval
    var next = base + max(0, (range.lower - base) / step) * step
    var known: (day: Int64, matches: Bool)?
    while next <= range.upper {
      steps -= 1
      if steps < 0 { return false }
      let day = floorDiv(next, 86_400)
      if known?.day != day { known = (day, matches(DayOfYear(Int(day)))) }
      let end = known?.matches == true ? mismatchEnd(next) : (day + 1) * 86_400
      if let end {
        next += max(1, (end - next + step - 1) / step) * step
        continue
      }
      switch forEachTime(ofPart: next, range, &steps, body) {
      case .goesOn: next += step
      case .ends: return true
      case .isOutOfSteps: return false
      }
    }
    return true
  }

  /// Returns the next time that may pass, if the rule excludes the hour, minute or second of a
  /// time; `nil` if it excludes none of them.
  private func mismatchEnd(_ clock: Int64) -> Int64? {
    let second = Int(floorMod(clock, 86_400))
    func next(_ numbers: [Int], _ number: Int, _ unit: Int64, _ count: Int64) -> Int64? {
      guard !numbers.isEmpty, !numbers.contains(number) else { return nil }
      let start = floorDiv(clock, unit * count) * unit * count
      return start + Int64(numbers.first { $0 > number } ?? Int(count)) * unit
    }
    if let hour = next(hours, second / 3_600, 3_600, 24) { return hour }
    guard rule.frequency < .hourly else { return nil }
    if let minute = next(minutes, second / 60 % 60, 60, 60) { return minute }
    guard rule.frequency < .minutely else { return nil }
    return next(seconds, second % 60, 1, 60)
  }

  private func forEachTime(
    ofPart part: Int64, _ range: Range, _ steps: inout Int, _ body: (Int64) -> Bool
  ) -> Progress {
    let minutes = rule.frequency == .hourly ? self.minutes : [0]
    let seconds = rule.frequency > .secondly ? self.seconds : [0]
    let count = minutes.count * seconds.count
    for index in positions.isEmpty ? Array(0..<count) : places(in: count) {
      let (minute, second) = index.quotientAndRemainder(dividingBy: seconds.count)
      let next = pass(
        part + Int64(minutes[minute] * 60 + seconds[second]), range, &steps, body)
      guard next == .goesOn else { return next }
    }
    return .goesOn
  }

  // MARK: Days

  /// A day, with what the day parts of a rule are about.
  fileprivate struct DayOfYear {
    var year: Int
    var month: Int
    var day: Int
    /// The number of days of the month.
    var length: Int
    var since1970: Int
    /// The day of the year, from 1.
    var ofYear: Int

    var weekday: Int { Int(floorMod(Int64(since1970) + 4, 7)) }
    var yearLength: Int { CivilDate.isLeap(year) ? 366 : 365 }
  }

  /// Returns whether a day passes all day parts.
  private func matches(_ day: DayOfYear) -> Bool {
    func passes(_ set: NumberSet, _ number: Int, of count: Int) -> Bool {
      set.isEmpty || set.contains(number) || set.contains(number - count - 1)
    }
    return (rule.months.isEmpty || rule.months.contains(day.month))
      && passes(rule.monthDays, day.day, of: day.length)
      && passes(rule.yearDays, day.ofYear, of: day.yearLength)
      && matchesWeekday(day) && matchesWeek(day)
  }

  private func matchesWeekday(_ day: DayOfYear) -> Bool {
    if rule.weekdays.isEmpty, rule.ordinalWeekdays.isEmpty { return true }
    if rule.weekdays.contains(day.weekday) { return true }
    // A number counts within the month, or within the year if a yearly rule names no months.
    let isOfYear = rule.frequency == .yearly && rule.months.isEmpty
    let number = isOfYear ? day.ofYear : day.day
    let count = isOfYear ? day.yearLength : day.length
    let (first, last) = ((number - 1) / 7 + 1, -((count - number) / 7 + 1))
    return rule.ordinalWeekdays.contains {
      $0.weekday == day.weekday && ($0.ordinal == first || $0.ordinal == last)
    }
  }

  /// Returns whether the number of the week is one of the rule's.
  ///
  /// A week belongs to the year in which most of its days are. A yearly rule has in a year the days
  /// of that calendar year, also those in a week of the year before or after it.
  private func matchesWeek(_ day: DayOfYear) -> Bool {
    if rule.weeks.isEmpty { return true }
    let first = day.since1970 - Int(floorMod(Int64(day.since1970 - weekOffset), 7))
    let middle = DayOfYear(first + 3)
    return rule.weeks.contains((middle.ofYear - 1) / 7 + 1)
      || rule.weeks.contains(-((middle.yearLength - middle.ofYear) / 7 + 1))
  }
}

extension RecurrenceExpansion.DayOfYear {
  fileprivate init(_ since1970: Int) {
    let date = CivilDate(daysSince1970: since1970)
    (year, month, day) = (date.year, date.month, date.day)
    length = CivilDate.days(inMonth: date.month, of: date.year)
    self.since1970 = since1970
    ofYear = date.day
    for earlier in 1..<max(1, date.month) { ofYear += CivilDate.days(inMonth: earlier, of: year) }
  }
}

/// Returns the quotient, rounded down.
private func floorDiv(_ value: Int64, _ divisor: Int64) -> Int64 {
  let quotient = value / divisor
  return value % divisor < 0 ? quotient - 1 : quotient
}

/// Returns the remainder, which is never negative.
private func floorMod(_ value: Int64, _ divisor: Int64) -> Int64 {
  let remainder = value % divisor
  return remainder < 0 ? remainder + divisor : remainder
}
