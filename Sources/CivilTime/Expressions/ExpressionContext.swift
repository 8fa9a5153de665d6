public import RetraceState

/// The context of an expression: the time zone, the present and the calendar.
public struct ExpressionContext: Hashable, Sendable {
  /// The rules of the time zone in which texts without an offset are read.
  public let zone: ZoneRules
  /// The present, truncated to the whole second, because typed times are times of entries.
  public let now: Moment
  /// The first day of the week: 0 is Sunday, 6 is Saturday.
  public let firstWeekday: Int
  /// The start of a day, as the time since midnight on the clock.
  ///
  /// A day lasts from this time of its date to the same time of the next date. So if days begin at
  /// 4:00, `yesterday 1:00` is on the date of today, and `9:00` at one in the morning is on the
  /// date of yesterday. A date with a time of day is what clocks show: `2026-11-23 1:00`.
  public let dayStart: ElapsedTime
  /// The start of the entry.
  ///
  /// A time of day in the future then means yesterday's, if that is later than this. `nil` if a
  /// time of day is always today's.
  public let earliest: Moment?
  /// Whether of two times that clocks show alike, one in the future is not meant.
  package private(set) var isOfPast = false
  /// The day of a time of day without a day; `nil` for the day of the present.
  package private(set) var givenDay: CivilDate?

  /// The form of dates that have one reading because the user chose it; `nil` for none.
  package private(set) var dateForm: NumericDateForm?

  /// The longest text that is read, in bytes.
  public static var longestText: Int { 200 }

  /// Creates a context.
  ///
  /// - Parameters:
  ///   - zone: The rules of the time zone in which texts without an offset are read.
  ///   - now: The present.
  ///   - firstWeekday: The first day of the week: 0 is Sunday, 6 is Saturday. Numbers outside are
  ///     taken modulo 7.
  ///   - dayStart: The start of a day, as the time since midnight on the clock.
  ///   - earliest: When the entry began that a typed time ends; `nil` for other times.
  public init(
    zone: ZoneRules, now: Moment, firstWeekday: Int, dayStart: ElapsedTime = .zero,
    after earliest: Moment? = nil
  ) {
    self.zone = zone
    self.now = now.wholeSecond
    self.dayStart = dayStart
    self.earliest = earliest
    self.firstWeekday = CivilDate.floorMod(firstWeekday, 7)
  }

  /// Returns the context in which a time of day without a day is on a given day.
  ///
  /// - Parameter day: The day, which begins at ``dayStart``; see ``day(at:)``.
  package func on(_ day: CivilDate) -> ExpressionContext {
    var context = self
    context.givenDay = day
    return context
  }

  /// Returns the context in which dates of a form have one reading.
  package func reading(_ form: NumericDateForm?) -> ExpressionContext {
    var context = self
    context.dateForm = form
    return context
  }

  /// The context of a time at which an entry starts or stops, which is not in the future.
  package var ofPast: ExpressionContext {
    var context = self
    context.isOfPast = true
    return context
  }

  /// Returns the moments of the day or of the longer period that a text names; `nil` for a text
  /// that names none.
  ///
  /// The range is empty for a day that clocks skipped.
  ///
  /// - Complexity: As ``TimeExpression/init(_:in:takesDigits:)``.
  package func period(of text: String) -> Range<Moment>? {
    guard (try? check()) != nil,
      let days = try? RangeSide(ExpressionText(text), in: self).days(in: self)
    else { return nil }
    return start(of: days.lowerBound)..<start(of: days.upperBound)
  }

  /// Returns the day in which a moment is; it begins at ``dayStart``.
  package func day(at moment: Moment) -> CivilDate {
    CivilDate(daysSince1970: dayNumber(at: moment))
  }
}

extension ExpressionContext {
  var local: LocalTime { zone.local(at: now) }

  /// The day in which the present is, in days since 1970.
  var today: Int { dayNumber(at: now) }

  /// Returns the day in which a moment is, in days since 1970.
  func dayNumber(at moment: Moment) -> Int {
    let local = zone.local(at: moment)
    let day = local.date.daysSince1970 - (isBeforeDayStart(local.secondOfDay) ? 1 : 0)
    // If clocks show the start of a day twice, the day begins at the first one.
    return start(of: day + 1) <= moment ? day + 1 : day
  }

  /// Returns the first moment of a day, which is given in days since 1970.
  func start(of day: Int) -> Moment {
    let second = Int(min(86_399, max(0, dayStart.seconds)))
    return zone.firstMoment(notBefore: LocalTime(second: second, ofDay: day))
  }

  /// Checks that the present is in a year that can be computed with.
  func check() throws(ExpressionError) {
    guard DateFormat.years.contains(local.date.year) else { throw .yearOutOfRange }
  }

  /// Returns a day, in days since 1970.
  ///
  /// A weekday is the latest day of that name up to today; after another day, in a range, it is the
  /// first one from that day on.
  ///
  /// - Parameters:
  ///   - day: The day.
  ///   - start: The other day.
  func number(of day: DayText, from start: Int? = nil) -> Int {
    switch day {
    case .date(let date): return date.daysSince1970
    case .daysFromToday(let days): return today + days
    case .weekday(let weekday):
      if let start { return start + CivilDate.floorMod(weekday - 4 - start, 7) }
      return today - CivilDate.floorMod(today + 4 - weekday, 7)
    }
  }

