import RetraceArchitecture
import RetraceState

/// Sums over all time entries.
public struct Totals: Hashable, Sendable {
  /// How many entries there are.
  public var entries: Int
  /// How many of them run.
  public var running: Int
  /// The seconds of all closed entries, parts of a second of the sum cut off.
  public var seconds: Int64
  /// How many users have entries.
  public var users: Int
  /// How many projects have entries.
  public var projects: Int

  /// Makes sums.
  public init(entries: Int, running: Int, seconds: Int64, users: Int, projects: Int) {
    self.entries = entries
    self.running = running
    self.seconds = seconds
    self.users = users
    self.projects = projects
  }
}

extension AppState {
  /// Sums over all time entries.
  ///
  /// - Complexity: O(entries).
  public var totals: Totals {
    var totals = Totals(
      entries: timeline.entries.count, running: timeline.running.count, seconds: 0, users: 0,
      projects: 0)
    var users: Set<UserID> = []
    var projects: Set<ProjectID> = []
    var microseconds: Int64 = 0
    timeline.entries.forEach { _, entry in
      users.insert(entry.user)
      if let project = entry.project { projects.insert(project) }
      guard let duration = entry.duration else { return }
      totals.seconds = totals.seconds.addingClamped(duration.seconds)
      microseconds += duration.microseconds % 1_000_000
    }
    totals.seconds = totals.seconds.addingClamped(microseconds / 1_000_000)
    totals.users = users.count
    totals.projects = projects.count
    return totals
  }
}

extension Int64 {
  /// The sum, at the limits of the type if it would lie outside.
  func addingClamped(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    if overflow { return self < 0 ? Int64.min : Int64.max }
    return sum
  }
}
