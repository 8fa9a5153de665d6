public import RetraceState

extension Moment {
  /// The latest whole second at or before the moment; the moment itself if that is out of range.
  public var wholeSecond: Moment {
    let rest = CivilDate.floorMod(microseconds, 1_000_000)
    let (second, isOver) = microseconds.subtractingReportingOverflow(rest)
    return isOver ? self : Moment(microseconds: second)
  }

  /// The instant in UTC as RFC 3339, such as `2026-03-02T09:00:00Z`; with a fraction only if
  /// needed.
  public var timestamp: String { timestamp(alwaysWithFraction: false) }

  /// The instant in UTC as RFC 3339 with six digits of a second, such as
  /// `2026-03-02T09:00:00.000000Z`.
  ///
  /// Such texts of the years 1 to 9999 sort as their instants.
  public var sortableTimestamp: String { timestamp(alwaysWithFraction: true) }

  private func timestamp(alwaysWithFraction: Bool) -> String {
    let perDay: Int64 = 86_400_000_000
    var day = microseconds / perDay
    var rest = microseconds % perDay
    if rest < 0 {
      rest += perDay
      day -= 1
    }
    let date = CivilDate(daysSince1970: Int(day))
    let seconds = Int(rest / 1_000_000)
    var text = "\(date)T\(padded(seconds / 3_600, to: 2))"
    text += ":\(padded(seconds / 60 % 60, to: 2)):\(padded(seconds % 60, to: 2))"
    let fraction = rest % 1_000_000
    if alwaysWithFraction || fraction > 0 { text += ".\(padded(fraction, to: 6))" }
    return text + "Z"
  }

  /// Creates an instant from RFC 3339 text, with `Z` or an offset; `nil` for any other text.
  ///
  /// Fractions of a microsecond are dropped. A leap second, 23:59:60 in UTC, becomes the second
  /// after it, because moments do not count leap seconds.
  public init?(timestamp: String) {
    let bytes = Array(timestamp.utf8)
    func number(_ start: Int, _ count: Int) -> Int? {
      guard start + count <= bytes.count else { return nil }
      var value = 0
      for byte in bytes[start..<start + count] {
        guard (0x30...0x39).contains(byte) else { return nil }
        value = value * 10 + Int(byte - 0x30)
      }
      return value
    }
    func has(_ index: Int, _ letters: String) -> Bool {
      index < bytes.count && letters.utf8.contains(bytes[index])
    }
    guard let year = number(0, 4), has(4, "-"), let month = number(5, 2), has(7, "-"),
      let day = number(8, 2), has(10, "Tt "), let hour = number(11, 2), has(13, ":"),
      let minute = number(14, 2), has(16, ":"), let second = number(17, 2),
      let date = CivilDate(year: year, month: month, day: day), hour < 24, minute < 60, second <= 60
    else { return nil }
    var index = 19
    var fraction: Int64 = 0
    if has(index, ".") {
      index += 1
      var unit: Int64 = 100_000
      let start = index
      while index < bytes.count, (0x30...0x39).contains(bytes[index]) {
        fraction += Int64(bytes[index] - 0x30) * unit
        unit /= 10
        index += 1
      }
      if index == start { return nil }
    }
    var offset = 0
    if has(index, "Zz") {
      index += 1
    } else if has(index, "+-"), let hours = number(index + 1, 2), has(index + 3, ":"),
      let minutes = number(index + 4, 2), hours < 24, minutes < 60
    {
      offset = (hours * 60 + minutes) * (has(index, "-") ? -60 : 60)
      index += 6
    } else {
      return nil
    }
    guard index == bytes.count else { return nil }
    let secondOfDay: Int = hour * 3_600 + minute * 60 + second
    let seconds = Int64(date.daysSince1970) * 86_400 + Int64(secondOfDay - offset)
    if second == 60 && CivilDate.floorMod(seconds, 86_400) != 0 { return nil }
    self.init(microseconds: seconds * 1_000_000 + fraction)
  }
}
