import Foundation
import RetraceCommandLine
import Testing
import ToolTestSupport

@testable import TrackerCommandLine

/// The user of the command line, and stores of other users.
@Suite struct UserTests {
  private static let now = ["--now", "2026-03-02T12:00:00Z"]

  /// Records entries of two users, of whom none is the login.
  private func withStore(_ body: ([String]) throws -> Void) throws {
    try withTemporaryDirectory { folder in
      let store = ["--store", "\(folder)/s"] + Self.now
      for (user, description) in [("anna", "report"), ("Ben B", "call")] {
        try expectFine(
          ["track", "add", "9:00", "-", "10:00", description, "--user", user] + store)
      }
      try body(store)
    }
  }

  @Test func `the app opens for its user, where that user left it`() throws {
    try withStore { (store) throws in
      func app(_ user: String, _ keys: String...) throws -> String {
        let app = try RunningTool(
          "track", ["app"] + store, environment: ["RETRACE_USER": user])
        for key in keys + ["screen"] { app.send(key) }
        return app.finish().output
      }
      #expect(try app("anna", "text:anna", "enter").contains("Timer of anna"))
      // The timer of another user is no place of this one; a form of another user is left alone.
      #expect(try app("Ben B").contains("Timer of Ben B"))
      #expect(try app("Ben B", "text:n", "text:half").contains("New entry"))
      #expect(try expectFine(["track", "route"] + store.prefix(2)).contains("timer/1/start"))
      #expect(try app("anna").contains("Who is tracking time?"))
      #expect(try app("anna", "text:anna", "enter").contains("Timer of anna"))
      #expect(try app("Ben B").contains("Description half"))
      let routes = try ["anna", "Ben B"].map { user in
        try expectFine(
          ["track", "route"] + store.prefix(2), environment: ["RETRACE_USER": user])
      }
      #expect(routes == ["timer/0\n", "timer/1/start\n"])
      let given = try RunningTool("track", ["app", "--user", "anna"] + store)
      given.send("screen")
      #expect(given.finish().output.contains("Timer of anna"))
      try expectFailure(
        ["track", "app", "--user", "zoe"] + store, exit: 1, mentions: ["There is no user zoe"])
    }
  }

