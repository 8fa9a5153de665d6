public import RetraceState

extension ZoneRules {
  /// Returns the offset from UTC at a moment as text: `+01:00`.
  public func offsetText(at moment: Moment) -> String {
    let offset = offset(at: moment)
    let minutes = Int(offset.magnitude / 60)
    return (offset < 0 ? "-" : "+") + padded(minutes / 60, to: 2) + ":"
      + padded(minutes % 60, to: 2)
  }

  /// Returns the suffixes for the local times of a range: a space and the offset, if the offsets
  /// differ or clocks show a time twice, else nothing.
  ///
  /// - Complexity: O(log transitions).
  public func offsetMarks(from start: Moment, to end: Moment) -> (start: String, end: String) {
    let first = span(at: start.secondsSince1970)
    let last = span(at: end.secondsSince1970)
    let differ = first.offset != last.offset
    return (
      offsetMark(at: start, in: first, always: differ),
      offsetMark(at: end, in: last, always: differ)
    )
  }

  /// Returns the suffix for the local time of a moment: a space and the offset, if clocks show that
  /// time twice, else nothing.
  ///
  /// - Complexity: O(log transitions).
  public func offsetMark(at moment: Moment) -> String {
    offsetMark(at: moment, in: span(at: moment.secondsSince1970), always: false)
  }

  private func offsetMark(at moment: Moment, in span: ZoneSpan, always: Bool) -> String {
    let second = moment.secondsSince1970
    // Most moments are far from a change, which is cheap to find out.
    let isNear =
      span.start >= second - Self.offsetLimit || span.end <= second + Self.offsetLimit
    guard always || isNear && moments(forLocal: local(at: moment)).count > 1 else { return "" }
    return " \(offsetText(at: moment))"
  }
}
