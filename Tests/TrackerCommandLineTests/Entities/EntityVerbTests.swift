import Foundation
import Testing
import ToolTestSupport

/// Workspaces, clients, projects, tasks and tags.
@Suite struct EntityVerbTests {
  @Test func `the name of a merged record is refused, with the name of the other one`() throws {
    try withDesk { desk in
      for kind in ["projects", "clients", "tags"] {
        for name in ["a", "b"] { try desk.fine("\(kind) create \(name)") }
        try desk.fine("\(kind) merge a b")
        for change in ["delete a --yes", "rename a c", "merge a b", "archive a"] {
          try desk.fails("\(kind) \(change)", " a was merged into b.")
        }
        #expect(try desk.fine(kind).element(0).hasPrefix("b"))
      }
      try desk.fails("goals create g --target 1h --tag a", "The tag a was merged into b.")
      // If several projects have the name of the other one.
      try desk.fine("clients create ACME")
      try desk.fine("projects create b --client ACME")
      try desk.fails("projects delete a", "The project a was merged into /b.")
    }
  }

  @Test func `a dry run of records and preferences says what would change, and writes nothing`()
    throws
  {
    try withDesk { desk in
      #expect(
        try desk.fine("projects create a --client ACME --rate 90 --dry-run")
          == ["would be created   a", "note      ACME is a new client"])
      try desk.fine("projects create a --client ACME --rate 90")
      try desk.fine("projects create b --client ACME")
      try desk.fine("add 7:00 - 8:00 x @a")
      let before = try desk.timeless("history")
      for (words, line) in [
        ("clients create c", "created   c"), ("tags create t", "created   t"),
        ("workspaces create w --rate 3", "created   w"),
        ("goals create g --target 3h", "created   g"),
        ("projects set a --client New", "changed   a  client New"),
        ("projects rename a c", "renamed   a to c"), ("projects merge a b", "merged    a into b"),
        ("projects archive a", "archived  a"), ("projects delete a --yes", "deleted   a"),
      ] {
        #expect(try desk.fine("\(words) --dry-run").element(0) == "would be \(line)")
      }
      #expect(try desk.fine("tags create t --dry-run --json") == [#"{"dryRun":true}"#])
      // A dry run refuses what the command would refuse.
      try desk.fails("projects delete a --dry-run", "1 entry is of the project a.")
      try desk.fails("projects rename a b --dry-run", "b")
      #expect(
        try desk.fine("preferences --week-start sunday --dry-run").element(0)
          == "week-start     sunday")
      #expect(try desk.fine("preferences").element(0) == "week-start     monday")
      #expect(try desk.timeless("history") == before)
    }
  }

  @Test func `an entry moves to another workspace, with a project and tags of that one`() throws {
    try withDesk { desk in
      try desk.fine("workspaces create studio")
      try desk.fine("add 7:00 - 8:00 a +t")
      try desk.fine("add 8:00 - 9:00 b @p")
      try desk.fails("edit 0 --workspace studio", "The tag t is not", "--untag t")
      try desk.fine("edit 0 --workspace studio --untag t +t")
      try desk.fails("edit 1 --workspace studio", "The project p is not", "--project")
      try desk.fine("edit 1 --workspace studio @p")
      let report = try desk.fine("report --by workspace :day")
      #expect(report.contains { $0.hasPrefix("studio  2:00") }, "\(report)")
      // The project of this name without a workspace is meant.
      try desk.fine("edit 1 --workspace '' @p")
      #expect(try desk.timeless("projects").count == 2)
      try desk.fails("edit 1 --workspace nope", "There is no workspace nope.")
      #expect(try desk.entries() == ["06:00-07:00 a #t", "07:00-08:00 b @p"])
    }
  }

  @Test func `the status shows the start in the zone of the log`() throws {
    try withDesk { desk in
      try desk.fails("status --tz Nowhere", exit: 64, "Nowhere")
      try desk.fine("start 9:00 write", "9:30")
      func starts(_ options: String) throws -> [String] {
        let line = try desk.fine("status \(options)").element(0).split(separator: " ").map(
          String.init)
        let log = try desk.fine("log \(options)").element(1).split(separator: " ").map(String.init)
        return try [
          line.element(2), log.element(1),
          desk.fine("status --format {start} \(options)").element(0),
        ]
      }
      #expect(try starts("") == ["09:00:00", "09:00", "09:00"])
      #expect(try starts("--tz Asia/Tokyo") == ["17:00:00", "17:00", "17:00"])
      try desk.fine("preferences --zone Asia/Kolkata")
      #expect(try starts("") == ["13:30:00", "13:30", "13:30"])
      // The history has the same zone.
      #expect(try desk.timeless("history").element(1).contains("  14:00  "))
    }
  }

  @Test func `fields of projects, tasks and workspaces are set, and unset`() throws {
    try withDesk { desk in
      try desk.fine("workspaces create studio --currency USD --rate 90.5")
      try desk.fine("clients create ACME --workspace studio")
      try desk.fine("projects create web --workspace studio --client ACME --rate 85")
      try desk.fine("projects set web --rate '' --color teal --estimate 1h30 --client ''")
      try desk.fine("tasks create logo --project web --estimate 2h")
      try desk.fine("tasks set logo --estimate ''")
      #expect(
        try desk.fine("projects") == [
          "web  workspace studio  billable yes  estimate 1:30, 0% spent  color teal"
        ])
      #expect(try desk.fine("tasks") == ["logo  project web"])
      #expect(try desk.fine("workspaces") == ["studio  currency USD  rate 90.50"])
      try desk.fails("workspaces delete studio", "The client ACME is in it")
      try desk.fails("workspaces merge studio studio", exit: 64, "cannot be merged")
      try desk.fails("workspaces set studio --currency dollars", "currency")
    }
  }

  @Test func `wrong words and values are refused, and nothing is written`() throws {
    try withDesk { desk in
      try desk.fails("projects set web --rate 3", exit: 6, "no such directory")
      try desk.fine("projects create web")
      try desk.fails("projects set web", exit: 64, "No field")
      try desk.fails("projects set wbe --rate 3", "Did you mean web?")
      try desk.fails("projects set web --rate 3x", exit: 64, "3x")
      try desk.fails("projects set web --color blu", exit: 64, "Did you mean blue?")
      try desk.fails("projects set web --estimate soon", exit: 64, "soon")
      try desk.fails("projects rename web w --rate 3", exit: 64, "--rate")
      try desk.fails("projects set web --billable --not-billable", exit: 64, "both")
      try desk.fails("projects creat web", exit: 64, "Did you mean create?")
      try desk.fails("tasks create logo", exit: 64, "--project")
      try desk.fails("tasks create logo --project none", "no project none")
      #expect(try desk.fine("projects") == ["web"])
    }
  }

  @Test func `a task is found in its project`() throws {
    try withDesk { desk in
      for project in ["a", "b"] {
        try desk.fine("projects create \(project)")
        try desk.fine("tasks create review --project \(project)")
      }
      try desk.fails("tasks archive review", "There are 2 tasks review", "--project")
      try desk.fine("tasks archive review --project b")
      #expect(try desk.fine("tasks") == ["review  project a"])
      #expect(try desk.fine("tasks --all --project b") == ["review  project b  archived"])
    }
  }

  @Test func `an entry gets a task and a note, and loses the task`() throws {
    func labels(_ desk: Desk) throws -> [String] {
      let entry = try #require((json(desk.fine("log --json").joined()) as? [[String: Any]])?.last)
      return [entry["task"] as? String ?? "none"] + (entry["annotations"] as? [String] ?? [])
    }
    try withDesk { desk in
      for project in ["a", "b"] {
        try desk.fine("projects create \(project)")
        try desk.fine("tasks create of-\(project) --project \(project)")
      }
      try desk.fine("add 9:00 - 10:00 write @a --note one")
      try desk.fine("edit 0 --task of-a --note two --note three")
      #expect(try labels(desk) == ["of-a", "one", "two", "three"])
      try desk.fails("edit 0 --task of-b", "no task of-b")
      try desk.fine("edit 0 @b --task of-b")
      #expect(try labels(desk) == ["of-b", "one", "two", "three"])
      try desk.fine("edit 0 --task ''")
      #expect(try labels(desk) == ["none", "one", "two", "three"])
    }
  }

  @Test func `a project of another workspace is found, and chosen if there are several`() throws {
    func workspace(_ desk: Desk) throws -> [String] {
      let lines = try desk.fine("report --by workspace,project --csv")
      return lines.dropFirst().map { $0.split(separator: ",").prefix(2).joined(separator: "/") }
    }
    try withDesk { desk in
      for name in ["studio", "school"] { try desk.fine("workspaces create \(name)") }
      try desk.fine("projects create web --workspace studio")
      try desk.fine("add 8:00 - 9:00 write @web")
      #expect(try workspace(desk) == ["studio/web"])
      try desk.fine("projects create web --workspace school")
      try desk.fails("add 9:00 - 10:00 write @web", "There are 2 projects web", "--workspace")
      try desk.fine("add 9:00 - 10:30 write @web --workspace school")
      #expect(try Set(workspace(desk)) == ["studio/web", "school/web"])
      try desk.fails("start write --workspace schol", "Did you mean school?")
    }
  }

  @Test func `a merge that is refused says which place differs`() throws {
    try withDesk { desk in
      try desk.fine("workspaces create w")
      for words in ["a", "b --client B", "c --workspace w"] {
        try desk.fine("projects create \(words)")
      }
      try desk.fails("projects merge a a", "Both names belong to one project.")
      try desk.fails(
        "projects merge a b", "a is of no client, and b of the client B.",
        "`track projects set /a --client B`")
      try desk.fails("projects merge b a", "--client ''")
      try desk.fails("projects merge c a", "c is of the workspace w, and a of no workspace.")
      try desk.fine("projects set /a --client B")
      try desk.fine("projects merge a b")
      try desk.fine("projects create b")
      try desk.fails(
        "projects merge /b B/b", "rename /b NEW`, then `track projects set NEW --client B`")
      for words in ["a --project B/b", "b --project c"] {
        try desk.fine("tasks create \(words)")
      }
      try desk.fails("tasks merge a b", "a is of the project b, and b of the project c.")
    }
  }

  @Test func `an edit finds a project of another workspace, and the entry moves there`() throws {
    try withDesk { desk in
      try desk.fine("workspaces create us --currency USD")
      try desk.fine("clients create ACME --workspace us")
      try desk.fine("projects create web --workspace us --client ACME --rate 100")
      try desk.fine("projects create own")
      for words in ["@web", "--project web", "@ACME/web"] {
        try desk.fine("add 8:00 - 9:00 a @own")
        let told = try desk.fine("edit -1 \(words)")
        #expect(told.count == 1 && told[0].hasSuffix("@web  billable at USD 100.00"), "\(told)")
        try desk.fine("edit -1 @own --tag t")
        try desk.fails("edit -1 \(words)", "The tag t is not one", "--untag t")
        try desk.fine("edit -1 \(words) --untag t --tag t")
        #expect(try desk.fine("report --by workspace").contains { $0.hasPrefix("us     1:00") })
        try desk.fine("delete -1")
      }
      try desk.fine("add 8:00 - 9:00 a @own")
      try desk.fails("edit -1 @ACME/wbe", "The client ACME has no project wbe.")
    }
  }

  @Test func `one of two projects of a name is named with its client`() throws {
    try withDesk { desk in
      for client in ["A", "B"] {
        try desk.fine("clients create \(client)")
        try desk.fine("projects create web --client \(client)")
      }
      try desk.fine("projects create web")
      try desk.fine("add 8:00 - 8:30 mail")
      let names = ["There are 3 projects web", "A/web, B/web, /web"]
      for words in [
        "start write @web", "add 9:00 - 9:30 write --project web", "projects delete web",
        "projects rename web shop", "projects set web --client A --rate 50",
        "tasks create logo --project web", "goals create g --target 1h --project web --user root",
      ] {
        try desk.fails(words, names[0], names[1])
      }
      #expect(
        try desk.fine("projects set b/web --rate 50") == [
          "changed   b/web  rate 50.00  billable yes"
        ])
      #expect(
        try desk.fine("projects set b/web --rate 60 --not-billable") == [
          "changed   b/web  rate 60.00  billable no"
        ])
      #expect(
        try desk.fine("projects set b/web --rate 50") == ["changed   b/web  rate 50.00"])
      try desk.fine("tasks create logo --project A/web")
      try desk.fine("add 9:00 - 9:30 one @B/web")
      try desk.fine("add 9:30 - 10:00 two @A/web/logo")
      try desk.fine("add 10:00 - 10:30 three --project /web")
      let rows = try desk.fine("report --by client,task --csv").dropFirst()
      #expect(
        rows.map { $0.split(separator: ",", omittingEmptySubsequences: false)[0] }.sorted()
          == ["", "A", "B"])
      try desk.fails("edit 0 @web", names[0])
      try desk.fine("edit 1 @A/web --task logo")
      try desk.fails("edit 1 @web", "have these values already")
      #expect(try desk.fine("report --project A/web --csv").count == 2)
      for filter in ["a/web", "/web"] {
        #expect(try desk.fine("report @\(filter) --csv").count == 2, "\(filter)")
        #expect(try desk.fine("report --filter project:\(filter) --csv").count == 2, "\(filter)")
      }
      #expect(try desk.fine("log @A/web/logo --csv").count == 3)
      #expect(try desk.fine("continue @A/web --dry-run").joined().contains("two"))
      for word in ["A/wbe", "a/shop"] {
        try desk.fails("add 12:00 - 12:30 x @\(word)", "The client A has no project", "--client A")
        try desk.fails("edit 1 --project \(word)", "The client A has no project")
      }
      try desk.fails("workspaces create us --currency dollar", "three capital letters")
      try desk.fails("delete --filter ' ' --yes", exit: 64, "the filter is empty")
      try desk.fine("projects rename B/web web-b")
      try desk.fine("projects rename /web web-c")
      try desk.fine("add 11:00 - 11:30 four @web")
    }
  }

  @Test func `users are listed, renamed, archived and deleted`() throws {
    try withDesk { desk in
      try desk.fine("add 8:00 - 9:00 mail --user anna")
      try desk.fine("users create jhon")
      try desk.fine("workspaces create studio")
      #expect(
        try desk.fine("users set anna --workspace studio --rate 80").first
          == "changed   anna  workspace studio  rate 80.00")
      #expect(try desk.fine("users") == ["anna  workspace studio  rate 80.00", "jhon"])
      // With one user a confirmation has no name.
      try desk.fine("users delete jhon")
      #expect(try !desk.fine("start 9:00 call --user anna").element(0).contains("anna"))
      try desk.fails("users delete anna", "2 entries are of the user anna")
      try desk.fails("users archive anne", "Did you mean anna?")
      try desk.fails("users merge anna jhon", exit: 64, "users cannot be merged")
      try desk.fine("users rename anna ann")
      try desk.fine("users archive ann")
      #expect(try desk.fine("users") == ["There are no users."])
      #expect(try desk.fine("users --all") == ["ann  workspace studio  rate 80.00  archived"])
    }
  }

  @Test func `rates without a workspace are in the currency of that of the user`() throws {
    try withDesk { desk in
      try desk.fine("projects create web --rate 60")
      try desk.fine("add 8:00 - 9:00 mail @web --user anna")
      func row() throws -> String? { try desk.fine("report --user anna").last }
      #expect(try row()?.contains(" 60.00") == true)
      try desk.fine("workspaces create mine --currency CHF")
      try desk.fine("users set anna --workspace mine")
      try desk.fine("add 9:00 - 10:00 mail @web --user anna")
      #expect(try row()?.contains("CHF 120.00") == true)
      try desk.fine("workspaces set mine --currency USD --yes")
      try desk.fine("workspaces rename mine studio")
      #expect(try row()?.contains("USD 120.00") == true)
    }
  }

  @Test func `rates get another currency only with yes`() throws {
    try withDesk { desk in
      try desk.fine("workspaces create euros --currency EUR --rate 100")
      try desk.fine("workspaces create dollars --currency USD --rate 10")
      try desk.fine("projects create p --workspace euros")
      try desk.fine("users create anna")
      try desk.fine("users set anna --workspace euros")
      try desk.fine("add 7:00 - 8:00 a @p --user anna")
      try desk.fine("add 8:00 - 9:00 b --billable --user anna")
      // An entry that moves gets the rate of the other workspace, unless a rate is given.
      try desk.fine("edit 1 --workspace '' --rate 100")
      try desk.fine("edit 1 --workspace dollars")
      #expect(
        try desk.fine("edit 1 --workspace dollars --rate 100").element(0).hasSuffix("USD 100.00"))
      #expect(try desk.fine("edit 1 --workspace '' --rate 100").element(0).contains("billable"))
      let shown = try desk.fine("log :day --json --user anna").element(0)
      #expect(shown.contains(#""rate":10000,"currency":"EUR","workspace":null"#), "\(shown)")
      #expect(shown.contains(#""rate":10000,"currency":"EUR","workspace":"euros""#))
      for words in ["", " --dry-run"] {
        try desk.fails(
          "users set anna --workspace dollars\(words)", "1 entry has a rate in EUR", "in USD",
          "--yes")
        try desk.fails(
          "workspaces set euros --currency CHF\(words)", "2 entries have a rate in EUR", "in CHF",
          "--yes")
      }
      try desk.fails("users set anna --workspace ''", "without a currency")
      // A change that keeps the currencies needs no yes.
      try desk.fine("users set anna --workspace euros --rate 3")
      try desk.fine("workspaces set euros --currency EUR --rate 4")
      try desk.fine("workspaces set dollars --currency CAD")
      try desk.fine("workspaces set euros --currency CHF --yes")
      #expect(try desk.fine("users set anna --workspace dollars --yes").count == 1)
      let log = try desk.fine("log :day --json --user anna").element(0)
      #expect(log.contains(#""currency":"CAD","workspace":null"#), "\(log)")
      #expect(log.contains(#""currency":"CHF","workspace":"euros""#))
    }
  }

  @Test func `the client of a project and the user of a goal are made on use`() throws {
    try withDesk { desk in
      try desk.fails("goals create mail", exit: 64, "target")
      #expect(
        try desk.fine("goals create mail --target 1h --user anna")
          == ["created   mail", "note      anna is a new user"])
      #expect(
        try desk.fine("projects create web --client ACME")
          == ["created   web", "note      ACME is a new client"])
      #expect(
        try desk.fine("projects set web --client Bank")
          == ["changed   web  client Bank", "note      Bank is a new client"])
      try desk.fails("projects set web --client ACNE", "no client ACNE", "Did you mean ACME?")
      // A refused command creates nothing.
      try desk.fails("projects create web --client Bank", "taken")
      try desk.fails("projects create shop --client Other --rate x", exit: 64, "--rate")
      try desk.fails("projects set shop --client Other", "no project shop")
      #expect(try desk.fine("clients") == ["ACME", "Bank"])
    }
  }

  @Test func `a refusal because of a workspace says what to do`() throws {
    try withDesk { desk in
      try desk.fine("projects create web")
      try desk.fine("workspaces create studio")
      try desk.fine("clients create ACME --workspace studio")
      try desk.fails(
        "projects set web --client ACME", "in no workspace", "`track clients create NAME`")
      try desk.fails("projects set web --workspace studio", exit: 64, "No field", "moves nothing")
      try desk.fails(
        "projects set web --workspace studio --billable", "of the workspace that is given",
        "Leave it out")
      try desk.fine("clients create ACME")
      #expect(
        try desk.fine("projects set web --client ACME") == ["changed   web  client ACME"])
    }
  }

  @Test func `a change of fields prints what it changed, and the list has the color`() throws {
    try withDesk { desk in
      try desk.fine("projects create Thesis")
      #expect(try desk.fine("projects") == ["Thesis"])
      #expect(
        try desk.fine("projects set Thesis --rate 85 --color teal --estimate 120h --billable") == [
          "changed   Thesis  rate 85.00  billable yes  estimate 120:00  color teal"
        ])
      #expect(
        try desk.fine("projects") == [
          "Thesis  rate 85.00  billable yes  estimate 120:00, 0% spent  color teal"
        ])
      #expect(
        try desk.fine("projects set Thesis --rate '' --color #123456 --not-billable") == [
          "changed   Thesis  color #123456  no rate  billable no"
        ])
      #expect(
        try desk.fine("projects set Thesis --color blue") == ["changed   Thesis  color blue"])
      #expect(try desk.fine("projects") == ["Thesis  estimate 120:00, 0% spent"])
      let help = try expectFine(["track", "projects", "--help"])
      #expect(help.contains("--billable              New entries are billable."), "\(help)")
    }
  }

  @Test func `an annotation has a line for each of its own, and is not empty`() throws {
    try withDesk { desk in
      try desk.fine("add 9:00 - 10:00 a --note 'two\nlines'")
      let log = try desk.fine("log")
      #expect(log.map { $0.trimmingCharacters(in: .whitespaces) }[2...3] == ["two", "lines"])
      try desk.fails("edit 0 --note ''", exit: 64, "--note is empty")
      #expect(try desk.entries() == ["08:00-09:00 a (two\nlines)"])
    }
  }

  @Test func `goals are made, changed and reported`() throws {
    try withDesk { desk in
      try desk.fine("add 9:00 - 11:00 a @p +t")
      try desk.fails("goals create week", exit: 64, "--target")
      try desk.fails("goals create week --target soon", exit: 64, "soon")
      try desk.fails("goals create week --target 3h --project q", "no project q")
      try desk.fine("goals create week --target 3h --project p --tag t")
      try desk.fine("goals create mail --target 1h --period day --at-most")
      try desk.fine("goals set week --target 4h --tag ''")
      #expect(
        try desk.fine("goals") == [
          "mail  target 1:00  at most each day",
          "week  target 4:00  each week         project p",
        ])
      let output = try desk.fine("report --goals --json").joined()
      let goals = try #require((json(output) as? [String: Any])?["goals"] as? [[String: Any]])
      #expect(goals.map { $0["seconds"] as? Int } == [7_200, 7_200])
      try desk.fine("goals delete mail")
      #expect(try desk.fine("goals").count == 1)
    }
  }

  @Test func `preferences hold for reports and commands of the user`() throws {
    try withDesk { desk in
      try desk.fine("add 9:00 - 10:00 a")
      try desk.fails("preferences --day-start 25:00", exit: 64, "25:00")
      try desk.fails("preferences --zone Nowhere", exit: 64, "Nowhere")
      try desk.fails("preferences --week-start someday", exit: 64, "sunday")
      try desk.fine("preferences --week-start sunday --day-start 4:00 --policy adjust")
      #expect(
        try desk.fine("preferences") == [
          "week-start     sunday", "day-start      04:00",
          "zone           Europe/Berlin, of the variable TZ",
          "dates          YYYY-MM-DD", "clock          24-hour", "durations      improved",
          "ask-after      none",
          "policy         adjust", "currency       none", "group-similar  yes",
          "manual         no",
        ])
      #expect(try desk.fine("week").first?.hasPrefix("Sun 2026-03-01 - Sat 2026-03-07") == true)
      try desk.fine("add 9:30 - 10:30 b")
      #expect(try desk.entries() == ["08:00-08:30 a", "08:30-09:30 b"])
      try desk.fails("add 9:00 - 9:15 c --policy refuse", "overlaps #0")
      try desk.fine("undo 2")
      #expect(try desk.fine("preferences").first == "week-start     monday")
      try desk.fine("preferences --zone America/New_York")
      let zone = try desk.fine("preferences").element(2)
      #expect(zone == "zone           America/New_York, of these preferences")
    }
  }

  @Test func `the user of the command line is not deleted, so that no second one is made`() throws {
    try withDesk { desk in
      try desk.fine("add 8:00 - 9:00 a --user zoe")
      let zoe = ["RETRACE_USER": "zoe"]
      for words in ["users delete Zoe", "users delete zoe --yes", "users delete zoe --dry-run"] {
        let result = try desk.run(words, environment: zoe)
        #expect(result.status == 1 && result.errors.contains("track users archive zoe"))
      }
      #expect(try desk.run("start b", environment: zoe).status == 0)
      #expect(try desk.fine("users --all") == ["zoe"])
      // Another user deletes zoe, and a user without entries is deleted by anyone.
      try desk.fine("stop --user zoe", "12:10")
      try desk.fine("users delete zoe --yes", "12:10")
      try desk.fine("users create yve")
      #expect(try desk.run("users delete yve", environment: ["RETRACE_USER": "yve"]).status == 0)
    }
  }

  @Test func `a project, tag or user that has entries is deleted only with yes`() throws {
    try withDesk { desk in
      try desk.fine("projects create web --client ''")
      try desk.fine("add 9:00 - 10:00 a @web +t")
      try desk.fails("projects delete web", "1 entry is of the project web", "archive")
      try desk.fails("tags delete t", "1 entry is of the tag t")
      try desk.fine("projects delete web --yes")
      #expect(try desk.entries() == ["08:00-09:00 a @web #t"])
      #expect(try desk.fine("projects") == ["There are no projects."])
      try desk.fine("start 11:00 b --user 'ann lee'")
      try desk.fails("users delete 'ann lee'", "track users archive 'ann lee'")
      let stop = "track stop --user 'ann lee'"
      try desk.fails("users delete 'ann lee' --yes", "The entry #1 of this user is running", stop)
      try desk.fine("stop --user 'ann lee'")
      try desk.fine("users delete 'ann lee' --yes")
      try desk.fine("workspaces create studio")
      try desk.fine("users create bob --workspace studio")
      try desk.fine("tags create u --workspace studio")
      try desk.fails(
        "workspaces delete studio", "The tag u is in it", "track tags delete u")
      try desk.fine("tags delete u")
      try desk.fails("workspaces delete studio", "The user", "track users set", "--workspace ''")
      try desk.fine("users set bob --workspace ''")
      try desk.fine("workspaces delete studio")
    }
  }

  @Test func `a deleted project is distinguished from others of its name`() throws {
    try withDesk { desk in
      for start in 6..<8 {
        try desk.fine("add \(start):00 - \(start + 1):00 a @web --user ann")
        try desk.fine("projects delete web --yes")
      }
      try desk.fine("add 8:00 - 9:00 b @solo --user ann")
      try desk.fine("projects delete solo --yes")
      try desk.fine("add 9:00 - 10:00 c @web --user ann")
      try desk.fine("projects create web --client acme")
      try desk.fine("start 10:00 d @acme/web --user ann")
      let names = ["@web (deleted, 0)", "@web (deleted, 1)", "@solo", "@web", "@acme/web"]
      #expect(
        try desk.fine("log --user ann").dropFirst().dropLast().map { line in
          String(line[(line.firstIndex(of: "@") ?? line.endIndex)...])
        } == names)
      #expect(try desk.fine("status --user ann").first?.contains("d  @acme/web") == true)
      let groups = try desk.fine("report --by project --user ann").joined(separator: "\n")
      let screen = try desk.run("app --user ann --size 90x20", input: "screen").output
      for name in names {
        #expect(groups.contains("\n\(name.dropFirst())  "), "\(name)")
        #expect(screen.contains(" \(name)  "), "\(name)")
      }
    }
  }

  @Test func `an entry bills as the project to which it changes`() throws {
    try withDesk { desk in
      try desk.fine("projects create shop --rate 60")
      try desk.fine("add 9:00 - 10:00 a")
      try desk.fine("edit 0 @shop")
      func entry() throws -> [String: Any] {
        try #require((json(desk.fine("log --json").joined()) as? [[String: Any]])?.first)
      }
      #expect(try entry()["billable"] as? Bool == true && entry()["rate"] as? Int == 6_000)
      try desk.fine("edit 0 --project ''")
      #expect(try entry()["billable"] as? Bool == false)
      try desk.fine("edit 0 --billable")
      try desk.fine("edit 0 @other")
      // The entry was billable although its project was not, so it stays billable.
      #expect(try entry()["billable"] as? Bool == true)
    }
  }

  @Test func `a demo is a store of its own and is the same for the same seed`() throws {
    try withDesk { desk in
      let home = URL(fileURLWithPath: desk.store).deletingLastPathComponent().path
      func log(_ seed: String, _ folder: String) throws -> String {
        let now = "2026-03-02T10:00:00Z"
        try expectFine(["track", "demo", "--store", folder, "--seed", seed, "--now", now])
        return try expectFine(
          ["track", "log", "--store", folder, "--limit", "500", "--json", "--now", now])
      }
      let preview = try expectFine(
        ["track", "demo", "--store", "\(home)/1", "--dry-run"])
      #expect(preview.hasPrefix("would make "))
      #expect(!FileManager.default.fileExists(atPath: "\(home)/1"))
      let first = try log("3", "\(home)/1")
      #expect(try log("3", "\(home)/2") == first)
      #expect(try log("4", "\(home)/3") != first)
      let verified = try expectFine(
        ["replay", "verify", "--decide", "--store", "\(home)/1"])
      #expect(verified.contains("intact"))
      try expectFailure(
        ["track", "demo", "--store", "\(home)/1"], exit: 1, mentions: ["entries"])
      let made = try expectFine(["track", "demo"], environment: ["XDG_DATA_HOME": home])
      #expect(made.contains("\(home)/retrace/demo"))
    }
  }

  @Test func `the time spent is beside the estimate`() throws {
    try withDesk { desk in
      try desk.fine("projects create web --estimate 10h")
      try desk.fine("projects create other")
      try desk.fine("tasks create logo --project web --estimate 2h")
      try desk.fine("add 7:00 - 9:30 draft @web", "12:00")
      try desk.fine("add 9:30 - 11:00 logo @web/logo", "12:00")
      try desk.fine("add 11:00 - 11:30 x @other", "12:00")
      try desk.fine("start logo @web/logo", "12:00")
      try desk.fine("delete @2 --yes", "12:00")
      #expect(
        try desk.fine("projects", "13:00") == ["other", "web    estimate 10:00, 50% spent"])
      #expect(
        try desk.fine("tasks", "13:00") == ["logo  project web  estimate 2:00, 125% spent"])
      let json = try desk.fine("projects --json", "13:00").joined()
      #expect(json.contains(#""estimate":"10:00","spent":"5:00","color":"blue""#), "\(json)")
      // An estimate of less than a second counts, too.
      try desk.fine("projects create tiny --estimate 0.0001h", "13:00")
      #expect(try desk.fine("projects", "13:00").contains { $0.hasPrefix("tiny") })
      // The time of a merged project counts, too.
      try desk.fine("projects create net", "13:00")
      try desk.fine("add 5:00 - 7:00 y @net", "13:00")
      try desk.fine("projects merge net web", "13:00")
      #expect(try desk.fine("projects", "13:00").last?.hasSuffix("70% spent") == true)
    }
  }

  @Test func `a name is found in either form of its letters`() throws {
    let (one, two) = ("caf\u{E9}", "Cafe\u{301}")
    for (known, typed) in [(one, two), (two, one)] {
      try withDesk { desk in
        try desk.fine("clients create \(known)")
        try desk.fine("projects create \(known) --client \(typed)")
        try desk.fine("tasks create \(known) --project \(typed)")
        try desk.fine("add 8:00 - 9:00 a @\(known)/\(known) +\(known) --user \(known)")
        let added = try desk.fine("add 9:00 - 10:00 b @\(typed)/\(typed) +\(typed) --user \(typed)")
        #expect(added.count == 1, "\(added)")
        try desk.fine("add 10:00 - 11:00 c +\(typed) --project \(typed) --task \(typed)")
        try desk.fine("edit 0 @\(typed)/\(typed) --tag \(typed) -- d")
        for filter in [
          "@\(typed)", "#\(typed)", "client:\(typed)", "--project \(typed)", "--tag \(typed)",
          "--client \(typed)", "@\(typed)/\(typed)", "--project \(typed)/\(typed)",
        ] {
          #expect(try desk.fine("log --csv \(filter)").count == 4, "\(filter)")
        }
        #expect(try desk.fine("log --csv task:\(typed)").count == 2)
        try desk.fine("add 11:00 - 12:00 the \(known)")
        for filter in ["text:\(typed)", "\"the \(typed)\""] {
          #expect(try desk.fine("log --csv --filter '\(filter)'").count == 2, "\(filter)")
        }
        #expect(try desk.fine("search the \(typed)").contains { $0.contains("the \(known)") })
        #expect(try desk.fine("log --csv --user \(typed)").count == 3)
        try desk.fails("projects create \(typed) --client \(typed)", "is taken")
        try desk.fails("tags create \(typed)", "is taken")
        for kind in ["projects", "clients", "tags", "tasks"] {
          #expect(try desk.fine(kind).count == 1, "\(kind)")
        }
        try desk.fine("untag 1 \(typed)")
        try desk.fine("tags rename \(typed) tea")
        #expect(try desk.entries().count { $0.hasSuffix("#tea") } == 2)
      }
    }
    // Names that were created earlier in both forms are two names, each found as it is written.
    try withDesk { desk in
      try desk.fine("projects create \(one)")
      try desk.fine("projects create other")
      try desk.fine("projects rename other \(two)")
      try desk.fine("add 8:00 - 9:00 a @\(one)")
      try desk.fine("add 9:00 - 10:00 b @\(two)")
      #expect(try desk.fine("log --csv @\(one)").count == 2)
      #expect(try desk.fine("log --csv @\(two)").count == 2)
    }
  }

  @Test func `a task with its project before it gets the command that creates it`() throws {
    try withDesk { desk in
      try desk.fine("projects create web")
      try desk.fails(
        "tasks create web/dev", exit: 64, "`track tasks create dev --project web`")
      try desk.fine("tasks create dev --project web")
      #expect(try desk.fine("add 8:00 - 9:00 x @web/dev --json").joined().contains("\"dev\""))
    }
  }

  @Test func `a project stays in its workspace, and the advice moves its entries to another`()
    throws
  {
    try withDesk { desk in
      try desk.fine("projects create 'big API'")
      try desk.fine("add 8:00 - 9:00 x '@big API' --billable")
      try desk.fine("workspaces create studio --currency USD --rate 90")
      for words in ["", "--rate 5"] {
        try desk.fails(
          "projects set 'big API' --workspace studio \(words)", exit: words.isEmpty ? 64 : 1,
          "moves nothing", "`track projects create 'big API' --workspace studio`")
      }
      // The commands of the advice.
      try desk.fine("projects create 'big API' --workspace studio")
      try desk.fine(
        "edit --filter '@\"big API\" and workspace:none' --workspace studio --yes "
          + "--project 'big API'"
      )
      #expect(try desk.fine("log --csv").element(1).contains(",90.00,USD,90.00,"))
    }
  }
}
