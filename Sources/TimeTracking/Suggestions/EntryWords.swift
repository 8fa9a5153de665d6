import CivilTime
import RetraceState

/// The fields of an entry, read from words of the command line or of a form.
///
/// `@NAME` is the project, `@PROJECT/TASK` a known project and its task, and `#NAME` and `+NAME`
/// are tags, several if there are commas between them and no tag has the whole name; a comma or a
/// semicolon at the end of such a word separates it from the next one. All other words are the
/// description, joined by spaces. A word with a space in it, which was quoted in the shell, is a
/// project or tag only if the store has one with that name; so is `+` with a number of up to three
/// digits. Words after `--`, and words that begin with a backslash before a sign or a time, are
/// text.
public struct EntryWords {
  /// The description.
  public private(set) var description = ""
  /// The project.
  public private(set) var project: String?
  /// The task of the project.
  public private(set) var task: String?
  /// The tags.
  public private(set) var tags: [String] = []
  /// The words that look like a project or a tag, but are text.
  public private(set) var unknown: [String] = []
  /// The words that look like a time, but are text.
  public private(set) var times: [String] = []
  /// The first word, if it was quoted, begins with a time and is text.
  public private(set) var quotedTime: String?

  /// Whether there are no words.
  public var isEmpty: Bool { description.isEmpty && project == nil && tags.isEmpty }

  /// Whether the words are a project and nothing else.
  public var isProject: Bool {
    description.isEmpty && project != nil && tags.isEmpty && task == nil
  }

  /// Reads words.
  ///
  /// - Parameters:
  ///   - words: The words.
  ///   - signed: The number of words before `--`, in which `@`, `#`, `+` and `\` have a meaning.
  ///   - isAfterTime: Whether a time precedes the words. Then no number is reported as a time.
  ///   - domain: The entities, for their names.
  /// - Complexity: O(words), and O(projects) or O(tags) for each word that may name one.
  /// - Throws: ``TwoProjects`` if the words name two projects.
  public init(
    _ words: ArraySlice<String>, signed: Int, isAfterTime: Bool = false, in domain: DomainState
  ) throws(TwoProjects) {
    var texts: [String] = []
    for (index, word) in words.enumerated() {
      let isFirst = index == 0 && !isAfterTime
      guard index < signed, word.utf8.count > 1, let sign = word.utf8.first else {
        texts.append(word)
        if isFirst, let time = Self.leadingDuration(words.prefix(signed)) { times.append(time) }
        continue
      }
      let named = domain.withoutSeparator(word)
      let rest = named.afterSign
      let isQuoted = word.contains(where: { $0.isWhitespace })
      switch sign {
      case UInt8(ascii: "\\")
      where Self.hasSign(word.afterSign) && (!isQuoted || domain.isSignAndName(word.afterSign)):
        texts.append(word.afterSign)
      case UInt8(ascii: "\\")
      where !isQuoted
        && (index == 0 && Self.beginsTime(word.afterSign) || Self.isTimeOfDay(word.afterSign)):
        texts.append(word.afterSign)
      case UInt8(ascii: "@") where !rest.isEmpty && (!isQuoted || domain.isSignAndName(named)):
        try take(domain.project(in: rest) ?? (rest, task: nil))
      case UInt8(ascii: "#") where !rest.isEmpty && (!isQuoted || domain.isSignAndName(named)),
        UInt8(ascii: "+")
      where isQuoted || Self.isShortNumber(rest) ? domain.isSignAndName(named) : !rest.isEmpty:
        tags += domain.tagNames(rest)
      default:
        texts.append(word)
        let isText = isQuoted ? rest.first?.isLetter == true : Self.isShortNumber(rest)
        if Self.hasSign(word), isText { unknown.append(word) }
        guard !isQuoted else {
          if isFirst, Self.beginsWithTime(word) { quotedTime = word }
          continue
        }
        let isDay = index == 0 && Self.isOtherDay(word)
        if isFirst, let time = Self.leadingDuration(words.prefix(signed)) {
          times.append(time)
        } else if Self.isTimeOfDay(word) || isDay || isFirst && Self.isHour(word) {
          times.append(word)
        }
        if word == "ago", let time = Self.durationAtEnd(of: texts.dropLast()) {
          times.append("\(time) ago")
        }
      }
    }
    description = texts.joinedByBlanks
  }

