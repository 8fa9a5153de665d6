import CivilTime

/// The zones of a calendar file.
struct CalendarZones {
  /// The rules of the zones that times of the file are in; the first one is UTC.
  private(set) var rules: [ZoneRules] = [.utc]
  /// Returns the rules of a zone of the tz database.
  private let known: (String) -> ZoneRules?
  /// The indices of the zones of the tz database.
  private var knownIndices: [String: Int32?] = [:]
  /// The zones that the calendar defines, by name.
  private var defined: [String: Defined] = [:]
  /// The number of changes of clocks that may still be computed for the file.
  private var changesLeft: Int

  private enum Defined {
    case component(CalendarComponent)
    case zone(Int32)
    case problem(String)
  }

  /// The maximum number of steps for the changes of a zone.
  static let stepsMax = 20_000

  /// Prepares to read a file.
  ///
  /// - Parameters:
  ///   - bytes: The number of bytes of the file, to which the memory is proportional.
  ///   - known: Returns the rules of a zone of the tz database.
  init(bytes: Int, known: @escaping (String) -> ZoneRules?) {
    self.known = known
    changesLeft = 10_000 + bytes / 16
  }

  /// Begins a calendar of the file, whose zones have names of their own.
  mutating func begin(_ calendar: CalendarComponents) {
    defined = [:]
    for component in calendar.zones {
      if let id = component["TZID"]?.value { defined[id] = .component(component) }
    }
  }

  /// Returns the index of a zone in ``rules``, by its name in the calendar.
  ///
  /// The rules of the tz database precede those of the calendar, which often has those of one year
  /// only. A name such as `/example.com/Europe/Berlin` ends with one of that database.
  ///
  /// - Throws: The reason why the zone is unknown.
  mutating func index(of name: String) throws(CalendarFailure) -> Int32 {
    if let index = knownIndex(of: name) { return index }
    switch defined[name] {
    case .component(let component):
      do throws(CalendarFailure) {
        let index = append(try rules(of: component, name))
        defined[name] = .zone(index)
        return index
      } catch {
        defined[name] = .problem("\(error.reason)")
        throw error
      }
    case .zone(let index): return index
    case .problem(let reason): throw CalendarFailure(reason)
    case nil: throw CalendarFailure("the zone \(name.prefix(64)) is unknown, and not in the file")
    }
  }

  private mutating func append(_ rules: ZoneRules) -> Int32 {
    self.rules.append(rules)
    return Int32(self.rules.count - 1)
  }

  private mutating func knownIndex(of name: String) -> Int32? {
    if let index = knownIndices[name] { return index }
    var index: Int32?
    let parts = name.split(separator: "/")
    let isPath = name.utf8.first == UInt8(ascii: "/")
    for count in isPath ? [3, 2, 1] : [parts.count] where count <= parts.count {
      let id = parts.suffix(count).joined(separator: "/")
      guard index == nil, isPath || id == name, Self.isZoneID(id) else { continue }
      if ["UTC", "Etc/UTC"].contains(id) {
        index = 0
      } else if let rules = known(id) {
        index = append(rules)
      }
    }
    knownIndices[name] = .some(index)
    return index
  }

  /// Returns whether a text may be the id of a zone, and not another path.
  private static func isZoneID(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          0x30...0x39:
          true
        default: "/_-+".utf8.contains(byte)
        }
      }
  }

  // MARK: Zones that a calendar defines

  /// Returns the rules of a component `VTIMEZONE` (RFC 5545, section 3.6.5).
  private mutating func rules(
    of component: CalendarComponent, _ name: String
  ) throws(CalendarFailure) -> ZoneRules {
    if let problem = component.problem {
      throw CalendarFailure("line \(problem.line) of its zone cannot be read")
    }
    var changes: [CalendarZoneChange] = []
    for part in component.children {
      do throws(RowRejection) {
        changes += try CalendarZoneChange.all(of: part, through: changesLeft - changes.count)
      } catch {
        let place = error.column.map { "\($0) on line \(error.line)" } ?? "line \(error.line)"
        throw CalendarFailure("\(place), of its zone: \(error.reason)")
      }
    }
    changesLeft -= changes.count
    guard changesLeft > 0 else { throw CalendarFailure("the zones of the file are too large") }
    let sorted = changes.enumerated().sorted {
      ($0.element.second, $0.offset) < ($1.element.second, $1.offset)
    }.map(\.element)
    guard let first = sorted.first else {
      throw CalendarFailure("its zone on line \(component.line) has no offsets")
    }
    var kept: [(second: Int64, offset: Int32)] = []
    for change in sorted where change.offset != kept.last?.offset ?? first.offsetBefore {
      // Of several at one second, the last one in the file holds.
      if kept.last?.second == change.second { kept.removeLast() }
      kept.append((change.second, change.offset))
    }
    return ZoneRules(id: name, offsetBefore: first.offsetBefore, changes: kept)
  }
}

