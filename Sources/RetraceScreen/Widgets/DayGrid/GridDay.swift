/// A day of a calendar grid, with its entries.
///
/// The grid knows no zones: the day says at which of its minutes each row begins. A day that has an
/// hour twice has a row for each, which other days of the grid leave out. A day that skips an hour
/// leaves out the row of it.
///
/// ```swift
/// // 02:00 to 03:00 is skipped.
/// let starts: [Int64?] = [0, 60, nil, 120, 180]
/// let day = GridDay("Sun 29", rowStarts: starts, minutes: 240, entries: [])
/// print(day.line(ofMinute: 130, linesPerRow: 6))
/// ```
public struct GridDay: Hashable, Sendable {
  /// An entry of a day.
  public struct Entry: Hashable, Sendable {
    /// What the entry is called.
    public var title: String
    /// What is shown below, if there is room, such as its times.
    public var detail: String
    /// The minute of the day at which it begins.
    public var start: Int64
    /// The minute of the day at which it ends, such as the current one.
    public var end: Int64
    /// The color of its edge.
    public var color: Color
    /// Whether it still runs.
    public var isRunning: Bool
    /// Whether it is left of those that share a line with it and are not leading.
    public var isLeading: Bool

    /// Creates an entry.
    ///
    /// - Parameters:
    ///   - title: What the entry is called.
    ///   - detail: What is shown below, if there is room.
    ///   - start: The minute of the day at which it begins.
    ///   - end: The minute of the day at which it ends.
    ///   - color: The color of its edge.
    ///   - isRunning: Whether it still runs.
    ///   - isLeading: Whether it is left of those that are not leading.
    public init(
      _ title: String, detail: String = "", start: Int64, end: Int64, color: Color = .accent,
      isRunning: Bool = false, isLeading: Bool = false
    ) {
      self.title = title
      self.detail = detail
      self.start = start
      self.end = end
      self.color = color
      self.isRunning = isRunning
      self.isLeading = isLeading
    }
  }

  /// What the day is called.
  public var title: String
  /// What is shown below the title, such as the sum of the entries; empty for nothing.
  public var detail: String
  /// The minute of the day at which each row of the grid begins; `nil` if the day has no such row.
  public var rowStarts: [Int64?]
  /// The number of minutes of the day: 1,440 for most.
  public var minutes: Int64
  /// The entries in any order.
  public var entries: [Entry]
  /// Whether it is today.
  public var isToday: Bool
  /// The minute of the present, which gets a line; `nil` for none.
  public var now: Int64?

  /// Creates a day.
  ///
  /// - Parameters:
  ///   - title: What the day is called.
  ///   - detail: What is shown below the title; empty for nothing.
  ///   - rowStarts: The minute at which each row begins; by default 24 hours.
  ///   - minutes: The number of minutes of the day.
  ///   - entries: The entries in any order.
  ///   - isToday: Whether it is today.
  ///   - now: The minute of the present, which gets a line; `nil` for none.
  public init(
    _ title: String, detail: String = "", rowStarts: [Int64?] = GridDay.hours,
    minutes: Int64 = 1440, entries: [Entry], isToday: Bool = false, now: Int64? = nil
  ) {
    self.title = title
    self.detail = detail
    self.rowStarts = rowStarts
    self.minutes = minutes
    self.entries = entries
    self.isToday = isToday
    self.now = now
  }

  /// The minutes at which the hours of most days begin.
  public static var hours: [Int64?] { (0..<24).map { $0 * 60 } }

  /// Returns the line of a minute: the number of whole lines before it in the grid.
  ///
  /// - Parameters:
  ///   - minute: The minute; one outside of the day counts as the nearest.
  ///   - linesPerRow: The number of lines of a row.
  /// - Complexity: O(rows).
  public func line(ofMinute minute: Int64, linesPerRow: Int) -> Int {
    line(of: minute, linesPerRow: linesPerRow, roundsUp: false)
  }

  func line(of minute: Int64, linesPerRow: Int, roundsUp: Bool) -> Int {
    let minute = max(0, min(minute, minutes))
    var place: (row: Int, start: Int64)?
    var next: Int64?
    for row in rowStarts.indices {
      guard let start = start(ofRow: row) else { continue }
      // An end is in the row before the one that begins at it.
      if place == nil || start < minute || (!roundsUp && start == minute) {
        place = (row, start)
        next = nil
      } else if next == nil {
        next = start
      }
    }
    guard let place else { return 0 }
    let lines = max(1, min(linesPerRow, 1_000))
    let length = max(1, (next ?? max(minutes, 0)) - place.start)
    let past = max(0, min(minute - place.start, length))
    let first = place.row * lines
    if roundsUp { return first + lines - proportion(length - past, of: length, in: lines) }
    return first + min(proportion(past, of: length, in: lines), lines - 1)
  }

  /// Returns the minute at the start of a line; `nil` if the day has no such row.
  func minute(ofLine line: Int, linesPerRow: Int) -> Int64? {
    let (row, part) = (line / linesPerRow, line % linesPerRow)
    guard rowStarts.indices.contains(row), let start = start(ofRow: row) else { return nil }
    let later = (row + 1..<rowStarts.count).lazy.compactMap { self.start(ofRow: $0) }.first
    let length = min(max(0, (later ?? max(minutes, 0)) - start), 1 << 30)
    return start + Int64(proportion(Int64(part), of: Int64(linesPerRow), in: Int(length)))
  }

  /// Returns the minute at which a row begins, inside of the day.
  private func start(ofRow row: Int) -> Int64? {
    rowStarts[row].map { max(0, min($0, minutes)) }
  }
}