  /// Reads the text of a form.
  ///
  /// Spaces separate words, and double quotes group them as in a shell. A sign before the quotes
  /// has its meaning, and a sign within them is text. Quotes around or after a sign are removed.
  /// All other quotes stay, and so do repeated spaces.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - isAfterTime: Whether the form has a time. Then no number is reported as a time.
  ///   - domain: The entities, for their names.
  /// - Complexity: As reading its words.
  /// - Throws: ``TwoProjects`` if the words name two projects.
  public init(
    text: String, isAfterTime: Bool = false, in domain: DomainState
  ) throws(TwoProjects) {
    let blank = UInt8(ascii: " ")
    let bytes = text.utf8.drop { $0 == blank }
    let end = bytes.lastIndex { $0 != blank }.map { bytes.index(after: $0) } ?? bytes.startIndex
    let pieces = bytes[..<end].split(separator: blank, omittingEmptySubsequences: false)
      .map { String(Substring($0)) }
    var words: [String] = []
    var rest = pieces[...]
    while let piece = rest.popFirst() {
      let start = Self.hasSign(piece) ? 1 : 0
      let isOpen = piece.utf8.dropFirst(start).first == UInt8(ascii: "\"")
      let isClosed = piece.utf8.count > start + 1 && piece.utf8.last == UInt8(ascii: "\"")
      let last = rest.firstIndex { $0.utf8.last == UInt8(ascii: "\"") }
      guard isOpen, isClosed || last != nil else {
        words.append(piece)
        continue
      }
      var whole = [piece]
      if !isClosed, let last {
        whole += rest[...last]
        rest = rest[(last + 1)...]
      }
      // A combining mark after a quote forms one character with it.
      var bytes = Array(whole.joinedByBlanks.utf8)
      bytes.remove(at: start)
      bytes.removeLast()
      let inner = String(decoding: bytes, as: UTF8.self)
      let parts = inner.split(separator: " ").map(String.init)
      if !parts.contains(where: { Self.hasSign($0) && $0.utf8.count > 1 }) {
        words.append(whole.joinedByBlanks)
      } else {
        let isRead = !inner.contains(where: { $0.isWhitespace }) || domain.isSignAndName(inner)
        words.append(start == 0 && Self.hasSign(inner) && isRead ? "\\\(inner)" : inner)
      }
    }
    try self.init(words[...], signed: words.count, isAfterTime: isAfterTime, in: domain)
  }

  /// Returns the text of a form that is read as a description: with a backslash before each word
  /// that would name a project or a tag.
  ///
  /// Quotes and backslashes that have a meaning in a form cannot be written, and stay as they are.
  package static func text(ofDescription description: String) -> String {
    description.split(separator: " ", omittingEmptySubsequences: false).map { word in
      word.utf8.count > 1 && hasSign(String(word)) ? "\\\(word)" : String(word)
    }.joinedByBlanks
  }

  /// Two projects of one entry.
  public struct TwoProjects: Error, Hashable, Sendable {
    /// The first one.
    public let first: String
    /// The other one.
    public let second: String

    /// Makes the error of two projects.
    public init(first: String, second: String) {
      (self.first, self.second) = (first, second)
    }
  }

  private mutating func take(_ found: (project: String, task: String?)) throws(TwoProjects) {
    // The same project may be given twice, also once with its task.
    guard let project else {
      (self.project, task) = found
      return
    }
    let isSame = Name(project) == Name(found.project)
    let isOneTask =
      task == nil || found.task == nil || task.map { Name($0) } == found.task.map { Name($0) }
    guard isSame, isOneTask else { throw TwoProjects(first: project, second: found.project) }
    task = task ?? found.task
  }

  /// Returns whether the text after a plus sign is a number of up to three digits, as in `+5`,
  /// which is more likely text than a new tag.
  private static func isShortNumber(_ text: String) -> Bool {
    (1...3).contains(text.utf8.count) && text.utf8.allSatisfy(isDigit)
  }

