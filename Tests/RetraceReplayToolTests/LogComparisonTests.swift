import RetraceArchitecture
import RetraceAvro
import RetraceRecording
import RetraceState
import RetraceStorage
import RetraceSystem
import RetraceFixtures
import Testing

@testable import RetraceReplayTool

@Suite struct LogComparisonTests {
  /// Records counters in two sessions; the last action is the only one of the second session.
  private func record(_ last: CounterAction, at path: String) throws {
    var configuration = StoreConfiguration(clock: { Moment(microseconds: 1_000_000) })
    configuration.snapshots = SnapshotPolicy(interval: 1, closingInterval: 100_000)
    for batch in [(0..<1_200).map { CounterAction.added(name: "\($0)") }, [last]] {
      let store = try Store<CounterApp>.openBlocking(at: path, configuration: configuration)
      try store.sendBlocking(batch)
      try store.closeBlocking()
    }
  }

  /// Returns the JSON of the first difference between two logs.
  private func comparison(_ first: String, _ second: String) throws -> JSONValue? {
    let here = try LogStorage.open(at: first, access: .read)
    defer { here.close() }
    let there = try LogStorage.open(at: second, access: .read)
    defer { there.close() }
    return try LogComparison<CounterApp>(here, there, limit: 100).run()?.json
  }

  @Test func `a damaged page of a snapshot makes no difference`() throws {
    let folder = try FileSystem.makeTemporaryDirectory("retrace-compare-")
    defer { try? FileSystem.removeTree(folder) }
    let paths = ["\(folder)/a", "\(folder)/b"]
    for (path, change) in zip(paths, [1, 2] as [Int64]) {
      try record(.counted(CounterID(value: 7), by: change), at: path)
    }
    let expected = try #require(try comparison(paths[0], paths[1]))
    #expect(expected["state"]?.arrayValue?.count == 2)
    let derived = paths[1] + "/derived"
    let sound = try FileSystem.readWhole(derived + "/data.mdb", limitBytes: 1 << 26)
    for page in 2..<sound.count / 4_096 {
      try? FileSystem.removeTree(derived)
      try FileSystem.makeDirectory(derived)
      var bytes = sound
      for index in page * 4_096..<(page + 1) * 4_096 { bytes[index] ^= 0x55 }
      try OpenFile.open(derived + "/data.mdb", [.write, .create]).write(bytes.span, at: 0)
      #expect(try comparison(paths[0], paths[1]) == expected, "page \(page)")
    }
  }
}
