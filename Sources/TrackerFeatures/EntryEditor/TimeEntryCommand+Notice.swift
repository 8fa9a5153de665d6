import Retrace
import TimeTracking

extension TimeEntryCommand {
  /// Returns the notice that an entry of another day was saved, which the timer may not show.
  func noticeOfSaving(at edge: Edge) -> Notice? {
    let start: Moment?
    var end: Moment?
    switch self {
    case .start(_, let at, policy: _, rules: _): start = at
    case .add(_, let from, let to, policy: _, rules: _): (start, end) = (from, to)
    case .stop, .resume, .correct, .delete, .split, .join, .several: start = nil
    }
    guard let start, edge.rules.local(at: start).date != edge.rules.local(at: edge.now).date else {
      return nil
    }
    func clock(_ moment: Moment) -> ClockMoment {
      ClockMoment(
        moment: moment, offsetSeconds: edge.rules.recorded(at: moment).offsetSeconds)
    }
    return .saved(start: clock(start), end: end.map { clock($0) })
  }
}
