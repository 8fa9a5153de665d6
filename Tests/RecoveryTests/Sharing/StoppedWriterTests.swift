import Foundation
import RetraceSystem
import Testing
import ToolTestSupport

/// A process that is killed or stopped while it holds the write lock, or reads.
@Suite struct StoppedWriterTests {
  private func withStore(_ body: (String, StoreReport) throws -> Void) throws {
    try withTemporaryDirectory { folder in
      try body("\(folder)/store", StoreReport(store: "\(folder)/store"))
    }
  }

  @Test(arguments: ["reducing(0)", "reducing(1)", "committing"])
  func `a process killed while it holds the write lock blocks no other, and its session is over`(
    phase: String
  ) throws {
    try withStore { store, report in
      let victim = try SenderProcess(store)
      #expect(try victim.ask("note first") == "ok 2")
      let waiting = try SenderProcess(store)
      #expect(try waiting.ask("note second") == "ok 4")
      #expect(try victim.ask("hold \(phase)") == "armed")
      for line in ["group 2", "note lost", "note lost too"] { victim.process.send(line) }
      #expect(victim.process.readLine() == "holding \(phase)")
      waiting.process.send("timed third")
      // The other is in the middle of its wait.
      usleep(50_000)
      let killed = MonotonicClock.nanoseconds()
      victim.process.kill()
      // A send that waits until the timeout of the write lock fails.
      let answer = try waiting.line().split(separator: " ")
      #expect(answer.prefix(2) == ["ok", "5"])
      let time = try #require(Int64(answer[2])) - killed
      print("killed in \(phase): the next was held up for \(time / 1000) us")
      let finder = try SenderProcess(store)
      #expect(finder.recovered == (phase == "committing" ? [] : [7]))
      finder.close()
      waiting.close()
      #expect(try report.notes() == ["first", "second", "third"])
      try report.verify()
    }
  }

  @Test func `a reader that was killed does not make the file grow for ever`() throws {
    try withStore { store, _ in
      let reader = try SenderProcess(store)
      let writer = try SenderProcess(store)
      #expect(try writer.ask("note first") == "ok 2")
      #expect(try reader.ask("read") == "reading at 2")
      reader.process.kill()
      // Each commit frees pages, which the next ones use again if no reader sees them.
      let answer = try writer.ask("run 1500 1 a")
      #expect(answer.hasPrefix("done 1502 "))
      let attributes = try FileManager.default.attributesOfItem(atPath: "\(store)/data.mdb")
      let size = try #require(attributes[.size] as? Int)
      print("after 1500 commits beside a reader that was killed the file has \(size) bytes")
      #expect(size < 12 << 20)
      writer.close()
    }
  }

  @Test func `a process stopped while it holds the write lock is named, and resumes on SIGCONT`()
    throws
  {
    try withStore { store, report in
      let stopped = try SenderProcess(store)
      #expect(try stopped.ask("note first") == "ok 2")
      #expect(try stopped.ask("hold committing") == "armed")
      stopped.process.send("note slow")
      #expect(stopped.process.readLine() == "holding committing")
      kill(stopped.process.pid, SIGSTOP)
      let other = try SenderProcess(store, environment: ["TESTAPP_WRITE_LOCK_TIMEOUT": "300"])
      #expect(try other.ask("try refused") == "error writerStalled \(stopped.process.pid)")
      // The log can be read meanwhile.
      #expect(try report.notes() == ["first"])
      kill(stopped.process.pid, SIGCONT)
      #expect(try stopped.ask("go on") == "ok 3")
      #expect(try other.ask("try late") == "ok 5")
      stopped.close()
      other.close()
      #expect(try report.notes() == ["first", "slow", "late"])
      try report.verify()
    }
  }
}
