import Foundation
import RetraceArchitecture
import RetraceRecording
import RetraceState
import RetraceStorage
import RetraceFixtures
import Testing
import ToolTestSupport

/// Builds that reduce differently, or record differently, on one store at the same time.
@Suite struct VersionSkewTests {
  private func build(_ name: String, _ store: String) throws -> SenderProcess {
    try SenderProcess(store, environment: ["TESTAPP_REDUCER": name])
  }

  @Test func `an open build that meets a session of another reducer closes, intact`() throws {
    try withTemporaryDirectory { folder in
      let store = "\(folder)/store"
      let report = StoreReport(store: store)
      let old = try build("old", store)
      #expect(try old.ask("note before") == "ok 2")
      let idle = try build("old", store)
      let hash = try old.hash()
      let new = try build("new", store)
      #expect(try new.ask("note after") == "ok 4")
      for round in 0..<2 {
        #expect(try old.ask("try refused \(round)") == "error incompatible")
        // The old build keeps its state, and the log has none of its refused notes.
        #expect(try old.hash() == hash)
        #expect(try report.notes() == ["before", "after"])
      }
      #expect(try new.ask("note more") == "ok 5")
      // A build that has sent nothing closes in the same way.
      #expect(try idle.ask("try refused") == "error incompatible")
      // A build without a reducer fingerprint goes on beside any other.
      let unnamed = try SenderProcess(store)
      #expect(try unnamed.ask("try beside") == "ok 7")
      #expect(try new.ask("note last") == "ok 8")
      for process in [old, idle] { process.process.kill() }
      new.close()
      unnamed.close()
      // The old build may open again: it folds what the new one recorded.
      let again = try build("old", store)
      #expect(try again.ask("note again") == "ok 13")
      again.close()
      #expect(try report.notes() == ["before", "after", "more", "beside", "last", "again"])
      try report.verify()
    }
  }

  @Test func `an open build that meets a record it cannot decode closes and skips nothing`() throws
  {
    try withTemporaryDirectory { folder in
      let path = "\(folder)/store"
      let configuration = StoreConfiguration(clock: { Moment(microseconds: 1) })
      let store = try Store<CounterApp>.openBlocking(at: path, configuration: configuration)
      let other = try SenderProcess(path)
      #expect(try other.ask("note foreign") == "ok 2")
      for _ in 0..<2 {
        #expect {
          try store.sendBlocking([.added(name: "lost")])
        } throws: {
          ($0 as? StoreError)?.code == .incompatible
        }
        #expect(store.writingError?.code == .incompatible)
        #expect(store.state.counters.count == 0)
        #expect(store.sequence <= 1)
      }
      try? store.closeBlocking()
      #expect(try other.ask("note more") == "ok 3")
      other.close()
      let report = StoreReport(store: path)
      #expect(try report.notes() == ["foreign", "more"])
      try report.verify()
    }
  }
}
