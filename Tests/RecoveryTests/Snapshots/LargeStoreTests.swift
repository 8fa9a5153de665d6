import CivilTime
import Foundation
import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceReplay
import RetraceState
import RetraceStorage
import RetraceSystem
import RetraceTesting
import Testing
import TimeTracking
import ToolTestSupport
import TrackerFeatures

@testable import RetraceRecording

/// What a store of a million entries (a tenth of them without `RETRACE_FULL`) costs to open.
@Suite(.serialized) struct LargeStoreTests {
  /// The most bytes that opening, answering and starting may touch.
  private static let bytesMax = 200_000

  @Test func `a large store answers, commits a start and seeks while touching few pages`() throws {
    try withTemporaryDirectory { folder in
      let count = repetitions(1_000_000)
      let path = "\(folder)/store"
      let gapMax = UInt64(count) / 4
      try LargeStore.write(count, at: path, gapMax: gapMax)
      try Self.answerAndStart(count, at: path, gapMax: gapMax)
      let isCounted = try ColdFile.canMeasure(beside: path)
      try Self.runCold(count, at: path, countingBytes: isCounted)
      try Self.seek(at: path, gapMax: gapMax)
      // The result of the test says what could not be measured.
      if !isCounted { try Test.cancel("left out: bytes read, which are not counted here") }
    }
  }

  private static func answerAndStart(_ count: Int, at path: String, gapMax: UInt64) throws {
    let now = LargeStore.end(count).adding(.seconds(60))
    let store = try Store<TimeTracker>.openBlocking(
      at: path, configuration: LargeStore.configuration(at: now, gapMax: gapMax))
    #expect(store.snapshotUse.folded <= 1_000, "\(store.snapshotUse)")
    let user = UserID(value: 0)
    let running = try store.read { $0.domain.runningEntry(of: user)?.entry.description }
    #expect(running == "running")
    let latest = try store.read { $0.domain.latestEntries(of: nil, limit: 30).count }
    #expect(latest == 30)
    let day = LocalTime(now, offsetSeconds: 0).date
    let today = try store.read { state in
      var today = 0
      let start = ZoneRules.utc.startOfDay(day)
      state.domain.forEachEntry(from: start, to: now) { _, _ in today += 1 }
      return today
    }
    #expect(today > 0)
    let started = try store.performBlocking(LargeStore.start("next"), from: .commandLine)
    #expect(started.receipt.state.domain.timeEntries.count == count + 2)
    let pages = try #require(store.writer.publisher.latest.pages)
    let (touched, bytes) = pages.touched
    print(
      "\(count) entries: open, status, log and start touched \(touched) pages of \(bytes) bytes, "
        + "and read \(pages.bytesRead) bytes of the file")
    #expect(pages.bytesRead < bytesMax)
    try store.closeBlocking()
  }

  /// Does the same with the tools, after the files were evicted from memory.
  private static func runCold(
    _ count: Int, at path: String, countingBytes: Bool
  ) throws {
    let now = LargeStore.end(count).adding(.seconds(120)).timestamp
    for command in [["status"], ["log"], ["start", "another"]] {
      var arguments = command + ["--store", path, "--now", now]
      if command[0] != "log" { arguments += ["--user", "user0"] }
      // The pages of the tool's own file that the command needs are loaded first.
      _ = try run("track", arguments + (command[0] == "start" ? ["--dry-run"] : []))
      let files = ["data.mdb", "derived/data.mdb"].map { "\(path)/\($0)" }
      for file in files { try ColdFile.evict(file) }
      let cost = try ColdFile.cost("exec track \"$@\"", arguments)
      print("cold \(command[0]): \(cost.faults) major faults, \(cost.bytesRead) bytes read")
      #expect(cost.faults * 4096 < bytesMax, "\(command)")
      #expect(
        !countingBytes || (cost.bytesRead > 0 && cost.bytesRead < bytesMax), "\(command)")
    }
  }

  private static func seek(at path: String, gapMax: UInt64) throws {
    let storage = try LogStorage.open(at: path, access: .read)
    defer { storage.close() }
    let last = try storage.head().sequence
    for place in [1, last / 10, last / 2, last / 2 + gapMax / 2, last - 1, last] {
      var replayer = try Replayer<TimeTracker>(storage)
      try replayer.seek(to: place)
      print("a seek to \(place) of \(last) folded \(replayer.recordsFolded) records")
      #expect(replayer.recordsFolded <= gapMax)
      #expect(try replayer.read { $0.domain.timeEntries.count } <= Int(place))
    }
  }
}