  /// Returns the duration at the beginning of words, such as `5 min`, `in 5 minutes` or `1h30`; nil
  /// without one.
  private static func leadingDuration(_ words: ArraySlice<String>) -> String? {
    let prefix = words.first?.lowercased() == "in" ? words.prefix(1) : []
    let rest = words.dropFirst(prefix.count)
    let count = (1...4).reversed().first { count in
      count <= rest.count && isDuration(rest.prefix(count).joinedByBlanks)
    }
    return count.map { (prefix + rest.prefix($0)).joinedByBlanks }
  }

  /// Returns the duration that ends words, such as `5min` or `1 min`; `nil` without one.
  private static func durationAtEnd(of words: ArraySlice<String>) -> String? {
    let texts = (1...4).reversed().map { words.suffix($0).joinedByBlanks }
    return texts.first(where: isDuration)
  }

  /// Returns whether a text is a duration with a unit.
  private static func isDuration(_ text: String) -> Bool {
    text.utf8.first.map(isDigit) ?? false && text.contains(where: { $0.isLetter })
      && (try? DurationExpression(text)) != nil
  }

  /// Returns whether a word is an offset from UTC, as in `9:00 +02:00`, and not a tag.
  ///
  /// - Parameters:
  ///   - word: The word.
  ///   - last: The word before it.
  package static func isOffset(_ word: String, after last: String?) -> Bool {
    guard word.utf8.first == UInt8(ascii: "+"), let last = last?.lowercased() else { return false }
    let isClock =
      last.contains(":") || last.hasSuffix("am") || last.hasSuffix("pm")
      || ["noon", "midnight"].contains(last)
    let digits = word.utf8.dropFirst().filter { $0 != UInt8(ascii: ":") }
    // No zone is more than 14 hours from UTC.
    guard isClock, [2, 4].contains(digits.count), digits.allSatisfy(isDigit) else { return false }
    return Int(String(decoding: digits.prefix(2), as: UTF8.self)).map { $0 <= 14 } ?? false
  }

  /// Returns whether a word can begin a time, also as `at` and `from` do.
  private static func beginsTime(_ word: String) -> Bool {
    looksLikeTime(word) || word == "at" || word == "from"
  }

  /// Returns whether a word can begin a time: it begins with a digit, also after a hyphen, or names
  /// a day.
  package static func looksLikeTime(_ word: String) -> Bool {
    if word.utf8.first.map(isDigit) ?? false { return true }
    if word.utf8.first == UInt8(ascii: "-") {
      return word.utf8.dropFirst().first.map(isDigit) ?? false
    }
    let days: [String] = ["today"] + otherDays
    let name = word.lowercased().prefix { $0 != " " }
    return days.contains { $0 == name || ($0.hasSuffix("day") && $0.prefix(3) == name) }
  }

  /// Returns whether a word is the name of a day other than today.
  package static func isOtherDay(_ word: String) -> Bool {
    otherDays.contains(word.lowercased())
  }

  /// The names of days other than today.
  private static var otherDays: [String] {
    [
      "yesterday", "tomorrow", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday",
      "sunday",
    ]
  }

  /// Returns whether a text begins like `9:00 standup`, `9am standup`, `9.30 standup`, `monday
  /// standup` or `10min ago standup`.
  private static func beginsWithTime(_ text: String) -> Bool {
    let words = text.split(separator: " ").prefix(2).map(String.init)
    guard let first = words.first else { return false }
    if words.last == "ago", (try? DurationExpression(first)) != nil { return true }
    let name = first.lowercased()
    let isHalfOfDay = (name.hasSuffix("am") || name.hasSuffix("pm")) && Int(name.dropLast(2)) != nil
    return isHalfOfDay || isTimeOfDay(first) || isOtherDay(first) || isClockWithoutColon(first)
  }

  /// Returns whether a word has the form of `9:50` or `9:50:00`; `1:1` does not.
  private static func isTimeOfDay(_ word: String) -> Bool {
    let parts = word.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    return (2...3).contains(parts.count) && (1...2).contains(parts[0].count)
      && parts.dropFirst().allSatisfy { $0.count == 2 }
      && parts.allSatisfy { $0.allSatisfy(isDigit) }
  }

