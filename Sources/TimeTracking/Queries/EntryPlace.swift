public import RetraceAvro
public import RetraceState

/// The position of an ended entry in the order by end and id.
public struct EntryPlace: Recordable, Hashable, Comparable {
  /// The end of the entry.
  public var end: Moment
  /// The id of the entry.
  public var id: TimeEntryID

  /// Creates a place.
  public init(end: Moment, id: TimeEntryID) {
    self.end = end
    self.id = id
  }

  /// Returns whether one place is before another.
  public static func < (left: EntryPlace, right: EntryPlace) -> Bool {
    (left.end, left.id) < (right.end, right.id)
  }
}

extension EntryPlace {
  /// Creates the place, without an entry, from which a search goes on.
  ///
  /// - Parameter rest: The moment from which the search goes on.
  public init(rest: Moment) {
    self.init(end: rest.previous, id: TimeEntryID(value: .max))
  }

  /// The moment from which a search goes on; `nil` at the place of an entry.
  public var rest: Moment? { id.value == .max ? end.next : nil }
}
