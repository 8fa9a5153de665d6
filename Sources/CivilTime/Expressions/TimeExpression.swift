public import RetraceState

/// A moment that a user typed, such as `9:00`, `yesterday 17:30` or `10min ago`.
///
/// The text is read in an ``ExpressionContext``. Without a day it is today, also if that is in the
/// future; a weekday is the latest day of that name up to today. A local time that clocks skip is
/// refused, and so is one that they show twice, unless the text has an offset. Print
/// ``description`` and ``note``, so that the user sees what was understood.
public struct TimeExpression: Hashable, Sendable {
  /// The moment.
  public let moment: Moment
  /// The offset of the zone from UTC at the moment, in seconds.
  public let offsetSeconds: Int32
  /// The note to print beside the moment, such as which day a weekday is.
  public let note: String?

  /// Reads a time.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - context: What the time depends on.
  ///   - takesDigits: Whether three or four digits at the end are a time of day: `930` is 9:30. Say
  ///     so for a text that can only be a time; elsewhere, a number is more likely something else.
  /// - Throws: ``ExpressionError`` if the text is not one moment.
  /// - Complexity: O(log transitions), because longer texts than
  ///   ``ExpressionContext/longestText`` are refused.
  public init(
    _ text: String, in context: ExpressionContext, takesDigits: Bool = false
  ) throws(ExpressionError) {
    let text = try ExpressionText(text)
    try context.check()
    let point = try PointText(text, in: context, takesDigits: takesDigits)
    if point.isLikeRange && point.day == nil, let hyphen = text.positions(of: "-").first {
      let head = text.part(0..<hyphen).text
      let tail = text.part(hyphen + 1..<text.bytes.count).text
      throw .ambiguous(text.text, instead: ["\(head) -\(tail)", "\(head) - \(tail)"])
    }
    guard let time = try point.time(in: context) else { throw .timeMissing(text.text) }
    self = time
  }

  package init(moment: Moment, offset: Int32, note: String?) {
    self.moment = moment
    offsetSeconds = offset
    self.note = note
  }

  /// The local time at the moment, in whole seconds.
  public var local: LocalTime { LocalTime(moment, offsetSeconds: offsetSeconds) }
}

extension TimeExpression: CustomStringConvertible {
  /// The moment as `2026-11-21 17:30 +01:00`, with seconds if needed; it can be read again.
  public var description: String {
    let fraction = fractionText(of: moment.microseconds)
    let hasSeconds = local.second > 0 || !fraction.isEmpty
    let seconds = hasSeconds ? ":" + padded(local.second, to: 2) + fraction : ""
    let offset = Int(offsetSeconds.magnitude)
    var text = "\(local.date) \(local.clock)\(seconds) \(offsetSeconds < 0 ? "-" : "+")"
    text += "\(padded(offset / 3_600, to: 2)):\(padded(offset / 60 % 60, to: 2))"
    if offset % 60 > 0 { text += ":\(padded(offset % 60, to: 2))" }
    return text
  }
}

/// A point in time in a text: a moment, a day, a time of day, or a day with a time of day.
struct PointText {
  /// A moment that counts from now.
  var relative: TimeExpression?
  var day: DayText?
  var clock: ClockText?
  var offset: OffsetText?
  /// Whether the offset follows the time of day as `-05:00`, so that it may be the end of a range.
  var isLikeRange = false
  /// Whether the date and the time of day are joined by a `T`.
  var isTimestamp = false

  /// Returns the moment, or `nil` for a day without a time.
  func time(in context: ExpressionContext) throws(ExpressionError) -> TimeExpression? {
    if let relative { return relative }
    guard let clock else { return nil }
    let date = context.date(of: clock, on: day)
    let moment = try context.moment(clock, on: date, at: offset)
    if let day, let earliest = context.earliest, moment <= earliest, context.isDayOfDateBefore {
      // The end of an entry that began after that is on the day of the date.
      let later = try context.moment(clock, on: date + 1, at: offset)
      if later > earliest { return try context.time(later, note: context.note(on: day)) }
    }
    if day == nil, context.givenDay == nil, moment > context.now, let earliest = context.earliest {
      let before = try context.moment(clock, on: date - 1, at: offset)
      if before > earliest { return try context.time(before) }
    }
    return try context.time(moment, note: context.note(on: day))
  }

