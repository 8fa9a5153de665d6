import RetraceState

/// One side of a range: a point in time, a period of whole days, or a month without a year.
enum RangeSide {
  case point(PointText)
  /// Days since 1970, without the last.
  case period(Range<Int>)
  /// A month of the year, counted from 0.
  case month(Int)

  /// Reads a side; if `takesDigits`, `930` is a time of day, and so is `2026`.
  init(
    _ text: ExpressionText, in context: ExpressionContext, takesDigits: Bool = false
  ) throws(ExpressionError) {
    var text = text
    let isDigits =
      takesDigits && (3...4).contains(text.bytes.count)
      && text.bytes.allSatisfy { (0x30...0x39).contains($0) }
    if !isDigits, let period = try Self.period(&text, in: context) {
      self = .period(period)
      return
    }
    text.index = 0
    let word = text.word()
    if text.isAtEnd, let month = ExpressionWords.month(word) {
      self = .month(month)
      return
    }
    if word == "month", text.accept(" "), let month = text.number(1...2), text.isAtEnd {
      guard (1...12).contains(month) else { throw .noSuchPeriod("\(month)", .month) }
      self = .month(month - 1)
      return
    }
    text.index = 0
    do throws(ExpressionError) {
      self = .point(try PointText(text, in: context, takesDigits: takesDigits))
    } catch {
      if case .unreadable(let part, _) = error { throw .unreadable(part, .range) }
      throw error
    }
  }

  var point: PointText? { if case .point(let point) = self { point } else { nil } }

  var isPoint: Bool { point != nil }

  /// Returns the days of a period or a day, and `nil` for a time.
  func days(in context: ExpressionContext, from start: Int? = nil) -> Range<Int>? {
    switch self {
    case .period(let days): return days
    case .month(let month): return context.days(ofMonth: month, from: start)
    case .point(let point):
      guard point.clock == nil, let day = point.day else { return nil }
      let number = context.number(of: day, from: start)
      return number..<number + 1
    }
  }

  func start(in context: ExpressionContext) throws(ExpressionError) -> TimeExpression {
    if let time = try point?.time(in: context) { return time }
    let first = days(in: context)?.lowerBound ?? 0
    return try context.time(context.start(of: first), note: context.note(on: point?.day))
  }

  /// Returns the moment after the last one of a range with a given start.
  func end(
    after start: TimeExpression, in context: ExpressionContext
  ) throws(ExpressionError) -> TimeExpression {
    let startDay = context.dayNumber(at: start.moment)
    if let days = days(in: context, from: startDay) {
      return try context.time(
        context.start(of: days.upperBound), note: context.note(on: point?.day, from: startDay))
    }
    guard case .point(let point) = self, let clock = point.clock else {
      return try self.start(in: context)
    }
    if let day = point.day {
      let date = context.date(of: clock, on: day, from: startDay)
      let moment = try context.moment(clock, on: date, at: point.offset, after: start.moment)
      return try context.time(moment, note: context.note(on: day, from: startDay))
    }
    // The same date if that is later, also only on the clock; the next date otherwise.
    let startDate = start.local.date.daysSince1970
    let local = LocalTime(second: clock.second, ofDay: startDate)
    let isLater = context.moments(local, at: point.offset).contains { $0 > start.moment }
    if isLater || clock.second > start.local.secondOfDay {
      return try context.time(
        context.moment(clock, on: startDate, at: point.offset, after: start.moment))
    }
    if clock.second == start.local.secondOfDay && point.offset == nil {
      throw .endNotLater(start: start, end: start)
    }
    let moment = try context.moment(clock, on: startDate + 1, at: point.offset)
    return try context.time(moment, note: Self.nextDayNote)
  }

  /// The note to print about an end that is on the next day.
  static let nextDayNote = "the end is on the next day"
}

extension RangeSide {
  /// Reads a side that stands next to another or after `from`.
  ///
  /// A bare year there is refused if it could be a time of day: 2026 could be 20:26.
  static func beside(
    _ text: ExpressionText, isEnd: Bool, in context: ExpressionContext, takesDigits: Bool
  ) throws(ExpressionError) -> RangeSide {
    let side = try RangeSide(text, in: context, takesDigits: takesDigits)
    guard case .period = side, let year = Int(text.text), year % 100 < 60 else {
      return side
    }
    let clock = "\(padded(year / 100, to: 2)):\(padded(year % 100, to: 2))"
    throw .ambiguous(text.text, instead: [clock, "\(year)-\(isEnd ? "12" : "01")"])
  }

  /// Reads `:week`, `week`, `last week` and the like, `week 47`, `march 2026`, `2026`, `2026-11`,
  /// `2026-W47` or `2026-Q4`; returns `nil` if there is something else.
  static func period(
    _ text: inout ExpressionText, in context: ExpressionContext
  ) throws(ExpressionError) -> Range<Int>? {
    if text.accept(":") {
      let name = text.word()
      let named = context.days(named: name)
      let day = ExpressionWords.day(name).map { context.number(of: $0) }
      guard text.isAtEnd, let days = named ?? day.map({ $0..<$0 + 1 }) else {
        throw .unreadable(text.text, .range)
      }
      return days
    }
    if let days = context.days(inWords: text.bytes) { return days }
    if text.accept("week ") {
      if let week = text.number(1...2), text.isAtEnd { throw .noSuchPeriod("\(week)", .week) }
      return nil
    }
    guard let year = text.number(4...4), DateFormat.years.contains(year) else { return nil }
    if text.isAtEnd { return months(12, from: year * 12) }
    guard text.accept("-") else { return nil }
    var days: Range<Int>?
    var unit = ExpressionError.Period.month
    if text.accept("w") {
      unit = .week
      guard let week = text.number(2...2), text.isAtEnd else { return nil }
      days = context.days(ofWeek: week, of: year)
    } else if text.accept("q") {
      unit = .quarter
      guard let quarter = text.number(1...1), text.isAtEnd else { return nil }
      if (1...4).contains(quarter) { days = months(3, from: year * 12 + quarter * 3 - 3) }
    } else {
      guard let month = text.number(2...2), text.isAtEnd else { return nil }
      if (1...12).contains(month) { days = months(1, from: year * 12 + month - 1) }
    }
    guard let days else { throw .noSuchPeriod(text.text, unit) }
    return days
  }

