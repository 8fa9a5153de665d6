/// A component of a calendar file with the properties that are read, such as an event
/// (RFC 5545, section 3.6).
struct CalendarComponent: Sendable {
  /// The name in capital letters.
  let name: String
  /// The line on which it begins.
  let line: Int
  fileprivate(set) var properties: [ContentLine] = []
  /// The components in it that are read.
  fileprivate(set) var children: [CalendarComponent] = []
  /// The first line that cannot be read.
  var problem: RowRejection? { problems.first }
  /// One problem at most, out of line, because most components have none.
  private var problems: [RowRejection] = []

  /// The properties that are read of each component that is read.
  fileprivate static let read: [String: Set<String>] = [
    "VEVENT": [
      "DTEND", "DTSTART", "DURATION", "EXDATE", "EXRULE", "RDATE", "RECURRENCE-ID", "RRULE",
      "SEQUENCE", "STATUS", "SUMMARY", "UID",
    ],
    "VTIMEZONE": ["TZID"],
    "STANDARD": ["DTSTART", "RDATE", "RRULE", "TZOFFSETFROM", "TZOFFSETTO"],
    "DAYLIGHT": ["DTSTART", "RDATE", "RRULE", "TZOFFSETFROM", "TZOFFSETTO"],
  ]

  init(name: String, line: Int) { (self.name, self.line) = (name, line) }

  /// Sets the first line that cannot be read, unless there is one.
  fileprivate mutating func reject(_ rejection: RowRejection) {
    if problems.isEmpty { problems = [rejection] }
  }

  /// Returns the first property with a name.
  subscript(_ name: String) -> ContentLine? { properties.first { $0.name == name } }

  /// Returns the properties with a name.
  func all(_ name: String) -> [ContentLine] { properties.filter { $0.name == name } }
}

/// The components of one calendar of a file, which may have several.
struct CalendarComponents: Sendable {
  fileprivate(set) var events: [CalendarComponent] = []
  fileprivate(set) var zones: [CalendarComponent] = []

  /// The maximum number of components around a line.
  static let depthMax = 32

  /// Reads the components of a file.
  ///
  /// - Complexity: O(bytes).
  /// - Throws: ``ImportFailure/notFile(_:)`` if components are not closed in the order in which
  ///   they were opened.
  static func read(_ file: ArraySlice<UInt8>) throws(ImportFailure) -> [CalendarComponents] {
    var reader = CalendarComponentReader()
    for line in UnfoldedLines(file) { try reader.read(line) }
    return try reader.finish()
  }
}

/// Reads components line by line.
private struct CalendarComponentReader {
  private var calendars: [CalendarComponents] = []
  /// The open components.
  private var open: [CalendarComponent] = []

  mutating func read(_ line: UnfoldedLine) throws(ImportFailure) {
    guard let name = line.name else {
      let isSpace = line.bytes.allSatisfy { " \t\r".utf8.contains($0) }
      if isSpace { return }
      if open.isEmpty { throw notCalendar(line) }
      let reason = "neither a property, such as SUMMARY:text, nor the continuation of one"
      open[open.count - 1].reject(line.rejection(.other(reason)))
      return
    }
    switch name {
    case "BEGIN": try begin(line)
    case "END": try end(line)
    default:
      guard let component = open.last else { throw notCalendar(line) }
      guard CalendarComponent.read[component.name]?.contains(name) == true else { return }
      do throws(RowRejection) {
        open[open.count - 1].properties.append(try ContentLine(line, name: name))
      } catch {
        open[open.count - 1].reject(error)
      }
    }
  }

  func finish() throws(ImportFailure) -> [CalendarComponents] {
    if let component = open.last {
      throw .notFile("\(component.name), which begins on line \(component.line), never ends")
    }
    guard !calendars.isEmpty else { throw .notFile("it has no BEGIN:VCALENDAR") }
    return calendars
  }

  private func notCalendar(_ line: UnfoldedLine) -> ImportFailure {
    .notFile("line \(line.number) is not within BEGIN:VCALENDAR and END:VCALENDAR")
  }

  private mutating func begin(_ line: UnfoldedLine) throws(ImportFailure) {
    let name = componentName(line)
    guard open.isEmpty == (name == "VCALENDAR") else { throw notCalendar(line) }
    guard open.count < CalendarComponents.depthMax else {
      throw .notFile(
        "line \(line.number) is within more than \(CalendarComponents.depthMax) components")
    }
    open.append(CalendarComponent(name: name, line: line.number))
    if open.count == 1 { calendars.append(CalendarComponents()) }
  }

  private mutating func end(_ line: UnfoldedLine) throws(ImportFailure) {
    let name = componentName(line)
    guard let component = open.popLast() else { throw notCalendar(line) }
    guard component.name == name else {
      throw .notFile(
        "line \(line.number) ends \(name), but \(component.name), which begins on line "
          + "\(component.line), is open")
    }
    let last = calendars.count - 1
    switch (component.name, open.last?.name) {
    case ("VEVENT", "VCALENDAR"): calendars[last].events.append(component)
    case ("VTIMEZONE", "VCALENDAR"): calendars[last].zones.append(component)
    case ("STANDARD", "VTIMEZONE"), ("DAYLIGHT", "VTIMEZONE"):
      open[open.count - 1].children.append(component)
      if let problem = component.problem { open[open.count - 1].reject(problem) }
    default: break
    }
  }

  private func componentName(_ line: UnfoldedLine) -> String {
    let value = line.bytes.drop { $0 != UInt8(ascii: ":") }.dropFirst().prefix(64)
    return trimmed(Substring(ascii(value))).uppercased()
  }
}