  /// Reads a point in time; three or four digits at its end are a time of day if `takesDigits`.
  init(
    _ text: ExpressionText, in context: ExpressionContext, takesDigits: Bool = false
  ) throws(ExpressionError) {
    var text = text
    if text.bytes == Array("now".utf8) {
      relative = try context.time(context.now)
      return
    }
    if text.bytes.first == UInt8(ascii: "-"), text.bytes.count > 1 {
      relative = try Self.ago(text.part(1..<text.bytes.count), in: context) { "-\($0)" }
      return
    }
    if text.bytes.suffix(4) == Array(" ago".utf8)[...] {
      relative = try Self.ago(
        Self.numbered(text.part(0..<text.bytes.count - 4)), in: context
      ) { "\($0) ago" }
      return
    }
    if let (day, clock) = Self.compact(&text) {
      (self.day, self.clock, isTimestamp) = (.date(day), clock, true)
      if text.isAtEnd { return }
      offset = try Self.offset(&text)
      guard text.isAtEnd else { throw .unreadable(text.text, .time) }
      return
    }
    if text.accept("at ") { text = text.part(text.index..<text.bytes.count) }
    day = try Self.day(&text, in: context)
    if day != nil {
      if text.isAtEnd { return }
      isTimestamp = text.accept("t")
      guard isTimestamp || text.accept(" ") else { throw .unreadable(text.text, .time) }
      if !isTimestamp { _ = text.accept("at ") }
    }
    if takesDigits, let found = try Self.clock(ofDigits: &text) {
      clock = found
      return
    }
    clock = try Self.clock(&text)
    if text.isAtEnd { return }
    let isApart = text.accept(" ")
    isLikeRange = !isApart && text.next == UInt8(ascii: "-")
    offset = try Self.offset(&text)
    guard text.isAtEnd else { throw .unreadable(text.text, .time) }
  }

  /// Returns a duration with its words in digits: `half an hour` as `30m`, `an hour` as `1 hour`.
  private static func numbered(_ text: ExpressionText) throws(ExpressionError) -> ExpressionText {
    if text.bytes == Array("half an hour".utf8) { return try ExpressionText("30m") }
    var rest = text
    guard rest.accept("an ") || rest.accept("a ") else { return text }
    return try ExpressionText("1 \(rest.part(rest.index..<rest.bytes.count).text)")
  }

  /// Reads `20261121T173000`, as timewarrior writes it; returns `nil` if there is something else.
  private static func compact(_ text: inout ExpressionText) -> (CivilDate, ClockText)? {
    var rest = text
    guard let date = rest.number(8...8), rest.accept("t"), let time = rest.number(6...6),
      let day = CivilDate(year: date / 10_000, month: date / 100 % 100, day: date % 100),
      time / 10_000 < 24, time / 100 % 100 < 60, time % 100 < 60
    else { return nil }
    text = rest
    let seconds = time / 10_000 * 3_600 + time / 100 % 100 * 60 + time % 100
    return (day, ClockText(second: seconds))
  }

  /// Returns the time that is a duration, or a number of days, weeks, months or years, before now.
  ///
  /// - Parameters:
  ///   - text: The duration.
  ///   - context: What it depends on.
  ///   - whole: Returns the whole text of a duration.
  private static func ago(
    _ text: ExpressionText, in context: ExpressionContext, whole: (String) -> String
  ) throws(ExpressionError) -> TimeExpression {
    var rest = text
    if let number = rest.number(1...4) {
      _ = rest.accept(" ")
      let unit = ExpressionWords.unit(rest.word())
      let local = context.local
      let clock = ClockText(second: local.secondOfDay)
      switch unit {
      case .days(let days) where rest.isAtEnd:
        let day = local.date.daysSince1970 - number * days
        return try context.time(try context.moment(clock, on: day, at: nil))
      case .months(let months) where rest.isAtEnd:
        guard let date = context.date(number * months, monthsBefore: local.date) else {
          throw .yearOutOfRange
        }
        let note = date.day < local.date.day ? "the month has \(date.day) days" : nil
        return try context.time(
          try context.moment(clock, on: date.daysSince1970, at: nil), note: note)
      default: break
      }
    }
    let duration: Int64
    do throws(ExpressionError) {
      duration = try DurationExpression(text).time.microseconds
    } catch {
      guard case .ambiguous(let part, let instead) = error else { throw error }
      throw .ambiguous(whole(part), instead: instead.map(whole))
    }
    return try context.time(context.now.adding(ElapsedTime(microseconds: -duration)))
  }