/// A change of the clocks of a zone that a calendar defines.
private struct CalendarZoneChange {
  var second: Int64
  var offsetBefore: Int32
  var offset: Int32

  /// The times of day from 1900 to 2200, within which the changes by rules are computed.
  private static let clocks: ClosedRange<Int64> = -2_208_988_800...7_289_654_399

  /// Returns the changes of a component `STANDARD` or `DAYLIGHT`.
  ///
  /// - Throws: The rejection of the property that cannot be read.
  static func all(
    of part: CalendarComponent, through limit: Int
  ) throws(RowRejection) -> [CalendarZoneChange] {
    let (before, after) = (try offset(part, "TZOFFSETFROM"), try offset(part, "TZOFFSETTO"))
    guard let start = part["DTSTART"] else { throw missing("DTSTART", in: part) }
    let first = try start.time(in: start.value[...], .floating)
    var clocks: Set<Int64> = [first.clock]
    for line in part.all("RDATE") {
      for value in line.value.split(separator: ",") {
        clocks.insert(try line.time(in: value, .floating).clock)
      }
    }
    for line in part.all("RRULE") {
      var rule = try line.rule(first)
      rule.complete(from: first)
      var steps = CalendarZones.stepsMax
      var left = rule.count ?? .max
      // A rule with a count is expanded from its beginning.
      let lower = rule.count == nil ? Self.clocks.lowerBound : first.clock
      var expansion = RecurrenceExpansion(rule, start: first.clock)
      let isDone = expansion.forEach(
        from: lower, through: Self.clocks.upperBound, steps: &steps
      ) { clock in
        guard rule.until.map({ isAfter(clock, $0, before) }) != true, left > 0 else { return false }
        left -= 1
        clocks.insert(clock)
        return clocks.count <= limit
      }
      guard isDone else { throw line.rejection(.other("too many changes")) }
    }
    return clocks.map {
      CalendarZoneChange(second: $0 - Int64(before), offsetBefore: before, offset: after)
    }
  }

  /// Returns whether a change comes after the time in `UNTIL`, which is in UTC or on the clock.
  private static func isAfter(_ clock: Int64, _ until: CalendarTime, _ before: Int32) -> Bool {
    switch until.kind {
    case .zone: clock - Int64(before) > until.clock
    case .floating: clock > until.clock
    case .day: clock >= until.clock + 86_400
    }
  }

  private static func missing(_ name: String, in part: CalendarComponent) -> RowRejection {
    RowRejection(line: part.line, column: name, value: "", reason: .other("no \(name)"))
  }

  /// Returns an offset such as `+0100` in seconds.
  private static func offset(
    _ part: CalendarComponent, _ name: String
  ) throws(RowRejection) -> Int32 {
    guard let line = part[name] else { throw missing(name, in: part) }
    let bytes = Array(trimmed(line.value[...]).utf8)
    let isNegative = bytes.first == UInt8(ascii: "-")
    guard isNegative || bytes.first == UInt8(ascii: "+"), [5, 7].contains(bytes.count),
      let number = CalendarTime.number(bytes[1..<5]),
      let seconds = bytes.count == 7 ? CalendarTime.number(bytes[5...]) : 0,
      number / 100 < 24, number % 100 < 60, seconds < 60
    else { throw line.rejection(.other("not an offset such as +0100")) }
    let total = Int32(number / 100 * 3_600 + number % 100 * 60 + seconds)
    return isNegative ? -total : total
  }
}

extension ContentLine {
  /// Parses a time of the value.
  ///
  /// - Parameters:
  ///   - text: The value, or one of several.
  ///   - kind: The kind of a time without `Z`.
  /// - Throws: The rejection of the value.
  func time(
    in text: Substring, _ kind: CalendarTime.Kind
  ) throws(RowRejection) -> CalendarTime {
    var found: CalendarTime?
    do throws(CalendarFailure) {
      found = try CalendarTime(trimmed(text)[...], kind)
    } catch {
      throw rejection(error.reason)
    }
    guard let found, type != "DATE" || found.kind == .day,
      type != "DATE-TIME" || found.kind != .day
    else {
      let what = type == "DATE" ? "a date such as 20260302" : "a time such as 20260302T090000Z"
      throw rejection(.other("not \(type == nil ? "a date such as 20260302, or " : "")\(what)"))
    }
    return found
  }

  /// Parses a rule of an event or zone with a start.
  ///
  /// - Throws: The rejection of the value.
  func rule(_ start: CalendarTime) throws(RowRejection) -> RecurrenceRule {
    do throws(CalendarFailure) {
      let rule = try RecurrenceRule(value, start.kind)
      guard start.kind != .day || rule.frequency >= .daily else {
        throw CalendarFailure("a FREQ below a day, but DTSTART is a date")
      }
      return rule
    } catch {
      throw rejection(error.reason)
    }
  }
}
