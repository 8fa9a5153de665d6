import RetraceRandom

/// A synthetic time log with the columns and the size of the published CESAW time log, determined
/// by a seed.
///
/// Two of its 203,621 rows are malformed, as in the real file: one has a start of `\N`, the other a
/// start in another format. Tests use it where the real file is not available.
public struct SyntheticTimeLog: Sendable {
  /// The result of a correct import.
  public struct Expectation: Hashable, Sendable {
    /// The number of rows that can be imported.
    public var created = 0
    /// The total minutes of those rows.
    public var minutes: Int64 = 0
    /// The number of users in those rows.
    public var users = 0
    /// The number of projects in those rows.
    public var projects = 0
    /// The numbers of the lines that cannot be imported, from 1.
    public var rejectedLines: [Int] = []
  }

  /// The header of the file.
  public static let header =
    "time_log_fact_key,organization,project_key,person_key,team_key,wbs_element_key,plan_item_key,"
    + "time_log_start_date,time_log_end_date,time_log_delta_minutes,time_log_interrupt_minutes,"
    + "phase_key,phase_short_name,phase.process_key,process_name"

  private static let phases = [
    "Misc", "Planning", "Design", "HLD Inspect", "Code", "Code Inspect", "Test", "Reqts Inspect",
    "Int Test", "Postmortem", "Mgmt", "Strategy",
  ]

  /// The seed.
  public let seed: UInt64
  /// The number of rows, without the header.
  public let rows: Int

  /// Makes a log.
  ///
  /// - Parameters:
  ///   - seed: The seed.
  ///   - rows: The number of rows; the malformed ones are at about 32 % and 57 % of them.
  public init(seed: UInt64 = 1, rows: Int = 203_621) {
    self.seed = seed
    self.rows = rows
  }

  /// Calls `line` with all lines, the header first, without line ends.
  ///
  /// - Returns: The result of a correct import of the lines.
  /// - Complexity: O(rows).
  public func forEachLine<Failure: Error>(
    _ line: (String) throws(Failure) -> Void
  ) throws(Failure) -> Expectation {
    try line(Self.header)
    var random = SeededGenerator(seed: seed)
    var expectation = Expectation()
    var users: Set<Int> = []
    var projects: Set<Int> = []
    let placeholderRow = rows * 64_343 / 203_621
    let otherFormatRow = rows * 116_213 / 203_621
    for row in 0..<rows {
      // The first rows name each of the 246 people and 39 projects once.
      let person = row < 246 ? row : Int.random(in: 0..<246, using: &random)
      let project = row < 39 ? row : person % 39
      let minutes = row % 97 == 0 ? 0 : Int.random(in: 1...76, using: &random)
      let start = Start(&random)
      var written = (start.text, start.later(by: minutes).text)
      if row == placeholderRow { written = ("\\N", "\\N") }
      if row == otherFormatRow { written = ("0016-01-11 16:22:26", "0016-01-11 18:14:26") }
      if row == placeholderRow || row == otherFormatRow {
        expectation.rejectedLines.append(row + 2)
      } else {
        expectation.created += 1
        expectation.minutes += Int64(minutes)
        users.insert(person)
        projects.insert(project)
      }
      let phase = Int.random(in: 0..<Self.phases.count, using: &random)
      try line(
        "\(row + 20_000),C,\(project + 10),\(person + 90),\(person % 20),\(row / 7),\(row / 3),"
          + "\(written.0),\(written.1),\(minutes),0,\(phase),\(Self.phases[phase]),1,TSP(SM)")
    }
    expectation.users = users.count
    expectation.projects = projects.count
    return expectation
  }

  /// A start within the years of the real file.
  private struct Start {
    var year: Int
    var month: Int
    var day: Int
    var minute: Int

    init(_ random: inout SeededGenerator) {
      year = Int.random(in: 2006...2015, using: &random)
      month = Int.random(in: 1...12, using: &random)
      day = Int.random(in: 1...27, using: &random)
      minute = Int.random(in: 0..<1_440, using: &random)
    }

    /// Returns a time less than a day later; every month has a 28th day.
    func later(by minutes: Int) -> Start {
      var copy = self
      copy.minute += minutes
      if copy.minute >= 1_440 {
        copy.minute -= 1_440
        copy.day += 1
      }
      return copy
    }

    var text: String {
      let rest = minute % 60
      return "\(month)/\(day)/\(year) \(minute / 60):\(rest < 10 ? "0" : "")\(rest)"
    }
  }
}
