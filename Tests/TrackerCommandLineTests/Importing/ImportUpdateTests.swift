import Foundation
import Testing
import ToolTestSupport

/// Rows of CSV that come again, with `track import --update` and without it.
@Suite struct ImportUpdateTests {
  private struct Attempt {
    let folder: String

    /// Returns the command that imports rows of an id, an hour, minutes and the other fields.
    func command(_ rows: String, _ more: [String] = ["--update"]) throws -> [String] {
      let text = "Key,Start,Min,Project,Task,Tags,What\n" + rows
      try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/f.csv"))
      let columns = [
        "id=Key", "start=Start", "duration=Min", "project=Project", "task=Task", "tags=Tags",
        "description=What",
      ]
      return ["track", "import", "\(folder)/f.csv", "--source", "s"]
        + columns.flatMap { ["--column", $0] }
        + ["--date-format", "yyyy-MM-dd HH:mm", "--duration-unit", "minutes", "--zone", "UTC"]
        + ["--store", "\(folder)/s", "--tz", "UTC"] + more
    }

    func run(_ rows: String, _ more: [String] = ["--update"]) throws -> [String: Any] {
      try object(expectFine(command(rows, more + ["--json"])))
    }

    func track(_ words: String...) throws {
      try expectFine(["track"] + words + ["--store", "\(folder)/s"])
    }

    /// The projects, tasks, tags and descriptions of the entries.
    func entries() throws -> [String] {
      let log = ["track", "log", ":all", "--json", "--store", "\(folder)/s"]
      let entries = try json(expectFine(log)) as? [[String: Any]] ?? []
      return entries.map { entry in
        func text(_ name: String) -> String { entry[name] as? String ?? "-" }
        let tags = (entry["tags"] as? [String] ?? []).joined(separator: "+")
        return "\(text("project")) \(text("task")) \(tags) \(text("description"))"
      }
    }
  }

  private func with(_ body: (Attempt) throws -> Void) throws {
    try withTemporaryDirectory { folder in try body(Attempt(folder: folder)) }
  }

  private static func row(_ fields: String, at hour: Int = 9) -> String {
    "k\(hour),2026-03-02 \(hour < 10 ? "0" : "")\(hour):00,30,\(fields)\n"
  }

  @Test func `an update needs ids, and cancels no import`() throws {
    try withTemporaryDirectory { folder in
      try Data("a,b\n2026-03-02,5\n".utf8).write(to: URL(fileURLWithPath: "\(folder)/f.csv"))
      let columns = [
        "--column", "start=a", "--column", "duration=b", "--date-format", "yyyy-MM-dd",
      ]
      let store = ["--store", "\(folder)/s"]
      try expectFailure(
        ["track", "import", "\(folder)/f.csv", "--update"] + columns + store, exit: 64,
        mentions: ["--update finds the entries of rows by ids", "--column id=Key"])
      try expectFailure(
        ["track", "import", "--update", "--cancel", "--source", "s"] + store, exit: 64,
        mentions: ["--cancel imports no rows"])
    }
  }

  @Test func `names in another form of Unicode are those that the store has`() throws {
    let (composed, other) = ("Caf\u{E9}", "Cafe\u{301}")
    try with { attempt in
      _ = try attempt.run(Self.row("\(composed),\(composed),\(composed),a"))
      let row = Self.row("\(other),\(other),\(other),b", at: 10)
      #expect(try attempt.run(row)["created"] as? Int == 1)
      for kind in ["projects", "tasks", "tags"] {
        let list = try expectFine(["track", kind, "--json", "--store", "\(attempt.folder)/s"])
        #expect((try json(list) as? [Any])?.count == 1, "\(list)")
      }
      let again = try attempt.run(row + Self.row("\(composed),,,c", at: 11), [])
      #expect(again["skipped"] as? Int == 1 && again["differingCount"] as? Int == 0)
      // Two forms in one file are one name, too.
      _ = try attempt.run(
        Self.row("\u{FC}ber,,,d", at: 12) + Self.row("u\u{308}ber,,,e", at: 13), [])
      let list = try expectFine(["track", "projects", "--json", "--store", "\(attempt.folder)/s"])
      #expect((try json(list) as? [Any])?.count == 2)
    }
  }

