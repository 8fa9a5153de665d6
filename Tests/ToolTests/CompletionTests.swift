import Foundation
import Testing
import ToolTestSupport

/// Completions of `track` in the shells themselves.
///
/// They need bash, zsh and fish, which `Tools/prepare test` installs.
@Suite struct CompletionTests {
  /// Names that a shell would change or run if they were not quoted, and what is typed of each.
  static let names = [
    "big project": "big", "it's; touch $PWNED": "it", "$(touch $PWNED)": "",
    "q\"u`touch $PWNED`": "q", "a\\b*?[x]{y}": "a", "ünï 界": "ü", "c:d=e@f#g+h": "c:d",
    "!h ^i ~j|k&l<m>n": "", "%s\\n%(z)": "%",
  ]

  /// A shell with the completions of `track`, and a command `show` that stores its arguments.
  private struct Shell {
    let path: String
    let arguments: [String]
    let setup: [String]

    static let bash = Shell(
      path: "/bin/bash", arguments: ["--norc", "--noprofile", "-i"],
      setup: [
        "source <(track completions bash)", "set +o history", "complete -F _track show",
        "show() { printf '%s\\0' $# \"$@\" >>\"$OUT\"; }",
      ])
    static let zsh = Shell(
      path: "/usr/bin/zsh", arguments: ["-f", "-i"],
      setup: [
        "autoload -Uz compinit; compinit -u -D", "source <(track completions zsh)",
        "compdef _track show", "PROMPT='READY> '",
        "show() { printf '%s\\0' $# \"$@\" >>\"$OUT\" }",
      ])

    /// Types lines and the tab key after each, and returns the arguments of the commands.
    func complete(_ lines: [String], in folder: String, data: String) throws -> [[String]] {
      let out = "\(folder)/out"
      try? FileManager.default.removeItem(atPath: out)
      var steps = setup.map { TerminalScript.Step.send($0 + "\r") }
      for (number, line) in lines.enumerated() {
        // The text that is expected is not on the line itself.
        steps += [.send("echo DO''NE\(number)\r"), .expect("DONE\(number)"), .expect("READY> ")]
        steps += [.send(line + "\t"), .send("\r")]
      }
      steps += [.send("echo DO''NE\r"), .expect("DONE"), .send("exit\r")]
      let script = TerminalScript(
        program: path, arguments: arguments,
        environment: [
          "HOME": folder, "XDG_DATA_HOME": data, "OUT": out, "PWNED": "\(folder)/pwned",
          "PATH": "\(Tools.folder.path):/usr/bin:/bin", "LC_ALL": "C.UTF-8", "PS1": "READY> ",
        ], steps: steps)
      let session = try script.run()
      #expect(session.missing == nil, "\(session.output)")
      let stored = FileManager.default.contents(atPath: out) ?? Data()
      var words = stored.split(separator: 0, omittingEmptySubsequences: false)
        .map { String(decoding: $0, as: UTF8.self) }[...]
      var commands: [[String]] = []
      while let count = words.popFirst().flatMap({ Int($0) }) {
        commands.append(Array(words.prefix(count)))
        words = words.dropFirst(count)
      }
      return commands
    }
  }

  /// Makes a store in the data directory of a new folder, and calls the body with the folder.
  private func withStore(_ commands: [[String]], _ body: (String) throws -> Void) throws {
    try withTemporaryDirectory { folder in
      for command in commands {
        let result = try run("track", command, environment: ["XDG_DATA_HOME": "\(folder)/data"])
        #expect(result.status == 0, "\(command): \(result.errors)")
      }
      try body(folder)
      #expect(!FileManager.default.fileExists(atPath: "\(folder)/pwned"), "A name was executed.")
    }
  }

  /// The words that the tool offers after other words.
  private func offered(_ words: [String], in folder: String) throws -> [String] {
    let result = try run(
      "track", ["__complete", "--"] + words, environment: ["XDG_DATA_HOME": "\(folder)/data"])
    #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    return result.output.lines.map { String($0.prefix { $0 != "\t" }) }
  }

