import CivilTime
import RetraceState

/// An event of a calendar file, or a change of one of its occurrences.
struct CalendarItem: Sendable {
  /// A start that `RDATE` adds.
  struct Addition: Sendable {
    var start: CalendarTime
    /// The length of a period; `nil` for that of the event.
    var length: CalendarLength?
  }

  /// The line on which it begins.
  let line: Int
  /// The id; empty if there is none.
  private(set) var id = ""
  private(set) var title = ""
  /// The version.
  private(set) var sequence = 0
  private(set) var isCancelled = false
  private(set) var isTentative = false
  let start: CalendarTime
  private(set) var length: CalendarLength
  /// The start of the occurrence that is changed; `nil` for an event.
  var changed: CalendarTime?
  /// Whether the occurrences after the changed one are changed, too.
  private(set) var isThisAndFuture = false
  private(set) var rules: [RecurrenceRule] = []
  private(set) var additions: [Addition] = []
  /// The keys of the starts that are left out.
  private(set) var excluded: Set<Int64> = []
  /// The days since 1970 on which starts are left out.
  private(set) var excludedDays: Set<Int> = []

  /// The maximum number of bytes of an id.
  static let idBytesMax = 1_024
  /// The maximum number of rules; section 3.8.5.3 advises one.
  static let rulesMax = 4
  /// The maximum number of steps to find the last occurrence of a rule with a count.
  static let countStepsMax = 50_000

  /// Reads an event.
  ///
  /// - Parameters:
  ///   - component: The component.
  ///   - zones: The zones of the file.
  ///   - steps: The number of steps that may be taken to count the occurrences of rules.
  /// - Complexity: O(bytes of the component), and O(steps) for each rule with a count.
  /// - Throws: The rejection of the event.
  init(
    _ component: CalendarComponent, _ zones: inout CalendarZones, steps: inout Int
  ) throws(RowRejection) {
    if let problem = component.problem { throw problem }
    line = component.line
    guard let startLine = component["DTSTART"] else {
      throw RowRejection(
        line: line, column: "DTSTART", value: "", reason: .other("the event has no DTSTART"))
    }
    start = try Self.time(startLine.value[...], of: startLine, &zones)
    length = try Self.length(of: component, start, &zones)
    try setTexts(component)
    if let changed = component["RECURRENCE-ID"] {
      self.changed = try Self.time(changed.value[...], of: changed, &zones)
      isThisAndFuture = changed.isThisAndFuture
    } else {
      try setRecurrences(component, &zones, &steps)
    }
  }

  private mutating func setTexts(_ component: CalendarComponent) throws(RowRejection) {
    title = component["SUMMARY"]?.text ?? ""
    if let uid = component["UID"] {
      guard uid.value.utf8.count <= Self.idBytesMax else {
        throw uid.rejection(.textTooLong(limit: Self.idBytesMax))
      }
      id = uid.text
    }
    if let line = component["SEQUENCE"] {
      sequence = CalendarTime.number(Array(trimmed(line.value[...]).utf8)[...]) ?? 0
    }
    switch component["STATUS"].map({ trimmed($0.value[...]).uppercased() }) {
    case "CANCELLED": isCancelled = true
    case "TENTATIVE": isTentative = true
    default: break
    }
  }

  private mutating func setRecurrences(
    _ component: CalendarComponent, _ zones: inout CalendarZones, _ steps: inout Int
  ) throws(RowRejection) {
    for line in component.properties {
      switch line.name {
      case "RRULE":
        guard rules.count < Self.rulesMax else {
          throw line.rejection(.other("the event has more than \(Self.rulesMax) rules"))
        }
        rules.append(try bound(try line.rule(start), line, zones, &steps))
      case "EXRULE":
        throw line.rejection(.other("EXRULE is not read; RFC 5545 replaced it by EXDATE"))
      case "RDATE":
        for value in line.value.split(separator: ",") {
          additions.append(try addition(value, line, &zones))
        }
      case "EXDATE":
        for value in line.value.split(separator: ",") {
          let time = try Self.time(value, of: line, &zones).aligned(to: start.kind)
          if time.kind == .day, start.kind != .day {
            excludedDays.insert(time.day)
          } else {
            excluded.insert(time.key(in: zones.rules, start.kind))
          }
        }
      default: break
      }
    }
  }

  // MARK: Times

  private static func time(
    _ text: Substring, of line: ContentLine, _ zones: inout CalendarZones
  ) throws(RowRejection) -> CalendarTime {
    var time = try line.time(in: text, .floating)
    guard time.kind == .floating, let zone = line.zone else { return time }
    do throws(CalendarFailure) {
      time.kind = .zone(try zones.index(of: zone))
    } catch {
      throw line.rejection(error.reason)
    }
    return time
  }

  private static func length(
    of component: CalendarComponent, _ start: CalendarTime, _ zones: inout CalendarZones
  ) throws(RowRejection) -> CalendarLength {
    let duration = component["DURATION"]
    guard let endLine = component["DTEND"] else {
      guard let duration else { return .duration(days: start.kind == .day ? 1 : 0, seconds: 0) }
      return try length(trimmed(duration.value[...]), of: duration, start)
    }
    if let duration {
      throw duration.rejection(.other("the event has a DTEND, too"))
    }
    let end = try time(endLine.value[...], of: endLine, &zones)
    return try length(to: end, of: endLine, start, zones)
  }