  @Test func `an update that was undone and redone does not count as an edit in track`() throws {
    try with { attempt in
      _ = try attempt.run(Self.row("P,,,a"))
      _ = try attempt.run(Self.row("P,,,b"))
      try attempt.track("undo")
      try attempt.track("redo")
      try attempt.track("undo")
      try attempt.track("redo")
      #expect(try attempt.entries() == ["P -  b"])
      #expect((try attempt.run(Self.row("P,,,c"))["updated"] as? [Any])?.count == 1)
      #expect(try attempt.entries() == ["P -  c"])
      try attempt.track("edit", "0", "--description", "own")
      try attempt.track("undo")
      try attempt.track("redo")
      #expect((try attempt.run(Self.row("P,,,d"))["updated"] as? [Any])?.count == 0)
    }
  }

  @Test func `projects, tasks and tags that were renamed or merged keep their names`() throws {
    try with { attempt in
      func row(_ text: String, _ project: String = "Alpha") -> String {
        Self.row("\(project),T,\"x,y\",\(text)") + Self.row("Typo,,,b", at: 10)
      }
      _ = try attempt.run(row("a"))
      _ = try attempt.run(Self.row("Right,,z,c", at: 11))
      try attempt.track("projects", "rename", "Alpha", "Beta")
      try attempt.track("projects", "set", "Beta", "--color", "#112233")
      try attempt.track("tasks", "rename", "T", "U", "--project", "Beta")
      try attempt.track("tags", "rename", "x", "w")
      try attempt.track("tags", "merge", "y", "z")
      try attempt.track("projects", "merge", "Typo", "Right")
      let known = ["Beta U w+z a", "Right -  b", "Right - z c"]
      #expect(try attempt.entries() == known)
      for more in [[], ["--update", "--dry-run"], ["--update"]] {
        let answer = try attempt.run(row("a") + "\n", more)
        #expect(answer["differingCount"] as? Int == 0 && answer["skipped"] as? Int == 2)
        #expect(try attempt.entries() == known)
      }
      // What was corrected is changed, and the names stay.
      _ = try attempt.run(row("new"))
      #expect(try attempt.entries().first == "Beta U w+z new")
      #expect(try attempt.run(row("new"))["skipped"] as? Int == 2)
      // A new row of the old name makes a project, to which the others do not move.
      _ = try attempt.run(row("new") + Self.row("Alpha,,,d", at: 12))
      #expect(try attempt.entries().first == "Beta U w+z new")
      _ = try attempt.run(row("new", "Gamma"))
      #expect(try attempt.entries().first?.hasPrefix("Gamma ") == true)
    }
  }

