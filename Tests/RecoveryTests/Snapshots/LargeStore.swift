import RetraceArchitecture
import RetraceAvro
import RetraceRecording
import RetraceState
import RetraceStorage
import RetraceSystem
import RetraceTestSupport
import TimeTracking

/// A store of many time entries in the order of their starts, five minutes apart.
enum LargeStore {
  /// The start of the first entry.
  static let begin = Moment(microseconds: 1_000_000_000_000_000)
  /// How far apart starts lie.
  static let spacing: Int64 = 300_000_000
  static let zone = RecordedZone(id: "UTC", offsetSeconds: 0)

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
    let store = try Store<TimeTrackerApp>.openBlocking(
      at: path, configuration: configuration(at: end(count), gapMax: gapMax))
    var random = SeededGenerator(seed: 1)
    try store.sendBlocking(
      (0..<3).map { .library(.userCreated(name: "user\($0)")) }
        + (0..<5).map { .library(.projectCreated(name: "project\($0)", workspace: nil)) })
    var batch: [AppAction] = []
    for index in 0..<count {
      batch.append(.timeline(.created(entry(index, &random))))
      if batch.count == 2_000 {
        try store.enqueue(batch)
        batch.removeAll(keepingCapacity: true)
      }
    }
    try store.enqueue(batch)
    try store.sendBlocking([
      .timeline(
        .started(
          EntryDetails(description: "running"), user: UserID(value: 0), zone: zone, start: nil))
    ])
    try store.closeBlocking()
  }

  private static func entry(_ index: Int, _ random: inout SeededGenerator) -> ClosedEntry {
    ClosedEntry(
      user: UserID(value: Int64.random(in: 0..<3, using: &random)),
      details: EntryDetails(
        description: "task \(UInt16.random(in: .min ... .max, using: &random))",
        project: ProjectID(value: Int64.random(in: 0..<5, using: &random))),
      start: Moment(microseconds: begin.microseconds + Int64(index) * spacing),
      duration: ElapsedTime(microseconds: Int64.random(in: 1...300, using: &random) * 1_000_000),
      zone: zone)
  }
}
