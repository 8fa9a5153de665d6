import Testing
import ToolTestSupport

/// Errors and questions of commands on a terminal.
@Suite struct TerminalErrorTests {
  private func session(_ arguments: [String], _ steps: [TerminalScript.Step] = []) throws -> String
  {
    let session = try TerminalScript(arguments: arguments, steps: steps).run()
    #expect(session.missing == nil)
    return session.output.replacing("\r\n", with: "\n")
  }

  @Test func `an error has two lines on a terminal, and four parts with --explain`() throws {
    try withDesk { desk in
      let store = ["--store", desk.store]
      #expect(
        try session(["stop"] + store) == """
          track: Nothing was stopped. Nothing is running.
            Start an entry first: `track start DESCRIPTION`.

          """)
      #expect(
        try session(["stpo"] + store) == """
          track: There is no command stpo.
            Did you mean stop? `track help` lists the commands.

          """)
      let whole = try session(["stop", "--explain"] + store)
      for part in ["track: Nothing was stopped.\n", "  why: ", "  do:  ", "  exit code 1\n"] {
        #expect(whole.contains(part), "\(whole)")
      }
    }
  }

  @Test func `an error breaks at blanks on a terminal, and not in a pipe`() throws {
    try withDesk { desk in
      try desk.fine("add 9:00 - 10:00 a")
      let words = ["projects", "set", "a project with a long name", "--rate", "5"]
      let told = try session(words + ["--store", desk.store])
      let lines = told.split(separator: "\n")
      #expect(lines.count > 2 && lines.allSatisfy { $0.count <= 60 }, "\(told)")
      #expect(try lines.element(1).hasPrefix("       "), "\(told)")
      let piped = try run("track", words + ["--store", desk.store])
      #expect(piped.errors.split(separator: "\n").count == 4, "\(piped.errors)")
      // The words are the same.
      let text = lines.joined(separator: " ").split(separator: " ").joined(separator: " ")
      #expect(text.contains("track: Nothing was changed."), "\(told)")
    }
  }

  @Test func `entries of a filter are listed and asked about before they change`() throws {
    try withDesk { desk in
      try desk.fine("add 8:00 - 9:00 a @p")
      try desk.fine("add 9:00 - 10:00 b @p")
      let tag =
        ["tag", "--filter", "@p", "x", "--store", desk.store, "--now", Desk.now("12:00")]
      let no = try session(tag, [.expect("Change 2 entries?"), .send("n\n")])
      #expect(no.hasPrefix("The filter selects 2 entries to change."), "\(no)")
      #expect(no.ranges(of: "would be changed").count == 2, "\(no)")
      #expect(no.contains("track: Nothing was tagged. The answer was not yes."), "\(no)")
      #expect(try desk.entries() == ["07:00-08:00 a @p", "08:00-09:00 b @p"])
      let yes = try session(tag, [.expect("[y/N]"), .send("y\n")])
      #expect(yes.ranges(of: "\nchanged  #").count == 2, "\(yes)")
      #expect(try desk.entries() == ["07:00-08:00 a @p #x", "08:00-09:00 b @p #x"])
      // A dry run, and --yes, ask nothing.
      try desk.fine("untag --filter @p x --dry-run")
      try desk.fine("untag --filter @p x --yes")
      // With a filter, --yes leaves the question about overlaps.
      try desk.fine("add 10:00 - 11:00 c")
      let edit = ["edit", "--filter", "text:c", "--start", "8:30", "--yes"] + tag.suffix(4)
      let asked = try session(edit, [.expect("Adjust the other entries?"), .send("n\n")])
      #expect(asked.contains("track: Nothing was changed. The answer was not yes."), "\(asked)")
    }
  }

  @Test func `a start long ago is asked about once, and then what it deletes`() throws {
    try withDesk { desk in
      let start =
        ["start", "2026-02-20", "9:00", "x", "--store", desk.store, "--now", Desk.now("12:00")]
      let started = try session(start, [.expect("Start it then?"), .send("y\n")])
      #expect(started.ranges(of: "[y/N]").count == 1, "\(started)")
      #expect(started.contains("\nstarted  #0"), "\(started)")
      try desk.fine("cancel")
      try desk.fine("add 8:00 - 9:00 a")
      try desk.fine("preferences --policy adjust")
      let no = try session(
        start,
        [.expect("Start it then?"), .send("y\n"), .expect("Delete this entry?"), .send("n\n")])
      #expect(no.contains("\nwould be deleted #1"), "\(no)")
      #expect(try desk.entries() == ["07:00-08:00 a"])
    }
  }

  @Test func `a correction that lets an entry run since long ago is asked about`() throws {
    try withDesk { desk in
      try desk.fine("start a", "11:00")
      let edit =
        ["edit", "--start", "yesterday 10:00", "--store", desk.store, "--now", Desk.now("12:00")]
      let question = TerminalScript.Step.expect("Let it run since then?")
      let no = try session(edit, [question, .send("n\n")])
      #expect(no.contains("It would run since 2026-03-01 10:00, for more than 12 hours."), "\(no)")
      #expect(no.contains("\nwould be changed #0"), "\(no)")
      #expect(try desk.entries() == ["10:00-now a"])
      let yes = try session(edit, [question, .send("y\n")])
      #expect(yes.ranges(of: "[y/N]").count == 1 && yes.contains("\nchanged  #0"), "\(yes)")
    }
  }

  @Test func `the question about the future names an overlap, too`() throws {
    try withDesk { desk in
      try desk.fine("add 9:00 - 10:00 a")
      let add =
        ["add", "--store", desk.store, "--now", Desk.now("9:30"), "8:15", "-", "8:45", "b"]
      let no = try session(add, [.expect("Record it all the same?"), .send("n\n")])
      #expect(no.contains("It would begin or end in the future"), "\(no)")
      #expect(no.contains("\nIt overlaps #0 \"a\""), "\(no)")
    }
  }

  @Test func `an overlap is asked about, and the answer decides`() throws {
    try withDesk { desk in
      try desk.fine("add 9:00 - 10:00 a")
      let add =
        ["add", "--store", desk.store, "--now", Desk.now("12:00")]
        + ["8:30", "-", "9:30", "b"]
      let no = try session(add, [.expect("Adjust the other entries?"), .send("n\n")])
      // The reason is printed once, and what would change before the question.
      let expected = """
        08:00 - 09:00).
        would be adjusted #0  2026-03-02 09:00:00 - 09:30:00 +01:00
                 0:30:00  a
        would be added #1  2026-03-02 08:30:00 - 09:30:00 +00:00
                 1:00:00  b
        Adjust the other entries? [y/N] n
        track: The entry was not added. The answer was not yes.
          Repeat the command with --policy adjust, which cuts,
          splits or deletes the other entries, or with --policy
          allow to record it as it is.

        """
      #expect(no.hasSuffix(expected), "\(no)")
      #expect(try desk.entries() == ["08:00-09:00 a"])
      let long = ["7:30", "-", "9:30", "b"]
      let question = "Adjust the other entries, which deletes one? [y/N]"
      let yes = try session(add.dropLast(4) + long, [.expect(question), .send("y\n")])
      #expect(yes.contains("\nwould be deleted #0  2026-03-02 09:00:00"), "\(yes)")
      #expect(try desk.entries() == ["07:30-09:30 b"])
      // The other entry is cut in two.
      try desk.fine("add 7:00 - 7:30 c")
      let move = try session(
        ["move"] + add[1...4] + ["2", "8:00"], [.expect("[y/N]"), .send("n\n")])
      for line in ["would be adjusted #1  2026-03-02 07:30:00 - 08:00", "would be added #3 "] {
        #expect(move.contains("\n\(line)"), "\(move)")
      }
    }
  }

  @Test func `an ambiguous time is asked about, and not in a pipe`() throws {
    try withDesk { desk in
      let store = ["--store", desk.store, "--now", "2026-10-25T12:00:00Z", "--tz", "Europe/Berlin"]
      func add(_ words: [String], _ answers: String...) throws -> String {
        let steps = answers.flatMap { answer -> [TerminalScript.Step] in
          [.expect("Which time is meant?"), .send("\(answer)\n")]
        }
        return try session(["add"] + store + words, steps)
      }
      let night = ["--from", "2026-10-25 02:30", "--for", "10m", "a"]
      let no = try add(night, "3")
      #expect(
        no.contains("\n  1  2026-10-25 02:30 +02:00\n  2  2026-10-25 02:30 +01:00\n"), "\(no)")
      #expect(no.contains("track: No reading was chosen."), "\(no)")
      let yes = try add(night, "2")
      #expect(yes.contains("added    #0  2026-10-25 02:30:00 +01:00 - "), "\(yes)")
      // The words of a range have two times.
      let range = try add(["02:10", "-", "02:20", "b"], "1", "2")
      #expect(range.contains("02:10:00 +02:00 - 02:20:00 +01:00"), "\(range)")
      let dotted = try add(["--from", "yesterday 9.30", "--to", "9.45", "c"], "1", "1")
      #expect(dotted.contains("added    #2  2026-10-24 09:30:00 - 09:45:00"), "\(dotted)")
      // A part of a range with two readings.
      let minutes = try add(["08:00", "for", "1", "wash"], "1")
      #expect(minutes.contains("08:00:00 - 08:01:00"), "\(minutes)")
      for (words, start) in [
        (["edit", "1", "--start", "02:15"], "2"), (["move", "2", "9.20"], "1"),
        (["shorten", "0", "5"], "1"),
      ] {
        let changed = try session(
          [words[0]] + store + words.dropFirst(),
          [.expect("Which time is meant?"), .send("\(start)\n")])
        #expect(changed.contains("changed  #\(words[1])"), "\(changed)")
      }
      // A start, whose words could be text.
      let started = try session(
        ["start"] + store + ["9.30", "walk"], [.expect("Which time is meant?"), .send("1\n")])
      #expect(started.contains("started  #4  2026-10-25 09:30:00 - running"), "\(started)")
      // Ranges of reports and lists, and a question about one reading.
      for (words, shown) in [
        (["log", "25/10/2026", "-", "10/11/2026"], "walk"),
        (["report", "4/10/2026"], "2026-10-04"),
        (["day", "4.10.2026"], "2026-10-04"), (["gaps", "4/10/2026"], "2026-10-04"),
        (["close", "4/10/2026", "--dry-run"], "2026-10-04"),
      ] {
        let isSettled = words.count > 3
        let asked = try session(
          [words[0]] + store + words.dropFirst(),
          isSettled ? [] : [.expect("Which time is meant?"), .send("2\n")])
        #expect(asked.contains(shown) && !asked.contains("track: "), "\(words): \(asked)")
      }
      for (answer, isMeant) in [("y", true), ("n", false)] {
        let stopped = try session(
          ["stop"] + store + ["--dry-run", "--at", "12"],
          [.expect("Is `12:00` meant? [y/N]"), .send("\(answer)\n")])
        #expect(stopped.contains("would be stopped") == isMeant, "\(stopped)")
        #expect(stopped.contains("could be misread") != isMeant, "\(stopped)")
      }
      #expect(
        try desk.entries() == [
          "07:20-07:35 c", "01:15-01:20 b", "01:30-01:35 a", "07:00-07:01 wash", "08:30-now walk",
        ])
      for words in [night, ["--from", "9.30", "--for", "1h"]] {
        let piped = try run("track", ["add"] + store + words)
        #expect(piped.status == 64 && !piped.errors.contains("Which"), "\(piped.errors)")
      }
    }
  }

  /// Returns the lines after the reason, up to the question.
  private func asked(_ words: String, _ time: String, _ desk: Desk) throws -> [String] {
    let arguments = Array(desk.command(words, time).dropFirst())
    let script = TerminalScript(
      arguments: arguments, environment: desk.environment.merging(["COLUMNS": ""]) { $1 },
      steps: [.expect("[y/N]"), .send("n\n")], columns: 150)
    let session = try script.run()
    #expect(session.missing == nil, "\(session.output)")
    let lines = session.output.replacing("\r\n", with: "\n").split(separator: "\n").map(String.init)
    return Array(lines.dropFirst().prefix { !$0.contains("[y/N]") })
  }

  @Test func `a question shows what a dry run under the chosen policy shows`() throws {
    try withDesk { desk in
      try desk.fine("start foo", "8:00")
      let bar = "add 10:00 - 11:00 bar @new"
      let lines = try desk.fine("\(bar) --policy adjust --dry-run")
      #expect(try asked(bar, "12:00", desk) == lines)
      #expect(lines.contains { $0.contains("would be stopped #0") }, "\(lines)")
      #expect(lines.contains { $0.contains("would be added #2") }, "\(lines)")
      let stop = try asked("stop 17:30", "9:00", desk)
      #expect(try stop == desk.fine("stop 17:30 --policy allow --dry-run", "9:00"))
      #expect(stop.count == 1 && stop[0].contains("9:30:00  foo"), "\(stop)")
      try desk.fine("stop 9:00", "12:00")
      try desk.fine("add 9:10 - 9:30 b")
      let edit = "edit -1 --start 7:05"
      let changed = try asked(edit, "12:00", desk)
      #expect(try changed == desk.fine("\(edit) --policy adjust --dry-run"))
      #expect(changed.contains { $0.hasPrefix("would be deleted #0") }, "\(changed)")
      #expect(changed.contains { $0.hasPrefix("would be changed #1") }, "\(changed)")
    }
  }

  @Test func `the lines of a command break at blanks on a terminal, and not in a pipe`() throws {
    try withDesk { desk in
      func lines(_ words: String, _ time: String) throws -> [String] {
        let script = TerminalScript(
          arguments: Array(desk.command(words, time).dropFirst()), environment: desk.environment,
          steps: [])
        return try script.run().output.replacing("\r\n", with: "\n").split(separator: "\n")
          .map(String.init)
      }
      let words = "a description with many words that is long"
      #expect(
        try lines("start \(words) @project", "12:00") == [
          "started  #0  2026-03-02 12:00:00 - running  +01:00  0:00:00",
          "         \(words)", "         @project", "note     project is a new project",
        ])
      #expect(try desk.fine("stop", "12:30").count == 1)
      #expect(
        try lines("undo", "12:31") == [
          "undone   #0  2026-03-02 12:00:00 - running  +01:00  0:31:00",
          "         \(words)", "         @project",
        ])
      try desk.fine("redo", "12:32")
    }
  }
}
