import Foundation
import Testing
import ToolTestSupport

/// Entries that are changed in a text editor.
@Suite struct EditorTests {
  private func edit(
    _ desk: Desk, _ ids: String, _ script: String, at time: String = "12:00"
  ) throws -> ToolResult {
    let editor = "\(desk.store)-editor"
    try "#!/bin/sh\n\(script)\n".write(toFile: editor, atomically: true, encoding: .utf8)
    return try desk.run(
      "edit \(ids) --editor", at: time,
      environment: [
        "VISUAL": "sh '\(editor)'",
        "TMPDIR": URL(fileURLWithPath: desk.store)
          .deletingLastPathComponent().path,
      ])
  }

  @Test func `every field can be changed, and only those that were`() throws {
    try withDesk { desk in
      try desk.fine("projects create thesis")
      try desk.fine("tasks create writing --project thesis")
      try desk.fine("add 9:00 - 10:00 'back\\slash' +a +b --note 'first note'")
      try desk.fine("add 10:00 - 11:00 other @web")
      let shown = try edit(
        desk, "0 1",
        """
        cat "$1"
        sed -i -e '0,/^project:.*/s//project: thesis/' -e '0,/^task:.*/s//task: writing/' \\
          -e 's/^tag: *a$/tag: new tag/' -e '0,/^end:.*/s//end: 9:30/' \\
          -e '0,/^billable:.*/s//billable: yes/' \\
          -e 's/^annotation: *first note/&\\nannotation: two\\\\nlines/' "$1"
        """)
      #expect(shown.status == 0 && shown.errors.isEmpty, "\(shown.errors)")
      #expect(shown.output.contains("description: back\\\\slash\n"), "\(shown.output)")
      #expect(
        try desk.entries() == [
          "08:00-08:30 back\\slash @thesis #b #new tag (first note) (two\nlines)",
          "09:00-10:00 other @web",
        ])
      let log = try desk.fine("log --json").joined()
      let entry = try #require((json(log) as? [[String: Any]])?.first)
      #expect(entry["task"] as? String == "writing" && entry["billable"] as? Bool == true)
      // Every change has a remark, because the clock of a desk is fixed.
      let changes = try desk.timeless("history 1").filter { !$0.contains("fixed clock") }
      #expect(changes.count == 2)
    }
  }

  @Test func `a wrong text changes nothing and is kept`() throws {
    try withDesk { desk in
      try desk.fine("add 9:00 - 10:00 a")
      try desk.fine("add 10:00 - 11:00 b")
      let wrong = [
        ("s/^start:.*/start: 99:99/", 64, "99:99"), ("s/^start:.*/start/", 64, "Line"),
        ("s/^start:/begin:/", 64, "no field begin"), ("s/^entry:.*/entry: 7/", 64, "entry 7"),
        ("s/^end:.*/end: 10:30/", 1, "overlaps"), ("s/^task:.*/task: none/", 1, "no task"),
        ("s/^billable:.*/billable: maybe/", 64, "maybe"),
      ]
      let before = try desk.entries()
      for (change, code, word) in wrong {
        let result = try edit(desk, "0", "sed -i '\(change)' \"$1\"")
        #expect(result.status == code && result.errors.contains(word), "\(result.errors)")
        let path = try #require(
          result.errors.firstMatch(of: /Your text is kept in (\S+)\./)?.output.1)
        #expect(FileManager.default.fileExists(atPath: String(path)))
        #expect(try desk.entries() == before)
      }
      let same = try edit(desk, "0", "true")
      #expect(same.status == 1 && same.errors.contains("left as it was"))
      let failed = try edit(desk, "0", "exit 3")
      #expect(failed.status == 1 && failed.errors.contains("failed"))
      try desk.fails("edit 0 text --editor", exit: 64, "text is no id")
    }
  }

  @Test func `a text with the line ends of Windows is read, and one without entries is kept`()
    throws
  {
    try withDesk { desk in
      try desk.fine("add 9:00 - 10:00 a")
      let changed = try edit(
        desk, "0",
        #"sed -i -e 's/^description:.*/description: b/' -e 's/$/\r/' "$1""#
          + "\nprintf '\\357\\273\\277' | cat - \"$1\" >\"$1.new\" && mv \"$1.new\" \"$1\"")
      #expect(changed.status == 0, "\(changed.errors)")
      #expect(try desk.entries() == ["08:00-09:00 b"])
      let same = try edit(desk, "0", #"sed -i 's/$/\r/' "$1""#)
      #expect(same.status == 1 && same.errors.contains("left as it was"), "\(same.errors)")
      let lost = try edit(desk, "0", #"echo '# description: c' >"$1""#)
      #expect(lost.status == 64 && lost.errors.contains("Your text is kept in"), "\(lost.errors)")
      #expect(try desk.entries() == ["08:00-09:00 b"])
    }
  }

  @Test(arguments: ["edit 0 --editor", "config edit"])
  func `an editor does not read the lines of a batch`(line: String) throws {
    try withDesk { desk in
      try desk.fine("add 9:00 - 10:00 a")
      let result = try desk.run(
        "batch --keep-going", input: "\(line)\ntag 0 x",
        environment: ["VISUAL": "cat;:", "XDG_CONFIG_HOME": "\(desk.store)-config"])
      #expect(result.status == 64 && result.errors.contains("line 1: "), "\(result.errors)")
      #expect(try desk.entries() == ["08:00-09:00 a #x"])
    }
  }
}
