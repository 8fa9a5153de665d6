import Foundation
import RetraceToolSupport
import Testing
import ToolTestSupport

@testable import TrackerCommandLine

/// The settings of `track`: a file, the environment, and the command that shows and changes them.
@Suite struct ConfigTests {
  /// A folder with a file of settings and a store.
  struct Desk {
    let folder: String
    var environment: [String: String] { ["XDG_CONFIG_HOME": folder, "XDG_DATA_HOME": folder] }
    var path: String { "\(folder)/retrace/track.toml" }

    /// The file of settings, if any.
    var file: String? { try? String(contentsOfFile: path, encoding: .utf8) }

    func write(_ text: String) throws {
      try FileManager.default.createDirectory(
        atPath: "\(folder)/retrace", withIntermediateDirectories: true)
      try text.write(toFile: path, atomically: true, encoding: .utf8)
    }

    @discardableResult
    func fine(_ words: String..., environment more: [String: String] = [:]) throws -> String {
      try expectFine(["track"] + words, environment: environment.merging(more) { $1 })
    }

    func fails(
      _ words: String..., exit: Int32 = 64, mentions: [String],
      environment more: [String: String] = [:], location: SourceLocation = #_sourceLocation
    ) throws {
      try expectFailure(
        ["track"] + words, exit: exit, mentions: mentions,
        environment: environment.merging(more) { $1 }, location: location)
    }

    /// The value and the source of a setting.
    func setting(
      _ name: String, _ options: String..., environment more: [String: String] = [:]
    ) throws -> [String] {
      let output = try expectFine(
        ["track", "config", "--json"] + options, environment: environment.merging(more) { $1 })
      let all = try #require(try object(output)["settings"] as? [[String: Any]])
      let found = try #require(all.first { $0["name"] as? String == name })
      let place = found["line"] ?? found["variable"] ?? found["option"]
      return [found["value"], found["source"], place].compactMap { $0.map { "\($0)" } }
    }
  }

  private func withDesk(_ body: (Desk) throws -> Void) throws {
    try withTemporaryDirectory { folder in try body(Desk(folder: folder)) }
  }