  @Test func `an update sets the task of the row, also a new one`() throws {
    try with { attempt in
      func updated(_ text: String, _ more: [String] = ["--update"]) throws -> Int? {
        try (attempt.run(Self.row(text), more)["updated"] as? [Any])?.count
      }
      _ = try attempt.run(Self.row("P,T,,a"))
      // Another project, to which the task is new.
      #expect(try updated("Q,T,,a", ["--update", "--dry-run"]) == 1)
      #expect(try attempt.entries() == ["P T  a"])
      let lines = try expectFine(attempt.command(Self.row("Q,T,,a"))).lines
      #expect(
        lines.dropFirst(2).prefix(2) == [
          "updated         1, which `track undo 3` takes back, by:",
          "  track edit 0 --project Q --task T",
        ])
      #expect(try attempt.entries() == ["Q T  a"])
      #expect(try updated("Q,T,,a ") == 0)
      #expect(try updated("Q,New,,a") == 1)
      #expect(try attempt.entries() == ["Q New  a"])
      #expect(try updated("P,T,,b") == 1)
      #expect(try attempt.entries() == ["P T  b"])
      #expect(try updated("Q,,,b") == 1)
      #expect(try attempt.entries() == ["Q -  b"])
    }
  }

  /// Imports a row of a client and a project, and others, with `--update`.
  private static func update(
    _ names: String, _ more: String = "", in folder: String
  ) throws -> [String] {
    let columns = ["id", "start", "duration", "client", "project"]
    let text = "id,start,duration,client,project\n1,2026-03-02 09:00,30,\(names)\n\(more)"
    try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/f.csv"))
    return try expectFine(
      ["track", "import", "\(folder)/f.csv", "--update", "--source", "s"]
        + ["--duration-unit", "minutes"]
        + ["--date-format", "yyyy-MM-dd HH:mm", "--zone", "UTC", "--store", "\(folder)/s"]
        + columns.flatMap { ["--column", "\($0)=\($0)"] }
    ).lines
  }

  @Test func `a project that got another client keeps it only for rows of the old one`() throws {
    try withTemporaryDirectory { folder in
      func track(_ words: String...) throws {
        try expectFine(["track"] + words + ["--store", "\(folder)/s"])
      }
      _ = try Self.update("A,web", in: folder)
      try track("clients", "create", "B")
      try track("projects", "set", "web", "--client", "B")
      #expect(try Self.update("A,web ", in: folder).contains("skipped         1"))
      try track("clients", "rename", "A", "A2")
      #expect(try Self.update("A,web  ", in: folder).contains("skipped         1"))
      #expect(try Self.update("A2,web", in: folder).contains("skipped         1"))
      #expect(
        try Self.update("C,web", in: folder).contains("  track edit 0 --project C/web"))
    }
  }

  @Test func `an updated row without a client is of no project that a new row makes`() throws {
    try withTemporaryDirectory { folder in
      _ = try Self.update(",x", in: folder)
      let new = "2,2026-03-03 09:00,30,B,web\n"
      #expect(
        try Self.update(",web", new, in: folder).contains("  track edit 0 --project /web"))
      let projects = try expectFine(["track", "projects", "--store", "\(folder)/s"]).lines
      #expect(projects == ["web  client B", "web", "x"])
      #expect(try Self.update(",web", new, in: folder).contains("skipped         2"))
    }
  }

  @Test func `an update sets the project of the client of the row, also a new one`() throws {
    try withTemporaryDirectory { folder in
      func track(_ words: String...) throws {
        try expectFine(["track"] + words + ["--store", "\(folder)/s"])
      }
      func update(_ client: String, _ project: String) throws -> [String] {
        try Self.update("\(client),\(project)", in: folder)
      }
      func project() throws -> String {
        let report = [
          "report", ":all", "--by", "client,project", "--csv", "--store", "\(folder)/s",
        ]
        let fields = try #require(expectFine(["track"] + report).lines.dropFirst().first)
        return fields.split(separator: ",", omittingEmptySubsequences: false).prefix(2)
          .joined(separator: "/")
      }
      _ = try update("ACME", "web")
      // A project of that name without the client is another one.
      try track("projects", "create", "shop")
      let shop = try update("ACME", "shop")
      #expect(shop.contains("  track edit 0 --project ACME/shop"), "\(shop)")
      #expect(try project() == "ACME/shop")
      #expect(try update("Beta", "blog").contains { $0.contains("`track undo 3`") })
      #expect(try project() == "Beta/blog")
      #expect(try update("Beta", "blog").contains("skipped         1"))
      // Only the client of the row was corrected.
      #expect(try update("ACME", "blog").contains("  track edit 0 --project ACME/blog"))
      #expect(try project() == "ACME/blog")
      // A client that was renamed or merged keeps the entry, and so does a project's new client.
      try track("clients", "rename", "ACME", "Corp")
      #expect(try update("ACME", "blog ").contains("skipped         1"))
      #expect(try update("ACME", "new").contains("  track edit 0 --project new"))
      try track("projects", "set", "Corp/new", "--client", "Beta")
      #expect(try update("ACME", "new ").contains("skipped         1"))
      try track("clients", "create", "Gamma")
      try track("clients", "merge", "Beta", "Gamma")
      #expect(try update("Beta", "new").contains("skipped         1"))
      #expect(try project() == "Gamma/new")
      // A row without a client is of the only project of the name, and else of the one without.
      #expect(try update("", "new").contains("skipped         1"))
      #expect(try update("", "shop").contains("  track edit 0 --project /shop"))
      #expect(try project() == "/shop")
      // The project is of a client that was merged.
      #expect(try update("", "new").contains("  track edit 0 --project new"))
      #expect(try project() == "Gamma/new")
      let projects = try expectFine(["track", "projects", "--store", "\(folder)/s"]).lines
      #expect(projects.count { $0.hasPrefix("new ") } == 1, "\(projects)")
    }
  }

  @Test func `an update says why a row is refused`() throws {
    try with { attempt in
      _ = try attempt.run(Self.row("P,,,a") + Self.row("P,,,b", at: 10))
      // Two projects of one name, neither with a client.
      try attempt.track("clients", "create", "A")
      try attempt.track("projects", "create", "Dup", "--client", "A")
      try attempt.track("clients", "delete", "A", "--yes")
      try attempt.track("projects", "create", "Dup")
      let rows = Self.row("Dup,,,a") + Self.row("Dup,x,,b", at: 10)
      let answer = try attempt.run(rows)
      let differing = try #require(answer["differing"] as? [[String: Any]])
      #expect(differing.map { $0["refusal"] as? String } == Array(repeating: Self.why, count: 2))
      let told = try expectFine(attempt.command(rows + "\n"))
      #expect(told.contains("track edit 0 --project /Dup  # \(Self.why)"))
      #expect(try attempt.entries() == ["P -  a", "P -  b"])
    }
  }

  private static let why = "There are 2 projects /Dup."

  @Test func `a row without a client is of the project without one, if several have its name`()
    throws
  {
    try with { attempt in
      _ = try attempt.run(Self.row("P,,,a") + Self.row("P,,,b", at: 10))
      for client in ["A", "B"] {
        try attempt.track("clients", "create", client)
        try attempt.track("projects", "create", "web", "--client", client)
      }
      let store = ["--store", "\(attempt.folder)/s"]
      try expectFailure(
        ["track", "edit", "0", "--project", "/web"] + store, exit: 1,
        mentions: ["No project web is without a client.", "`track projects create web`"])
      let rows = Self.row("web,,,a") + Self.row("web,T,,b", at: 10)
      let told = try expectFine(attempt.command(rows))
      #expect(told.contains("updated         2, which `track undo 3` takes back, by:"), "\(told)")
      #expect(told.contains("  track edit 0 --project /web\n"))
      #expect(try attempt.entries() == ["web -  a", "web T  b"])
      let projects = try expectFine(["track", "projects"] + store).lines
      #expect(projects.map { $0.split(separator: " ").joined(separator: " ") }.contains("web"))
      #expect(projects.count { $0.hasPrefix("web") } == 3, "\(projects)")
      #expect(try attempt.run(rows + "\n")["skipped"] as? Int == 2)
    }
  }

  @Test func `an update of long texts is several changes`() throws {
    try with { attempt in
      func rows(_ letter: String) -> String {
        let text = String(repeating: letter, count: 60_000)
        return (8..<18).map { Self.row("P,,,\(text)", at: $0) }.joined()
      }
      _ = try attempt.run(rows("a"))
      let answer = try attempt.run(rows("b"))
      #expect((answer["updated"] as? [Any])?.count == 10)
      #expect(answer["differingCount"] as? Int == 0)
      #expect(try attempt.entries().allSatisfy { $0.hasSuffix("bb") })
      for _ in 0..<3 { try attempt.track("undo") }
      #expect(try attempt.entries().allSatisfy { $0.hasSuffix("aa") })
    }
  }

  @Test func `an update that fails in between says what was done, and what takes it back`() throws {
    try with { attempt in
      func rows(_ letter: String, _ project: String = "P") -> String {
        let text = String(repeating: letter, count: 60_000)
        return (8..<18).map { Self.row("\(project),,,\(text)", at: $0) }.joined()
      }
      /// Updates as far as the file of the store can grow.
      func failing(_ rows: String, kibibytes: Int) throws -> [String] {
        let store = try FileManager.default.attributesOfItem(
          atPath: "\(attempt.folder)/s/data.mdb")
        let limit = (store[.size] as? Int ?? 0) / 1_024 + kibibytes
        let words = try attempt.command(rows).map { "'\($0)'" }.joined(separator: " ")
        let result = try shell("ulimit -f \(limit); \(words)", [])
        #expect(result.status == 6 && result.errors.contains("on file sizes"), "\(result.errors)")
        return result.output.lines
      }
      _ = try attempt.run(rows("a"))
      // The new project is in the log, and no entry of it.
      let names = try failing(rows("c", "N").replacing("N,,", with: "N,T,"), kibibytes: 500)
      let line = names.first { $0.hasPrefix("updated") }
      #expect(
        line == "updated         0, but names of rows are new, which `track undo 2` takes back")
      try attempt.track("undo", "2")
      let projects = try expectFine(["track", "projects", "--store", "\(attempt.folder)/s"])
      #expect(projects.lines == ["P"])
      let told = try failing(rows("b"), kibibytes: 1_500)
      #expect(told.contains("updated         4, which `track undo` takes back, by:"))
      #expect(told.contains { $0.hasPrefix("differing       6, the entries keep") })
      #expect(try attempt.entries().count { $0.hasSuffix("bb") } == 4)
      try attempt.track("undo")
      #expect(try attempt.entries().allSatisfy { $0.hasSuffix("aa") })
    }
  }

  @Test func `an update tells which entries are gone from the file, and counts overlaps last`()
    throws
  {
    try with { attempt in
      let days = (1...5).map { "d\($0),2026-03-0\($0) 09:00,30,P,,,a\n" }
      _ = try attempt.run(days.joined() + "e,2026-03-03 15:00,30,P,,,b\n")
      try attempt.track("delete", "5")
      // The file covers the second to the fourth day, and its row of the third is gone.
      let file = days[1] + days[3]
      #expect(try attempt.run(file, [])["missing"] == nil)
      for more in [["--dry-run", "--update"], ["--update"]] {
        #expect(try attempt.run(file + "\n", more)["missing"] as? [Int] == [2])
      }
      let told = try expectFine(attempt.command(file)).lines
      let index = try #require(
        told.firstIndex(of: "missing         1, not in the file any more; to delete it:"))
      #expect(told[index + 1] == "  track delete 2")
      // A row that was rejected may be the one.
      let wrong = file + "d3,2026-03-03,30,P,,,a\n"
      #expect(try attempt.run(wrong)["missing"] == nil)
      #expect(
        try expectFine(attempt.command(wrong)).contains("missing         not looked for, because"))
      try attempt.track("delete", "2")
      #expect(try attempt.run(file)["missing"] as? [Int] == [])
      // The rows of other users are in other files.
      #expect(try attempt.run(days[1], ["--update", "--user", "eve"])["missing"] as? [Int] == [])
      // The new row overlaps the one that moves there.
      let moved = "d2,2026-03-02 10:15,30,P,,,a\nf,2026-03-02 10:00,30,P,,,c\n"
      for more in [["--update", "--dry-run"], ["--update"]] {
        #expect(try attempt.run(moved, more)["overlaps"] as? Int == 2)
      }
    }
  }

  /// Imports what `track log` prints of another store.
  private func copy(
    _ old: String, to new: String, _ more: String...
  ) throws -> [String: Any] {
    let log = try expectFine(["track", "log", ":all", "--json", "--store", old])
    try Data(log.utf8).write(to: URL(fileURLWithPath: "\(new).json"))
    return try object(
      expectFine(
        ["track", "import", "\(new).json", "--format", "track", "--source", "o", "--store", new]
          + ["--json"] + more))
  }

  @Test func `an update from a log of track sets the rates of that log`() throws {
    try with { attempt in
      let (old, new) = ("\(attempt.folder)/s", "\(attempt.folder)/new")
      for (project, rate) in [("p", "80"), ("q", "90")] {
        try attempt.track("projects", "create", project, "--rate", rate)
      }
      try attempt.track("add", "2026-03-02 9:00", "-", "10:00", "x", "@p")
      func rate() throws -> Int? {
        let log = try expectFine(["track", "log", ":all", "--json", "--store", new])
        return (try json(log) as? [[String: Any]])?.first?["rate"] as? Int
      }
      _ = try copy(old, to: new)
      #expect(try rate() == 8_000)
      // The project of the other store has no rate.
      try attempt.track("edit", "0", "--project", "q", "--billable")
      let differing = try copy(old, to: new)["differing"] as? [[String: Any]]
      #expect(
        differing?.first?["command"] as? [String]
          == ["edit", "0", "--project", "q", "--billable", "--rate", "90.00"])
      #expect((try copy(old, to: new, "--update")["updated"] as? [Any])?.count == 1)
      #expect(try rate() == 9_000)
      try attempt.track("edit", "0", "--description", "y", "--rate", "95.50")
      _ = try copy(old, to: new, "--update")
      #expect(try rate() == 9_550)
      try attempt.track("edit", "0", "--project", "p", "--rate", "")
      _ = try copy(old, to: new, "--update")
      #expect(try rate() == nil)
    }
  }

  @Test func `an import from a log of track tells rates in another currency`() throws {
    try with { attempt in
      let (old, new) = ("\(attempt.folder)/s", "\(attempt.folder)/new")
      for (workspace, currency) in [("a", "USD"), ("b", "EUR")] {
        try attempt.track("workspaces", "create", workspace, "--currency", currency)
        try attempt.track(
          "projects", "create", workspace, "--workspace", workspace, "--rate", "50")
      }
      try attempt.track("add", "2026-03-02 9:00", "-", "10:00", "x", "@a", "--user", "anna")
      try attempt.track("add", "2026-03-02 10:00", "-", "11:00", "y", "@b", "--user", "anna")
      try attempt.track("add", "2026-03-02 11:00", "-", "12:00", "rest", "--user", "anna")
      let notes = ["USD", "EUR"].map { "1 entry of anna with a rate in \($0): here the amounts " }
      let first = try copy(old, to: new, "--dry-run")["notes"] as? [String]
      // The last note is on the user.
      #expect(
        first?.dropLast()
          == [notes[1], notes[0]].map {
            "\($0)have no currency; `track preferences --user anna --currency CODE` gives them one"
          })
      for words in [
        ["workspaces", "create", "c", "--currency", "EUR"], ["users", "create", "anna"],
        ["users", "set", "anna", "--workspace", "c"],
      ] { try expectFine(["track"] + words + ["--store", new]) }
      #expect(
        (try copy(old, to: new)["notes"] as? [String])?.first
          == "\(notes[0])are in EUR, the currency of the user")
      #expect(try copy(old, to: new, "--update")["notes"] == nil)
    }
  }

  @Test func `an edit is found to be later than the import although the clock was put back`() throws
  {
    try with { attempt in
      _ = try attempt.run(Self.row("P,,,a"))
      try attempt.track("edit", "0", "--description", "own", "--now", "2020-01-01T00:00:00Z")
      for _ in 0..<2 {
        let answer = try attempt.run(Self.row("P,,,b"))
        #expect((answer["updated"] as? [Any])?.count == 0)
        let differing = answer["differing"] as? [[String: Any]]
        #expect(differing?.first?["edited"] as? Bool == true)
      }
      #expect(try attempt.entries() == ["P -  own"])
    }
  }

  @Test func `all rows that were corrected are updated, however many`() throws {
    try with { attempt in
      func rows(_ text: String) -> String {
        (0..<10_030).map { "k\($0),2026-03-02 09:00,30,,,,\(text)\n" }.joined()
      }
      _ = try attempt.run(rows("a"))
      let told = try expectFine(attempt.command(rows("b"), []))
      #expect(told.contains("\n  and 10010 more, of which --json lists 9980\n"))
      let answer = try attempt.run(rows("b"))
      #expect((answer["updated"] as? [Any])?.count == 10_030)
      #expect(answer["differingCount"] as? Int == 0)
    }
  }
}
