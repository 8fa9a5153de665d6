import Foundation
import Testing
import ToolTestSupport

/// An interval as both trackers record it, in whole seconds since 1970.
struct TrackedSpan: Hashable {
  var start: Int
  /// The end; `nil` while it is open.
  var end: Int?
  var tags: Set<String>
  /// The annotations; timewarrior has at most one.
  var notes: [String]

  var isEmpty: Bool { end == start }

  /// Reads what `timew export` prints.
  static func ofTimewarrior(_ output: String) throws -> [TrackedSpan] {
    let objects = try #require(try json(output) as? [[String: Any]], "\(output)")
    return try objects.map { object in
      let note = object["annotation"] as? String
      return TrackedSpan(
        start: try seconds(object["start"]),
        end: try object["end"].map { try seconds($0) },
        tags: Set(object["tags"] as? [String] ?? []), notes: note.map { [$0] } ?? [])
    }.sorted { $0.start < $1.start }
  }

  /// Reads what `track log --json` prints, with the ids.
  static func ofTrack(_ output: String) throws -> [(id: Int, span: TrackedSpan)] {
    let objects = try #require(try json(output) as? [[String: Any]], "\(output)")
    return try objects.map { object in
      #expect(object["description"] as? String == "" && object["project"] is NSNull, "\(object)")
      let tags = try #require(object["tags"] as? [String])
      let end = object["end"].flatMap { $0 is NSNull ? nil : $0 }
      let span = TrackedSpan(
        start: try seconds(object["start"]), end: try end.map { try seconds($0) },
        tags: Set(tags), notes: try #require(object["annotations"] as? [String]))
      #expect(span.tags.count == tags.count, "\(object)")
      return (try #require(object["id"] as? Int), span)
    }.sorted { $0.span.start < $1.span.start }
  }

  /// Reads `20240331T003000Z` or `2024-03-31T00:30:00Z`, without the fraction of an entry that
  /// begins now.
  private static func seconds(_ value: Any?) throws -> Int {
    let text = try #require(value as? String)
    let digits = text.utf8.filter { (0x30...0x39).contains($0) }
    try #require(digits.count >= 14 && text.hasSuffix("Z"), "no instant: \(text)")
    func number(_ range: Range<Int>) -> Int { digits[range].reduce(0) { $0 * 10 + Int($1) - 48 } }
    let day = LocalStamp.day(number(0..<4), number(4..<6), number(6..<8))
    return day * 86_400 + number(8..<10) * 3_600 + number(10..<12) * 60 + number(12..<14)
  }
}

extension TrackedSpan: CustomStringConvertible {
  var description: String {
    let stop = end.map { LocalStamp(instant: $0).text } ?? "open"
    return "\(LocalStamp(instant: start).text) - \(stop) \(tags.sorted()) \(notes)"
  }
}

/// A time by the clocks of Berlin, as a command has it.
struct LocalStamp: Hashable {
  /// The local time in seconds, as if it were UTC.
  let wall: Int

  /// Makes the local time of an instant.
  init(instant: Int) { wall = instant + Self.offset(at: instant) }
  /// Makes a local time.
  init(wall: Int) { self.wall = wall }

  private static let zone = TimeZone(identifier: "Europe/Berlin")

  private static func offset(at instant: Int) -> Int {
    zone?.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(instant))) ?? 0
  }

  /// The instants at which clocks show the time: one, none where they skip it, or two.
  var instants: [Int] {
    [7_200, 3_600].map { wall - $0 }.filter { $0 + Self.offset(at: $0) == wall }
  }

  /// The time as `2024-03-31T01:30:00`.
  var text: String {
    let date = Date(timeIntervalSince1970: TimeInterval(wall))
    return String(date.formatted(.iso8601).prefix(19))
  }

  /// Returns the number of a day since 1970.
  static func day(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let years = month > 2 ? year : year - 1
    let era = years / 400
    let yearOfEra = years - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}
