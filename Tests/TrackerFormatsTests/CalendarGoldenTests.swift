import CivilTime
import Foundation
import RetraceState
import Testing
import TimeTracking
import TrackerFormats

/// Random events, compared with what dateutil, zoneinfo and icalendar make of them.
///
/// `Python/calendars.py` wrote the file; its first line has the seed.
@Suite
struct CalendarGoldenTests {
  /// A calendar, and its occurrences in a range.
  struct Case: Sendable {
    var name = ""
    var zone = ZoneRules.utc
    var range = Moment(microseconds: 0)..<Moment(microseconds: 0)
    var lines: [Substring] = []
    var expected: [Span] = []
  }

  struct Span: Hashable, CustomStringConvertible, Sendable {
    var start: Int64
    var length: Int64
    var description: String {
      "\(Moment(microseconds: start * 1_000_000).timestamp)+\(length)"
    }
  }

  /// The rules of the zones of the file in all of its years.
  static let zones = [
    "Europe/Berlin": "CET-1CEST,M3.5.0,M10.5.0/3", "America/New_York": "EST5EDT,M3.2.0,M11.1.0",
    "Australia/Lord_Howe": "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "Asia/Kolkata": "IST-5:30",
  ].mapValues { ZoneRules(posixRule: $0) ?? .utc }

  /// The cases of the file, and its first line.
  static let file = Result { () throws -> (title: String, cases: [Case]) in
    let url = URL(fileURLWithPath: "\(#filePath)").deletingLastPathComponent()
      .appending(path: "Golden/calendars.txt")
    let lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
    var cases: [Case] = []
    var current = Case()
    for line in lines.dropFirst() {
      let words = line.split(separator: " ")
      if words[0] == "case" {
        let moments = words[3...].map { Moment(microseconds: (Int64($0) ?? 0) * 1_000_000) }
        current = Case(name: String(words[1]), range: moments[0]..<moments[1])
        current.zone = try #require(zones[String(words[2])])
      } else if words[0] == "=" {
        current.expected = spans(words.dropFirst(), from: current.range.lowerBound)
        cases.append(current)
      } else {
        current.lines.append(line)
      }
    }
    return (String(lines.first ?? ""), cases)
  }

  private static func spans(_ words: ArraySlice<Substring>, from start: Moment) -> [Span] {
    var span = Span(start: start.microseconds / 1_000_000, length: 0)
    return words.map { word in
      let parts = word.split(separator: "+")
      span.start += Int64(parts[0]) ?? 0
      if parts.count > 1 { span.length = Int64(parts[1]) ?? 0 }
      return span
    }
  }

  @Test
  func `Occurrences of random events are those of dateutil and zoneinfo`() throws {
    let (title, cases) = try Self.file.get()
    var count = 0
    for item in cases {
      let text = item.lines.joined(separator: count % 2 == 0 ? "\r\n" : "\n") + "\r\n"
      let file = try CalendarFile(Array(text.utf8)) { Self.zones[$0] }
      #expect(file.rejections.isEmpty, "case \(item.name): \(file.rejections)")
      let found = file.occurrences(in: item.range, floating: item.zone)
      #expect(found.rejections.isEmpty)
      let spans = found.occurrences.map { occurrence in
        let (start, end) = (occurrence.event.start, occurrence.event.end)
        return Span(
          start: start.microseconds / 1_000_000, length: end.elapsed(since: start).seconds)
      }
      let rule = item.lines.filter { $0.hasPrefix("RRULE") || $0.hasPrefix("DTSTART") }
      let difference = zip(spans, item.expected).first { $0 != $1 }
      #expect(
        spans == item.expected,
        "case \(item.name) \(rule): \(spans.count), \(item.expected.count), \(difference as Any)")
      #expect(Set(found.occurrences.map(\.event.id)).count == spans.count)
      count += spans.count
    }
    #expect(cases.count >= 300 && count > 5_000)
    print("\(title): compared \(count) occurrences of \(cases.count) calendars")
  }
}