  /// Returns whether a word has the form of `9.30` or `1730`, which are more likely a time than
  /// text; `2026`, which is a year, does not.
  package static func isClockWithoutColon(_ word: String) -> Bool {
    let hasFourDigits = word.utf8.count == 4 && word.utf8.allSatisfy(isDigit)
    return (word.utf8.contains(UInt8(ascii: ".")) || hasFourDigits) && isHour(word)
  }

  /// Returns whether a word has the form of `9.30`, `9h`, `930` or `9-10`; `2026`, which is a year,
  /// does not.
  private static func isHour(_ word: String) -> Bool {
    // Each form has at most two numbers of two digits, and a sign.
    guard word.utf8.count <= 5 else { return false }
    func number(_ digits: Substring) -> Int? {
      digits.count <= 2 && digits.utf8.allSatisfy(isDigit) ? Int(digits) : nil
    }
    func isTime(_ hour: Substring, _ minute: Substring) -> Bool {
      guard minute.count == 2, let hour = number(hour), let minute = number(minute) else {
        return false
      }
      return hour < 24 && minute < 60
    }
    if word.hasSuffix("h") { return number(word.dropLast()).map { $0 < 24 } ?? false }
    if word.utf8.allSatisfy(isDigit) {
      let isYear = word.utf8.count == 4 && (word.hasPrefix("19") || word.hasPrefix("20"))
      return word.utf8.count > 2 && !isYear && isTime(word.dropLast(2), word.suffix(2))
    }
    let hours = word.split(separator: "-", omittingEmptySubsequences: false)
    if hours.count == 2 { return hours.allSatisfy { number($0).map { $0 <= 24 } ?? false } }
    let parts = word.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 2 && isTime(parts[0], parts[1])
  }

  private static func hasSign(_ word: String) -> Bool {
    word.utf8.first.map("@#+".utf8.contains) ?? false
  }

  /// Returns whether a byte is an ASCII digit.
  static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}

extension DomainState {
  /// Returns the names of the tags in a list, without a comma or semicolon at its end; see
  /// ``withoutSeparator(_:)``.
  ///
  /// As in an import, commas separate them, unless a tag has the whole name.
  ///
  /// - Complexity: O(tags) for a text with a comma or semicolon.
  package func tagNames(_ text: String) -> [String] {
    let whole = withoutSeparator("#\(text)").afterSign
    guard whole.utf8.contains(UInt8(ascii: ",")), !isSignAndName("#\(whole)") else {
      return [whole.isEmpty ? text : whole]
    }
    return whole.split(separator: ",").map { part in
      // Each may have a sign of its own, as in `#a,#b`.
      let hasSign = part.utf8.first.map("#+".utf8.contains) ?? false
      return hasSign ? String(part).afterSign : String(part)
    }.filter { !Name($0).isEmpty }
  }

  /// Returns a word without the comma or semicolon at its end, unless it is a sign and a name with
  /// it.
  ///
  /// - Complexity: O(projects) or O(tags) for a word with such an end.
  package func withoutSeparator(_ word: String) -> String {
    let separators = ",;".utf8
    guard let first = word.utf8.first, "@#+".utf8.contains(first), let last = word.utf8.last,
      separators.contains(last), !isSignAndName(word)
    else { return word }
    let kept = word.utf8.reversed().drop(while: separators.contains)
    return String(decoding: Array(kept.reversed()), as: UTF8.self)
  }

  /// Returns whether a word is a sign followed by the name of a project, a tag, or a project and a
  /// task.
  fileprivate func isSignAndName(_ word: String) -> Bool {
    let text = word.afterSign
    if word.utf8.first == UInt8(ascii: "@") { return project(in: text) != nil }
    let name = Name(text, in: tags)
    var isFound = false
    tags.forEach { _, tag in
      if tag.deleted == nil, tag.name == name { isFound = true }
    }
    return isFound
  }
}

extension String {
  /// The text after a sign, also if a combining mark follows the sign.
  fileprivate var afterSign: String { String(decoding: utf8.dropFirst(), as: UTF8.self) }
}

extension Collection where Element == String {
  /// The texts, joined by spaces.
  ///
  /// `joined(separator:)` looks up types at run time, which takes a tenth of the time of a command.
  @inlinable package var joinedByBlanks: String {
    var text = ""
    var isFirst = true
    for word in self {
      if !isFirst { text += " " }
      text += word
      isFirst = false
    }
    return text
  }
}
