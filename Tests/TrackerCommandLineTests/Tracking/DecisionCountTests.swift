import Foundation
import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceSystem
import RetraceTesting
import Testing
import TimeTracking
import ToolTestSupport
import TrackerApp

@testable import RetraceStorage

/// A verb decides its commands once on a copy of the state, and once inside the write transaction.
@Suite struct DecisionCountTests {
  #if DEBUG
    /// The numbers of the commands that a command line decided on a copy, and then of those that it
    /// decided inside the transaction, which are in the log.
    private func decided(_ line: String, at store: String, exit: Int32 = 0) throws -> [Int] {
      let counts = Lock<[Int]>([])
      let observer = EntryPlan.Observer { command in
        counts.withLock { $0.append(command.count) }
      }
      let before = try recorded(at: store).count
      let words = line.split(separator: " ").map(String.init)
      let result = try EntryPlan.$observer.withValue(observer) {
        try run(
          "track",
          words + ["--store", store, "--now", "2026-03-02T12:00:00.5Z", "--tz", "UTC"])
      }
      #expect(result.status == exit, "\(line): \(result.errors)")
      return counts.withLock { $0 } + (try recorded(at: store).dropFirst(before))
    }

    private func recorded(at store: String) throws -> [Int] {
      guard FileManager.default.fileExists(atPath: store) else { return [] }
      let storage = try LogStorage.open(at: store, access: .read)
      defer { storage.close() }
      var counts: [Int] = []
      try storage.withReadView { (view) throws(StoreError) in
        try view.forEachRecord(from: 1, through: view.head.sequence) { envelope, payload in
          guard envelope.kind == .command,
            let recorded = try? RecordedCommand(encoded: payload),
            let command = try? DomainCommand(encoded: recorded.command.bytes.span),
            case .entry(let entry) = command
          else { return }
          counts.append(entry.count)
        }
      }
      return counts
    }

    @Test func `each command is decided once outside and once inside the transaction`() throws {
      let folder = try TemporaryDirectory()
      let store = folder.file("store")
      for line in [
        "start 9:00 write @thesis", "switch 10:00 call", "stop 10:30",
        "continue 0 11:00", "pause 11:10", "resume 11:20", "start", "cancel",
        "add 7:00 - 8:00 mail", "edit -1 read mail", "annotate -1 done", "tag -1 mail",
        "untag -1 mail", "move -1 6:00", "lengthen -1 5m", "shorten -1 5m", "fill 1",
        "delete -1",
      ] {
        #expect(try decided(line, at: store) == [1, 1], "\(line)")
      }
    }

    @Test func `several commands are decided one by one outside, and as one change inside`() throws
    {
      let folder = try TemporaryDirectory()
      let store = folder.file("store")
      for hour in 5...9 {
        #expect(try decided("add \(hour):00 - \(hour):30 work", at: store) == [1, 1])
      }
      #expect(try decided("tag 0 1 2 deep", at: store) == [1, 1, 1, 3])
      #expect(try decided("pause 5:10 - 5:20", at: store) == [1, 1, 2])
      #expect(try decided("join 1 2", at: store) == [1, 1])
      #expect(try decided("delete 1 3", at: store) == [1, 1, 2])
    }

    @Test func `what is refused or only shown is not decided inside the transaction`() throws {
      let folder = try TemporaryDirectory()
      let store = folder.file("store")
      #expect(try decided("add 9:00 - 10:00 work --dry-run", at: store) == [1])
      #expect(try decided("add 9:00 - 10:00 work", at: store) == [1, 1])
      #expect(try decided("add 9:30 - 10:30 more", at: store, exit: 1) == [1])
      #expect(try decided("add 9:30 - 10:30 more --policy adjust", at: store) == [1, 1])
      // The yes chooses another policy, under which the command is another one.
      #expect(try decided("add 10:00 - 11:00 more --yes", at: store) == [1, 1, 1])
    }
  #endif
}
