import RetraceLog
import RetraceArchitecture
import RetraceAvro
import RetraceRecording
import RetraceState
import RetraceStorage
import RetraceSystem
import RetraceTesting
import TimeTracking
import TrackerFeatures

/// A store of many time entries in the order of their starts, five minutes apart.
enum LargeStore {
  /// The start of the first entry.
  static let begin = Moment(microseconds: 1_000_000_000_000_000)
  /// How far apart starts lie.
  static let spacing: Int64 = 300_000_000

  /// The moment after the last of a number of entries.
  static func end(_ count: Int) -> Moment {
    Moment(microseconds: begin.microseconds + Int64(count) * spacing)
  }

  /// A configuration whose clock stands still at a moment.
  static func configuration(at moment: Moment, gapMax: UInt64 = 250_000) -> StoreConfiguration {
    var configuration = StoreConfiguration(clock: { moment })
    configuration.snapshots.gapMax = gapMax
    return configuration
  }

  /// Writes the store; the last entry of the first user runs.
  static func write(_ count: Int, at path: String, gapMax: UInt64 = 250_000) throws {
    let store = try Store<TimeTracker>.openBlocking(
      at: path, configuration: configuration(at: end(count), gapMax: gapMax))
    var random = SeededGenerator(seed: 1)
    // In this order, so that the ids of users are known.
    for name in userNames { try store.performBlocking(.user(.create(User(name: name)))) }
    try store.performBlocking(
      .importRun(.begin(source: Name("large"), file: "large.csv", digest: .zero)),
      from: .importing)
    let run = ImportRunID(value: 0)
    for first in stride(from: 0, to: count, by: 2_000) {
      let rows = (first..<min(first + 2_000, count)).map { row($0, &random) }
      try store.performBlocking(
        .importRun(.rows(run, ImportedRows(from: Int64(first), rows))), from: .importing)
    }
    try store.performBlocking(.importRun(.finish(run)), from: .importing)
    try store.performBlocking(start("running"))
    try store.closeBlocking()
  }

  /// A command that starts an entry of the first user.
  static func start(_ description: String) -> DomainCommand {
    let draft = TimeEntryDraft(
      user: .id(UserID(value: 0)), description: description, zone: .utc)
    return .entry(.start(draft, at: nil, policy: .refuse))
  }

  private static let userNames = (0..<3).map { Name("user\($0)") }
  private static let projectNames = (0..<5).map { Name("project\($0)") }

  private static func row(_ index: Int, _ random: inout SeededGenerator) -> ImportedRow {
    let user = userNames[Int.random(in: 0..<3, using: &random)]
    let description = "task \(UInt16.random(in: .min ... .max, using: &random))"
    let project = projectNames[Int.random(in: 0..<5, using: &random)]
    let start = Moment(microseconds: begin.microseconds + Int64(index) * spacing)
    let duration = ElapsedTime.seconds(Int64.random(in: 1...300, using: &random))
    var row = ImportedRow(
      user: user, description: description, start: start, end: start.adding(duration), zone: .utc)
    row.project = project
    return row
  }
}
