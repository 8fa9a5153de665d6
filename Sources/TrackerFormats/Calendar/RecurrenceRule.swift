import CivilTime

/// A rule by which an event recurs (RFC 5545, section 3.3.10).
struct RecurrenceRule: Hashable, Sendable {
  /// The periods in each of which a rule has a set of occurrences, from short to long.
  enum Frequency: Int, Comparable, Sendable {
    case secondly, minutely, hourly, daily, weekly, monthly, yearly

    static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }

  /// A day of the week, from 0 for Sunday, and which one it is of the month or year; 0 for each.
  struct Weekday: Hashable, Sendable {
    var ordinal: Int
    var weekday: Int
  }

  var frequency = Frequency.daily
  var interval: Int64 = 1
  /// The number of occurrences, the start of the event included.
  var count: Int?
  /// The time after which there is no occurrence.
  var until: CalendarTime?

  /// The months, 1 to 12; empty for all, as of the other sets.
  var months = NumberSet()
  var weeks = NumberSet()
  var yearDays = NumberSet()
  var monthDays = NumberSet()
  /// The days of the week in every week.
  var weekdays = NumberSet()
  /// The days of the week with an ordinal.
  var ordinalWeekdays: [Weekday] = []
  var hours = NumberSet()
  var minutes = NumberSet()
  var seconds = NumberSet()
  /// The places of the occurrences that count among those of a period.
  var positions = NumberSet()
  /// The first day of a week.
  var weekStart = 1

  /// The last time on the clock that may be an occurrence, if known.
  var lastClock: Int64?
  /// The last second of UTC that may be an occurrence, if known.
  var lastSecond: Int64?

  /// Whether the rule says on which days it has occurrences.
  var hasDays: Bool {
    !(weeks.isEmpty && yearDays.isEmpty && monthDays.isEmpty && hasNoWeekdays)
  }

  private var hasNoWeekdays: Bool { weekdays.isEmpty && ordinalWeekdays.isEmpty }

  /// Sets what the rule leaves to the start of the event: the days, and the time of day.
  mutating func complete(from start: CalendarTime) {
    let local = start.local
    switch frequency {
    case .yearly where !weeks.isEmpty && yearDays.isEmpty && monthDays.isEmpty && hasNoWeekdays:
      weekdays.insert(local.date.weekday)
    case .yearly where !hasDays:
      if months.isEmpty { months.insert(local.date.month) }
      monthDays.insert(local.date.day)
    case .monthly where !hasDays: monthDays.insert(local.date.day)
    case .weekly where !hasDays: weekdays.insert(local.date.weekday)
    default: break
    }
    if hours.isEmpty, frequency > .hourly { hours.insert(local.hour) }
    if minutes.isEmpty, frequency > .minutely { minutes.insert(local.minute) }
    if seconds.isEmpty, frequency > .secondly { seconds.insert(local.second) }
  }
}

/// A set of numbers from -366 to 366, without storage of its own for those from -63 to 63.
struct NumberSet: Hashable, Sendable {
  /// A bit for each number from 0 to 63.
  private var small: UInt64 = 0
  /// A bit for each number from 0 to -63.
  private var smallNegative: UInt64 = 0
  private var others: Set<Int> = []

  var isEmpty: Bool { small == 0 && smallNegative == 0 && others.isEmpty }

  /// Returns whether a number is in the set.
  func contains(_ number: Int) -> Bool {
    switch number {
    case 0...63: small & 1 << UInt64(number) != 0
    case -63 ... -1: smallNegative & 1 << UInt64(-number) != 0
    default: !others.isEmpty && others.contains(number)
    }
  }

  /// Adds a number.
  mutating func insert(_ number: Int) {
    switch number {
    case 0...63: small |= 1 << UInt64(number)
    case -63 ... -1: smallNegative |= 1 << UInt64(-number)
    default: others.insert(number)
    }
  }

  /// The numbers in ascending order.
  var numbers: [Int] {
    if isEmpty { return [] }
    var numbers: [Int] = []
    if smallNegative != 0 { numbers = (1...63).reversed().map { -$0 }.filter(contains) }
    for number in 0..<64 - small.leadingZeroBitCount where contains(number) {
      numbers.append(number)
    }
    return others.isEmpty ? numbers : (numbers + others).sorted()
  }
}
