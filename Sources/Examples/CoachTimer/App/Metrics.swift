package import Retrace

/// What the laps of a session tell; without a lap they tell nothing.
///
/// Speeds are in millimetres a second, so that sums and comparisons are exact.
package struct LapMetrics: Equatable {
  /// The distance of a lap in metres.
  package let distance: Int64
  /// The times of the laps; at least one.
  package let laps: [ElapsedTime]

  /// Creates the metrics of a session; `nil` if it has no lap.
  package init?(_ session: Session) {
    guard !session.laps.isEmpty else { return nil }
    distance = session.distance
    laps = session.laps
  }

  /// The time of all laps.
  package var total: ElapsedTime {
    laps.reduce(.zero) { $0.adding($1) }
  }
  /// The mean time of a lap.
  package var average: ElapsedTime {
    ElapsedTime(microseconds: total.microseconds / Int64(laps.count))
  }
  /// How much longer the slowest lap took than the fastest.
  package var variability: ElapsedTime {
    guard let fastest = laps.min(), let slowest = laps.max() else { return .zero }
    return ElapsedTime(microseconds: slowest.microseconds &- fastest.microseconds)
  }
  /// The variance of the times of the laps, in square seconds.
  package var variance: Double {
    let count = Double(laps.count)
    let seconds = laps.map { Double($0.microseconds) / 1e6 }
    let mean = seconds.reduce(0, +) / count
    return seconds.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / count
  }
  /// The laps in a minute.
  package var cadence: Double { 6e7 * Double(laps.count) / Double(total.microseconds) }
  /// The speed of each lap.
  package var speeds: [Int64] { laps.map { Self.speed(distance, in: $0) } }
  /// The speed of the fastest lap.
  package var peakSpeed: Int64 { speeds.max() ?? 0 }
  /// The speed over all laps.
  package var averageSpeed: Int64 { Self.speed(distance &* Int64(laps.count), in: total) }

  /// Returns the speed over a distance in metres, rounded to a millimetre a second.
  private static func speed(_ distance: Int64, in time: ElapsedTime) -> Int64 {
    let time = max(time.microseconds, 1)
    return (distance &* 1_000_000_000 &+ time / 2) / time
  }
}

/// A saved session with its place in the table of the best.
package struct LeaderboardRow: Equatable {
  /// The id of the session.
  package let id: SessionID
  /// The session.
  package let session: Session
  /// What its laps tell.
  package let metrics: LapMetrics
}

/// By what the best are found.
package enum LeaderboardSort: Recordable, Equatable, CaseIterable { case speed, laps }

extension SessionsState {
  /// Returns the saved sessions, the best first; of equals, the older one.
  package func leaderboard(by sort: LeaderboardSort) -> [LeaderboardRow] {
    var rows: [(key: Int64, row: LeaderboardRow)] = []
    list.forEach { id, session in
      guard session.saved != nil, let metrics = LapMetrics(session) else { return }
      let key = sort == .speed ? metrics.peakSpeed : Int64(session.laps.count)
      rows.append((key, LeaderboardRow(id: id, session: session, metrics: metrics)))
    }
    rows.sort { ($1.key, $0.row.id.value) < ($0.key, $1.row.id.value) }
    return rows.map { $0.row }
  }

  /// The saved sessions as lines of values with semicolons between them.
  package var csv: String {
    var text = "id;saved;user;name;metres;peak_speed;laps\r\n"
    list.forEach { id, session in
      guard let saved = session.saved, let metrics = LapMetrics(session) else { return }
      text += "\(id.value);\(saved.timestamp);\(session.user.value);\(quoted(session.name));"
      text += "\(session.distance);\(decimal(metrics.peakSpeed, 3));\(session.laps.count)\r\n"
    }
    return text
  }

  /// Returns a text as a value of CSV.
  private func quoted(_ text: String) -> String {
    let special = "\";\r\n".utf8
    guard text.utf8.contains(where: { special.contains($0) }) else { return text }
    var result = "\""
    for scalar in text.unicodeScalars {
      if scalar == "\"" { result += "\"" }
      result.unicodeScalars.append(scalar)
    }
    return result + "\""
  }
}

/// Returns a number of thousandths, hundredths or others with its decimal point.
func decimal(_ number: Int64, _ digits: Int) -> String {
  var power: Int64 = 1
  for _ in 0..<digits { power *= 10 }
  let rest = String(number.magnitude % UInt64(power))
  let zeros = String(repeating: "0", count: digits - rest.utf8.count)
  return "\(number < 0 ? "-" : "")\(number.magnitude / UInt64(power)).\(zeros)\(rest)"
}
