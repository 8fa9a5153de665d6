import Foundation
import Retrace
import RetraceCommandLine
import RetraceStorage
import Testing
import TimeTracking
import ToolTestSupport

@testable import TrackerCommandLine

/// The examples in the help of every verb of `track`.
///
/// Each runs in a shell as it is written, in a copy of one store, at 18:00.
@Suite struct ExampleTests {
  /// What is done before some examples, so that they have something to do.
  private static let before: [String: String] = [
    "track redo": "track undo", "track redo 3": "track undo 3", "track redo --json": "track undo",
    "track redo --dry-run": "track undo", "track restore": "track undo",
    "track restore c17": "track undo c17", "track restore c17 --take": "track undo c17",
    "track restore c17 --dry-run": "track undo c17",
    "track start --after-last review \"@big project\"": "track add 16:00 - 17:00 meeting",
    "track add yesterday 17:00 for 45min call +support": "track delete 15",
    "track edit --start 8:45": "track start 11:30 running",
    "track edit -1 --end \"\"": "track add 16:00 - 17:00 meeting",
    "track edit 12 --task writing --note \"chapter 2\"": "track edit 12 @thesis",
    "track week --store demo": "track demo --store demo",
    "track untag 12 focus": "track tag 12 focus",
    "track shorten -1 1h30": "track start 11:30 long; track stop",
    "track split 12 10:15": "track delete 8; track move 12 yesterday 10:05",
    "track split -1 10min ago": "track start 11:30 running",
    "track projects create \"big project\" --client ACME --rate 85":
      "track clients create ACME; track projects rename \"big project\" other",
    "track projects merge thesys thesis": "track projects create thesys",
    "track projects create website --workspace studio": "track workspaces create studio",
    "track tasks create writing --project thesis --estimate 40h":
      "track tasks rename writing old --project thesis",
    "track tags rename metting meeting": "track tags create metting",
    "track tags merge mtg meeting": "track tags create mtg; track tags create meeting",
    "track clients rename ACME \"ACME Ltd.\"": "track clients create ACME",
    "track users rename jon john": "track users create jon",
    "track users delete jhon": "track users create jhon",
    "track users set anna --workspace studio --rate 90":
      "track users create anna; track workspaces create studio",
    "track close :lastmonth --client ACME --dry-run": "track clients create ACME",
    "track reopen 2026-02 --reason \"an entry was missing\"": "track close 2026-02",
    "track reopen :lastmonth --client ACME":
      "track clients create ACME; track close 2026-02 --client ACME",
    "track reopen 0 --dry-run": "track close 2026-02",
    "track batch < commands.txt": "echo 'start hello' >commands.txt",
    "track stop 11:00 +phone": "track start 10:30 running +phone",
    "track config unset zone": "track config set zone Europe/Berlin",
    "track extension totals :week": extensions,
    "track extension totals.py 2026-03-01 - 2026-03-08 focus": extensions,
    "track totals :lastmonth": extensions,
    "track app --user anna": "track users create anna",
    "track app timer/0/start": "track users create anna",
    "track app --at 120": "yes text:x | head -n 120 | track app",
    "track import --cancel --source jira": interruptedImport,
    "track route --store demo": "track demo --store demo; track app --store demo </dev/null",
  ]

