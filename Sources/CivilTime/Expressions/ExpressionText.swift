import RetraceState

enum DayText: Hashable, Sendable {
  case date(CivilDate)
  case daysFromToday(Int)
  /// 0 is Sunday.
  case weekday(Int)
}

struct ClockText: Hashable, Sendable {
  /// Seconds since midnight on the clock, from 0 to 86,400.
  let second: Int
  var fraction = ElapsedTime.zero

  var isEndOfDay: Bool { second == 86_400 }
}

enum OffsetText: Hashable, Sendable {
  case seconds(Int32)
  /// An abbreviation, with the offsets that it stands for in some zone.
  case name(String, [Int32])

  var name: String? { if case .name(let name, _) = self { name } else { nil } }
}

/// A normalized text, and a position in it.
///
/// It is trimmed and has single spaces.
struct ExpressionText {
  let original: [UInt8]
  /// The bytes in lower case.
  let bytes: [UInt8]
  var index = 0

  init(_ text: String) throws(ExpressionError) {
    guard text.utf8.count <= ExpressionContext.longestText else { throw .textTooLong }
    self.init(bytes: Array(text.utf8))
    if original.isEmpty { throw .empty }
  }

  private init(bytes: [UInt8]) {
    let words = bytes.split { $0 == 0x20 || $0 == 0x09 }
    original = Array(words.joined(separator: [0x20]))
    self.bytes = original.map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 }
  }

  var text: String { String(decoding: original, as: UTF8.self) }

  var isAtEnd: Bool { index == bytes.count }

  var next: UInt8? { index < bytes.count ? bytes[index] : nil }

  var isAtDigit: Bool { next.map { (0x30...0x39).contains($0) } ?? false }

  func part(_ range: Range<Int>) -> ExpressionText { ExpressionText(bytes: Array(original[range])) }

  /// Returns the parts before and after some text, if it occurs once.
  func split(at separator: String) -> (ExpressionText, ExpressionText)? {
    let found = positions(of: separator)
    guard found.count == 1 else { return nil }
    return (part(0..<found[0]), part(found[0] + separator.utf8.count..<bytes.count))
  }

  func positions(of text: String) -> [Int] {
    let wanted = Array(text.utf8)
    guard bytes.count >= wanted.count else { return [] }
    return (0...bytes.count - wanted.count).filter {
      Array(bytes[$0..<$0 + wanted.count]) == wanted
    }
  }

  /// The words, as they were written.
  var words: [String] {
    original.split(separator: 0x20).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The first word that is a date such as `1.10.2026`, `1.10.` or `1/10/2026`, if any.
  var numericDate: NumericDate? { words.lazy.compactMap(NumericDate.init).first }

  mutating func accept(_ text: String) -> Bool {
    let wanted = Array(text.utf8)
    guard bytes[index...].starts(with: wanted) else { return false }
    index += wanted.count
    return true
  }

  mutating func digits() -> String {
    let start = index
    while isAtDigit { index += 1 }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  /// Reads a number with exactly the given count of digits; else the position stays.
  mutating func number(_ digits: ClosedRange<Int>) -> Int? {
    let start = index
    let text = self.digits()
    if digits.contains(text.utf8.count), let number = Int(text) { return number }
    index = start
    return nil
  }

  /// Reads letters, in lower case.
  mutating func word() -> String {
    let start = index
    while let byte = next, (0x61...0x7a).contains(byte) { index += 1 }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }
}

/// A date of numbers whose first two are a day and a month, in either order.
struct NumericDate {
  /// The text of the date.
  let word: String
  let separator: UInt8
  private let first: Int
  private let second: Int
  /// The year; `nil` if the text has none.
  private let year: Int?

  init?(_ word: String) {
    guard let separator = word.utf8.first(where: { $0 == 0x2e || $0 == 0x2f }) else { return nil }
    let parts = word.utf8.split(separator: separator, omittingEmptySubsequences: false)
    let numbers = parts.map { part in
      part.allSatisfy { (0x30...0x39).contains($0) }
        ? Int(String(decoding: part, as: UTF8.self)) : nil
    }
    guard parts.count == 3, parts[0].count <= 2, parts[1].count <= 2,
      let first = numbers[0], let second = numbers[1]
    else { return nil }
    switch parts[2].count {
    case 0 where separator == 0x2e: year = nil
    case 4:
      guard let number = numbers[2] else { return nil }
      year = number
    default: return nil
    }
    (self.word, self.separator, self.first, self.second) = (word, separator, first, second)
  }

  /// Whether the first number is the day; `nil` if each can be the day and the month.
  var isDayFirst: Bool? {
    if first > 12 { return true }
    return second > 12 ? false : nil
  }

  /// Returns the day in an order of day and month, without a year the latest one up to today.
  func day(isDayFirst: Bool, in context: ExpressionContext) -> CivilDate? {
    let (day, month) = isDayFirst ? (first, second) : (second, first)
    guard let year else { return context.latest(month: month, day: day) }
    return CivilDate(year: year, month: month, day: day)
  }
}

enum ExpressionWords {
  static let weekdays = [
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
  ]

  /// Returns the day that a word in lower case stands for.
  static func day(_ word: String) -> DayText? {
    switch word {
    case "today": .daysFromToday(0)
    case "yesterday": .daysFromToday(-1)
    case "tomorrow": .daysFromToday(1)
    case "sunday", "sun": .weekday(0)
    case "monday", "mon": .weekday(1)
    case "tuesday", "tue": .weekday(2)
    case "wednesday", "wed": .weekday(3)
    case "thursday", "thu": .weekday(4)
    case "friday", "fri": .weekday(5)
    case "saturday", "sat": .weekday(6)
    default: nil
    }
  }

  private static let months = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
  ]

  /// Returns the month, counted from 0, that a word in lower case stands for: its name, or the
  /// first three letters of it.
  static func month(_ word: String) -> Int? {
    if word == "sept" { return 8 }
    return months.firstIndex { $0 == word || (word.utf8.count == 3 && $0.hasPrefix(word)) }
  }

  enum Unit: Hashable {
    /// A fixed unit in microseconds.
    case fixed(Int64)
    case days(Int)
    case months(Int)
  }

  /// Returns the unit that a word in lower case stands for: `m` is a minute, `mo` a month.
  static func unit(_ word: String) -> Unit? {
    switch word {
    case "h", "hr", "hrs", "hour", "hours": .fixed(3_600_000_000)
    case "m", "min", "mins", "minute", "minutes": .fixed(60_000_000)
    case "s", "sec", "secs", "second", "seconds": .fixed(1_000_000)
    case "d", "day", "days": .days(1)
    case "w", "week", "weeks": .days(7)
    case "mo", "month", "months": .months(1)
    case "y", "year", "years": .months(12)
    default: nil
    }
  }

  /// Returns the offsets, in minutes, that an abbreviation in lower case stands for in some zone.
  static func offsets(_ name: String) -> [Int32]? {
    switch name {
    case "wet": [0]
    case "west", "cet", "wat": [60]
    case "cest", "eet", "cat", "sast": [120]
    case "eest", "msk", "eat": [180]
    case "bst": [60, 360, 660]
    case "ist": [60, 120, 330]
    case "idt": [180]
    case "pkt": [300]
    case "wib": [420]
    case "hkt", "awst", "wita": [480]
    case "jst", "kst", "wit": [540]
    case "acst": [570]
    case "acdt": [630]
    case "aest", "chst": [600]
    case "aedt": [660]
    case "nzst": [720]
    case "nzdt": [780]
    case "nst": [-210]
    case "ndt": [-150]
    case "ast": [-240]
    case "adt": [-180]
    case "est": [-300]
    case "edt": [-240]
    case "cst": [-360, -300, 480]
    case "cdt": [-300, -240]
    case "mst": [-420]
    case "mdt": [-360]
    case "pst": [-480, 480]
    case "pdt": [-420]
    case "akst": [-540]
    case "akdt": [-480]
    case "hst": [-600]
    case "hdt": [-540]
    case "sst": [-660]
    default: nil
    }
  }
}
