public import RetraceState

/// A box of the calendar of a day: an entry, or an event of another calendar.
public struct CalendarBox: Hashable, Sendable {
  /// The content of a box.
  public enum Item: Hashable, Sendable {
    /// A time entry.
    case entry(TimeEntryID)
    /// An event, by its id.
    case event(String)
    /// A new entry that is not saved.
    case draft
  }

  /// The content.
  public var item: Item
  /// The start of the item.
  public var start: Moment
  /// The end of the item; `nil` for a running entry.
  public var end: Moment?
  /// The drawn time: at least 15 minutes, and 7 minutes beyond the present for a running entry.
  public internal(set) var drawn: Range<Moment>
  /// The column, counted from 0.
  public internal(set) var column = 0
  /// The number of columns that share the width.
  public internal(set) var columns = 1

  /// Creates the only box of a calendar.
  ///
  /// - Parameters:
  ///   - item: The content.
  ///   - start: The start of the item.
  ///   - end: The end of the item; `nil` for a running entry.
  ///   - moment: The present.
  public init(_ item: Item, start: Moment, end: Moment?, at moment: Moment) {
    self.item = item
    self.start = start
    self.end = end
    let last = end ?? max(start, moment).adding(.seconds(7 * 60))
    drawn = start..<max(last, start.adding(.seconds(15 * 60)))
  }

  /// Assigns columns to boxes, so that no two boxes in a column overlap.
  ///
  /// Boxes that overlap, directly or through others, share the width. Events are in the left
  /// columns, entries in the right ones. Each box, in order of the starts, goes to the first column
  /// that is free. Boxes that start together are ordered by length, longest first. Then events come
  /// before entries, entries by id and events by the bytes of their ids.
  ///
  /// - Complexity: O(*n* log *n* + *n* × columns) for *n* boxes.
  public static func arranged(_ boxes: [CalendarBox]) -> [CalendarBox] {
    var boxes = boxes.sorted { $0.comes(before: $1) }
    var first = 0
    while first < boxes.count {
      var end = boxes[first].drawn.upperBound
      var next = first + 1
      while next < boxes.count, boxes[next].drawn.lowerBound < end {
        end = max(end, boxes[next].drawn.upperBound)
        next += 1
      }
      arrange(&boxes[first..<next])
      first = next
    }
    return boxes
  }

  /// Sets the columns of boxes that overlap, directly or through others.
  private static func arrange(_ boxes: inout ArraySlice<CalendarBox>) {
    /// The end of the last box in each column.
    var ends: (events: [Moment], entries: [Moment]) = ([], [])
    for index in boxes.indices {
      let drawn = boxes[index].drawn
      boxes[index].column =
        boxes[index].isEvent ? place(drawn, in: &ends.events) : place(drawn, in: &ends.entries)
    }
    for index in boxes.indices {
      if !boxes[index].isEvent { boxes[index].column += ends.events.count }
      boxes[index].columns = ends.events.count + ends.entries.count
    }
  }

  private static func place(_ drawn: Range<Moment>, in ends: inout [Moment]) -> Int {
    if let free = ends.firstIndex(where: { $0 <= drawn.lowerBound }) {
      ends[free] = drawn.upperBound
      return free
    }
    ends.append(drawn.upperBound)
    return ends.count - 1
  }

  private var isEvent: Bool { if case .event = item { true } else { false } }

  private func comes(before other: CalendarBox) -> Bool {
    if drawn.lowerBound != other.drawn.lowerBound {
      return drawn.lowerBound < other.drawn.lowerBound
    }
    if drawn.upperBound != other.drawn.upperBound {
      return drawn.upperBound > other.drawn.upperBound
    }
    switch (item, other.item) {
    case (.entry(let first), .entry(let second)): return first < second
    case (.event(let first), .event(let second)):
      return first.utf8.lexicographicallyPrecedes(second.utf8)
    case (.event, .entry): return true
    case (.event, .draft), (.entry, .draft): return true
    case (.entry, .event), (.draft, _): return false
    }
  }
}
