public import RetraceState

/// The change of an existing entry that makes room for a new one.
public enum OverlapAdjustment: Hashable, Sendable {
  /// It ends where the new one begins.
  case endsEarlier(Moment)
  /// It begins where the new one ends.
  case startsLater(Moment)
  /// It is deleted, because the new one covers it.
  case deleted
  /// It is split around the new one: one part ends where the new one begins, another begins where
  /// the new one ends.
  case split(Moment, Moment)

  /// Returns the change of an entry from `start` to `end` that makes room for an entry from
  /// `newStart` to `newEnd`; `nil` if they do not overlap.
  ///
  /// An end of `nil` is later than every moment.
  public static func of(
    start: Moment, end: Moment?, takenFrom newStart: Moment, to newEnd: Moment?
  ) -> OverlapAdjustment? {
    guard newEnd.map({ start < $0 }) ?? true, end.map({ newStart < $0 }) ?? true else {
      return nil
    }
    let keepsStart = start < newStart
    guard let newEnd, end.map({ newEnd < $0 }) ?? true else {
      return keepsStart ? .endsEarlier(newStart) : .deleted
    }
    return keepsStart ? .split(newStart, newEnd) : .startsLater(newEnd)
  }

  /// When the part of the entry after the new one begins; `nil` if none is left there.
  var restStart: Moment? {
    switch self {
    case .endsEarlier, .deleted: nil
    case .startsLater(let start), .split(_, let start): start
    }
  }
}