  /// Returns the Thursday of an ISO week; `nil` if the year has no such week.
  ///
  /// The weeks of a year are those whose Thursday is in the year.
  fileprivate static func thursday(ofISOWeek week: Int, of year: Int) -> Int? {
    let first = CivilDate.firstDay(of: year, month: 1)
    // 1 January 1970 was a Thursday.
    let thursday = first + CivilDate.floorMod(-first, 7) + (week - 1) * 7
    return week >= 1 && thursday < CivilDate.firstDay(of: year + 1, month: 1) ? thursday : nil
  }

  /// Returns the days of some months; months are counted from year 0.
  static func months(_ count: Int, from month: Int) -> Range<Int> {
    func day(_ month: Int) -> Int {
      CivilDate.firstDay(
        of: CivilDate.floorDiv(month, 12), month: CivilDate.floorMod(month, 12) + 1)
    }
    return day(month)..<day(month + count)
  }
}

extension ExpressionContext {
  /// Returns the days of words in lower case, such as `week`, `last week`, `this month`,
  /// `last 7 days` or `march 2026`.
  fileprivate func days(inWords bytes: [UInt8]) -> Range<Int>? {
    let words = bytes.split(separator: 0x20).map { String(decoding: $0, as: UTF8.self) }
    let periods = ["week", "month", "quarter", "year"]
    switch words.count {
    case 1:
      // A day is a point, because a time of day may follow it.
      return periods.contains { words[0] == $0 || words[0] == "last\($0)" }
        ? days(named: words[0]) : nil
    case 2:
      if let month = ExpressionWords.month(words[0]), words[1].utf8.count == 4,
        let year = UInt16(words[1]), DateFormat.years.contains(Int(year))
      {
        return RangeSide.months(1, from: Int(year) * 12 + month)
      }
      if words[0] == "week", words[1].utf8.count <= 2, let week = UInt8(words[1]) {
        return days(ofLatestWeek: Int(week))
      }
      guard ["last", "this"].contains(words[0]), periods.contains(words[1]) else { return nil }
      return days(named: words[0] == "last" ? "last\(words[1])" : words[1])
    case 3:
      guard words[0] == "last", let count = UInt16(words[1]), count > 0 else { return nil }
      return days(last: Int(count), words[2])
    default: return nil
    }
  }

  /// Returns the days of the week with an ISO number, from the first weekday on; `nil` if the year
  /// has no such week.
  ///
  /// It is the week that has the Thursday of the ISO week, so it shares at least four days with it.
  fileprivate func days(ofWeek week: Int, of year: Int) -> Range<Int>? {
    RangeSide.thursday(ofISOWeek: week, of: year).map { thursday in
      let days = CivilDate(daysSince1970: thursday).week(startingOn: firstWeekday)
      return days.lowerBound.daysSince1970..<days.upperBound.daysSince1970
    }
  }

  /// Returns the days of the latest week with a number that has begun; `nil` if there is no such
  /// week.
  private func days(ofLatestWeek week: Int) -> Range<Int>? {
    let year = CivilDate(daysSince1970: today).year
    // A week 53 may be seven years ago.
    return (-1...7).lazy.compactMap { days(ofWeek: week, of: year - $0) }
      .first { $0.lowerBound <= today }
  }

  /// Returns the last days, weeks or months, up to today.
  private func days(last count: Int, _ unit: String) -> Range<Int>? {
    let tomorrow = today + 1
    switch unit {
    case "day", "days": return tomorrow - count..<tomorrow
    case "week", "weeks": return tomorrow - count * 7..<tomorrow
    case "month", "months":
      return date(count, monthsBefore: CivilDate(daysSince1970: today))
        .map { $0.daysSince1970 + 1..<tomorrow }
    default: return nil
    }
  }

  /// Returns the days of a named period, such as `lastweek`.
  func days(named name: String) -> Range<Int>? {
    let day = today
    let date = CivilDate(daysSince1970: day)
    let week = date.week(startingOn: firstWeekday).lowerBound.daysSince1970
    let month = date.year * 12 + date.month - 1
    switch name {
    case "day", "today": return day..<day + 1
    case "yesterday": return day - 1..<day
    case "week": return week..<week + 7
    case "lastweek": return week - 7..<week
    case "month": return RangeSide.months(1, from: month)
    case "lastmonth": return RangeSide.months(1, from: month - 1)
    case "quarter": return RangeSide.months(3, from: month - month % 3)
    case "lastquarter": return RangeSide.months(3, from: month - month % 3 - 3)
    case "year": return RangeSide.months(12, from: date.year * 12)
    case "lastyear": return RangeSide.months(12, from: date.year * 12 - 12)
    default: return nil
    }
  }
}