  /// Reads `2026-11-21`, `21.11.2026`, `21.11.`, `21 november` or a name of a day; returns `nil` if
  /// there is a time of day.
  private static func day(
    _ text: inout ExpressionText, in context: ExpressionContext
  ) throws(ExpressionError) -> DayText? {
    let start = text.index
    guard text.isAtDigit else {
      let isLast = text.accept("last ")
      let word = text.word()
      switch ExpressionWords.day(word) {
      case .weekday(let weekday)? where isLast: return .date(context.last(weekday))
      case let day? where !isLast: return day
      default: break
      }
      if !isLast, let date = context.day(named: word) { return .date(date) }
      text.index = start
      return nil
    }
    if let date = try monthDay(&text, in: context) { return .date(date) }
    let first = text.digits()
    for separator in ["-", "/", "."] where text.accept(separator) {
      let second = text.digits()
      guard text.accept(separator) else { break }
      let third = text.digits()
      let found: [CivilDate]
      if separator == ".", third.isEmpty {
        guard let days = days(first, second, in: context) else { break }
        found = days
      } else {
        guard let days = days(first, separator, second, third, in: context) else { break }
        found = days
      }
      let written = text.part(start..<text.index).text
      guard let date = found.first else { throw .noSuchDay(written) }
      guard found.allSatisfy({ $0 == date }) else {
        var dates: [String] = []
        for date in found where !dates.contains(date.description) {
          dates.append(date.description)
        }
        throw .ambiguous(written, instead: dates)
      }
      return .date(date)
    }
    text.index = start
    return nil
  }

  /// Reads `21 november`, `21 nov` and `21 nov 2026`; returns `nil` if there is something else.
  ///
  /// Without a year it is the latest such day up to today.
  private static func monthDay(
    _ text: inout ExpressionText, in context: ExpressionContext
  ) throws(ExpressionError) -> CivilDate? {
    var rest = text
    guard let day = rest.number(1...2), rest.accept(" "),
      let month = ExpressionWords.month(rest.word()), rest.isAtEnd || rest.next == 0x20
    else { return nil }
    let written = rest
    if rest.accept(" "), let year = rest.number(4...4), rest.isAtEnd || rest.next == 0x20 {
      text = rest
      if let date = CivilDate(year: year, month: month + 1, day: day) { return date }
    } else {
      text = written
      if let date = context.latest(month: month + 1, day: day) { return date }
    }
    throw .noSuchDay(text.part(0..<text.index).text)
  }

  /// Returns the days that three numbers may stand for; `nil` if they have not the form of a date.
  private static func days(
    _ first: String, _ separator: String, _ second: String, _ third: String,
    in context: ExpressionContext
  ) -> [CivilDate]? {
    let counts = [first.utf8.count, second.utf8.count, third.utf8.count]
    guard let one = Int(first), let two = Int(second), let three = Int(third) else { return nil }
    if counts == [4, 2, 2] && separator != "." {
      return [CivilDate(year: one, month: two, day: three)].compactMap { $0 }
    }
    guard counts[0] <= 2, counts[1] <= 2, counts[2] == 2 || counts[2] == 4 else { return nil }
    let year = counts[2] == 4 ? three : 2_000 + three
    // 26-11-20 may be a date without its century.
    let isYearFirst = separator != "." && counts == [2, 2, 2]
    let form = context.dateForm.flatMap { $0.separator == separator && !isYearFirst ? $0 : nil }
    return [
      isYearFirst ? CivilDate(year: 2_000 + one, month: two, day: three) : nil,
      form?.isDayFirst == true ? nil : CivilDate(year: year, month: one, day: two),
      form?.isDayFirst == false ? nil : CivilDate(year: year, month: two, day: one),
    ].compactMap { $0 }
  }

  /// Returns the days that two numbers, as in `21.11.`, may stand for, each the latest one
  /// up to today; `nil` if they have not the form of a day and a month.
  private static func days(
    _ first: String, _ second: String, in context: ExpressionContext
  ) -> [CivilDate]? {
    guard (1...2).contains(first.utf8.count), (1...2).contains(second.utf8.count),
      let one = Int(first), let two = Int(second)
    else { return nil }
    let form = context.dateForm.flatMap { $0.separator == "." ? $0 : nil }
    return [
      form == nil ? context.latest(month: one, day: two) : nil,
      context.latest(month: two, day: one),
    ].compactMap { $0 }
  }

