import CivilTime
import RetraceCommandLine
import RetraceState
import RetraceToolSupport
import TimeTracking

/// What the words after a command say about an entry.
///
/// Of the words, `@NAME` is the project, `@PROJECT/TASK` a known project and its task, `#NAME` and
/// `+NAME` are tags, and all others are the description, joined by blanks. A word with a blank in
/// it, which was quoted in the shell, is a project or a tag only if the store has one of that name;
/// else it is text, and so is a word that begins with a backslash and a sign, and all words after
/// `--`.
struct EntryWords {
  /// The description.
  private(set) var description = ""
  /// The project.
  private(set) var project: String?
  /// The task of the project.
  private(set) var task: String?
  /// The tags.
  private(set) var tags: [String] = []
  /// The words that look like a project or a tag, and are text.
  private(set) var unknown: [String] = []
  /// The words that look like a time, and are text.
  private var times: [String] = []

  /// Whether there are no words.
  var isEmpty: Bool { description.isEmpty && project == nil && tags.isEmpty }

  /// Reads words.
  ///
  /// - Parameters:
  ///   - words: The words.
  ///   - signed: How many of them may have signs; those after `--` may not.
  ///   - isAfterTime: Whether a time precedes them; then no number among them is a time.
  ///   - domain: The entities, for their names.
  init(
    _ words: ArraySlice<String>, signed: Int, isAfterTime: Bool = false, in domain: DomainState
  ) throws(ToolFailure) {
    var texts: [String] = []
    for (index, word) in words.enumerated() {
      guard index < signed, word.utf8.count > 1, let sign = word.utf8.first else {
        texts.append(word)
        continue
      }
      let rest = String(word.dropFirst())
      let isQuoted = word.contains(where: \.isWhitespace)
      switch sign {
      case UInt8(ascii: "\\")
      where Self.hasSign(rest) && (!isQuoted || domain.isSignAndName(rest)):
        texts.append(rest)
      case UInt8(ascii: "@") where !isQuoted || domain.isSignAndName(word):
        try take(domain.project(in: rest) ?? (rest, task: nil))
      case UInt8(ascii: "#") where !isQuoted || domain.isSignAndName(word),
        UInt8(ascii: "+")
      where isQuoted ? domain.isSignAndName(word) : !rest.utf8.allSatisfy(Self.isDigit):
        tags.append(rest)
      default:
        texts.append(word)
        if isQuoted, Self.hasSign(word), rest.first?.isLetter == true { unknown.append(word) }
        guard !isQuoted else { continue }
        let isHour = !isAfterTime && Self.isHour(word)
        if Self.isTimeOfDay(word) || index == 0 && (isHour || LeadingTime.isOtherDay(word)) {
          times.append(word)
        }
        if word == "ago", let last = texts.dropLast().last, (try? DurationExpression(last)) != nil {
          times.append("\(last) ago")
        }
      }
    }
    description = texts.joinedByBlanks
  }

  private mutating func take(_ found: (project: String, task: String?)) throws(ToolFailure) {
    guard project == nil else {
      throw .usage(
        "There are two projects: \(project ?? "") and \(found.project).",
        advice: "Put a backslash before the one that is text, as in \\@\(found.project).")
    }
    (project, task) = found
  }

  /// A line for each word that looks like a project or a tag, and is text.
  var remarks: [String] {
    unknown.map { word in
      let name = word.dropFirst()
      let advice =
        word.hasPrefix("@")
        ? "a new project is --project \"\(name)\"" : "a new tag is --tag \"\(name)\""
      return "\"\(word)\" was read as text; \(advice)"
    }
  }

  /// A line for each word that looks like a time, and is text.
  var timeRemarks: [String] {
    times.map { "\($0) was read as text; write a time before the description" }
  }

  /// Returns whether a word has the form of `9:50` or `9:50:00`; `1:1` does not.
  private static func isTimeOfDay(_ word: String) -> Bool {
    let parts = word.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    return (2...3).contains(parts.count) && (1...2).contains(parts[0].count)
      && parts.dropFirst().allSatisfy { $0.count == 2 }
      && parts.allSatisfy { $0.allSatisfy(isDigit) }
  }

  /// Returns whether a word has the form of `9.30`, `9h`, `930` or `9-10`; `2026`, which is a year,
  /// does not.
  private static func isHour(_ word: String) -> Bool {
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

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}

extension DomainState {
  /// Returns the project and the task that a text names: the project of that name, or else the one
  /// of the text before the first slash, with the task of the text after it.
  ///
  /// - Returns: `nil` if there is no such project; the task need not exist.
  /// - Complexity: O(projects).
  func project(in text: String) -> (project: String, task: String?)? {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    let (whole, first) = (Name(text), Name(String(parts[0])))
    let task = parts.count > 1 && !Name(String(parts[1])).isEmpty ? String(parts[1]) : nil
    var (hasWhole, hasFirst) = (false, false)
    projects.forEach { _, project in
      guard project.deleted == nil else { return }
      if project.name == whole { hasWhole = true }
      if project.name == first { hasFirst = true }
    }
    if hasWhole { return (text, nil) }
    return hasFirst && task != nil ? (String(parts[0]), task) : nil
  }

  /// Returns whether a word is a sign and the name of a project or tag, or of a task of a project.
  fileprivate func isSignAndName(_ word: String) -> Bool {
    let text = String(word.dropFirst())
    if word.hasPrefix("@") { return project(in: text) != nil }
    let name = Name(text)
    var isFound = false
    tags.forEach { _, tag in
      if tag.deleted == nil, tag.name == name { isFound = true }
    }
    return isFound
  }
}

/// Returns a word as it is typed in a shell, in quotes only if it needs them.
func commandWord(_ word: String) -> String {
  let isPlain = word.utf8.allSatisfy { byte in
    (0x30...0x39).contains(byte) || (0x61...0x7a).contains(byte | 0x20)
      || byte >= 0x80 || ":-@+._/,".utf8.contains(byte)
  }
  return isPlain && !word.isEmpty ? word : shellWord(word)
}

extension Collection where Element == String {
  /// The texts with blanks between them.
  ///
  /// `joined(separator:)` looks up types at run time, which takes a tenth of the time of a command.
  var joinedByBlanks: String {
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
