import Foundation
import Testing
import ToolTestSupport

/// Commands from standard input, in one session.
@Suite struct BatchTests {
  @Test func `the commands of a batch are one session and changes of their own`() throws {
    try withDesk { desk in
      let input = """
        # a comment, and an empty line

        projects create "big project"
        start 9:00 'write the #1 "report"' @thesis +focus
        ["tag","-1","deep work"]
        status
        stop 10:00
        history
        undo
        """
      let result = try desk.run("batch", input: input)
      #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
      #expect(
        try desk.entries() == ["08:00-now write the #1 \"report\" @thesis #focus #deep work"])
      #expect(result.output.lines.contains("created   big project"))
      let sessions = try expectFine(["audit", "list", "--store", desk.store])
      // The history closes the store to read the log, so the undo is another session.
      #expect(sessions.occurrences(of: " sessionOpened ") == 2)
    }
  }

  @Test func `a batch reads the quotes of the commands that track suggests`() throws {
    try withDesk { desk in
      try desk.fine("add 8:00 - 9:00 x")
      let input = #"edit 0 --description $'it\'s\n\ta \\ \342\200\256'"#
      #expect(try desk.run("batch", input: input).status == 0)
      #expect(try desk.entries() == ["07:00-08:00 it's\n\ta \\ \u{202E}"])
      let unknown = try desk.run("batch", input: #"edit 0 --description $'\x41'"#)
      #expect(unknown.status == 64 && unknown.errors.contains("An escape in $'…' is unknown"))
    }
  }

  @Test func `a batch ends at the first failure, or goes on`() throws {
    try withDesk { desk in
      let ended = try desk.run("batch", input: "start 9:00 a\nstop 8:00\nstart b")
      #expect(ended.status == 1 && ended.errors.hasPrefix("track: Line 2: Nothing was stopped."))
      #expect(try desk.entries() == ["08:00-now a"])
      let input = "stpo\nstop 10:00\nstart \"b\nstart c --store x\napp\nadd 10:00 - 11:00 d"
      let all = try desk.run("batch --keep-going", input: input)
      #expect(all.status == 64)
      #expect(all.errors.contains("line 1: ") && all.errors.contains("4 lines failed."))
      #expect(all.errors.components(separatedBy: "stpo").count == 2, "\(all.errors)")
      #expect(all.errors.contains("Did you mean stop?"))
      #expect(all.errors.contains("A quote is not closed"))
      #expect(all.errors.contains("--store is an option of the whole batch"))
      #expect(try desk.entries() == ["08:00-09:00 a", "09:00-10:00 d"])
      let zones = "add 12:00 - 12:30 e\nadd 12:30 - 13:00 f --tz UTC"
      #expect(try desk.run("batch --tz Asia/Tokyo", at: "15:00", input: zones).status == 0)
      #expect(try desk.entries().first == "03:00-03:30 e")
      #expect(try desk.entries().last == "12:30-13:00 f")
      // Words after -- are no options.
      #expect(
        try desk.run("batch --tz Asia/Tokyo", at: "15:00", input: "add 13:00 - 13:30 -- --tz")
          .status == 0)
      #expect(try desk.entries().contains("04:00-04:30 --tz"))
    }
  }

  @Test func `a line may begin with a range`() throws {
    try withDesk { desk in
      let input = "2026-03-01 9:05 - 9:06 e @p\n[\"8:00\",\"-\",\"8:30\",\"f g\"]\nyesterday"
      let result = try desk.run("batch", input: input)
      #expect(result.status == 64 && result.errors.contains("track day yesterday"))
      #expect(result.errors.contains("why: Line 3: "), "\(result.errors)")
      #expect(try desk.entries() == ["08:05-08:06 e @p", "07:00-07:30 f g"])
    }
  }

  @Test func `a program gets a line for each command`() throws {
    try withDesk { desk in
      let result = try desk.run(
        "batch --json --keep-going", input: "start 9:00 a\nstop 8:00\n[\"stop\"\nstop")
      let values = try result.output.lines.map { try json($0) as? [String: Any] }
      #expect(values.count == 4 && result.status == 1)
      #expect(values[1]?["line"] as? Int == 2 && values[1]?["error"] != nil)
      #expect(values[2]?["line"] as? Int == 3 && values[2]?["error"] != nil)
      #expect(values[3]?["entry"] != nil)
    }
  }

  @Test func `bytes that are no text and lines that are too long are refused`() throws {
    try withDesk { desk in
      let script = """
        { printf 'start a\\n\\xff\\n'; head -c 70000 /dev/zero | tr '\\0' x; echo; } |
          track batch --keep-going --store "$1"
        """
      let result = try shell(script, [desk.store], environment: ["TZ": "UTC"])
      #expect(result.status == 64, "\(result.errors)")
      #expect(result.errors.contains("not UTF-8") && result.errors.contains("65536 bytes"))
    }
  }
}
