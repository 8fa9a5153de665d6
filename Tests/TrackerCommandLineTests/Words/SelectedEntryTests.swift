import Testing
import ToolTestSupport

/// The words by which commands take one entry or several.
@Suite struct SelectedEntryTests {
  /// Calls `body` with three entries, each with an annotation.
  private func withEntries(_ body: (Desk) throws -> Void) throws {
    try withDesk { desk in
      for (id, hour) in [8, 9, 10].enumerated() {
        try desk.fine("add \(hour):00 - \(hour):30 e\(id)")
        try desk.fine("annotate \(id) old")
      }
      try body(desk)
    }
  }

  private static let untouched = [
    "07:00-07:30 e0 (old)", "08:00-08:30 e1 (old)", "09:00-09:30 e2 (old)",
  ]

  @Test func `a number in an annotation that selects a second entry is not taken silently`() throws
  {
    try withEntries { desk in
      try desk.fails(
        "annotate 2 1 new bugs", "2 entries would get the annotation \"new bugs\"", "--yes", "--")
      try desk.fails("annotate -1 --replace 1 bugs left", "2 entries would get", "--yes")
      try desk.fails("annotate 0 1 --replace ''", "2 entries would lose their annotations")
      try desk.fails("annotate 0-2 new", "3 entries would get the annotation")
      try desk.fails("annotate -1 '#1' is fixed", exit: 64, "an entry or a tag", "-- before text")
      try desk.fails("annotate 1 :week", exit: 64, ":week is no text")
      #expect(try desk.entries() == Self.untouched)
      let tried = try desk.fine("annotate 0 1 new --dry-run")
      #expect(tried.count { $0.hasPrefix("would be changed") } == 2, "\(tried)")
      try desk.fine("annotate 2 -- 1 new bugs")
      try desk.fine("annotate 0 1 --replace new --yes")
      #expect(
        try desk.entries() == [
          "07:00-07:30 e0 (new)", "08:00-08:30 e1 (new)", "09:00-09:30 e2 (old) (1 new bugs)",
        ])
    }
  }

  @Test func `a sign and a number are an entry first, and after an entry in doubt`() throws {
    try withEntries { desk in
      for verb in ["tag", "untag", "edit"] {
        try desk.fails(
          "\(verb) 1 '#2'", exit: 64, "#2 may be an entry or a tag", "+2 for the tag")
        try desk.fails("\(verb) '#2026' x", "no entry 2026", "A tag of digits is +2026")
      }
      try desk.fails("untag 1 2026", "no entry 2026", "+2026")
      #expect(try desk.entries() == Self.untouched)
      try desk.fine("tag '#1' +2026 x")
      #expect(try desk.entries()[1] == "08:00-08:30 e1 #2026 #x (old)")
      try desk.fine("untag 1 +2026")
      #expect(try desk.entries()[1] == "08:00-08:30 e1 #x (old)")
      // The other words of these are no tags, so the sign may stand.
      let tried = try desk.fine("delete '#0' '#1' --dry-run")
      #expect(tried.count { $0.hasPrefix("would be deleted") } == 2, "\(tried)")
    }
  }

  @Test func `a tag of digits has a plus sign wherever a tag can stand`() throws {
    try withDesk { desk in
      try desk.fine("add 8:00 - 9:00 +2026 report +5")
      let told = try desk.run("add 9:00 - 10:00 grade +5", input: "").output
      #expect(told.contains("\"+5\" was read as text; a new tag is --tag \"5\""), "\(told)")
      #expect(
        try desk.entries() == ["07:00-08:00 report +5 #2026", "08:00-09:00 grade +5"])
      #expect(try desk.fine("log +2026 --json").joined().contains("\"report +5\""))
      #expect(try desk.fine("log 9:00 +01:00 - 10:00 +01:00 --json").joined().contains("grade"))
      try desk.fine("edit 1 +2026")
      try desk.fine("edit 1 --tag 5")
      try desk.fine("add 10:00 - 11:00 +5")
      #expect(try desk.entries().suffix(1) == ["09:00-10:00  #5"])
      try desk.fine("start a +2026 +x", "11:00")
      try desk.fine("stop 11:30 +2026", "12:00")
      try desk.fine("stop 12:00 +01:00", "12:30")
      #expect(
        try desk.entries().suffix(2) == ["10:00-10:30 a #2026 #x", "10:30-11:00 a #x"])
    }
  }

  @Test func `an entry that is added late says which one is the newest`() throws {
    try withDesk { desk in
      #expect(try desk.fine("add 9:00 - 10:00 first").count == 1)
      let late = try desk.fine("add yesterday 9:00 - 10:00 late")
      #expect(late.count == 2 && late[1] == "note     -1 is #0, whose end is later", "\(late)")
      #expect(try desk.fine("edit -1 @Other").element(0).hasPrefix("changed  #0  2026-03-02"))
      #expect(try desk.fine("annotate seen").element(0).hasPrefix("changed  #0  2026-03-02"))
      // The running entry is the newest, as everyone expects.
      try desk.fine("start x", "11:00")
      #expect(try desk.fine("add yesterday 7:00 - 8:00 early").count == 1)
    }
  }
}
