import CivilTime
import RetraceState

/// An entry of a record in a file of klog.
struct KlogEntry: Sendable {
  /// The times of an entry.
  enum Span: Sendable {
    case range(LocalTime, LocalTime)
    /// A range without an end.
    case open(LocalTime)
    /// A duration without times.
    case duration(ElapsedTime)
    /// A negative duration, such as a break, without its sign.
    case deduction(ElapsedTime)
  }

  /// The line of the file.
  var line: Int
  /// The line without its indentation.
  var text: String
  /// The date of the record.
  var date: CivilDate
  var span: Span
  var summary: KlogText
  var recordSummary: KlogText
  /// The lines of the negative durations by which the entry was shortened.
  var deductions: [String] = []

  /// Parses the span at the beginning of the first line of an entry, and returns it and the rest.
  ///
  /// - Throws: The reason why the line is not an entry.
  static func span(
    of text: String, on date: CivilDate
  ) throws(KlogFailure) -> (span: Span, rest: Substring) {
    func isBlank(_ character: Character) -> Bool { character == " " || character == "\t" }
    let first = text.prefix { !isBlank($0) }
    if let duration = try duration(first) {
      let isBelowZero = first.hasPrefix("-") && duration != .zero
      return (isBelowZero ? .deduction(duration) : .duration(duration), text[first.endIndex...])
    }
    let startText = text.prefix { $0 != "-" && $0 != " " }
    guard let start = try time(startText, on: date) else { throw KlogFailure(.notKlogEntry) }
    var rest = text[startText.endIndex...].drop { $0 == " " }
    guard rest.popFirst() == "-" else { throw KlogFailure(.notKlogEntry) }
    rest = rest.drop { $0 == " " }
    let endText = rest.prefix { !isBlank($0) }
    rest = rest[endText.endIndex...]
    if !endText.isEmpty, endText.allSatisfy({ $0 == "?" }) { return (.open(start), rest) }
    guard let end = try time(endText, on: date) else { throw KlogFailure(.notKlogEntry) }
    guard start <= end else { throw KlogFailure(.negativeDuration) }
    return (.range(start, end), rest)
  }

  func rejection(_ reason: RowRejection.Reason, time: ElapsedTime? = nil) -> RowRejection {
    RowRejection(
      line: line, column: nil, value: String(text.prefix(200)), reason: reason, day: date,
      time: time)
  }

  /// The duration by which the entry can be shortened.
  var length: ElapsedTime {
    switch span {
    case .range(let start, let end):
      .seconds(end.secondsSince1970 - start.secondsSince1970)
    case .duration(let length): length
    case .open, .deduction: .zero
    }
  }

  /// Shortens the entry at its end, and keeps the line of the negative duration.
  ///
  /// - Precondition: The duration is at most ``length``.
  mutating func shorten(by duration: ElapsedTime, _ line: String) {
    switch span {
    case .range(let start, let end):
      let shorter = LocalTime(secondsSince1970: end.secondsSince1970 - duration.seconds)
      span = .range(start, shorter)
    case .duration(let length): span = .duration(.seconds(length.seconds - duration.seconds))
    case .open, .deduction: return
    }
    deductions.append(line)
  }

  /// Returns the length of a duration such as `1h30m`, without its sign; `nil` for another text.
  static func duration(_ text: Substring) throws(KlogFailure) -> ElapsedTime? {
    var rest = text.first == "-" || text.first == "+" ? text.dropFirst() : text
    func part(_ unit: Character) -> Substring? {
      let digits = rest.prefix { ("0"..."9").contains($0) }
      guard !digits.isEmpty, rest[digits.endIndex...].first == unit else { return nil }
      rest = rest[digits.endIndex...].dropFirst()
      return digits
    }
    let (hours, minutes) = (part("h"), part("m"))
    guard rest.isEmpty, hours != nil || minutes != nil else { return nil }
    // A number with more digits is longer than any entry.
    guard hours?.utf8.count ?? 0 <= 9, minutes?.utf8.count ?? 0 <= 9 else {
      throw KlogFailure(.durationTooLong)
    }
    let (hour, minute) = (Int64(hours ?? "0") ?? 0, Int64(minutes ?? "0") ?? 0)
    guard hours == nil || minute < 60 else { return nil }
    return .seconds(hour * 3_600 + minute * 60)
  }

  /// Returns the time of a text such as `<23:00` or `1:30pm`; `nil` for another text.
  private static func time(
    _ text: Substring, on date: CivilDate
  ) throws(KlogFailure) -> LocalTime? {
    var rest = text
    var days = 0
    if rest.first == "<" {
      days = -1
      rest.removeFirst()
    } else if rest.last == ">" {
      days = 1
      rest.removeLast()
    }
    let half = ["am", "pm"].first { rest.hasSuffix($0) }
    if half != nil { rest.removeLast(2) }
    let parts = rest.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, (1...2).contains(parts[0].utf8.count), parts[1].utf8.count == 2,
      parts.allSatisfy({ $0.allSatisfy { ("0"..."9").contains($0) } }),
      var hour = Int(parts[0]), let minute = Int(parts[1])
    else { return nil }
    if let half {
      guard (1...12).contains(hour) else { throw KlogFailure(.noSuchTime) }
      hour = hour % 12 + (half == "pm" ? 12 : 0)
    }
    let isMidnight = hour == 24 && minute == 0 && days < 1
    guard hour < 24 && minute < 60 || isMidnight else { throw KlogFailure(.noSuchTime) }
    return LocalTime(second: hour * 3_600 + minute * 60, ofDay: date.daysSince1970 + days)
  }
}
