import Retrace
import RetraceToolSupport
import TimeTracking
import TrackerFormats

/// The words after the name of an extension: a range, tags and settings, as timewarrior reads them.
///
/// The position of a word does not matter. A range of two days ends at the start of the second day,
/// unlike elsewhere in the tracker.
struct ExtensionWords {
  /// The start of the range; `nil` for none.
  private(set) var start: Moment?
  /// The end of the range; `nil` for none.
  private(set) var end: Moment?
  /// The tags as they are typed.
  private(set) var tags: [String] = []
  /// The settings of `rc.` words.
  private(set) var settings: [(name: String, value: String)] = []
  /// The settings of hints such as `:quiet`, which settings of a file replace.
  private(set) var hints: [(name: String, value: String)] = []

  private let calendar: ReportCalendar
  private let context: ExpressionContext

  /// Reads words.
  ///
  /// - Parameters:
  ///   - words: The words.
  ///   - calendar: The calendar of the user.
  ///   - moment: The present.
  /// - Throws: A usage failure for words that are no range.
  init(
    _ words: ArraySlice<String>, in calendar: ReportCalendar, at moment: Moment
  ) throws(ToolFailure) {
    self.calendar = calendar
    context = calendar.expressionContext(at: moment)
    var range: [String] = []
    for word in words.map(Self.extended) {
      if let setting = Self.setting(word) {
        settings.append(setting)
      } else if let hint = Self.hints[word] {
        hints.append(hint)
      } else if Self.ignored.contains(word) {
        continue
      } else if isOfRange(word) {
        range.append(word)
      } else {
        tags.append(word)
      }
    }
    guard !range.isEmpty, range != [":all"] else { return }
    (start, end) = try self.range(range[...])
  }

  /// The hints that are settings.
  private static let hints: [String: (name: String, value: String)] = [
    ":debug": ("debug", "on"), ":quiet": ("verbose", "off"), ":color": ("color", "on"),
    ":nocolor": ("color", "off"), ":yes": ("confirmation", "off"),
  ]

  /// The hints of timewarrior that do not apply to extensions.
  private static let ignored = [
    ":adjust", ":annotations", ":no-annotations", ":blank", ":fill", ":holidays", ":no-holidays",
    ":ids", ":no-ids", ":tags", ":no-tags",
  ]

  /// Reads `rc.name=value` or `rc.name:value`.
  private static func setting(_ word: String) -> (name: String, value: String)? {
    guard word.hasPrefix("rc.") else { return nil }
    let rest = word.dropFirst(3)
    guard let sign = rest.firstIndex(of: "=") ?? rest.firstIndex(of: ":") else { return nil }
    return (String(rest[..<sign]), String(rest[rest.index(after: sign)...]))
  }

