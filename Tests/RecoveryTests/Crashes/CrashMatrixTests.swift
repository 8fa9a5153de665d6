import Foundation
import Testing
import ToolTestSupport

/// A process ends at each place on the way of a command, by a trap and by a kill.
///
/// Each test is the row of the table in Decisions/20-crashes.md that its name ends with.
@Suite struct CrashMatrixTests {
  private static let endings = ["trap", "kill"]

  /// The records of a store with one command, and the state: 1 is the session's start, 2 the
  /// command and 3 its fact.
  private static let before = (records: 3, notes: ["before"])

  @Test(arguments: endings)
  func `a crash in interpret leaves nothing of the command [crash: interpret]`(
    ending: String
  ) throws {
    try withBrittleStore { store in
      try store.crash(at: "interpret", ending)
      try store.expectUnchanged(since: Self.before)
      // Record 4 says that session 1 was found dead.
      let next = try store.open(expecting: "open 4 recovered")
      try next.expectPerformed("ask k run text", by: "ok 8")
      try store.settle(next, expecting: ["before", "text", "ran text"], crashed: [])
    }
  }

  @Test(arguments: endings)
  func `a crash in decide is recorded with its command [crash: decide]`(ending: String) throws {
    try expectCrashedCommand(at: "decide", ending)
  }

  @Test(arguments: endings)
  func `a crash in reduce is recorded with its command [crash: reduce]`(ending: String) throws {
    try expectCrashedCommand(at: "reduce", ending)
  }

  @Test(arguments: endings)
  func `a crash in append is recorded with its command [crash: append]`(ending: String) throws {
    try expectCrashedCommand(at: "append", ending)
  }

  /// A command that is not acknowledged, recorded as crashed, and carried out if it is sent again.
  private func expectCrashedCommand(at point: String, _ ending: String) throws {
    try withBrittleStore { store in
      try store.crash(at: point, ending)
      try store.expectUnchanged(since: Self.before)
      // The records are the new session's start, the crash, and the end of session 1.
      let next = try store.open(expecting: "open 6 recovered 5")
      try next.expectPerformed("ask k run text", by: "ok 9")
      try store.settle(next, expecting: ["before", "text", "ran text"], crashed: [5])
      let crashed = try #require(try store.report.crashed().first)
      #expect(crashed.session == 1 && crashed.batch == 0)
      #expect(crashed.actions == [#"{"ask":{"_0":{"asks":false,"ended":"run","text":"text"}}}"#])
      #expect(try store.report.crashedBySession() == [1: [5]])
      // The next opening finds nothing left to record.
      try store.open(expecting: "open \(store.report.records()) recovered").close()
    }
  }

  @Test(arguments: endings)
  func `a crash right before the commit leaves no record [crash: commit, before]`(
    ending: String
  ) throws {
    try withBrittleStore { store in
      try store.crash(at: "commit", ending)
      try store.expectUnchanged(since: Self.before)
      let next = try store.open(expecting: "open 4 recovered")
      try next.expectPerformed("ask k run text", by: "ok 8")
      try store.settle(next, expecting: ["before", "text", "ran text"], crashed: [])
    }
  }

  @Test(arguments: endings)
  func `a crash right after the commit loses only the answer [crash: commit, after]`(
    ending: String
  ) throws {
    try expectRecordedCommand(at: "committed", ending)
  }

  @Test(arguments: endings)
  func `a crash in publish loses only the answer [crash: publish]`(ending: String) throws {
    try expectRecordedCommand(at: "publish", ending)
  }

  /// A command whose caller got no answer, and which is not carried out again; its effect, which
  /// had not begun, runs at the next opening.
  private func expectRecordedCommand(at point: String, _ ending: String) throws {
    try withBrittleStore { store in
      try store.crash(at: point, ending)
      try store.expectRecorded(notes: ["before", "text"], inFlight: 1)
      #expect(try store.started() == [])
      let next = try store.open(expecting: "open 7 recovered")
      try next.expectPerformed("ask k run text", by: "repeated 6")
      try store.settle(next, expecting: ["before", "text", "ran text"], crashed: [])
      #expect(try store.started() == ["text"])
    }
  }

