import Foundation
import Testing
import ToolTestSupport

/// An open app sees what other processes commit, without asking.
@Suite struct FollowingTests {
  @Test func `an observer is called after each commit of another process at once`() throws {
    try withTemporaryDirectory { folder in
      let store = "\(folder)/store"
      let writer = try SenderProcess(store)
      let watcher = try SenderProcess(store)
      #expect(try watcher.ask("watch") == "watching")
      var times: [Int64] = []
      for round in 0..<30 {
        let acknowledged = try writer.ask("timed \(round)").split(separator: " ")
        let seen = try watcher.ask("await \(acknowledged[1])").split(separator: " ")
        #expect(seen[1] == acknowledged[1])
        let (end, begin) = (try #require(Int64(seen[2])), try #require(Int64(acknowledged[2])))
        times.append(end - begin)
        // Some come right after another, some after everything is idle.
        usleep(round % 3 == 0 ? 600_000 / 10 : 0)
      }
      times.sort()
      let most = (times.last ?? 0) / 1000
      print("foreign commits were seen after \(times[15] / 1000) us, at most \(most)")
      #expect(try watcher.hash() == writer.hash())
      watcher.close()
      writer.close()
    }
  }
}
