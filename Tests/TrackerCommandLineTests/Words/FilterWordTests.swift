import Foundation
import Testing
import ToolTestSupport

/// Words of ranges and filters that are mistaken, and what the error says instead.
@Suite struct FilterWordTests {
  private func withEntries(_ body: (Desk) throws -> Void) throws {
    try withDesk { desk in
      try desk.fine("add 2026-02-10 8:00 - 9:00 mail @thesis +focus")
      try desk.fine("add 2026-01-10 8:00 - 9:00 plan @thesis")
      try body(desk)
    }
  }

  @Test(arguments: [
    ("log --filter ':lastmonth'", "`date::lastmonth`"),
    ("report --filter ':lastmonth'", "`date::lastmonth`"),
    ("edit --filter ':lastmonth' --billable", "`date::lastmonth`"),
    ("log --filter ':lastmont'", "Did you mean :lastmonth?"),
    ("log --filter 'not :week'", "`date::week`"),
    ("search :week", "track log :week"),
    ("log 2026-02 description:mail", "There is no key `description`"),
    ("log 2026-02 description:mail", "The key is text"),
    ("log --filter description:mail", "The key is text"),
    ("report 2026-02 begin:2026-02-10", "The key is date"),
    ("log :week :ids", "the ids are always listed"), ("report :week :fill", "Leave it out"),
    ("log :week :annotations", "track log --json"),
    ("log 85", "`track log id:85`"), ("report --by 'projekt, tag'", "Did you mean project?"),
  ]) func `a word that is no range and no term is refused with what was meant`(
    words: String, meant: String
  ) throws {
    try withEntries { desk in try desk.fails(words, exit: 64, meant) }
  }

  @Test func `a number that names an entry elsewhere is explained`() throws {
    try withEntries { desk in
      try desk.fails("log @1", "no project 1", "`track log id:1` lists the entry 1")
      let searched = try desk.fine("search '#85'")
      #expect(searched.joined().hasSuffix("`track log id:85` lists the entry of that number."))
      #expect(
        try desk.fine("log id:9999")
          == ["There are no entries that match. There is no entry 9999, or it was deleted."])
      #expect(try desk.fine("log id:1 +focus") == ["There are no entries that match."])
    }
  }

  @Test func `a text that begins with a colon can be found by its key`() throws {
    try withDesk { desk in
      try desk.fine("add 8:00 - 9:00 -- see :week")
      #expect(try desk.fine("log --filter 'text:\":week\"' --json").joined().contains("see :week"))
    }
  }

  @Test func `a report may exclude a tag that no entry has`() throws {
    try withEntries { desk in
      let note = "note     there is no tag billed, so the filter excludes nothing by it\n"
      for words in [
        "--filter 'not #billed'", "not +billed", "--filter '@thesis and not tag:billed'",
      ] {
        let listed = try desk.run("log \(words) --json", input: "")
        #expect(listed.status == 0 && listed.errors == note, "\(listed.errors)")
        #expect(listed.output.contains("mail") && listed.output.contains("plan"))
      }
      try desk.fails("log --filter '#billed'", "no tag billed")
      try desk.fails("log --filter 'not @thesys'", "no project thesys")
      // A misspelled tag must not select entries to change.
      try desk.fails("edit --filter 'not #fokus' --billable --yes", "no tag fokus")
      try desk.fails("delete --filter 'not #fokus' --yes", "no tag fokus")
    }
  }

  @Test func `a range has two dots, as in a filter`() throws {
    try withEntries { desk in
      func ids(_ words: String) throws -> [Int] {
        let found = try json(try desk.fine("log \(words) --json").joined()) as? [[String: Any]]
        return found?.compactMap { $0["id"] as? Int } ?? []
      }
      #expect(try ids("2026-01..2026-02") == [1, 0])
      #expect(try ids("2026-01-01..2026-01-31") == [1])
      #expect(try ids("2026-02.. @thesis") == [0])
      let dotted = try desk.fine("report 2026-01..2026-02 --csv")
      #expect(try dotted == desk.fine("report 2026-01 - 2026-02 --csv"))
      try desk.fine("close 2026-01..2026-02 --dry-run")
    }
  }
}