  private static func length(
    _ text: some StringProtocol, of line: ContentLine, _ start: CalendarTime
  ) throws(RowRejection) -> CalendarLength {
    do throws(CalendarFailure) {
      let length = try CalendarLength(duration: text)
      if case .duration(let days, let seconds) = length, start.kind == .day {
        guard seconds % 86_400 == 0 else {
          throw CalendarFailure("a part of a day, but DTSTART is a date")
        }
        return .duration(days: max(1, days + Int(seconds / 86_400)), seconds: 0)
      }
      return length
    } catch {
      throw line.rejection(error.reason)
    }
  }

  private static func length(
    to end: CalendarTime, of line: ContentLine, _ start: CalendarTime, _ zones: CalendarZones
  ) throws(RowRejection) -> CalendarLength {
    let end = end.aligned(to: start.kind)
    guard (end.kind == .day) == (start.kind == .day) else {
      throw line.rejection(.other("one of DTSTART and DTEND is a date, and the other a time"))
    }
    guard (end.kind == .floating) == (start.kind == .floating) else {
      throw line.rejection(.other("DTEND has a zone, and DTSTART has none"))
    }
    let (first, last) =
      end.kind == start.kind
      ? (start.clock, end.clock)
      : (start.key(in: zones.rules, start.kind), end.key(in: zones.rules, start.kind))
    guard first <= last else { throw line.rejection(.negativeDuration) }
    guard last - first <= Int64(CalendarLength.daysMax) * 86_400 else {
      throw line.rejection(.other("longer than \(CalendarLength.daysMax) days"))
    }
    // Some programs end a day at itself.
    if start.kind == .day {
      return .duration(days: max(1, Int((last - first) / 86_400)), seconds: 0)
    }
    return .end(end)
  }

  private func addition(
    _ text: Substring, _ line: ContentLine, _ zones: inout CalendarZones
  ) throws(RowRejection) -> Addition {
    let parts = text.split(separator: "/", maxSplits: 1)
    var addition = Addition(
      start: try Self.time(parts.first ?? "", of: line, &zones).aligned(to: start.kind))
    guard (addition.start.kind == .day) == (start.kind == .day),
      (addition.start.kind == .floating) == (start.kind == .floating)
    else { throw line.rejection(.other("of another kind than DTSTART")) }
    guard parts.count == 2 else { return addition }
    let period = trimmed(parts[1])
    if period.utf8.first.map({ "Pp+-".utf8.contains($0) }) == true {
      addition.length = try Self.length(period, of: line, addition.start)
    } else {
      let end = try Self.time(parts[1], of: line, &zones)
      addition.length = try Self.length(to: end, of: line, addition.start, zones)
    }
    return addition
  }

  // MARK: Ends of rules

  /// Returns a rule that is completed by the start, with its last occurrence.
  private func bound(
    _ rule: RecurrenceRule, _ line: ContentLine, _ zones: CalendarZones, _ steps: inout Int
  ) throws(RowRejection) -> RecurrenceRule {
    var rule = rule
    rule.complete(from: start)
    switch (rule.until?.kind, start.kind) {
    case (nil, _): break
    case (.day, _), (.zone, .day), (.floating, .day):
      // A date includes the occurrences of the day.
      rule.lastClock = rule.until.map { Int64($0.day) * 86_400 + 86_399 }
    case (.zone, .zone): rule.lastSecond = rule.until?.clock
    case (.floating, _), (.zone, .floating): rule.lastClock = rule.until?.clock
    }
    guard let count = rule.count else { return rule }
    // The start is the first occurrence, even if the rule does not give it.
    var left = count - 1
    var last = start.clock
    let stepsBefore = min(steps, Self.countStepsMax)
    var stepsLeft = stepsBefore
    var zone = zones.rules(of: start.kind).map { ZoneClock($0) }
    var expansion = RecurrenceExpansion(rule, start: start.clock)
    let isDone =
      left == 0
      || expansion.forEach(
        from: start.clock + 1, through: rule.lastClock ?? .max, steps: &stepsLeft
      ) { clock in
        guard zone?.shown(clock).isSkipped != true else { return true }
        (last, left) = (clock, left - 1)
        return left > 0
      }
    steps -= stepsBefore - stepsLeft
    guard isDone else {
      throw line.rejection(.other("its occurrences are too many to be counted"))
    }
    if left == 0 { rule.lastClock = min(last, rule.lastClock ?? .max) }
    return rule
  }
}

extension CalendarZones {
  /// Returns the rules of the zone of a time; `nil` for a day and a floating time.
  fileprivate func rules(of kind: CalendarTime.Kind) -> ZoneRules? {
    if case .zone(let index) = kind { rules[Int(index)] } else { nil }
  }
}

extension CalendarTime {
  /// Returns the time with the zone of a start, if it has none of its own.
  func aligned(to kind: Kind) -> CalendarTime {
    if case .zone = kind, self.kind == .floating {
      CalendarTime(clock: clock, kind: kind)
    } else {
      self
    }
  }

  /// Returns the number by which starts of an event are compared: seconds since 1970, in UTC if the
  /// start of the event has a zone, else on the clock.
  ///
  /// - Parameters:
  ///   - zones: The zones of the file.
  ///   - start: The kind of the start of the event.
  func key(in zones: [ZoneRules], _ start: Kind) -> Int64 {
    switch (kind, start) {
    case (.zone(let index), .zone): zones[Int(index)].shown(clock).second
    case (_, .day): Int64(day) * 86_400
    default: clock
    }
  }
}