  @Test func `the user of the command line is set before the first entry`() throws {
    try withTemporaryDirectory { folder in
      let store = ["--store", "\(folder)/s"] + Self.now
      let login = ["RETRACE_USER": "zoe"]
      func fine(_ words: String) throws -> [String] {
        try expectFine(
          ["track"] + words.split(separator: " ").map(String.init) + store, environment: login
        ).lines
      }
      #expect(
        try fine("users set zoe --rate 90 --dry-run").prefix(2)
          == ["would be changed   zoe  rate 90.00", "note      zoe is a new user"])
      _ = try fine("workspaces create mine")
      #expect(
        try fine("users set Zoe --workspace mine")
          == ["changed   Zoe  workspace mine", "note      Zoe is a new user"])
      #expect(try fine("users set zoe --rate 80").first == "changed   zoe  rate 80.00")
      _ = try fine("start a")
      let log = try #require(try json(fine("log --json").joined()) as? [[String: Any]])
      #expect(log.map { $0["workspace"] as? String } == ["mine"])
      try expectFailure(
        ["track", "users", "set", "zoee", "--rate", "9"] + store, exit: 1,
        mentions: ["There is no user zoee", "Did you mean Zoe?"], environment: login)
    }
  }

  @Test(arguments: [
    ["stop"], ["cancel"], ["continue"], ["continue", "report"], ["switch", "x"], ["edit", "x"],
    ["edit", "-1", "x"], ["delete", "-1"], ["annotate", "x"], ["tag", "x"], ["move", "-1", "8:00"],
    ["start", "--after-last", "x"],
  ])
  func `a command names the users of the store and how to choose one`(words: [String]) throws {
    try withStore { (store) throws in
      let before = try expectFine(["track", "log", "--json"] + store)
      for (user, environment) in [
        (["--user", "zoe"], [:]), ([], ["RETRACE_USER": "zoe"]),
      ] as [([String], [String: String])] {
        try expectFailure(
          ["track"] + words + user + store, exit: 1,
          mentions: [
            "There is no user zoe; the store has anna, Ben B.", "--user anna",
            "`track config set user anna`",
          ], environment: environment)
      }
      #expect(try expectFine(["track", "log", "--json"] + store) == before)
    }
  }

  @Test func `a misspelled user is corrected, and a name with blanks is quoted`() throws {
    try withStore { (store) throws in
      for words in [["log"], ["report"], ["day"], ["gaps"]] {
        try expectFailure(
          ["track"] + words + ["--user", "ana"] + store, exit: 1,
          mentions: ["There is no user ana", "Did you mean anna?"])
      }
      try expectFailure(
        ["track", "stop", "--user", "Ben"] + store, exit: 1, mentions: ["--user anna"])
      try expectFailure(
        ["track", "stop", "--user", "Ben V"] + store, exit: 1,
        mentions: ["Did you mean Ben B?", "--user 'Ben B'"])
    }
  }

  @Test func `status, gaps and goals name the users too if there is no such user, and succeed`()
    throws
  {
    try withStore { (store) throws in
      for words in [["gaps"], ["report", "--goals"]] {
        let zoe = ["RETRACE_USER": "zoe"]
        let lines = try expectFine(["track"] + words + store, environment: zoe).lines
        #expect(lines.count == 2 && lines[1].contains("There is no user zoe; the store has anna"))
        let json = try expectFine(["track"] + words + ["--json"] + store, environment: zoe)
        #expect(!json.contains("the store has"))
        try expectFailure(
          ["track"] + words + ["--user", "zoe"] + store, exit: 1, mentions: ["anna, Ben B"])
      }
      let status = ["track", "status", "--user", "zoe"] + store
      let lines = try expectFine(status).lines
      #expect(lines.first == "Nothing is running for zoe.")
      #expect(lines.last?.contains("the store has anna, Ben B") == true)
      #expect(try object(expectFine(status + ["--json"]))["running"] is NSNull)
      #expect(try expectFine(status + ["--format", "{id}"]) == "")
      // A user of the store gets no note.
      #expect(
        try expectFine(["track", "status", "--user", "ANNA"] + store)
          == "Nothing is running for ANNA.\n")
    }
  }

  @Test func `an id of another user is refused if an option names the user`() throws {
    try withStore { store in
      for words in [["edit", "1", "x"], ["delete", "#1"], ["tag", "1", "t"]] {
        try expectFailure(
          ["track"] + words + ["--user", "anna"] + store, exit: 1,
          mentions: ["The entry 1 is one of Ben B.", "--user 'Ben B'"])
      }
      try expectFine(["track", "edit", "1", "x", "--user", "Ben B"] + store)
      try expectFine(["track", "edit", "1", "y"] + store)
    }
  }

  @Test func `the first entry of a further user is noted`() throws {
    try withStore { (store) throws in
      let start = ["track", "start", "x", "--user", "zoe"]
      #expect(
        try expectFine(start + ["--dry-run"] + store).lines.last
          == "note     zoe is a new user; the store has anna, Ben B")
      #expect(try expectFine(start + store).contains("note     zoe is a new user"))
      #expect(try !expectFine(start + store).contains("new user"))
      // The parts of an entry keep its user.
      let split = try expectFine(
        ["track", "split", "1"] + store, environment: ["RETRACE_USER": "yan"])
      #expect(split.contains("added") && !split.contains("new user"))
    }
    try withTemporaryDirectory { (folder) throws in
      let told = try expectFine(["track", "start", "x", "--store", "\(folder)/s"])
      #expect(!told.contains("new user"))
    }
  }

  @Test func `every command on a store takes a user`() throws {
    try withDesk { desk in
      try desk.fine("start x @p --user anna")
      for words in [
        "projects", "clients", "tasks", "tags", "users", "workspaces", "goals", "preferences",
        "status", "log", "gaps", "report --goals",
      ] {
        try desk.fine("\(words) --user anna")
      }
      try desk.timeless("history -1 --user anna")
      try expectFailure(
        ["track", "route", "--store", desk.store, "--user", "anna"], exit: 1,
        mentions: ["The app was never opened"])
      let first = try desk.timeless("history").element(1).split(separator: " ").map(String.init)
      #expect(first.first == "12:00" && first.suffix(3) == ["created", "user", "anna"], "\(first)")
      try desk.fine("start y --user bob")
      let history = try desk.timeless("history")
      #expect(history.contains { $0.contains("anna  created") }, "\(history)")
      #expect(history.contains { $0.contains("bob   created") }, "\(history)")
      let note = "note     #1 is an entry of bob"
      #expect(try desk.fine("undo --user anna").last == note)
      #expect(try desk.fine("redo --user anna").last == note)
      #expect(try !desk.fine("undo --user bob").contains(note))
    }
  }

  @Test func `an entry of another user is continued as a copy`() throws {
    try withDesk { desk in
      try desk.fine("add 8:00 - 9:00 old @gone +old --user anna")
      try desk.fine("projects delete gone --yes")
      try desk.fine("add 9:00 - 10:00 x @web +t --note n --billable --user anna")
      try desk.fine("tasks create design --project web")
      try desk.fine("edit 1 --task design --user anna")
      try desk.fine("start a --user anna")
      try desk.fine("start b --user bob")
      let told = try desk.fine("continue 1 --user bob", "12:30")
      #expect(told.count == 2 && told[0].contains("  b  bob"), "\(told)")
      #expect(told.last?.contains("  x  @web/design  #t  billable  bob") == true, "\(told)")
      #expect(try desk.fine("status --user anna").first?.contains("  a") == true)
      let old = try desk.fine("continue 0 --user bob", "12:40")
      #expect(old.dropLast().last?.hasSuffix("  old  #old  bob") == true, "\(old)")
      #expect(old.last == "note     the project gone is deleted, so it is left out")
      #expect(try desk.fine("log --json --user anna").joined().contains("\"running\":true"))
    }
  }

  @Test func `the configured user is that of all commands`() throws {
    try withStore { (store) throws in
      let anna = ["RETRACE_USER": "anna"]
      func track(_ words: String...) throws -> String {
        try expectFine(["track"] + words + store, environment: anna)
      }
      #expect(try track("start", "11:00", "more").contains("started"))
      let running = try #require(try object(track("status", "--json"))["running"] as? [String: Any])
      #expect(running["user"] as? String == "anna")
      #expect(try track("gaps", "--least", "1h").contains("10:00 - 11:00"))
      #expect(try track("report", "--goals") == "anna has no goals.\n")
      try expectFailure(
        ["track", "status"] + store, exit: 64, mentions: ["RETRACE_USER", "too long"],
        environment: ["RETRACE_USER": String(repeating: "x", count: 501)])
      // An option goes before it.
      #expect(try track("status", "--user", "Ben B").contains("Nothing is running for Ben B."))
    }
  }

  @Test func `a user is found in either form of its letters`() throws {
    for (known, typed) in [("caf\u{E9}", "Cafe\u{301}"), ("cafe\u{301}", "Caf\u{E9}")] {
      try withDesk { desk in
        try desk.fine("users create \(known)")
        try desk.fine("add 8:00 - 8:30 old --user anna")
        func app(_ user: String, _ lines: String...) throws -> String {
          let words = desk.command("app --user \(user)")
          let app = try RunningTool(
            words[0], Array(words.dropFirst()), environment: desk.environment)
          for line in lines { app.send(line) }
          return app.finish().output
        }
        // The app opens where it was left only for the user who left it.
        #expect(try app("anna", "screen").contains("Timer of anna"))
        let opened = try app(typed, "screen")
        #expect(opened.contains("Timer of \(known)"), "\(opened)")
        #expect(try desk.timeless("route --user \(typed)") == ["timer/0"])
        try desk.fine("continue 0 --user \(typed)")
        #expect(try desk.fine("undo --user \(typed)").count == 1)
        let file = "\(desk.store).csv"
        try "start,end,description\n2026-03-01 08:00,2026-03-01 09:00,row\n"
          .write(toFile: file, atomically: true, encoding: .utf8)
        let columns = "--column start=start --column end=end --column description=description"
        try desk.timeless(
          "import \(file) \(columns) --date-format 'yyyy-MM-dd HH:mm' --user \(typed)")
        #expect(try desk.fine("log --csv :all --user \(typed)").count == 2)
        #expect(try desk.fine("users").count == 2)
        // The undo takes the user away with the entry.
        try desk.fine("add 9:00 - 9:30 new --user new\(known)")
        #expect(try desk.fine("undo --user new\(typed)").count { $0.hasPrefix("note") } == 0)
      }
      try withDesk { desk in
        try desk.fine("users create \(known)")
        try desk.fine("demo --user \(typed)")
        #expect(try desk.timeless("users").count == 1)
      }
    }
  }

  @Test func `times are read in the zone in which they are shown`() throws {
    try withDesk { desk in
      try desk.fine("preferences --zone Asia/Tokyo")
      try desk.fine("add 2026-02-20 9:00 - 10:00 first")
      #expect(try desk.fine("log :all").contains { $0.contains("#0  09:00 - 10:00") })
      try desk.fine("edit 0 --start 9:10")
      try desk.fine("edit 0 9:20 - 9:40")
      #expect(try desk.fine("log :all").contains { $0.contains("#0  09:20 - 09:40") })
      let json = try desk.fine("log :all --json").joined()
      #expect(json.contains("2026-02-20T00:20:00Z") && json.contains("Asia/Tokyo"), "\(json)")
      // An option gives another zone for both.
      let told = try desk.fine("add 2026-02-21 9:00 - 10:00 second --tz UTC").first
      #expect(told?.contains("09:00:00 - 10:00:00 +00:00") == true, "\(told ?? "")")
    }
  }
}
