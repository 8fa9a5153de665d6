import RetraceState

/// The time that some parts of entries cover, and the time that they count more than once.
struct CoveredTime: Sendable {
  /// The time that the sealed parts cover, as ranges in order that do not touch.
  private var sealed: [Range<Moment>] = []
  /// The time that the sealed parts count more than once.
  private var sealedOverlap = ElapsedTime.zero
  /// The parts that were added since.
  private var parts: [Range<Moment>] = []

  /// Adds a part.
  mutating func add(_ part: Range<Moment>) { parts.append(part) }

  /// Orders the parts, so that the overlap with further ones takes a search for each.
  ///
  /// - Complexity: O(*n* log *n*) for all parts.
  mutating func seal() {
    (sealedOverlap, sealed, parts) = (overlap, Self.merged(sealed + parts), [])
  }

  /// The sum of the times of the parts minus the time that they cover.
  ///
  /// - Complexity: O(*k* log *n*) for *k* parts after *n* sealed ones.
  var overlap: ElapsedTime {
    let sum = parts.reduce(ElapsedTime.zero) { $0.adding($1.time) }
    let added = Self.merged(parts)
    let new = added.reduce(ElapsedTime.zero) { $0.adding($1.time) }
    let again = added.reduce(ElapsedTime.zero) { $0.adding(sealedTime(in: $1)) }
    let counted = sum.microseconds - new.microseconds + again.microseconds
    return sealedOverlap.adding(ElapsedTime(microseconds: counted))
  }

  /// Returns the time of a range that the sealed parts cover.
  private func sealedTime(in range: Range<Moment>) -> ElapsedTime {
    var (low, high) = (0, sealed.count)
    while low < high {
      let middle = (low + high) / 2
      if sealed[middle].upperBound <= range.lowerBound { low = middle + 1 } else { high = middle }
    }
    var time = ElapsedTime.zero
    for part in sealed[low...] {
      guard part.lowerBound < range.upperBound else { break }
      time = time.adding(part.clamped(to: range).time)
    }
    return time
  }

  /// Returns the same time as ranges in order that do not touch.
  private static func merged(_ parts: [Range<Moment>]) -> [Range<Moment>] {
    var merged: [Range<Moment>] = []
    for part in parts.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = merged.last, part.lowerBound <= last.upperBound {
        merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, part.upperBound)
      } else {
        merged.append(part)
      }
    }
    return merged
  }
}

extension Range<Moment> {
  fileprivate var time: ElapsedTime { upperBound.elapsed(since: lowerBound) }
}