  @Test func `a project is offered after its client where its name is not unique`() throws {
    try withTemporaryDirectory { folder in
      for (project, client) in [
        ("web", "acme"), ("web", "big"), ("solo", "big"), ("mail", ""), ("mail", "acme"),
      ] {
        try expectFine(
          ["track", "projects", "create", project, "--client", client],
          environment: ["XDG_DATA_HOME": "\(folder)/data"])
      }
      for (typed, found) in [
        ("@", ["@/mail", "@acme/mail", "@acme/web", "@big/web", "@solo"]),
        ("@big/", ["@big/solo", "@big/web"]), ("@bi", ["@big/solo", "@big/web"]),
        ("@s", ["@solo"]), ("@/", ["@/mail"]),
        // `start` refuses a name that several projects have.
        ("@w", ["@acme/web", "@big/web"]), ("@ma", ["@/mail", "@acme/mail"]),
        ("@ACME/w", ["@acme/web"]), ("@x/", []),
      ] {
        #expect(try offered(["start", typed], in: folder).sorted() == found, "\(typed)")
      }
      for name in try offered(["start", "@"], in: folder) {
        try expectFine(
          ["track", "start", "x", name, "--dry-run"],
          environment: ["XDG_DATA_HOME": "\(folder)/data"])
      }
    }
  }

