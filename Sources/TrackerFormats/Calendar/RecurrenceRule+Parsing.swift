extension RecurrenceRule {
  /// Parses a rule such as `FREQ=WEEKLY;BYDAY=MO,WE;COUNT=10`.
  ///
  /// - Parameters:
  ///   - text: The rule.
  ///   - kind: The kind of the start of the event, of which a time in `UNTIL` without `Z` is, too.
  /// - Complexity: O(bytes).
  /// - Throws: The reason why the text is not a rule, or why the rule is not read.
  init(_ text: String, _ kind: CalendarTime.Kind) throws(CalendarFailure) {
    var names: Set<String> = []
    for part in text.utf8.split(separator: UInt8(ascii: ";")) {
      guard let sign = part.firstIndex(of: UInt8(ascii: "=")) else {
        throw CalendarFailure("a part of the rule is not NAME=VALUE")
      }
      let name = ascii(part[..<sign].prefix(32)).uppercased()
      guard names.insert(name).inserted else { throw CalendarFailure("\(name) twice") }
      try set(name, to: ascii(part[sign...].dropFirst()).uppercased(), kind)
    }
    guard names.contains("FREQ") else { throw CalendarFailure("no FREQ") }
    try check()
  }

  private mutating func set(
    _ name: String, to value: String, _ kind: CalendarTime.Kind
  ) throws(CalendarFailure) {
    switch name {
    case "FREQ": frequency = try Self.frequency(value)
    case "INTERVAL": interval = Int64(try Self.positive(value, name))
    case "COUNT": count = try Self.positive(value, name)
    case "UNTIL":
      guard let time = try CalendarTime(value[...], kind) else {
        throw CalendarFailure("UNTIL is neither a date nor a time")
      }
      until = time
    case "BYSECOND":
      // Clocks without leap seconds show 59 in place of 60.
      for second in try Self.numbers(value, name, 0...60).numbers {
        seconds.insert(min(second, 59))
      }
    case "BYMINUTE": minutes = try Self.numbers(value, name, 0...59)
    case "BYHOUR": hours = try Self.numbers(value, name, 0...23)
    case "BYDAY": try setWeekdays(value)
    case "BYMONTHDAY": monthDays = try Self.numbers(value, name, 1...31, orBelowZero: true)
    case "BYYEARDAY": yearDays = try Self.numbers(value, name, 1...366, orBelowZero: true)
    case "BYWEEKNO": weeks = try Self.numbers(value, name, 1...53, orBelowZero: true)
    case "BYMONTH": months = try Self.numbers(value, name, 1...12)
    case "BYSETPOS": positions = try Self.numbers(value, name, 1...366, orBelowZero: true)
    case "WKST": weekStart = try Self.weekday(value)
    case "RSCALE" where value == "GREGORIAN", "SKIP" where value == "OMIT": break
    default: throw CalendarFailure("\(name)=\(value.prefix(32)) is not read")
    }
  }

  private static func frequency(_ value: String) throws(CalendarFailure) -> Frequency {
    switch value {
    case "SECONDLY": .secondly
    case "MINUTELY": .minutely
    case "HOURLY": .hourly
    case "DAILY": .daily
    case "WEEKLY": .weekly
    case "MONTHLY": .monthly
    case "YEARLY": .yearly
    default: throw CalendarFailure("FREQ is not one of SECONDLY to YEARLY")
    }
  }

  private static func positive(_ value: String, _ name: String) throws(CalendarFailure) -> Int {
    guard let number = CalendarTime.number(Array(value.utf8)[...]), number > 0 else {
      throw CalendarFailure("\(name) is not a number from 1 to 999999999")
    }
    return number
  }

  /// Returns a number with an optional sign of at most three digits; `nil` for another text.
  private static func signed(_ text: Substring.UTF8View) -> Int? {
    let isNegative = text.first == UInt8(ascii: "-")
    let digits = isNegative || text.first == UInt8(ascii: "+") ? text.dropFirst() : text
    guard digits.count <= 3 else { return nil }
    return CalendarTime.number(Array(digits)[...]).map { isNegative ? -$0 : $0 }
  }

  private static func numbers(
    _ value: String, _ name: String, _ range: ClosedRange<Int>, orBelowZero: Bool = false
  ) throws(CalendarFailure) -> NumberSet {
    var set = NumberSet()
    for text in value[...].utf8.split(
      separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    {
      guard let number = signed(text),
        range.contains(number) || orBelowZero && range.contains(-number)
      else {
        let sign = orBelowZero ? ", or below zero" : ""
        throw CalendarFailure(
          "\(name) is not a list of numbers from \(range.lowerBound) to \(range.upperBound)\(sign)")
      }
      set.insert(number)
    }
    return set
  }

  private static func weekday(_ name: String) throws(CalendarFailure) -> Int {
    guard let day = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"].firstIndex(of: name) else {
      throw CalendarFailure("a day of the week is not one of SU to SA")
    }
    return day
  }

  private mutating func setWeekdays(_ value: String) throws(CalendarFailure) {
    var found: Set<Weekday> = []
    for text in value[...].utf8.split(
      separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    {
      let day = try Self.weekday(ascii(text.suffix(2)))
      guard text.count > 2 else {
        weekdays.insert(day)
        continue
      }
      guard let ordinal = Self.signed(text.dropLast(2)), (1...53).contains(abs(ordinal)) else {
        throw CalendarFailure("a number in BYDAY is not from 1 to 53, or below zero")
      }
      if found.insert(Weekday(ordinal: ordinal, weekday: day)).inserted {
        ordinalWeekdays.append(Weekday(ordinal: ordinal, weekday: day))
      }
    }
  }

  /// Refuses the parts that section 3.3.10 forbids with the frequency, because programs differ in
  /// what they make of them.
  private func check() throws(CalendarFailure) {
    func refuse(_ part: String) -> CalendarFailure {
      CalendarFailure("\(part) is not allowed with this FREQ")
    }
    if !weeks.isEmpty, frequency != .yearly { throw refuse("BYWEEKNO") }
    if !yearDays.isEmpty, (.daily ... .monthly).contains(frequency) { throw refuse("BYYEARDAY") }
    if !monthDays.isEmpty, frequency == .weekly { throw refuse("BYMONTHDAY") }
    if !ordinalWeekdays.isEmpty, frequency < .monthly { throw refuse("a number in BYDAY") }
    if !ordinalWeekdays.isEmpty, !weeks.isEmpty {
      throw CalendarFailure("a number in BYDAY is not allowed with BYWEEKNO")
    }
  }
}