  /// Returns a time in the basic format of ISO 8601, such as 20260302T090000Z, in the extended
  /// format; other words unchanged.
  private static func extended(_ word: String) -> String {
    let bytes = Array(word.utf8)
    guard bytes.count == 15 || bytes.count == 16 && bytes[15] == UInt8(ascii: "Z"),
      bytes[8] == UInt8(ascii: "T"),
      (bytes[..<8] + bytes[9..<15]).allSatisfy({ (0x30...0x39).contains($0) })
    else { return word }
    func part(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
    let date = "\(part(0..<4))-\(part(4..<6))-\(part(6..<8))"
    return "\(date)T\(part(9..<11)):\(part(11..<13)):\(part(13..<15))\(part(15..<bytes.count))"
  }

  private static let keywords = [
    "from", "since", "to", "for", "until", "-", "before", "after", "ago",
  ]

  private func isOfRange(_ word: String) -> Bool {
    guard !word.hasPrefix(":"), !Self.keywords.contains(word) else { return true }
    // A number is a tag, unless it is a year or a whole date.
    if word.utf8.allSatisfy({ (0x30...0x39).contains($0) }), word.utf8.count != 4,
      word.utf8.count != 8
    {
      return false
    }
    let isTime = (try? TimeExpression(word, in: context)) != nil
    // The names of periods, such as week and march, are tags.
    let isName = word.utf8.allSatisfy { (0x41...0x5a).contains($0 & 0xdf) }
    let isDay = (try? TimeExpression("\(word) 9:00", in: context)) != nil
    let isRange = (!isName || isDay) && (try? RangeExpression(word, in: context)) != nil
    return isTime || isRange || (try? DurationExpression(word)) != nil
      || (try? TimeExpression("\(word) ago", in: context)) != nil
  }
}

extension ExtensionWords {
  private func range(
    _ words: ArraySlice<String>
  ) throws(ToolFailure) -> (Moment?, Moment?) {
    var words = words
    let isOpen = words.first == "from" || words.first == "since"
    if isOpen { words.removeFirst() }
    if let sign = words.firstIndex(where: { ["-", "to", "until"].contains($0) }) {
      let (first, last) = (words[..<sign], words[(sign + 1)...])
      guard let end = day(last) else {
        let range = try RangeWords(Self.text(first) + " - " + Self.text(last))
          .range(in: calendar, at: context.now)
        return (range.moments.lowerBound, range.moments.upperBound)
      }
      let start = try moment(first)
      guard start <= end else {
        throw .usage(
          "The end of the range is before its start.",
          advice: "Give the earlier day first, as in 2026-03-01 - 2026-03-08.")
      }
      return (start, end)
    }
    if isOpen, !words.contains("for") { return (try moment(words), nil) }
    if words.last == "ago", words.count > 1 { return (try moment(words), nil) }
    if words.first == "for", words.count > 1 { return try before(words.dropFirst(), context.now) }
    if let sign = words.firstIndex(of: "before") {
      return try before(words[..<sign], moment(words[(sign + 1)...]))
    }
    if let sign = words.firstIndex(of: "after") {
      let start = try moment(words[(sign + 1)...])
      return (start, start.adding(try duration(words[..<sign])))
    }
    if let sign = words.firstIndex(of: "for") {
      let start = try moment(words[..<sign])
      return (start, start.adding(try duration(words[(sign + 1)...])))
    }
    if let fixed = try fixedRange(words) { return fixed }
    let isTime = (try? TimeExpression(Self.text(words), in: context)) != nil
    return isTime ? (try moment(words), nil) : try before(words, context.now)
  }

  /// Returns the range that a text without keywords means, such as `:week` or `2026-03`; `nil` for
  /// a single time.
  private func fixedRange(
    _ words: ArraySlice<String>
  ) throws(ToolFailure) -> (Moment?, Moment?)? {
    let text = Self.text(words)
    if (try? TimeExpression(text, in: context)) != nil { return nil }
    if text == ":fortnight" {
      let (last, this) = (try found(":lastweek"), try found(":week"))
      return (last.lowerBound, this.upperBound)
    }
    if text.hasPrefix(":"), day([String(text.dropFirst())]) != nil {
      let range = try found(String(text.dropFirst()))
      return (range.lowerBound, range.upperBound)
    }
    guard text.hasPrefix(":") || (try? RangeExpression(text, in: context)) != nil else {
      return nil
    }
    let range = try found(text)
    return (range.lowerBound, range.upperBound)
  }

  private func found(_ text: String) throws(ToolFailure) -> Range<Moment> {
    try RangeWords(text).range(in: calendar, at: context.now).moments
  }

  /// Returns the beginning of a day or a longer period; `nil` if the words are another time.
  private func day(_ words: ArraySlice<String>) -> Moment? {
    let text = Self.text(words)
    guard (try? TimeExpression(text, in: context)) == nil else { return nil }
    return try? found(text).lowerBound
  }

  private func moment(_ words: ArraySlice<String>) throws(ToolFailure) -> Moment {
    if let start = day(words) { return start }
    do throws(ExpressionError) {
      return try TimeExpression(Self.text(words), in: context).moment
    } catch {
      throw .time(error)
    }
  }

  /// Returns the range of a duration that ends at a moment.
  ///
  /// If it ends now, it may be in days.
  private func before(
    _ words: ArraySlice<String>, _ end: Moment
  ) throws(ToolFailure) -> (Moment?, Moment?) {
    if end == context.now { return (try moment(words + ["ago"]), end) }
    let length = try duration(words)
    return (end.adding(ElapsedTime(microseconds: -length.microseconds)), end)
  }

  private func duration(_ words: ArraySlice<String>) throws(ToolFailure) -> ElapsedTime {
    do throws(ExpressionError) {
      return try DurationExpression(Self.text(words)).time
    } catch {
      throw .time(error)
    }
  }

  private static func text(_ words: ArraySlice<String>) -> String {
    words.joined(separator: " ")
  }
}
