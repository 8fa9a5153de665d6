import RetraceArchitecture
import RetraceRecording
import RetraceState
import RetraceSystem
import RetraceTesting
import Testing
import TimeTracking
import ToolTestSupport
import TrackerFeatures

@testable import TrackerApp

/// `replay bench` measures logs of the sizes that users have.
@Suite struct ReducerThroughputTests {
  /// The entries of users at increasing percentiles; in full, also ten times the most.
  private static let sizes = [67, 162, 274, 866, 1_140, 2_760] + (isFull ? [27_600] : [])
  private static let isFull = ThisProcess.environment("RETRACE_FULL") == "1"

  @Test(arguments: sizes)
  func `the reducer is measured on a log of as many entries as users have [L15]`(
    entries: Int
  ) throws {
    let folder = try FileSystem.makeTemporaryDirectory("retrace-throughput")
    defer { try? FileSystem.removeTree(folder) }
    let path = folder + "/store"
    try Self.record(entries, at: path)
    let words = ["replay", "bench", "--rounds", "3", "--json", "--store", path]
    let run = try object(expectFine(words))
    let types = try #require(run["types"] as? [[String: Any]])
    let added = try #require(types.first { $0["name"] as? String == "fact.edited.entry.inserted" })
    #expect(added["records"] as? Int == entries)
    let reduced = try #require(added["reduce"] as? [String: Any])
    #expect((reduced["p50"] as? Double) ?? 0 > 0)
  }

  /// Records as many entries of one user, each after the one before it.
  private static func record(_ entries: Int, at path: String) throws {
    let start = Moment(microseconds: 1_772_442_000_000_000)
    var configuration = StoreConfiguration(durability: .relaxed(window: .seconds(1)))
    configuration.clock = { start.adding(.seconds(Int64(entries) * 600)) }
    let store = try Store<TimeTracker>.openBlocking(at: path, configuration: configuration)
    let commands = (0..<Int64(entries)).map { number in
      let begin = start.adding(.seconds(number * 600))
      let draft = TimeEntryDraft(
        user: .name(Name("anna")), description: "task \(number % 40)", zone: .utc)
      return DomainCommand.entry(
        .add(draft, start: begin, end: begin.adding(.seconds(600)), policy: .refuse))
    }
    for outcome in try store.performBlocking(commands) { _ = try outcome.get() }
    try store.closeBlocking()
  }
}
