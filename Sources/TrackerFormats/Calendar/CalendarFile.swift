public import CivilTime

/// The events of a calendar file (iCalendar, RFC 5545).
///
/// ```swift
/// let file = try CalendarFile(bytes) { id in zoneRules[id] }
/// let week = file.occurrences(in: start..<end, floating: berlin)
/// ```
///
/// Values of the file are not trusted: an event that cannot be read is a rejection, and memory and
/// time are bounded by the size of the file.
public struct CalendarFile: Sendable {
  /// An event, and the changes of its occurrences.
  struct Series: Sendable {
    var event: CalendarItem?
    /// The changes, in the order of the occurrences that they change.
    var changes: [CalendarItem] = []
    /// The keys of the changed occurrences.
    var changed: [Int64] = []
    /// The places of the changes that are of later occurrences, too.
    var lasting: [Int] = []
    /// The id; with a number if events without one would share it.
    var id: String
  }

  /// The maximum size of a file in bytes.
  public static let bytesMax = 32 << 20

  /// The maximum number of rejections that are kept.
  public static let rejectionsMax = 1_000

  /// The events that cannot be read, in the order of the file; at most ``rejectionsMax``.
  public let rejections: [RowRejection]
  /// The number of events that cannot be read.
  public let rejectedCount: Int
  let zones: [ZoneRules]
  let series: [Series]

  /// The number of events, with the changes of single occurrences.
  public var eventCount: Int {
    series.reduce(0) { $0 + ($1.event == nil ? 0 : 1) + $1.changes.count }
  }

  /// Reads a file.
  ///
  /// A byte-order mark is skipped.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - zones: Returns the rules of a zone of the tz database, such as `Europe/Berlin`; `nil` if
  ///     there is no such zone. It is called once for each name in the file that consists of ASCII
  ///     letters, digits, slashes, minus, plus and underscores.
  /// - Complexity: O(bytes) time and memory.
  /// - Throws: ``ImportFailure/notFile(_:)`` if the file is not a calendar or incomplete, with the
  ///   line, and ``ImportFailure/encoding(_:)`` if it is in UTF-16 or UTF-32.
  public init(
    _ bytes: [UInt8], zones: @escaping (String) -> ZoneRules?
  ) throws(ImportFailure) {
    guard bytes.count <= Self.bytesMax else {
      throw .notFile("it has more than \(Self.bytesMax >> 20) MiB")
    }
    if let encoding = TextEncoding(of: bytes) { throw .encoding(encoding) }
    let hasMark = bytes.starts(with: CSVParser.mark)
    let calendars = try CalendarComponents.read(bytes[(hasMark ? CSVParser.mark.count : 0)...])
    var known = CalendarZones(bytes: bytes.count, known: zones)
    var steps = 1_000_000 + bytes.count * 4
    var items: [CalendarItem] = []
    var rejections = LimitedRejections(limit: Self.rejectionsMax)
    for calendar in calendars {
      known.begin(calendar)
      for component in calendar.events {
        do throws(RowRejection) {
          items.append(try CalendarItem(component, &known, steps: &steps))
        } catch {
          rejections.append(error)
        }
      }
    }
    self.zones = known.rules
    series = Self.series(of: items, known.rules, &rejections)
    self.rejections = rejections.list.sorted { $0.line < $1.line }
    rejectedCount = rejections.count
  }

  /// Joins the events and changes with one id.
  private static func series(
    of items: [CalendarItem], _ zones: [ZoneRules], _ rejections: inout LimitedRejections
  ) -> [Series] {
    var series: [Series] = []
    var indices: [String: Int] = [:]
    var numbers: [String: Int] = [:]
    for item in items {
      if item.id.isEmpty {
        let own = "\(item.start.local) \(item.title.prefix(100))"
        let number = (numbers[own] ?? 0) + 1
        numbers[own] = number
        series.append(Series(event: item, id: number > 1 ? "\(own) \(number)" : own))
        continue
      }
      let index = indices[item.id] ?? series.count
      if index == series.count { series.append(Series(id: item.id)) }
      indices[item.id] = index
      if item.changed != nil {
        series[index].changes.append(item)
      } else if let other = series[index].event, other.sequence > item.sequence {
        rejections.append(replaced(item, by: other))
      } else {
        if let other = series[index].event { rejections.append(replaced(other, by: item)) }
        series[index].event = item
      }
    }
    for index in series.indices where !series[index].changes.isEmpty {
      series[index].orderChanges(zones, &rejections)
    }
    return series
  }

  fileprivate static func replaced(_ item: CalendarItem, by other: CalendarItem) -> RowRejection {
    RowRejection(
      line: item.line, column: "UID", value: String(item.id.prefix(200)),
      reason: .other("line \(other.line) has a later version of it"))
  }
}

/// Rejections, of which the first ones are kept, because a file may have one for every two words.
struct LimitedRejections: Sendable {
  private(set) var list: [RowRejection] = []
  private(set) var count = 0
  let limit: Int

  init(limit: Int) { self.limit = limit }

  mutating func append(_ rejection: @autoclosure () -> RowRejection) {
    count += 1
    if count <= limit { list.append(rejection()) }
  }
}

extension CalendarFile.Series {
  /// Sorts the changes, and leaves out those of which there is a later version.
  fileprivate mutating func orderChanges(
    _ zones: [ZoneRules], _ rejections: inout LimitedRejections
  ) {
    var latest: [Int64: CalendarItem] = [:]
    for var change in changes {
      guard let time = change.changed else { continue }
      let kind = event?.start.kind ?? time.kind
      change.changed = time.aligned(to: kind)
      let key = time.aligned(to: kind).key(in: zones, kind)
      if let other = latest[key], other.sequence > change.sequence {
        rejections.append(CalendarFile.replaced(change, by: other))
        continue
      }
      if let other = latest[key] { rejections.append(CalendarFile.replaced(other, by: change)) }
      latest[key] = change
    }
    let sorted = latest.sorted { $0.key < $1.key }
    (changed, changes) = (sorted.map(\.key), sorted.map(\.value))
    lasting = changes.indices.filter { changes[$0].isThisAndFuture }
  }
}