  @Test(arguments: endings, ["drop", "run", "send"])
  func `an effect that ends the program ends by its policy [crash: effect start]`(
    ending: String, policy: String
  ) throws {
    try withBrittleStore { store in
      try store.crash(at: "start", ending, "ask k \(policy) text", isAnswered: true)
      try store.expectRecorded(notes: ["before", "text"], inFlight: 1)
      #expect(try store.started() == ["text"])
      let next = try store.open()
      #expect(next.recovered == [])
      try next.expectPerformed("ask k \(policy) text", by: "repeated 6")
      let answers = ["drop": [], "run": ["ran text"], "send": ["ended text"]][policy] ?? []
      try store.settle(next, expecting: ["before", "text"] + answers, crashed: [])
      #expect(try store.started() == (policy == "run" ? ["text", "text"] : ["text"]))
      let outcome = ["drop": "dropped", "run": "finished", "send": "replaced"][policy] ?? ""
      #expect(try store.ends() == [outcome])
    }
  }

  @Test func `an effect that runs again ends each program, until it is corrected`() throws {
    try withBrittleStore { store in
      try store.crash(at: "start", "trap", isAnswered: true)
      for _ in 0..<3 { try store.crashAgain(at: "start", "trap") }
      try store.expectRecorded(notes: ["before", "text"], inFlight: 1, records: 7)
      try store.settle(store.open(), expecting: ["before", "text", "ran text"], crashed: [])
      #expect(try store.started().count == 5)
    }
  }

  @Test(arguments: endings)
  func `the answer of an effect fails at its second crash [crash: effect answer]`(
    ending: String
  ) throws {
    try expectFailure(of: "ask k run text", #"{"answered":{"_0":"ran text"}}"#, ending)
  }

  @Test(arguments: endings)
  func `the command of an effect fails at its second crash [crash: effect answer, decided]`(
    ending: String
  ) throws {
    try expectFailure(of: "order k run text", #"{"answer":{"_0":"ran text"}}"#, ending)
  }

  /// An effect whose answer ends two programs, each of which leaves it in a record.
  private func expectFailure(of line: String, _ answer: String, _ ending: String) throws {
    try withBrittleStore { store in
      try store.crash(at: "answer", ending, line, isAnswered: true)
      try store.expectRecorded(notes: ["before", "text"], inFlight: 1)
      // The effect runs once more, because the first end may have been a kill.
      try store.crashAgain(at: "answer", ending)
      #expect(try store.started() == ["text", "text"])
      let next = try store.open()
      #expect(next.recovered.count == 1)
      try next.expectPerformed(line, by: "repeated 6")
      let crashed = try store.report.crashed()
      try store.settle(next, expecting: ["before", "text"], crashed: crashed.map(\.sequence))
      #expect(crashed.map(\.actions) == [[answer], [answer]])
      #expect(try store.started() == ["text", "text"])
      #expect(try store.ends() == ["failed"])
    }
  }

  @Test func `the table has a row for each test, and a test for each row`() throws {
    let tests = try rows(of: #filePath, after: "func `", between: "[crash: ", and: "]`")
    let page = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "../../../Sources/Retrace/Retrace.docc/Decisions/20-crashes.md")
    let table = try rows(of: page.path, after: "|", between: "| **", and: "** |")
    #expect(tests == table)
    #expect(tests.count == Set(tests).count && tests.count >= 9)
  }

  /// Returns what lines of a file that begin with a text have between two marks, sorted.
  private func rows(
    of file: String, after begin: String, between first: String, and last: String
  ) throws -> [String] {
    try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").compactMap { line in
      guard line.trimmingCharacters(in: .whitespaces).hasPrefix(begin),
        let start = line.range(of: first)?.upperBound,
        let end = line.range(of: last, range: start..<line.endIndex)?.lowerBound
      else { return nil }
      return String(line[start..<end])
    }.sorted()
  }
}
