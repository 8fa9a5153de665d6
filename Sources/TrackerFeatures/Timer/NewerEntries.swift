import Retrace
import TimeTracking

/// A walk up the log from a place.
struct NewerEntries {
  /// A step of the walk.
  enum Step {
    /// The next newer entry.
    case entry(DayEntry)
    /// The place from which the search goes on, because it stopped early.
    case rest(EntryPlace)
  }

  private var days: EntryDays
  private var place: EntryPlace
  private var rest: Moment?
  private var visits: Int

  /// Begins a walk.
  ///
  /// - Parameters:
  ///   - place: The place of an entry, or one from which a search goes on.
  ///   - rest: The moment from which the first search goes on; `nil` for a new one.
  ///   - days: The days of the user's entries.
  ///   - visits: The number of entries of all users after which the searches stop.
  init(than place: EntryPlace, rest: Moment?, in days: EntryDays, visits: Int) {
    (self.place, self.rest, self.days, self.visits) = (place, rest, days, visits)
  }

  /// Returns the next step; `nil` beyond the newest entry.
  mutating func next() -> Step? {
    switch days.entry(newerThan: place, rest: rest, visits: &visits) {
    case .none: return nil
    case .stopped(let moment):
      rest = moment
      return .rest(EntryPlace(rest: moment))
    case .found(let entry):
      (place, rest) = (entry.place, nil)
      return .entry(entry)
    }
  }
}
