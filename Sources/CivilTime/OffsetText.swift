public import RetraceState

extension ZoneRules {
  /// Returns the offset from UTC at a moment as text: `+01:00`.
  public func offsetText(at moment: Moment) -> String {
    let offset = offset(at: moment)
    let minutes = Int(offset.magnitude / 60)
    return (offset < 0 ? "-" : "+") + padded(minutes / 60, to: 2) + ":"
      + padded(minutes % 60, to: 2)
  }

  /// Returns what follows the clocks of the two ends of a range: a blank and the offset, if they
  /// have different offsets, else nothing.
  public func offsetMarks(from start: Moment, to end: Moment) -> (start: String, end: String) {
    guard offset(at: start) != offset(at: end) else { return ("", "") }
    return (" \(offsetText(at: start))", " \(offsetText(at: end))")
  }
}
