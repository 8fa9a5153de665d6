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

/// A set of numbers from -366 to 366, in fixed space.
struct NumberSet: Hashable, Sendable {
  private var words: [UInt64] = []
  private(set) var isEmpty = true

  /// Returns whether a number is in the set.
  func contains(_ number: Int) -> Bool {
    guard !isEmpty, (-366...366).contains(number) else { return false }
    let bit = number + 366
    return words[bit >> 6] & 1 << UInt64(bit & 63) != 0
  }

  /// Adds a number from -366 to 366.
  mutating func insert(_ number: Int) {
    if isEmpty { words = Array(repeating: 0, count: 12) }
    isEmpty = false
    let bit = number + 366
    words[bit >> 6] |= 1 << UInt64(bit & 63)
  }

  /// The numbers in ascending order.
  var numbers: [Int] { isEmpty ? [] : (-366...366).filter(contains) }
}
