import Foundation
import Testing
import ToolTestSupport

/// Several processes that have one store open: each folds the records that the others appended.
@Suite struct SharedStoreTests {
  private func withStore(_ body: (String, StoreReport) throws -> Void) throws {
    try withTemporaryDirectory { folder in
      try body("\(folder)/store", StoreReport(store: "\(folder)/store"))
    }
  }

  @Test func `processes that send in turn leave one log, and the same state in each`() throws {
    try withStore { store, report in
      let processes = try (0..<3).map { _ in try SenderProcess(store) }
      var sequence = 0
      for round in 0..<6 {
        for (index, process) in processes.enumerated() {
          // The first batch of each opens its session.
          sequence += round == 0 ? 2 : 1
          #expect(try process.ask("note \(index)-\(round)") == "ok \(sequence)")
        }
      }
      var hashes: Set<String> = []
      for process in processes {
        #expect(try process.ask("catch-up") == "ok \(sequence)")
        hashes.insert(try process.hash())
      }
      #expect(hashes == [try report.hash()])
      for process in processes { process.close() }
      let expected = (0..<6).flatMap { round in (0..<3).map { "\($0)-\(round)" } }
      #expect(try report.notes() == expected)
      try report.verify()
    }
  }

  /// Sends from several processes at once, and compares their answers with the log.
  private func send(_ count: Int, from processes: Int, size: Int) throws {
    try withStore { store, report in
      let senders = try (0..<processes).map { _ in try SenderProcess(store) }
      for (index, sender) in senders.enumerated() {
        sender.process.send("run \(count / size) \(size) \(index)")
      }
      let longest = try senders.map { sender in
        try #require(try sender.line().split(separator: " ").last.flatMap { Int($0) })
      }
      print("\(processes) processes: the longest of \(count) sends took \(longest.max() ?? 0) us")
      var hashes: Set<String> = []
      for sender in senders {
        #expect(try sender.ask("catch-up") == "ok \(processes * (count + 1))")
        hashes.insert(try sender.hash())
      }
      // The fold of the log is the state of each: what one reduced is what another did, in order.
      #expect(hashes == [try report.hash()])
      for sender in senders { sender.close() }
      try report.verify()
      let notes = try report.notes()
      #expect(notes.count == processes * count)
      try Notes(notes).expectWhole(size: size)
      for process in 0..<processes {
        let own = notes.filter { $0.hasPrefix("\(process).") }
        let expected = (0..<count / size).flatMap { batch in
          (0..<size).map { "\(process).\(batch).\($0)" }
        }
        #expect(own == expected)
      }
    }
  }

  @Test(arguments: [2, 4, 8])
  func `processes that send at once leave one order, without gaps, and end with one state`(
    processes: Int
  ) throws {
    try send(cycles(10_000), from: processes, size: 5)
  }

  @Test(arguments: ["stream", "flood"])
  func `a process that sends little is not kept out by one that sends much`(how: String) throws {
    try withStore { store, report in
      let busy = try SenderProcess(store, environment: ["TESTAPP_QUEUE": "20000"])
      busy.process.send("\(how) 1000000 600 busy")
      for _ in 0..<3 { #expect(try busy.line().hasPrefix("ack ")) }
      let other = try SenderProcess(store)
      for round in 0..<5 {
        // At each turn of this process, more was appended than is usually folded at once.
        #expect(try other.ask("note other.\(round).0").hasPrefix("ok "))
      }
      busy.process.kill()
      other.close()
      #expect(try report.notes().filter { $0.hasPrefix("other.") }.count == 5)
      try report.verify()
    }
  }

  @Test func `a crash is recorded once, by the process that opens next beside another one`() throws
  {
    try withStore { store, report in
      let living = try SenderProcess(store)
      #expect(try living.ask("note before") == "ok 2")
      _ = try SenderProcess(store).trap("trap one")
      // Another batch is appended before any process looks for the crash.
      #expect(try living.ask("note between") == "ok 3")
      let finder = try SenderProcess(store)
      #expect(finder.recovered == [5])
      #expect(try SenderProcess(store).recovered == [])
      #expect(try living.ask("note after") == "ok 6")
      #expect(try living.hash() == report.hash())
      finder.close()
      living.close()
      #expect(try report.crashed().map(\.sequence) == [5])
      try report.verify()
    }
  }

  @Test func `if processes open at once, each crash of a dead one is recorded once`()
    throws
  {
    try withStore { store, report in
      for round in 0..<cycles(30) {
        let dead = try (0..<3).map { _ in try SenderProcess(store) }
        for (index, process) in dead.enumerated() {
          #expect(try process.ask("note \(round).\(index)").hasPrefix("ok "))
        }
        for (index, process) in dead.enumerated() { _ = try process.trap("trap \(round).\(index)") }
        let openers = try (0..<6).map { _ in
          try RunningTool("testapp", ["send", "--store", store])
        }
        let recovered = openers.map { opener in
          (opener.readLine() ?? "none").split(separator: " ").dropFirst(3)
        }
        #expect(recovered.joined().count == 3, "\(recovered)")
        for opener in openers {
          let end = opener.finish()
          #expect(end.status == 0, "\(end.errors)")
        }
        let texts = try report.crashed().suffix(3).flatMap(\.actions)
        #expect(Set(texts) == Set((0..<3).map { #"{"trapped":{"_0":"\#(round).\#($0)"}}"# }))
      }
      #expect(try report.crashed().count == 3 * cycles(30))
      try report.verify()
    }
  }

  @Test func `a session that gets the number of a dead one records that one's crash first`() throws
  {
    try withStore { store, report in
      let living = try SenderProcess(store)
      // A session without a record has the number that the next one gets.
      _ = try SenderProcess(store).trap("trap one")
      #expect(try living.ask("note after") == "ok 3")
      living.close()
      #expect(try report.crashed().map(\.sequence) == [2])
      #expect(try report.notes() == ["after"])
      try report.verify()
    }
  }
}