  @Test func `the app sets and removes the calendars as the verb does`() throws {
    try withDesk { desk in
      var environment = desk.environment
      environment["HOME"] = desk.folder
      let settings = try Configuration(in: Environment(environment))
      try desk.write("# mine\nmouse = \"off\"\n")
      let paths = ["\(desk.folder)/a.ics", "/b"]
      #expect(try settings.setCalendars("~/a.ics:/b") == paths)
      #expect(
        try desk.fine("config", environment: environment).contains(paths.joined(separator: ":")))
      #expect(desk.file == "# mine\nmouse = \"off\"\ncalendars = \"~/a.ics:/b\"\n")
      #expect(throws: ToolFailure.self) { try settings.setCalendars("a.ics") }
      #expect(try settings.setCalendars(" ") == [])
      #expect(try settings.setCalendars("") == [])
      #expect(desk.file == "# mine\nmouse = \"off\"\n")
    }
  }

  @Test func `without a file the defaults are in force, and nothing is written`() throws {
    try withDesk { (desk) throws in
      #expect(try desk.setting("color") == ["auto", "default"])
      #expect(try desk.setting("store") == ["\(desk.folder)/retrace/track", "default"])
      #expect(try desk.fine("config").lines.first == "file  \(desk.path) (does not exist)")
      #expect(try desk.fine("config", "path") == "\(desk.path)\n")
      #expect(try FileManager.default.subpathsOfDirectory(atPath: desk.folder) == [])
    }
  }

  @Test func `a filter that no use would understand is not saved`() throws {
    try withDesk { (desk) throws in
      for (filter, mention) in [
        ("duration>>2h", "duration"), ("duraton>2h", "Did you mean duration?"),
        ("date:nonsense", "nonsense"), ("billable:maybe", "maybe"), ("#a and (@b or id:x)", "x"),
        ("not week:0", "week"), ("(#a", "filters.bad"),
      ] {
        try desk.fails(
          "config", "set", "filters.bad", filter, mentions: [mention, "were not changed"])
      }
      #expect(desk.file == nil)
      // Names may be given later.
      try desk.fine("config", "set", "filters.a", "#new and @client/p and duration>2h")
      try desk.fine("config", "set", "filters.b", "saved:a or week:this")
      try desk.fails(
        "config", "set", "filters.c", "saved:a and running:perhaps", mentions: ["perhaps"])
      try desk.fails("config", "set", "filters.c", "saved:x", mentions: ["filters.c"])
      #expect(desk.file?.contains("filters.c") == false)
    }
  }

  @Test func `every setting with a grammar is refused with the reason of its parser`() throws {
    try withDesk { (desk) throws in
      for (name, value, mention) in [
        ("zone", "Europe/Berln", "Europe/Berlin"), ("color", "alwys", "always"),
        ("theme", "drk", "dark"), ("user", " ", "empty"), ("store", "relative", "absolute"),
      ] {
        try desk.fails("config", "set", name, value, mentions: [mention])
      }
      #expect(desk.file == nil)
      for words in [
        ["--day-start", "24:00"], ["--day-start", "4"], ["--zone", "Mars"], ["--week-start", "x"],
      ] {
        try expectFailure(
          ["track", "preferences", "--store", "\(desk.folder)/s"] + words, exit: 64,
          mentions: [words[0]])
      }
    }
  }

  @Test func `options are shown with the settings that they replace`() throws {
    try withDesk { (desk) throws in
      #expect(try desk.setting("user", "--user", "zoe") == ["zoe", "option", "--user"])
      #expect(try desk.setting("zone", "--tz", "Asia/Tokyo") == ["Asia/Tokyo", "option", "--tz"])
    }
  }

  @Test func `an option has precedence over the environment, and that over the file`() throws {
    try withDesk { (desk) throws in
      try desk.write(
        """
        # mine
        user = "anna"
        store = "\(desk.folder)/file"
        zone = 'Europe/Berlin'
        color = "always"
        """)
      #expect(try desk.setting("user") == ["anna", "file", "2"])
      let user = ["RETRACE_USER": "ben"]
      #expect(
        try desk.setting("user", environment: user) == ["ben", "environment", "RETRACE_USER"])
      #expect(try desk.setting("store") == ["\(desk.folder)/file", "file", "3"])
      let store = ["RETRACE_STORE": "\(desk.folder)/variable"]
      #expect(
        try desk.setting("store", environment: store)
          == ["\(desk.folder)/variable", "environment", "RETRACE_STORE"])
      #expect(
        try desk.setting("store", "--store", "/x", environment: store)
          == ["/x", "option", "--store"])
      #expect(try desk.setting("zone") == ["UTC", "environment", "TZ"])
      #expect(try desk.setting("color") == ["always", "file", "5"])
      #expect(
        try desk.setting("color", environment: ["NO_COLOR": "1"])
          == ["never", "environment", "NO_COLOR"])

      // The commands follow them.
      let now = ["--now", "2026-03-02T09:00:00Z"]
      try expectFine(["track", "start", "a"] + now, environment: desk.environment)
      let status = try object(try desk.fine("status", "--json", "--store", "\(desk.folder)/file"))
      #expect(status["user"] as? String == "anna" && status["running"] is [String: Any])
      #expect(try desk.fine("status", environment: user).contains("for ben"))
    }
  }

  @Test func `the zone of the file holds without TZ, and its store may be below the home`() throws {
    try withDesk { (desk) throws in
      try desk.write("zone = \"Asia/Tokyo\"\nstore = \"~/mine\"\n")
      var environment = desk.environment.merging(["HOME": desk.folder]) { $1 }
      environment["RETRACE_CONFIG"] = desk.path
      func track(_ words: String...) throws -> ToolResult {
        let words = words + ["--now", "2026-03-02T09:00:00Z"]
        return try runProgram(Tools.url("track").path, words, environment: environment)
      }
      #expect(try track("start", "10:00", "a").status == 0)
      #expect(FileManager.default.fileExists(atPath: "\(desk.folder)/mine"))
      let status = try track("status", "--json")
      let running = try #require(try status.json()["running"] as? [String: Any])
      #expect(running["start"] as? String == "2026-03-02T01:00:00Z")
      #expect(running["zone"] as? String == "Asia/Tokyo")

      try desk.write("\nzone = \"Asia/Tokio\"\nstore = \"~/mine\"\n")
      let failed = try track("start", "10:00", "a")
      #expect(failed.status == 64)
      #expect(failed.errors.contains("line 2: `zone`: The zone `Asia/Tokio` is not known"))
      // A command that would use another zone, or none, fails as well.
      environment["TZ"] = "UTC"
      for words in [["status"], ["schema"], ["config"]] {
        let result = try runProgram(Tools.url("track").path, words, environment: environment)
        #expect(result.status == 64 && result.errors.contains("Did you mean Asia/Tokyo?"))
      }
    }
  }

  @Test func `replay, audit and the completion read the store of the settings`() throws {
    try withDesk { (desk) throws in
      try desk.write("user = \"anna\"\nstore = \"~/mine\"\n")
      let variables = desk.environment.merging(["HOME": desk.folder]) { $1 }
      func fine(_ words: String..., more: [String: String] = [:]) throws -> String {
        try expectFine(words, environment: variables.merging(more) { $1 })
      }
      let start = ["track", "start", "a", "@thesis", "--now", "2026-03-02T09:00:00Z"]
      try expectFine(start, environment: variables)
      #expect(FileManager.default.fileExists(atPath: "\(desk.folder)/mine"))
      #expect(try fine("replay", "sessions").contains("1 "))
      #expect(try fine("audit", "list", "--kind", "action").contains("thesis"))
      #expect(try fine("track", "__complete", "--", "start", "@the").contains("@thesis"))

      // The environment has precedence over the file, and the option over both.
      let other = ["RETRACE_STORE": "\(desk.folder)/other"]
      for command in [["replay", "sessions"], ["audit", "verify"]] {
        try expectFailure(
          command, exit: 6, mentions: ["\(desk.folder)/other"],
          environment: variables.merging(other) { $1 })
        try expectFine(
          command + ["--store", "\(desk.folder)/mine"],
          environment: variables.merging(other) { $1 })
      }

      // The replay tool of another app has no settings.
      let unset = try run("testapp", ["sessions"], environment: variables.merging(other) { $1 })
      #expect(unset.status == 6 && unset.errors.contains("\(desk.folder)/retrace/testapp"))

      for (text, mentions) in [
        ("\nstore = \"mine\"\n", ["line 2", "not absolute"]),
        ("store = 5\n", ["line 1, column 9", "text in quotes"]),
        ("store = mine\n", ["line 1, column 9", "text in quotes"]),
      ] {
        try desk.write(text)
        for command in [["replay", "sessions"], ["audit", "verify"]] {
          try expectFailure(
            command, exit: 64, mentions: mentions + [desk.path], environment: variables)
        }
      }
    }
  }

  @Test(
    arguments: [
      ("user = \"anna\"\nusr = \"ben\"", ["line 2", "`usr`", "Did you mean user?"]),
      ("[filter]\na = \"b\"", ["line 1", "`filter`", "Did you mean filters?"]),
      ("[color]\nx = \"1\"", ["line 1", "`color`"]),
      ("color.x = \"1\"", ["line 1", "`color.x`"]),
      ("\n\nuser = 5", ["line 3, column 8", "text in quotes"]),
      ("color = true", ["line 1, column 9", "text in quotes"]),
      ("color = \"allways\"", ["line 1", "`allways`", "Did you mean always?"]),
      ("theme = \"\"", ["line 1", "auto, dark, light"]),
      ("user = \" \"", ["line 1", "empty"]),
      ("store = \"here\"", ["line 1", "not absolute"]),
      ("pager = ''", ["line 1", "empty"]),
      ("filters = \"x\"", ["line 1", "`filters`"]),
      ("[filters]\na = [1]", ["line 2, column 5", "text in quotes"]),
      ("[filters]\na = \"(#x\"", ["line 2", "`filters.a`", "parenthesis"]),
      ("[filters]\na = \"#x\"\nb = \"saved:c\"", ["line 3", "`filters.b`", "saved filter `c`"]),
      ("[filters]\na = \"#x\"\nb = \"saved:aa\"", ["line 3", "The saved filters are a, b."]),
      ("[filters]\na = \"saved:b\"\nb = \"saved:a\"", ["line 2", "contains itself: a, b, a"]),
      ("filters.a.b = \"x\"", ["line 1, column 1", "text in quotes"]),
      ("user = anna", ["line 1, column 8", "text in quotes"]),
      ("user = \"a\"\nuser = \"b\"", ["line 2, column 1", "twice"]),
      ("start = 2026-03-02", ["line 1, column 9", "text in quotes"]),
    ] as [(String, [String])])
  func `a wrong file is an error of every command, and nothing is written`(
    text: String, mentions: [String]
  ) throws {
    try withDesk { (desk) throws in
      try desk.write(text)
      let mentions = mentions + [desk.path]
      try desk.fails("start", "a", mentions: mentions)
      try desk.fails("status", mentions: mentions)
      try desk.fails("config", mentions: mentions)
      try desk.fails("config", "set", "theme", "dark", mentions: mentions)
      #expect(desk.file == text)
      #expect(
        try FileManager.default.subpathsOfDirectory(atPath: desk.folder).sorted()
          == ["retrace", "retrace/track.toml"])
      // Help and the version read no settings.
      try desk.fine("--version")
      try desk.fine("start", "--help")
      try desk.fine("help")
      try desk.fine("config", "path")
    }
  }

  @Test func `a file that cannot be read is an error`() throws {
    try withDesk { (desk) throws in
      try FileManager.default.createDirectory(atPath: desk.path, withIntermediateDirectories: true)
      try desk.fails("status", mentions: [desk.path, "not a file"])
      try desk.fails(
        "status", mentions: ["/nonexistent/x.toml", "RETRACE_CONFIG"],
        environment: ["RETRACE_CONFIG": "/nonexistent/x.toml"])
      try desk.fine("status", environment: ["RETRACE_CONFIG": "/dev/null"])
      try desk.fails(
        "config", "set", "user", "x", mentions: ["/dev/null"],
        environment: ["RETRACE_CONFIG": "/dev/null"])
    }
  }

  private func file(_ text: String, in desk: Desk) throws -> String {
    let path = "\(desk.folder)/other.toml"
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  @Test func `a value is set and unset, and the rest of the file stays`() throws {
    try withDesk { (desk) throws in
      try desk.fine("config", "set", "user", "anna")
      #expect(desk.file == "user = \"anna\"\n")
      let text = "# mine\nuser = 'anna' # me\n\n# saved\n[filters]\nwork = \"@a\"\n"
      try desk.write(text)
      try desk.fine("config", "set", "user", "ben \"b\"")
      try desk.fine("config", "set", "filters.deep work", "#focus")
      let changed =
        "# mine\nuser = \"ben \\\"b\\\"\" # me\n\n# saved\n[filters]\nwork = \"@a\"\n"
        + "\"deep work\" = \"#focus\"\n"
      #expect(desk.file == changed)
      try desk.fails("config", "set", "colour", "never", mentions: ["Did you mean color?"])
      try desk.fails("config", "set", "color", "nver", mentions: ["Did you mean never?"])
      try desk.fails("config", "set", "zone", "Europe/Berln", mentions: ["Europe/Berln"])
      try desk.fails("config", "set", "filters.x", "a and", mentions: ["`and`"])
      try desk.fails("config", "set", "user", mentions: ["NAME VALUE"])
      try desk.fails("config", "unset", "theme", exit: 1, mentions: ["theme"])
      try desk.fails("config", "sett", mentions: ["Did you mean set?"])
      try desk.fails("config", "theme", "dark", mentions: ["`track config set theme dark`"])
      try desk.fails("config", "theme", mentions: ["`track config set theme VALUE`"])
      #expect(desk.file == changed)
      try desk.fine("config", "unset", "user")
      #expect(desk.file?.contains("user") == false)
      let listed = try object(try desk.fine("config", "--json"))["filters"] as? [[String: Any]]
      #expect(listed?.map { $0["name"] as? String } == ["work", "deep work"])
      #expect(listed?.map { $0["line"] as? Int } == [5, 6])
    }
  }

  @Test func `a wrong zone in the file is corrected by hand`() throws {
    try withDesk { (desk) throws in
      try desk.write("zone = \"Mars/X\"\n")
      try desk.fails("config", "set", "zone", "UTC", mentions: ["Mars/X", "track config edit"])
      let editor = ["EDITOR": "sed -i s,Mars/X,UTC,", "VISUAL": ""]
      try desk.fine("config", "edit", environment: editor)
      #expect(desk.file == "zone = \"UTC\"\n")
    }
  }

  @Test func `a dry run of a setting checks it and writes nothing`() throws {
    try withDesk { (desk) throws in
      let line = try desk.fine("config", "set", "user", "anna", "--dry-run")
      #expect(line.hasPrefix("would be set  user to anna in "))
      #expect(desk.file == nil)
      try desk.write("user = \"ben\"\n")
      try desk.fails("config", "set", "color", "nver", "--dry-run", mentions: ["never"])
      try desk.fails("config", "edit", "--dry-run", mentions: ["no dry run"])
      let json = try object(try desk.fine("config", "unset", "user", "--dry-run", "--json"))
      #expect(json["dryRun"] as? Bool == true)
      #expect(desk.file == "user = \"ben\"\n")
    }
  }

  @Test func `a link to the file stays a link`() throws {
    try withDesk { (desk) throws in
      try desk.write("")
      let target = try file("# mine\n", in: desk)
      try FileManager.default.removeItem(atPath: desk.path)
      try FileManager.default.createSymbolicLink(
        atPath: desk.path, withDestinationPath: target)
      try desk.fine("config", "set", "user", "anna")
      #expect(try String(contentsOfFile: target, encoding: .utf8) == "# mine\nuser = \"anna\"\n")
      #expect(
        try FileManager.default.destinationOfSymbolicLink(atPath: desk.path) == target)
    }
  }

  @Test func `the editor gets the file, also a wrong one, and the result is checked`() throws {
    try withDesk { (desk) throws in
      try desk.fine("config", "edit", environment: ["EDITOR": "true", "VISUAL": ""])
      // The new file has every setting as a comment, and none is in force.
      let template = try #require(desk.file)
      let names = [
        "user", "store", "zone", "color", "theme", "pager", "mouse", "screens", "calendars",
      ]
      for name in names {
        #expect(template.contains("\n# \(name) = \""))
      }
      #expect(try desk.setting("user").last == "default")
      // All examples are valid.
      try desk.write(template.replacing(#/\n# (?=[a-z]+ = ")/#, with: "\n"))
      #expect(try desk.setting("user") == ["anna", "file", "4"])
      try desk.write("usr = \"anna\"\n")
      let editor = ["EDITOR": "false", "VISUAL": "sed -i s/usr/user/"]
      try desk.fine("config", "edit", environment: editor)
      #expect(desk.file == "user = \"anna\"\n")
      try desk.fails(
        "config", "edit", mentions: ["`ser`"],
        environment: ["EDITOR": "sed -i s/^user/ser/", "VISUAL": ""])
      try desk.fails(
        "config", "edit", exit: 1, mentions: ["false"],
        environment: ["EDITOR": "false", "VISUAL": ""])
    }
  }

  @Test func `saved filters are part of filters`() throws {
    try withDesk { (desk) throws in
      for (hour, words) in [(8, "a #focus"), (9, "b @thesis"), (10, "c")] {
        try expectFine(
          ["track", "add", "\(hour):00", "-", "\(hour):30"]
            + words.split(separator: " ").map(String.init) + ["--now", "2026-03-02T12:00:00Z"],
          environment: desk.environment)
      }
      func listed(_ filter: String) throws -> [String?] {
        let output = try desk.fine("log", "--json", "--filter", filter)
        let entries = try #require(try json(output) as? [[String: Any]])
        return entries.map { $0["description"] as? String }
      }
      try desk.fails("log", "--filter", "saved:deep", mentions: ["track config set filters.deep"])
      try desk.fine("config", "set", "filters.deep", "#focus")
      try desk.fine("config", "set", "filters.my work", "saved:deep or @thesis")
      #expect(try listed("saved:deep") == ["a"])
      #expect(try listed("saved:\"my work\"") == ["a", "b"])
      #expect(try listed("not saved:\"my work\"") == ["c"])
      #expect(try listed("saved:deep or text:c") == ["a", "c"])
      try desk.fails("report", "--filter", "saved:dep", mentions: ["Did you mean deep?"])
      try desk.fails("week", "--filter", "svaed:deep", mentions: ["Did you mean saved?"])
      try desk.fails(
        "config", "set", "filters.deep", "saved:\"my work\"", mentions: ["contains itself"])
      #expect(try listed("saved:deep") == ["a"])
    }
  }
}
