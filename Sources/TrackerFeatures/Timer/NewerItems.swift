import Retrace
import TimeTracking

/// A walk up the log from a place.
struct NewerItems {
  /// A step of the walk.
  enum Step {
    /// The next newer item.
    case item(LogItem)
    /// The place from which the search goes on, because it stopped early.
    case rest(EntryPlace)
  }

  private var log: Log
  private var place: EntryPlace
  private var rest: Moment?
  private var visits: Int

  /// Begins a walk.
  ///
  /// - Parameters:
  ///   - place: The place of an item, or one from which a search goes on.
  ///   - rest: The moment from which the first search goes on; `nil` for a new one.
  ///   - log: The log.
  ///   - visits: The number of entries of all users after which the searches stop.
  init(than place: EntryPlace, rest: Moment?, in log: Log, visits: Int) {
    (self.place, self.rest, self.log, self.visits) = (place, rest, log, visits)
  }

  /// Returns the next step; `nil` beyond the newest item.
  mutating func next() -> Step? {
    switch log.item(newerThan: place, rest: rest, visits: &visits) {
    case .none: return nil
    case .stopped(let moment):
      rest = moment
      return .rest(EntryPlace(rest: moment))
    case .found(let item):
      (place, rest) = (item.place, nil)
      return .item(item)
    }
  }
}