  @Test func `changes are offered by their names, with what they did`() throws {
    let store = [
      ["add", "2026-03-02", "9:00", "-", "10:00", "one"], ["projects", "create", "alpha"],
      ["add", "2026-03-02", "10:00", "-", "11:00", "two"], ["undo"],
    ]
    try withStore(store) { folder in
      let environment = ["XDG_DATA_HOME": "\(folder)/data", "TZ": "UTC"]
      func offered(_ words: [String]) throws -> [String] {
        try expectFine(["track", "__complete", "--"] + words, environment: environment).lines
      }
      let undone = try offered(["restore", ""])
      #expect(undone.count == 1 && undone[0].contains("two"), "\(undone)")
      let others = try offered(["undo", "c"])
      #expect(others.count == 2 && others[0].hasSuffix("\tcreated project alpha"), "\(others)")
      #expect(Set(others).isDisjoint(with: undone))
      let name = String(try #require(others.first).prefix { $0 != "\t" })
      #expect(try offered(["undo", name]) == [others[0]] && offered(["undo", "c1", ""]).isEmpty)
      try expectFine(["track", "undo", name, "--dry-run"], environment: environment)
    }
  }

  @Test func `config offers its verbs and the settings`() throws {
    try withTemporaryDirectory { folder in
      for (typed, found) in [
        ([""], ["path", "edit", "set", "unset"]), (["set", "t"], ["theme"]),
        (["set", "theme", ""], []),
      ] {
        let words = try offered(["config"] + typed, in: folder)
        #expect(words == found, "\(typed)")
      }
    }
  }

  private static var commands: [String] {
    HelpTests.commands.filter { $0[0] == "track" }.map { $0[1] }
  }

  @Test func `every command, option and page of help is offered in each shell`() throws {
    try withTemporaryDirectory { folder in
      var lines = ["": Set(Self.commands + ["help"])]
      for beginning in ["fi", "ti", "sta"] {
        let pages = (Self.commands + ["times", "filters"]).filter { $0.hasPrefix(beginning) }
        lines["help \(beginning)"] = Set(pages)
      }
      for command in Self.commands {
        let help = try expectFine(["track", command, "--help"])
        let usage = help.lines.drop { !$0.hasPrefix("USAGE:") }.prefix { !$0.isEmpty }
          .joined(separator: " ")
        let options = usage.matches(of: /--[a-z-]+/).map { String($0.output) }
        #expect(options.count >= 2, "\(usage)")
        lines["\(command) --"] = Set(options + ["--help"])
      }
      for (shell, script) in Self.listing {
        let keys = lines.keys.sorted()
        let result = try ToolTestSupport.shell(
          "exec \(shell) \"$@\"", script + keys,
          environment: ["HOME": folder, "XDG_DATA_HOME": folder, "LC_ALL": "C.UTF-8"])
        #expect(result.status == 0 && result.errors.isEmpty, "\(shell): \(result.errors)")
        let answers = result.output.split(separator: "\u{1}\n", omittingEmptySubsequences: false)
        try #require(answers.count == keys.count + 1, "\(shell): \(result.output)")
        for (key, answer) in zip(keys, answers) {
          let words = Set(answer.split(separator: "\n").map(String.init))
          #expect(words == lines[key], "\(shell): \(key)")
        }
      }
      // Verbs and options are known without a store, and none was made.
      #expect(!FileManager.default.fileExists(atPath: "\(folder)/retrace"))
    }
  }

  /// For each shell, arguments before lines that make it print what it offers after each.
  private static let listing: [(shell: String, arguments: [String])] = [
    (
      "bash",
      [
        "-c",
        """
        source <(track completions bash)
        for line in "$@"; do
          COMP_LINE="track $line" COMP_POINT=$((${#line} + 6))
          IFS=' ' read -ra COMP_WORDS <<<"track $line"
          [[ -n $line ]] || COMP_WORDS+=('')
          COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
          _track track "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
          printf '%s\\n' "${COMPREPLY[@]}" | grep -v -e ^--version$ -e '^$'
          [[ -n $line ]] || true
          printf '\\1\\n'
        done | sed '1,/\\x01/{/^--help$/d}'
        """, "bash",
      ]
    ),
    (
      "zsh",
      [
        "-f", "-c",
        """
        compdef() { : }
        compadd() { print -rl -- "${candidates[@]}" | grep -v -e '^--version$' }
        source <(track completions zsh)
        for line in "$@"; do
          words=(track "${(@s: :)line}") CURRENT=${#words} PREFIX=$words[-1]
          _track
          printf '\\1\\n'
        done | sed '1,/\\x01/{/^--help$/d}'
        """, "zsh",
      ]
    ),
    (
      "fish",
      [
        "--no-config", "-c",
        """
        track completions fish | source
        for line in $argv
          complete -C "track $line" | string replace -r '\\t.*' '' | grep -v -e '^--version$'
          printf '\\1\\n'
        end | sed '1,/\\x01/{/^--help$/d}'
        """,
      ]
    ),
  ]

  @Test(arguments: ["bash", "zsh"])
  func `a completed name reaches the tool as it is, and is not executed`(name: String) throws {
    let shell = name == "bash" ? Shell.bash : Shell.zsh
    for (project, typed) in Self.names {
      try withStore([["projects", "create", project]]) { folder in
        let lines =
          ["show start --project \(typed)", "show start --project '\(typed)"]
          + (project.contains("!") ? [] : ["show start --project \"\(typed)"])
          + ["show start --project=\(typed)"]
        let found = try shell.complete(lines, in: folder, data: "\(folder)/data")
        let wanted = Array(repeating: ["start", "--project", project], count: lines.count - 1)
        #expect(found == wanted + [["start", "--project=\(project)"]], "\(project)")
      }
    }
  }

  @Test(arguments: ["bash", "zsh"])
  func `words are completed where they are typed`(name: String) throws {
    let shell = name == "bash" ? Shell.bash : Shell.zsh
    let store = [
      ["start", "write", "@thesis", "+focus"], ["projects", "create", "two words"],
      ["clients", "create", "ACME Ltd."], ["stop"],
    ]
    try withStore(store) { folder in
      try Data().write(to: URL(fileURLWithPath: "\(folder)/my times.csv"))
      let words: KeyValuePairs = [
        "show sta": ["sta"], "show stat": ["status"],
        "show start a @th": ["start", "a", "@thesis"],
        "show start @two": ["start", "@two words"], "show log @th": ["log", "@thesis"],
        "show start +f": ["start", "+focus"], "show start \\#f": ["start", "#focus"],
        "show edit 0 @th": ["edit", "0", "@thesis"], "show tag foc": ["tag", "focus"],
        "show continue @th": ["continue", "@thesis"], "show delete ": ["delete", "0"],
        "show report :lastq": ["report", ":lastquarter"],
        "show report --by=project,cl": ["report", "--by=project,client"],
        "show projects create x --client AC": [
          "projects", "create", "x", "--client", "ACME Ltd.",
        ],
        "show import \(folder)/my": ["import", "\(folder)/my times.csv"],
        "show status --store=\(folder)/dat": ["status", "--store=\(folder)/data/"],
        "show start -- @th": ["start", "--", "@th"],
        "show --store \(folder)/data/retrace/track --user me start x @th": [
          "--store", "\(folder)/data/retrace/track", "--user", "me", "start", "x", "@thesis",
        ],
      ]
      let lines = words.map(\.key)
      let found = try shell.complete(lines, in: folder, data: "\(folder)/data")
      #expect(found.count == lines.count)
      for (line, (found, wanted)) in zip(lines, zip(found, words.map(\.value))) {
        // zsh takes the last slash of a directory away again.
        let isFound = found == wanted || found.map { $0 + "/" }.last == wanted.last
        #expect(isFound, "\(line): \(found)")
      }
    }
  }

  /// Evaluates the word with which fish completes a typed one, and returns what it stands for.
  private static func fish(
    _ words: String, _ typed: String, in folder: String
  ) throws -> ToolResult {
    let script = """
      track completions fish | source
      complete -c show -w track
      set line (complete -C --escape "show $argv[1] $argv[2]" \
        | string replace -r '\\t.*' '')
      eval "printf '%s' $line"
      """
    return try runProgram(
      "/usr/bin/fish", ["--no-config", "-c", script, words, typed],
      environment: [
        "HOME": folder, "XDG_DATA_HOME": "\(folder)/data", "PWNED": "\(folder)/pwned",
        "PATH": "\(Tools.folder.path):/usr/bin:/bin", "LC_ALL": "C.UTF-8",
      ])
  }

  @Test func `fish quotes what it inserts`() throws {
    for (project, typed) in Self.names {
      try withStore([["projects", "create", project]]) { folder in
        let result = try Self.fish("start --project", typed, in: folder)
        #expect(result.output == project && result.errors.isEmpty, "\(project) \(result.errors)")
      }
    }
  }

  @Test func `earlier entries are offered by their beginning, then their project and tags`() throws
  {
    let store = [
      ["start", "design the start page", "@two words", "#deep"],
      ["start", "design the start page", "@two words", "#deep"], ["start", "design"],
      ["start", "Mail to Ünï; #1", "--tag", "mail"], ["start", "--", "@home alone"],
      ["start", "--", "12"], ["start", "x\u{202E}y"], ["stop"],
    ]
    try withStore([["projects", "create", "two words"]] + store) { folder in
      let words: [([String], [String])] = [
        (["start", "desi"], ["design the start page", "design"]),
        (["start", "Design", "THE", "st"], ["start page"]),
        (["start", "design", ""], ["the start page"]),
        (["start", "design the start page", ""], ["@two words", "#deep"]),
        (["start", "design the start page", "@two words", ""], ["#deep"]),
        (["start", "#deep", "design the start page", "@"], ["@two words"]),
        (["start", "ma"], ["Mail to Ünï; #1"]),
        (["add", "2026-03-02 9:00", "-", "10:00", "mail t"], ["Mail to Ünï; #1"]),
        (["add", "2026-03-02 9:00", "-", "10:00", "mail", "t"], ["to Ünï; #1"]),
        (["start", "--", "desi"], ["design the start page", "design"]),
        (["start", "1"], []), (["start", "x"], []), (["start", "the"], []),
        (["start", "--user", "ben", "desi"], []), (["start", "--project", "desi"], []),
      ]
      for (typed, wanted) in words { #expect(try offered(typed, in: folder) == wanted, "\(typed)") }
      let meanings = try expectFine(
        ["track", "__complete", "--", "start", "desi"],
        environment: ["XDG_DATA_HOME": "\(folder)/data"])
      #expect(
        meanings.lines.map { $0.split(separator: "\t").last } == ["2 times, @two words", "once"])
      for word in try offered(["start", ""], in: folder) {
        let environment = ["XDG_DATA_HOME": "\(folder)/data", "TZ": "UTC"]
        try expectFine(["track", "start", word, "--dry-run"], environment: environment)
      }
    }
  }

  @Test(arguments: ["bash", "zsh"])
  func `a completed description reaches the tool as it is, and is not executed`(
    name: String
  ) throws {
    let shell = name == "bash" ? Shell.bash : Shell.zsh
    for (text, typed) in Self.names where !typed.isEmpty {
      try withStore([["start", "--", text]]) { folder in
        let lines =
          ["show start \(typed)", "show start '\(typed)"]
          + (text.contains("!") ? [] : ["show start \"\(typed)"])
        let found = try shell.complete(lines, in: folder, data: "\(folder)/data")
        #expect(found == Array(repeating: ["start", text], count: lines.count), "\(text)")
      }
    }
  }

  @Test func `fish quotes a description`() throws {
    for (text, typed) in Self.names where !typed.isEmpty {
      try withStore([["start", "--", text]]) { folder in
        let result = try Self.fish("start", typed, in: folder)
        #expect(result.output == text && result.errors.isEmpty, "\(text) \(result.errors)")
      }
    }
  }

  @Test func `names are the live ones, those used last first`() throws {
    let store = [
      ["projects", "create", "alpha"], ["projects", "create", "beta"],
      ["projects", "create", "gamma"], ["projects", "create", "old"],
      ["projects", "create", "two words"], ["projects", "create", "--", "-x"],
      ["projects", "create", "gone"], ["projects", "create", "alias"],
      ["projects", "create", "bidi\u{202E}x"],
      ["projects", "archive", "old"], ["projects", "delete", "gone"],
      ["projects", "merge", "alias", "alpha"],
      ["add", "2026-03-02", "9:00", "-", "10:00", "one", "@gamma", "+first"],
      ["add", "2026-03-02", "10:00", "-", "11:00", "two", "@Beta", "+5x"],
    ]
    try withStore(store) { folder in
      let words: [([String], [String])] = [
        (["start", "--project", ""], ["beta", "gamma", "-x", "alpha", "two words"]),
        (["start", "a", "@"], ["@beta", "@gamma", "@-x", "@alpha", "@two words"]),
        (["log", ":week", "@b"], ["@beta"]), (["week", "+f"], ["+first"]), (["gaps", "@"], []),
        (["report", ":lastq"], [":lastquarter"]),
        (["start", "@B"], ["@beta"]),
        (["projects", "merge", "alpha", "t"], ["two words"]),
        (["projects", "archive", ""], ["beta", "gamma", "alpha", "two words"]),
        (["projects", "restore", ""], ["old"]), (["projects", "create", ""], []),
        (["tag", ""], ["1", "0", "5x", "first"]), (["tag", "0", "#"], ["#5x", "#first"]),
        (["edit", "1", "text", ""], []), (["help", "sta"], ["start", "status"]),
        (["help", "t"], ["tag", "tasks", "tags", "times"]), (["help", "times", "f"], []),
        (["2026-03-03", "9:00", "-", "10:00", "@g"], ["@gamma"]),
        (["--tz", "UTC", "--user=x", "start", "a", "@b"], ["@beta"]),
        (["--json", "9:00", "-", "10:00", "@g"], ["@gamma"]),
        (["--tz", "UTC", "stat"], ["status"]),
        (["--json", "help", "stat"], ["status"]), (["--st"], ["--store"]),
        (["--json", "--ver"], []), (["--us"], ["--user"]), (["--user", "x"], []),
      ]
      for (typed, wanted) in words {
        let found = try offered(typed, in: folder)
        #expect(found == wanted, "\(typed)")
      }
    }
  }

  @Test func `ids and goals are those of the configured user, or of the option`() throws {
    let store = [
      ["config", "set", "user", "anna"],
      ["add", "2026-03-02", "9:00", "-", "10:00", "one", "--user", "ben"],
      ["add", "2026-03-02", "9:00", "-", "10:00", "two"],
      ["goals", "create", "week", "--target", "32h"],
      ["goals", "create", "old", "--target", "3h"], ["goals", "archive", "old"],
      ["goals", "create", "walk", "--target", "3h", "--user", "ben"],
    ]
    try withTemporaryDirectory { folder in
      let environment = ["XDG_DATA_HOME": "\(folder)/data", "XDG_CONFIG_HOME": folder]
      for command in store { try expectFine(["track"] + command, environment: environment) }
      for (typed, wanted) in [
        ("edit ", ["1"]), ("continue ", ["1"]), ("delete --user ben ", ["0"]),
        ("goals set ", ["week"]), ("goals restore ", ["old"]), ("goals set w o", []),
        ("goals delete --user ben w", ["walk"]), ("goals create ", []),
      ] {
        let words = typed.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        let output = try expectFine(
          ["track", "__complete", "--"] + words, environment: environment)
        #expect(output.lines.map { String($0.prefix { $0 != "\t" }) } == wanted, "\(typed)")
      }
    }
  }

  @Test func `a store that is missing or damaged offers nothing and stays as it is`() throws {
    try withTemporaryDirectory { folder in
      let missing = ["start", "--store", "\(folder)/none", "@"]
      #expect(try offered(missing, in: folder) == [])
      #expect(!FileManager.default.fileExists(atPath: "\(folder)/none"))
      try FileManager.default.createDirectory(
        atPath: "\(folder)/s", withIntermediateDirectories: true)
      try Data("no store".utf8).write(to: URL(fileURLWithPath: "\(folder)/s/data.mdb"))
      #expect(try offered(["start", "--store", "\(folder)/s", "@"], in: folder) == [])
      #expect(try filesInTree("\(folder)/s").count == 1)
    }
  }

  @Test func `an unknown shell is refused`() throws {
    try expectFailure(
      ["track", "completions", "csh"], exit: 64, mentions: ["csh", "bash, zsh or fish"])
  }
}
