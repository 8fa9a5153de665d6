import Foundation
import Testing
import ToolTestSupport

/// A reducer that traps, and processes killed in a named phase: the action that ended the program
/// is shown, everything acknowledged is there, and nothing else has changed.
@Suite struct CrashedActionTests {
  private func noted(_ text: String) -> String { #"{"noted":{"_0":"\#(text)"}}"# }
  private func trapped(_ text: String) -> String { #"{"trapped":{"_0":"\#(text)"}}"# }

  private func withStore(_ body: (String, StoreReport) throws -> Void) throws {
    try withTemporaryDirectory { folder in
      try body("\(folder)/store", StoreReport(store: "\(folder)/store"))
    }
  }

  /// The sessions that left an attempt, in a file or in a mark.
  private func attempts(_ store: String) throws -> [UInt64] {
    try attemptedSessions(in: store)
  }

  @Test func `a batch whose reduction traps is shown as crashed, and all around it is intact`()
    throws
  {
    try withStore { store, report in
      let first = try SenderProcess(store)
      #expect(first.opening == "open 0 recovered")
      #expect(try first.ask("note one") == "ok 2")
      #expect(try first.ask("batch 2", "note two", "note three") == "ok 4")
      let hash = try first.hash()
      let result = try first.trap("batch 3", "note a", "trap because", "note b")
      #expect(result.errors.contains(#"trap by trapped("because")"#), "\(result.errors)")
      #expect(try attempts(store) == [1])

      // Before the next open for writing, the log ends with what was acknowledged.
      #expect(try report.hash() == hash)
      #expect(try report.crashed() == [])
      try report.verify()

      let second = try SenderProcess(store)
      // Record 7 says that session 1 was found dead.
      #expect(second.opening == "open 7 recovered 6")
      #expect(try second.hash() == hash)
      #expect(try second.ask("note after") == "ok 8")
      let later = try second.hash()
      second.close()
      let expected = CrashedRecord(
        sequence: 6, session: 1, batch: 0, actions: [noted("a"), trapped("because"), noted("b")])
      #expect(try report.crashed() == [expected])
      #expect(try report.crashedBySession() == [1: [6]])
      #expect(try report.hash(at: 4) == hash)
      #expect(try report.hash(at: 6) == hash)
      #expect(try report.hash() == later)
      #expect(try report.notes(at: 6) == ["one", "two", "three"])
      #expect(try report.notes() == ["one", "two", "three", "after"])
      #expect(try attempts(store) == [])
      try report.verify()
      let shown = try run("testapp", ["sessions", "--store", store])
      #expect(shown.output.contains("crashed at 6"))
      let line = try run("testapp", ["show", "--at", "6", "--store", store])
      #expect(line.output.contains("crashed") && line.output.contains(trapped("because")))

      let third = try SenderProcess(store)
      #expect(third.recovered == [])
      #expect(try third.hash() == later)
      third.close()
      #expect(try report.crashed() == [expected])
    }
  }

  @Test func `an index out of bounds, and the very first batch of a store, are kept too`() throws {
    try withStore { store, report in
      _ = try SenderProcess(store).trap("overrun 7")
      let second = try SenderProcess(store)
      #expect(second.opening == "open 2 recovered 2")
      second.close()
      // The session that trapped had no record, so it has no number.
      let expected = CrashedRecord(
        sequence: 2, session: 0, batch: 0, actions: [#"{"overran":{"index":7}}"#])
      #expect(try report.crashed() == [expected])
      #expect(try report.crashedBySession() == [1: [2]])
      try report.verify()
    }
  }

  @Test(arguments: [false, true])
  func `a process that was open before records the crash of one that took its next number`(
    isMoved: Bool
  ) throws {
    try withStore { store, report in
      let open = try SenderProcess(store)
      _ = try SenderProcess(store).trap("trap first")
      #expect(try attempts(store) == [1])
      // A reader that opens the store meanwhile moves the attempt out of the mark.
      if isMoved { #expect(try report.crashed() == []) }
      // The session of this process gets the number that the dead one had taken.
      #expect(try open.ask("note second").hasPrefix("ok "))
      open.close()
      let expected = CrashedRecord(
        sequence: 2, session: 0, batch: 0, actions: [trapped("first")])
      #expect(try report.crashed() == [expected])
      #expect(try report.notes() == ["second"])
      #expect(try attempts(store) == [])
      try report.verify()
    }
  }

  @Test func `traps one after another leave one record each, and the state never moves`() throws {
    try withStore { store, report in
      var next = try SenderProcess(store)
      #expect(try next.ask("note kept") == "ok 2")
      let hash = try next.hash()
      for round in 0..<4 {
        _ = try next.trap("trap \(round)")
        next = try SenderProcess(store)
        #expect(next.recovered.count == 1)
        #expect(try next.hash() == hash)
      }
      next.close()
      #expect(try report.crashed().map(\.actions) == (0..<4).map { [trapped("\($0)")] })
      try report.verify()
    }
  }

  /// The numbers of actions from which on a group is reduced on a thread of its own.
  private static let largeFrom = ["1", "2048"]

  @Test(arguments: largeFrom)
  func `of a group only the batch that trapped is kept; no other was acknowledged`(
    largeFrom: String
  ) throws {
    try withStore { store, report in
      let first = try SenderProcess(store, environment: ["TESTAPP_LARGE": largeFrom])
      #expect(try first.ask("note before") == "ok 2")
      let hash = try first.hash()
      _ = try first.trap("group 3", "note first", "batch 2", "note x", "trap second", "note third")
      let second = try SenderProcess(store)
      #expect(second.opening == "open 5 recovered 4")
      #expect(try second.hash() == hash)
      #expect(try second.ask("group 2", "note after", "note more") == "ok 7")
      second.close()
      let expected = CrashedRecord(
        sequence: 4, session: 1, batch: 1, actions: [noted("x"), trapped("second")])
      #expect(try report.crashed() == [expected])
      #expect(try report.notes() == ["before", "after", "more"])
      try report.verify()
    }
  }

  @Test func `a process killed while it commits leaves no crashed record`() throws {
    try withStore { store, report in
      let first = try SenderProcess(store)
      #expect(try first.ask("note before") == "ok 2")
      let hash = try first.hash()
      try first.killInPhase("committing", "batch 2", "note lost", "note too")
      #expect(try attempts(store) == [1])
      let second = try SenderProcess(store)
      #expect(second.opening == "open 3 recovered")
      #expect(try attempts(store) == [])
      #expect(try second.hash() == hash)
      #expect(try second.ask("note after") == "ok 5")
      second.close()
      #expect(try report.crashed() == [])
      #expect(try report.notes() == ["before", "after"])
      try report.verify()
    }
  }

  @Test(arguments: [0, 1, 2], largeFrom)
  func `a process killed while it reduces leaves one crashed record`(
    batch: Int, largeFrom: String
  ) throws {
    try withStore { store, report in
      let first = try SenderProcess(store, environment: ["TESTAPP_LARGE": largeFrom])
      #expect(try first.ask("note before") == "ok 2")
      let hash = try first.hash()
      try first.killInPhase("reducing(\(batch))", "group 3", "note 0", "note 1", "note 2")
      for recovered in [[4], []] {
        let next = try SenderProcess(store)
        #expect(next.recovered == recovered)
        #expect(try next.hash() == hash)
        next.close()
      }
      let expected = CrashedRecord(
        sequence: 4, session: 1, batch: batch, actions: [noted("\(batch)")])
      #expect(try report.crashed() == [expected])
      try report.verify()
    }
  }

  @Test func `a commit that is held at both phases and then resumed behaves like any other`() throws
  {
    try withStore { store, report in
      let only = try SenderProcess(store)
      for phase in ["reducing(0)", "committing"] {
        #expect(try only.ask("hold \(phase)") == "armed")
        #expect(try only.ask("note \(phase)") == "holding \(phase)")
        #expect(try only.ask("go on").hasPrefix("ok "))
      }
      only.close()
      #expect(try report.notes() == ["reducing(0)", "committing"])
      #expect(try report.crashed() == [])
      try report.verify()
    }
  }

  @Test func `an attempt file that outlives its record, or is another store's, adds no record`()
    throws
  {
    try withStore { store, report in
      _ = try SenderProcess(store).trap("trap once")
      // An open for reading moves the attempt out of the mark.
      #expect(try report.crashed() == [])
      let file = URL(fileURLWithPath: "\(store)/attempt.1")
      let bytes = try Data(contentsOf: file)
      let found = try SenderProcess(store)
      #expect(found.recovered == [2])
      found.close()
      // As if the process had ended between its commit and the removal of the file.
      try bytes.write(to: file)
      let again = try SenderProcess(store)
      #expect(again.recovered == [])
      again.close()
      #expect(try report.crashed().map(\.sequence) == [2])
      #expect(try attempts(store) == [])

      // The same file fits an empty log by its sequence, but not by its store.
      let other = "\(store)-other"
      try SenderProcess(other).close()
      try bytes.write(to: URL(fileURLWithPath: "\(other)/attempt.1"))
      let foreign = try SenderProcess(other)
      #expect(foreign.opening == "open 0 recovered")
      foreign.close()
    }
  }

  @Test(arguments: ["cut", "empty", "flipped", "appended to"])
  func `a torn attempt file is ignored and removed, a longer one is read`(_ damage: String) throws {
    try withStore { store, report in
      let first = try SenderProcess(store)
      #expect(try first.ask("note before") == "ok 2")
      _ = try first.trap("trap \(damage)")
      #expect(try report.crashed() == [])
      let file = URL(fileURLWithPath: "\(store)/attempt.1")
      var bytes = try Data(contentsOf: file)
      switch damage {
      // A file is 80 bytes and the batches; bytes after them may remain from a longer group.
      case "cut": bytes = bytes.prefix(90)
      case "empty": bytes = Data()
      case "flipped": bytes[82] ^= 1
      default: bytes.append(contentsOf: [1, 2, 3])
      }
      try bytes.write(to: file)
      let second = try SenderProcess(store)
      #expect(second.recovered == (damage == "appended to" ? [4] : []))
      #expect(try second.ask("note after").hasPrefix("ok "))
      second.close()
      #expect(try attempts(store) == [])
      #expect(try report.notes() == ["before", "after"])
      try report.verify()
    }
  }
}
