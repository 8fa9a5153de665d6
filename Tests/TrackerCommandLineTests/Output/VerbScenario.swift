import Foundation
import RetraceCommandLine
import Testing
import ToolTestSupport

@testable import TrackerCommandLine

/// A day with every verb of `track`, from 2 March 2026 in Berlin on.
///
/// Each line is the time of the day and the command, with shell quotes.
enum VerbScenario {
  static let lines = """
    08:30 clients create "Big Bank"
    08:31 projects create shop --client "Big Bank" --rate 90 --color teal
    08:32 projects create thesis --estimate 120h
    08:33 tasks create writing --project thesis --estimate 40h
    08:34 workspaces create studio --currency USD
    08:35 tags create focus
    08:40 start 8:00 read the mail +mail
    09:00 switch 8:45 design of the payment page for the new customers @shop +focus
    09:30 status
    09:30 annotate waiting for the answer of the bank about the certificates
    10:30 pause
    10:45 resume
    11:30 tag deep "two words"
    11:31 untag deep
    12:00 stop
    13:00 add 12:30 - 12:50 call about the invoice @shop
    13:00 start 12:55 write chapter three @thesis --task writing
    14:00 pause 13:30 - 13:40
    14:30 stop
    14:40 continue 0
    14:50 cancel
    15:00 edit 3 --end 12:48 --reason "the phone says so"
    15:01 move 0 7:55 --dry-run
    15:02 lengthen 3 5m
    15:03 shorten 3 2m
    15:04 split 4 13:15
    15:05 join 4 7
    15:06 fill 3
    15:07 gaps
    15:10 delete 3
    15:11 undo
    15:12 redo
    15:13 undo --to 15:10
    15:14 restore --dry-run
    15:20 log
    15:21 day
    15:22 week
    15:23 month --by client
    15:24 report :week --by client,project --round 15m
    15:24 report :week --by each-tag
    15:25 search chapter
    15:26 history 4
    15:27 history --limit 4
    15:30 projects
    15:31 clients
    15:32 tasks
    15:33 tags
    15:34 workspaces
    15:34 users set anna --workspace studio --rate 80
    15:34 users set anna --workspace "" --yes
    15:34 users
    15:35 goals create "a good week" --target 32h --project thesis
    15:36 goals set "a good week" --target 30h --project ""
    15:37 goals
    15:38 report --goals
    15:38 add 2026-02-17 20:00 - 23:30 the night shift
    15:38 report --goals from 2026-02-17
    15:39 preferences --week-start sunday --day-start 4:00 --currency EUR
    15:40 preferences
    15:41 close 2026-02 --reason "invoice 17"
    15:42 reopen 2026-02 --reason "the night shift was in another project"
    """.split(separator: "\n").map(String.init)

  /// What follows for people: files, settings and screens.
  static let linesForPeople = """
    15:45 batch < commands.txt
    15:46 import times.csv --column start=Begin --column duration=Minutes \
    --column description=What --date-format "M/d/yyyy H:mm" --duration-unit minutes --dry-run
    15:47 import times.klg --format klog --zone Europe/Berlin
    15:48 config set user anna
    15:48 config set filters.deep "#focus"
    15:48 config
    15:48 config path
    15:48 config unset user
    15:49 extension
    15:49 extension totals.py
    15:50 demo --store demo
    15:50 bugreport bug.bundle --message "the week is empty"
    15:51 app --size "${COLUMNS}x16" < keys.txt
    15:52 route
    """.split(separator: "\n").map(String.init)

  /// The commands that are tested elsewhere, because their output is not laid out: scripts of
  /// shells, pages of the manual and the schema.
  static let elsewhere: Set<String> = ["schema", "completions", "man"]

  /// Makes the files that lines for people name.
  private static let files = #"""
    cd "$(dirname "$1")"
    printf 'start 15:30 hello\nstop\n' >commands.txt
    printf 'Begin,Minutes,What\n2/2/2026 8:00,30,plan\n2/3/2026 8:00,x,talk\n' >times.csv
    printf '2026-02-04\nA day.\n    8:00 - 9:00 #plan\n    30m\n    10:00 - ?\n' >times.klg
    printf 'screen\ntab\ntext:?\nscreen\nescape\nenter\nscreen\n' >keys.txt
    mkdir -p retrace/extensions
    printf '#!/bin/sh\nwc -l\n' >retrace/extensions/totals.py
    chmod +x retrace/extensions/totals.py
    """#

  /// A command of the scenario with what it printed.
  struct Step {
    var verb: String
    var line: String
    var output: String

    /// Whether the command changes a record, whose new values it prints.
    var isChange: Bool { line.contains(" create ") || line.contains(" set ") }
  }

  /// Runs the scenario in a new store.
  ///
  /// Lines that name files in the folder, or start programs, run in a shell.
  ///
  /// - Parameters:
  ///   - store: The directory of the store.
  ///   - options: Options for each command.
  ///   - columns: The columns of the output; `nil` for programs, without the lines for people.
  static func run(
    in store: String, _ options: [String] = [], columns: Int? = nil
  ) throws -> [Step] {
    let files = try shell(files, [store])
    try #require(files.status == 0, "\(files.errors)")
    let folder = String(store[..<(store.lastIndex(of: "/") ?? store.endIndex)])
    let environment = [
      "TZ": "Europe/Berlin", "COLUMNS": "\(columns ?? 80)", "XDG_CONFIG_HOME": folder,
      "RETRACE_STORE": "/books", "PAGER": "cat", "HOME": folder,
    ]
    func run(_ line: String, inShell: Bool) throws -> Step {
      let parts = line.split(separator: " ", maxSplits: 2).map(String.init)
      let (time, name) = (parts[0], parts[1])
      let verb = try #require(Track.verb(named: name), "\(line)")
      var given: [String] = []
      if name != "config", !line.contains("--store ") { given += ["--store", store] }
      if verb.syntax.options.contains(TrackerOptions.nowOption) {
        given += ["--now", Desk.now(time)]
      }
      if name != "config", verb.syntax.options.contains(where: { $0.name == "user" }) {
        given += ["--user", "anna"]
      }
      given += options
      let rest = parts.count > 2 ? parts[2] : ""
      let result =
        try inShell
        ? shell(
          "cd '\(folder)'; track \(name) \(given.joined(separator: " ")) \(rest)",
          environment: environment)
        : ToolRunner.inProcess.run(
          "track", [name] + given + CommandWords(rest).words, environment)
      #expect(result.status == 0 && result.errors.isEmpty, "\(line): \(result.errors)")
      // What follows these words may be the time of the test.
      let output = result.output.replacing(folder, with: "~")
        .replacing(/fixed clock, .*/, with: "fixed clock")
      return Step(verb: name, line: line, output: output)
    }
    return try lines.map { try run($0, inShell: false) }
      + (columns == nil ? [] : linesForPeople).map { try run($0, inShell: true) }
  }
}