  /// Returns the date of a time of day on a day, in days since 1970.
  ///
  /// A time before that at which days begin is in the night after the day. A day that is given as a
  /// date is the date.
  ///
  /// - Parameters:
  ///   - clock: The time of day.
  ///   - day: The day; `nil` for the day of the context.
  ///   - start: As for `number(of:from:)`.
  func date(of clock: ClockText, on day: DayText?, from start: Int? = nil) -> Int {
    let number = day.map { self.number(of: $0, from: start) } ?? givenDay?.daysSince1970 ?? today
    if case .date? = day { return number }
    return isBeforeDayStart(clock.second) ? number + 1 : number
  }

  /// Whether the date of the present differs from its day, because the day has not ended yet.
  var isDayOfDateBefore: Bool { today < local.date.daysSince1970 }

  /// Returns whether a time of day is before that at which a day begins.
  private func isBeforeDayStart(_ second: Int) -> Bool { second < dayStart.seconds }

  /// Returns the latest day of a month, counted from 1, up to today; `nil` without such a day.
  func latest(month: Int, day: Int) -> CivilDate? {
    let today = CivilDate(daysSince1970: today)
    // 29 February may be eight years ago, as at the turn of a century.
    return (0...8).lazy.compactMap { CivilDate(year: today.year - $0, month: month, day: day) }
      .first { $0 <= today }
  }

  /// Returns the latest day of a weekday before today; 0 is Sunday.
  func last(_ weekday: Int) -> CivilDate {
    let day = number(of: .weekday(weekday))
    return CivilDate(daysSince1970: day == today ? day - 7 : day)
  }

  /// Returns the first or the last day of the present week, month, quarter or year that a word of
  /// timewarrior names, such as `som`; `nil` for another word.
  func day(named word: String) -> CivilDate? {
    let periods = ["d": "day", "w": "week", "m": "month", "q": "quarter", "y": "year"]
    guard word.utf8.count == 3, word.hasPrefix("so") || word.hasPrefix("eo"),
      let days = periods[String(word.suffix(1))].flatMap(days(named:))
    else { return nil }
    return CivilDate(daysSince1970: word.hasPrefix("s") ? days.lowerBound : days.upperBound - 1)
  }

  /// Returns the day some months before a day, or the last one of a shorter month; `nil` if its
  /// year is out of range.
  func date(_ count: Int, monthsBefore today: CivilDate) -> CivilDate? {
    let month = today.year * 12 + today.month - 1 - count
    let (year, index) = (CivilDate.floorDiv(month, 12), CivilDate.floorMod(month, 12) + 1)
    let last = CivilDate.days(inMonth: index, of: year)
    return CivilDate(year: year, month: index, day: min(today.day, last))
  }

  /// Returns the days of a month of the year, counted from 0.
  ///
  /// It is the latest one that has begun; after another day, in a range, it is the first one that
  /// ends after that day.
  func days(ofMonth month: Int, from start: Int? = nil) -> Range<Int> {
    let date = CivilDate(daysSince1970: start ?? today)
    let present = date.year * 12 + date.month - 1
    let months = CivilDate.floorMod(month - present, 12)
    return RangeSide.months(
      1, from: start == nil && months > 0 ? present + months - 12 : present + months)
  }

  /// Returns the note to print about a day: which one a weekday is.
  func note(on day: DayText?, from start: Int? = nil) -> String? {
    guard case .weekday(let weekday)? = day else { return nil }
    let number = self.number(of: .weekday(weekday), from: start)
    let mark = today == number ? ", today" : ""
    return "\(ExpressionWords.weekdays[weekday]) is \(CivilDate(daysSince1970: number))\(mark)"
  }

  func time(_ moment: Moment, note: String? = nil) throws(ExpressionError) -> TimeExpression {
    let time = TimeExpression(moment: moment, offset: zone.offset(at: moment), note: note)
    guard DateFormat.years.contains(time.local.date.year) else { throw .yearOutOfRange }
    return time
  }

  /// Returns the moments at which the zone shows a local time at a given offset, earliest first.
  func moments(_ local: LocalTime, at offset: OffsetText?) -> [Moment] {
    switch offset {
    case nil: return zone.moments(forLocal: local)
    case .seconds(let seconds):
      let second = local.secondsSince1970 - Int64(seconds)
      return [Moment(microseconds: second * 1_000_000)]
    case .name(_, let offsets):
      return zone.moments(forLocal: local).filter { offsets.contains(zone.offset(at: $0)) }
    }
  }

  /// Returns the moment of a time of day on a day.
  ///
  /// - Parameters:
  ///   - clock: The time of day.
  ///   - day: The date, in days since 1970.
  ///   - offset: The offset from UTC that the text gives.
  ///   - start: If given, earlier moments do not count.
  func moment(
    _ clock: ClockText, on day: Int, at offset: OffsetText?, after start: Moment? = nil
  ) throws(ExpressionError) -> Moment {
    let end = CivilDate(daysSince1970: day + 1)
    if clock.isEndOfDay && offset == nil { return zone.startOfDay(end) }
    let local = LocalTime(second: clock.second, ofDay: day)
    let all = moments(local, at: offset)
    var found = all
    if let start { found = all.filter { $0 > start } }
    if found.isEmpty { found = all }
    if isOfPast, found.contains(where: { $0 <= now }) { found = found.filter { $0 <= now } }
    guard found.count <= 1 else {
      throw .repeated(local, try time(found[0]), try time(found[found.count - 1]))
    }
    if let moment = found.first { return moment.adding(clock.fraction) }
    if case .skipped(let change) = zone.resolve(local) {
      throw .skipped(
        local, before: try time(change.lastMomentBefore), after: try time(change.moment))
    }
    throw .noSuchOffset(offset?.name ?? "", local, zone: zone.id)
  }
}