  /// Reads `9:00`, `9:00:30`, `9am`, `noon`, `midnight` or `24:00`.
  private static func clock(_ text: inout ExpressionText) throws(ExpressionError) -> ClockText {
    if text.accept("noon") { return ClockText(second: 43_200) }
    if text.accept("midnight") { return ClockText(second: 0) }
    let start = text.index
    let digits = text.digits()
    guard (1...4).contains(digits.utf8.count), let number = Int(digits) else {
      throw .unreadable(text.text, .time)
    }
    if text.next == UInt8(ascii: ".") || digits.utf8.count > 2 {
      throw clockWithoutColon(digits, at: start, in: &text)
    }
    var hour = number
    var (minute, second) = (0, 0)
    var fraction: Int64 = 0
    let hasMinutes = text.accept(":")
    if hasMinutes {
      guard let read = text.number(2...2) else { throw .unreadable(text.text, .time) }
      minute = read
      if text.accept(":") {
        guard let read = text.number(2...2) else { throw .unreadable(text.text, .time) }
        second = read
        if text.accept(".") {
          let decimals = text.digits()
          guard (1...6).contains(decimals.utf8.count), let value = Int64(decimals) else {
            throw .unreadable(text.text, .time)
          }
          fraction = value
          for _ in decimals.utf8.count..<6 { fraction *= 10 }
        }
      }
    }
    let end = text.index
    _ = text.accept(" ")
    if text.accept("am") || text.accept("pm") {
      let isAfternoon = text.bytes[text.index - 2] == UInt8(ascii: "p")
      guard (1...12).contains(hour) else { throw .noSuchTime(text.part(start..<text.index).text) }
      hour = hour % 12 + (isAfternoon ? 12 : 0)
    } else {
      text.index = end
      guard hasMinutes else { throw clockWithoutColon(digits, at: start, in: &text) }
    }
    let seconds = hour * 3_600 + minute * 60 + second
    guard minute < 60, second < 60, seconds < 86_400 || (seconds == 86_400 && fraction == 0) else {
      throw .noSuchTime(text.part(start..<end).text)
    }
    return ClockText(second: seconds, fraction: ElapsedTime(microseconds: fraction))
  }

  /// Reads `930` and `1745` at the end of a text; returns `nil` if there is something else.
  private static func clock(
    ofDigits text: inout ExpressionText
  ) throws(ExpressionError) -> ClockText? {
    var rest = text
    guard let number = rest.number(3...4), rest.isAtEnd else { return nil }
    let (hour, minute) = (number / 100, number % 100)
    guard hour < 24, minute < 60 else {
      throw .noSuchTime(text.part(text.index..<rest.index).text)
    }
    text = rest
    return ClockText(second: hour * 3_600 + minute * 60)
  }

  /// Returns the error of `9`, `930` and `9.30`, which could be a clock or a number.
  private static func clockWithoutColon(
    _ digits: String, at start: Int, in text: inout ExpressionText
  ) -> ExpressionError {
    guard var number = Int(digits) else { return .unreadable(text.text, .time) }
    if digits.utf8.count <= 2 { number *= 100 }
    if text.accept(".") {
      guard let minute = text.number(2...2) else { return .unreadable(text.text, .time) }
      number += minute
    }
    guard text.isAtEnd, number / 100 < 24, number % 100 < 60 else {
      return .unreadable(text.text, .time)
    }
    var hours = [number / 100]
    if digits.utf8.count == 1 && (1...11).contains(hours[0]) { hours.append(hours[0] + 12) }
    let day = String(decoding: text.original[..<start], as: UTF8.self)
    return .ambiguous(
      text.text, instead: hours.map { "\(day)\($0):\(padded(number % 100, to: 2))" })
  }

  /// Reads `Z`, `+01:00`, `+0100`, `+01` or an abbreviation such as `CEST`.
  private static func offset(_ text: inout ExpressionText) throws(ExpressionError) -> OffsetText {
    let isNegative = text.next == UInt8(ascii: "-")
    guard text.accept("+") || text.accept("-") else {
      let start = text.index
      let word = text.word()
      if ["z", "utc", "gmt"].contains(word) { return .seconds(0) }
      guard let minutes = ExpressionWords.offsets(word) else {
        throw .unreadable(text.text, .time)
      }
      return .name(text.part(start..<text.index).text, minutes.map { $0 * 60 })
    }
    var parts: [Int] = []
    if let number = text.number(4...4) {
      parts = [number / 100, number % 100]
    } else {
      repeat {
        guard let part = text.number(2...2) else { throw .unreadable(text.text, .time) }
        parts.append(part)
      } while parts.count < 3 && text.accept(":")
    }
    while parts.count < 3 { parts.append(0) }
    let seconds = parts.reduce(0) { $0 * 60 + $1 }
    guard parts.dropFirst().allSatisfy({ $0 < 60 }), seconds <= 93_600 else {
      throw .unreadable(text.text, .time)
    }
    return .seconds(Int32(isNegative ? -seconds : seconds))
  }
}