  /// What is done before all examples of a command.
  private static let beforeAll: [String: String] = [
    "stop": start, "switch": start, "cancel": start, "pause": start,
    "resume": "\(start); track stop 12:30",
    "completions": "mkdir -p ~/.local/share/bash-completion/completions "
      + "~/.local/share/zsh/site-functions ~/.config/fish/completions",
    "log": "\(start) --user anna", "week": "\(start) --user anna",
    "import": files, "route": "track app </dev/null",
  ]
  /// The files that are imported, and an export of timewarrior.
  private static let files = #"""
    timew() { echo '[{"start":"20260301T080000Z","end":"20260301T090000Z"}]'; }
    printf '2026-03-01\n    18:00 - 19:00 write\n' >times.klg
    mkdir -p ~/.config/watson
    echo '[[1519853930, 1519853940, "thesis", "id", [], 1519853940]]' >~/.config/watson/frames
    printf 'Begin,Minutes,What\n3/1/2026 8:00,30,plan\n' >times.csv
    head='User,Client,Project,Task,Description,Billable,Start date,Start time,Duration,Tags'
    row='anna,ACME,site,,plan,Yes,2026-03-01,08:00:00,00:30:00,"a, b"'
    printf '%s\n%s\n' "$head" "$row" >toggl.csv
    printf 'Key,Started,Seconds\nA-1,2026-03-01 08:00,600\n' >worklog.csv
    track log :all --csv >log.csv
    """#
  /// An import that is killed after its first batch.
  private static let interruptedImport = """
    { echo Key,Started,Seconds; seq -f 'A-%.0f,2026-03-01 08:00,600' 40000; } >many.csv
    mkfifo acknowledged
    command track import many.csv --source jira --column id=Key --column start=Started \
      --column duration=Seconds --duration-unit seconds --date-format "yyyy-MM-dd HH:mm" \
      --acknowledge >acknowledged &
    { read <acknowledged; kill -9 $!; wait; } 2>/dev/null
    """
  private static let extensions = """
    mkdir -p retrace/extensions
    printf '#!/bin/sh\\nwc -l\\n' >retrace/extensions/totals.py
    chmod +x retrace/extensions/totals.py
    """
  private static let start = "track start 11:30 running @thesis +focus"

  /// The entries 0 to 15 of the day before, an hour apart.
  private static let setup = (0...15).map { number in
    let (start, end) = ("\(number + 2):00", "\(number + 2):20")
    let words =
      switch number {
      case 11: "a report @thesis +focus"
      case 12, 13, 14, 15: "work \(number) +draft"
      default: "work \(number)"
      }
    return "add yesterday \(start) - yesterday \(end) \(words)"
  }.joined(separator: "\n")

  /// Returns the words of lines that need no shell; `nil` if one of them does: because it has other
  /// programs than `track`, a file of the folder, or characters with a meaning for the shell.
  private static func words(of lines: [String]) -> [[String]]? {
    let special = "|<>;&${}~`*()\n"
    let files = [
      "--store", "import", "app", "extension", "totals", "edit --editor", "--editor", "bugreport",
    ]
    var found: [[String]] = []
    for line in lines {
      guard line.hasPrefix("track "), !line.contains(where: special.contains),
        !files.contains(where: line.contains), let words = try? CommandWords(line).words,
        !words.contains("config")
      else { return nil }
      found.append(Array(words.dropFirst()))
    }
    return found
  }

  /// Runs command lines one after another in this process, and returns the result of the last one.
  private static func run(_ lines: some Sequence<[String]>, in folder: String) throws -> ToolResult
  {
    let environment = [
      "XDG_DATA_HOME": folder, "HOME": folder, "XDG_CONFIG_HOME": folder, "TZ": "Europe/Berlin",
    ]
    var last = ToolResult(status: 0, output: [], errors: [])
    for words in lines {
      #expect(last.status == 0 && last.errors.isEmpty, "\(lines): \(last.errors)")
      let verb = words.first.flatMap { Track.verb(named: $0) }
      // A range without a verb is one of `add`.
      let readsClock =
        verb?.syntax.options.contains(TrackerOptions.nowOption)
        ?? words.first?.first?.isNumber ?? false
      let clock = readsClock ? ["--now", "2026-03-02T17:00:00Z"] : []
      let line = verb == nil ? words + clock : words.prefix(1) + clock + words.dropFirst()
      last = try ToolRunner.inProcess.run("track", Array(line), environment)
    }
    return last
  }

  /// The verbs that change times of entries without a policy of their own.
  ///
  /// An import has the times of its file, and a made-up month is in a store of its own. The others
  /// perform the commands of other verbs, or undo them.
  private static let withoutPolicy: Set<String> = [
    "import", "demo", "app", "batch", "undo", "redo", "restore",
  ]

  /// Returns whether a command may change the times of entries.
  private static func changesTimes(_ command: TimeEntryCommand) -> Bool {
    switch command {
    case .start, .stop, .add, .resume, .split, .join: true
    case .correct(_, let correction, policy: _, rules: _, reason: _):
      correction.changes.start != nil || correction.changes.end != nil
        || correction.changes.user != nil
    case .delete: false
    case .several(let commands): commands.contains(where: changesTimes)
    }
  }

  /// Returns the sequence of the last record of a store.
  private static func lastRecord(of store: String) throws -> UInt64 {
    let storage = try LogStorage.open(at: store, access: .read)
    defer { storage.close() }
    return try storage.head().sequence
  }

  /// Returns whether a command after a record of the store of a folder changed times of entries.
  private static func changesTimes(in folder: String, after sequence: UInt64) throws -> Bool {
    let storage = try LogStorage.open(at: "\(folder)/retrace/track", access: .read)
    defer { storage.close() }
    var values = RecordedValues<DomainCommand>()
    var found = false
    try storage.withReadView { (view) throws(StoreError) in
      guard view.head.sequence > sequence else { return }
      try view.forEachRecord(from: sequence + 1, through: view.head.sequence) { record, payload in
        guard record.kind == .command, let recorded = try? RecordedCommand(encoded: payload),
          recorded.refusal == nil,
          case .entry(let command)? = values.value(of: recorded.command, in: view)
        else { return }
        found = found || changesTimes(command)
      }
    }
    return found
  }

  @Test func `each verb has three examples that work`() throws {
    var timeVerbs: Set<String> = []
    try withTemporaryDirectory { folder in
      let functions = """
        export XDG_DATA_HOME="$1" HOME="$1" XDG_CONFIG_HOME="$1" TZ=Europe/Berlin
        export EDITOR="sed -i s/^description:.*/description:edited/"
        now=2026-03-02T17:00:00Z
        # Fixes the clock of the commands that read it.
        track() {
          if [[ "$(command track help "$1" 2>&1)" = *"--now <"* ]]
          then local verb=$1; shift; command track "$verb" --now "$now" "$@"
          elif [[ "$1" = [0-9]* ]]; then command track "$@" --now "$now"
          else command track "$@"
          fi
        }
        """
      let made = try shell(
        "\(functions)\n"
          + "track projects create thesis && track projects create \"big project\" && "
          + "track tasks create writing --project thesis\n"
          + "printf '%s\\n' \"$2\" | "
          + "command track batch --now $now",
        ["\(folder)/made", Self.setup])
      try #require(made.status == 0, "\(made.errors)")
      for command in Track.verbs.map({ $0.name }) {
        let examples = try helpExamples(of: ["track", command], by: .inProcess)
        #expect(examples.count >= 3, "\(command) has \(examples.count) examples")
        for (index, example) in examples.enumerated() {
          let copy = "\(folder)/\(command)-\(index)"
          try FileManager.default.copyItem(atPath: "\(folder)/made", toPath: copy)
          let before = Self.before[example] ?? Self.beforeAll[command]
          let last: UInt64
          let result: ToolResult
          if let words = Self.words(of: (before.map { [$0] } ?? []) + [example]) {
            let prepared = try Self.run(words.dropLast(), in: copy)
            #expect(prepared.status == 0 && prepared.errors.isEmpty, "\(prepared.errors)")
            last = try Self.lastRecord(of: "\(copy)/retrace/track")
            result = try Self.run(words.suffix(1), in: copy)
          } else {
            let prepared = before.map { "{ \($0)\n} >/dev/null\n" } ?? ""
            let kept = "cp -r retrace/track before-example\n"
            result = try shell(
              "\(functions)\ncd \"$1\"\n\(prepared)\(kept)\(example)", [copy])
            last = try Self.lastRecord(of: "\(copy)/before-example")
          }
          #expect(
            result.status == 0 && result.errors.isEmpty, "\(example): \(result.errors)")
          if try Self.changesTimes(in: copy, after: last) { timeVerbs.insert(command) }
        }
      }
    }
    // A verb that changes times is tried with random times.
    let tried = RunningLimitVerbTests.triedVerbs
    #expect(timeVerbs.subtracting(tried).subtracting(Self.withoutPolicy) == [])
    #expect(timeVerbs.intersection(tried).count > 10, "\(timeVerbs)")
  }
}
