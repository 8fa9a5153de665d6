import Retrace
package import TimeTracking

extension Preference {
  /// The words of the days of a week, from Sunday.
  package static var days: [String] {
    ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]
  }

  /// Returns the word for clocks with 24 or with 12 hours.
  package static func clock(_ is24Hours: Bool) -> String { is24Hours ? "24-hour" : "12-hour" }

  /// What is known about the preference.
  ///
  /// Each preference has its row of this table, so a new one does not compile without it.
  package var rule: PreferenceRule {
    switch self {
    case .weekStart, .dayStart, .zone, .dates, .clock, .durations: timeRule
    case .askAfter:
      PreferenceRule(
        word: "ask-after", value: "duration", label: "Ask \"still working?\" after",
        section: .timer,
        help: "How long an entry runs before the app and a terminal ask whether the work goes on, "
          + "such as 10h; none for no question.",
        kind: .text(read: { $0.asksAfter?.hoursAndMinutes }, write: Self.setAskAfter))
    case .policy:
      PreferenceRule(
        word: "policy", value: "policy", label: "Overlaps and long entries",
        section: .timer, help: "What commands do without --policy.",
        kind: .choice(
          ["refuse", "adjust", "allow"],
          read: { Policy.allCases.firstIndex(of: $0.policy) ?? 0 },
          write: { $0.policy = Policy.allCases[$1] }))
    case .currency:
      PreferenceRule(
        word: "currency", value: "code", label: "Currency of rates", section: .timer,
        help: "The currency of rates without a workspace, such as EUR; an empty one for none.",
        kind: .text(read: { $0.currency }, write: Self.setCurrency))
    case .groupSimilar:
      PreferenceRule(
        word: "group-similar", value: "yes|no", label: "Group similar entries", section: .timer,
        help: "Whether the timer shows similar entries of a day as one row.",
        kind: .toggle(read: { $0.groupsSimilar }, write: { $0.groupsSimilar = $1 }))
    case .manual:
      PreferenceRule(
        word: "manual", value: "yes|no", label: "Manual mode", section: .timer,
        help: "Whether the app adds new entries with a start and an end, and starts none.",
        kind: .toggle(read: { $0.isManual }, write: { $0.isManual = $1 }))
    }
  }

  /// The rows of the preferences about dates and times.
  private var timeRule: PreferenceRule {
    switch self {
    case .weekStart:
      PreferenceRule(
        word: "week-start", value: "day", label: "First day of the week", section: .time,
        help: "The first day of a week. Week 47 is the one that has the Thursday of that ISO week.",
        kind: .choice(
          Self.days, read: { Int($0.firstWeekday) % 7 }, write: { $0.firstWeekday = Int32($1) }))
    case .dayStart:
      PreferenceRule(
        word: "day-start", value: "time", label: "Start of the day", section: .time,
        help: "When a day begins in reports, such as 4:00. Until then, yesterday 9:00 and other "
          + "named days with a later time count from the day that has not ended.",
        kind: .text(read: { Self.clock($0.dayStart) }, write: Self.setDayStart))
    case .dates:
      PreferenceRule(
        word: "dates", value: "form", label: "Dates", section: .time,
        help: "How dates are shown. They are typed in the same way, or as YYYY-MM-DD.",
        kind: .choice(
          DateStyle.allCases.map { $0.pattern },
          read: { DateStyle.allCases.firstIndex(of: $0.dateFormat) ?? 0 },
          write: { $0.dateFormat = DateStyle.allCases[$1] }))
    case .clock:
      PreferenceRule(
        word: "clock", value: "hours", label: "Times of day", section: .time,
        help: "How lists and the app write times of day: 21:05 or 09:05 PM. Both can be typed.",
        kind: .choice(
          [Self.clock(true), Self.clock(false)], read: { $0.is24Hours ? 0 : 1 },
          write: { $0.is24Hours = $1 == 0 }))
    case .durations:
      PreferenceRule(
        word: "durations", value: "form", label: "Durations", section: .time,
        help: "How lists and the app write durations: 47:06 min, 0:47:06 or 0.79 h. Lists cut "
          + "0:47:06 to minutes without --seconds, which replaces 0.79 h.",
        kind: .choice(
          RecordedDurationStyle.allCases.map { $0.style.rawValue },
          read: { RecordedDurationStyle.allCases.firstIndex(of: $0.durationFormat) ?? 0 },
          write: { $0.durationFormat = RecordedDurationStyle.allCases[$1] }))
    default:
      PreferenceRule(
        word: "zone", value: "zone", label: "Time zone", section: .time,
        help: "The time zone of reports; an empty one means the zone of the machine.",
        kind: .text(read: { $0.zone }, write: { $0.zone = $1.isEmpty ? nil : $1 }))
    }
  }

  // MARK: Reading texts

  private static func clock(_ dayStart: ElapsedTime) -> String {
    let minutes = Int(dayStart.seconds / 60)
    return "\(padded(minutes / 60, to: 2)):\(padded(minutes % 60, to: 2))"
  }

  private static func setDayStart(
    of set: inout PreferenceSet, to text: String
  ) throws(PreferenceProblem) {
    let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
      .map { Int64(Substring($0)) }
    guard parts.count == 2, let hour = parts[0], let minute = parts[1], (0...23).contains(hour),
      (0...59).contains(minute)
    else { throw .notATimeOfDay(text) }
    set.dayStart = .seconds(hour * 3_600 + minute * 60)
  }

  private static func setAskAfter(
    of set: inout PreferenceSet, to text: String
  ) throws(PreferenceProblem) {
    if text.isEmpty || text.hasBytes(of: "none") {
      set.asksAfter = nil
      return
    }
    let time: ElapsedTime
    do throws(ExpressionError) {
      time = try DurationExpression(text).time
    } catch {
      throw .notADuration(error)
    }
    guard time > .zero, time <= TimeEntry.durationMax else { throw .askAfterOutOfRange }
    set.asksAfter = time
  }

  private static func setCurrency(
    of set: inout PreferenceSet, to text: String
  ) throws(PreferenceProblem) {
    let code = RateText.currency(text)
    let isCode = code.utf8.count == 3 && code.utf8.allSatisfy { (0x41...0x5a).contains($0) }
    guard isCode || code.isEmpty else { throw .notACurrency(code) }
    set.currency = code.isEmpty ? nil : code
  }
}

extension PreferenceRule {
  /// The values that can be chosen; empty if any can be typed.
  package var choices: [String] {
    switch kind {
    case .toggle: ["yes", "no"]
    case .choice(let words, read: _, write: _): words
    case .text: []
    }
  }

  /// Returns the text of a value; `nil` for none.
  package func text(of set: PreferenceSet) -> String? {
    switch kind {
    case .toggle(let read, write: _): read(set) ? "yes" : "no"
    case .choice(let words, let read, write: _): words[read(set)]
    case .text(let read, write: _): read(set)
    }
  }

  /// Sets the value that a text means.
  ///
  /// Whether the system knows a time zone is for the edge to check.
  package func set(_ text: String, in set: inout PreferenceSet) throws(PreferenceProblem) {
    func index(in words: [String]) throws(PreferenceProblem) -> Int {
      guard let index = words.firstIndex(where: { $0.hasBytes(of: text) }) else {
        throw .notAmong(words)
      }
      return index
    }
    switch kind {
    case .toggle(read: _, let write): write(&set, try index(in: choices) == 0)
    case .choice(let words, read: _, let write): write(&set, try index(in: words))
    case .text(read: _, let write): try write(&set, text)
    }
  }
}
