import Retrace
import RetraceCommandLine
import RetraceRecording
import RetraceStorage
import RetraceToolSupport
import TimeTracking
import TrackerApp
import TrackerFeatures

/// Creates a store with a month of made-up entries.
struct DemoVerb: Verb {
  static let name = "demo"
  static let seedOption = CommandOption(
    "seed", value: "number", "The number that the entries are made from; the default is 1.")
  static let syntax = CommandSyntax(
    "track demo", summary: "Make a store with a month of made-up entries, to look around in.",
    discussion: """
      It is a store of its own, in retrace/demo beside the usual one, unless --store names another \
      directory; one that has entries already is refused. It has clients, projects with colors and \
      rates, tags, a goal, the entries of 30 days, and a running one.

      EXAMPLES
        track demo --dry-run
        track demo --store demo --seed 7
        track week --store demo
      """,
    options: TrackerOptions.ofUser + [seedOption, EntryTimeOptions.dryRunOption])

  let options: TrackerOptions
  let seed: UInt64
  let isDryRun: Bool

  init(_ arguments: CommandArguments, in context: VerbContext) throws(ToolFailure) {
    var options = TrackerOptions(arguments, in: context)
    if arguments[TrackerOptions.storeOption] == nil {
      options = options.with(
        store: try StoreLocation(app: "demo").path(nil, in: context.environment) { nil })
    }
    self.options = options
    let text = arguments[Self.seedOption] ?? "1"
    guard let seed = UInt64(text) else {
      throw .usage("--seed is no number: \(text).", advice: "Give one such as 7.")
    }
    self.seed = seed
    isDryRun = arguments.has(EntryTimeOptions.dryRunOption)
  }

  func perform() throws(ToolFailure) {
    let path = try options.path()
    let userName = try options.userName()
    let count = try options.read(creating: true) { $0.timeEntries.count }
    guard count == 0 else {
      throw .refused(
        "The store \(path) has \(count) entries.",
        advice: "Name another directory with --store, or remove that one.",
        what: "No entries were made.")
    }
    if isDryRun {
      let month = DemoMonth(
        seed: seed, now: try options.currentMoment(), zone: try options.zone(),
        user: Name(userName))
      if options.json {
        printJSON(path, entries: month.entries.count, .init("dryRun", .bool(true)))
      } else {
        options.output.print(
          "would make \(month.entries.count) entries in \(path), from the seed \(seed)")
      }
      return
    }
    let tracker = try options.open(creating: true)
    let name = Name(userName, in: tracker.domain.users)
    let month = DemoMonth(seed: seed, now: tracker.now(), zone: tracker.zone, user: name)
    var done = 0
    do throws(CommandError<TimeTracker>) {
      for command in month.setup {
        try tracker.store.performBlocking(command, from: .commandLine)
      }
      for command in month.entries.dropLast() {
        try tracker.store.performBlocking(.entry(command), from: .commandLine)
        done += 1
      }
      if let user = tracker.domain.user(named: name) {
        var goal = Goal(name: Name("a good week"), user: user, target: .seconds(32 * 3_600))
        goal.period = .week
        try tracker.store.performBlocking(.goal(.create(goal)), from: .commandLine)
      }
      if let last = month.entries.last {
        _ = try tracker.perform(.entry(last), closing: options.context.closesStore)
        done += 1
      }
    } catch {
      let domain = tracker.domain
      try? options.context.close(tracker)
      throw ToolFailure("Only \(done) entries were made.", error, in: domain, options)
    }
    if options.json { return printJSON(path, entries: done) }
    options.output.print("made      \(done) entries in \(path), from the seed \(seed)")
    options.output.print("look at   track week --store \(shellWord(path))")
    options.output.print(
      "          track report :lastmonth --by client,project --store \(shellWord(path))")
    options.output.print("          track app --store \(shellWord(path))")
  }

  private func printJSON(_ path: String, entries: Int, _ last: JSONValue.Member? = nil) {
    let members: [JSONValue.Member] = [
      .init("store", .string(path)), .init("entries", .integer(Int64(entries))),
      .init("seed", .integer(Int64(clamping: seed))),
    ]
    options.output.print(.object(members + (last.map { [$0] } ?? [])))
  }
}

/// Made-up work of 30 days.
private struct DemoMonth {
  /// The description, project and tag of an activity, and its minimum and maximum minutes.
  private struct Work {
    var description: String
    var project: String?
    var tag: String?
    var minutes: ClosedRange<Int>
  }

  private static let works = [
    Work(description: "standup", project: "team", tag: "meeting", minutes: 10...20),
    Work(description: "plan the sprint", project: "team", tag: "meeting", minutes: 45...90),
    Work(description: "answer mail", project: nil, tag: "mail", minutes: 15...45),
    Work(description: "design the start page", project: "website", tag: "focus", minutes: 60...180),
    Work(description: "fix the login form", project: "website", tag: "bug", minutes: 30...120),
    Work(
      description: "review of the payment flow", project: "shop", tag: "review", minutes: 30...90),
    Work(description: "import of the old orders", project: "shop", tag: "focus", minutes: 90...200),
    Work(description: "call about the invoice", project: "shop", tag: "call", minutes: 10...40),
    Work(description: "write chapter 3", project: "thesis", tag: "focus", minutes: 60...150),
    Work(description: "read papers", project: "thesis", tag: "reading", minutes: 45...120),
    Work(description: "tax papers", project: nil, tag: "admin", minutes: 30...60),
  ]

  /// The clients and projects.
  let setup: [DomainCommand]
  /// The entries, in order; the last one is running.
  private(set) var entries: [TimeEntryCommand] = []
  private var state: UInt64

  init(seed: UInt64, now: Moment, zone: ZoneRules, user: Name) {
    state = seed
    setup = Self.makeSetup()
    let running = now.wholeSecond.adding(.seconds(-25 * 60))
    let today = zone.local(at: now).date
    for day in -30...0 {
      let date = today.adding(days: day)
      // Most weekends are free.
      guard (1...5).contains(date.weekday) || next(8) == 0 else { continue }
      guard let morning = LocalTime(date: date, hour: 8, minute: 30 + 5 * next(6)),
        var start = zone.resolve(morning).moments.first
      else { continue }
      let count = 6 + next(3)
      for number in 0..<count {
        let work = number == 0 ? Self.works[0] : Self.works[next(Self.works.count)]
        let minutes = work.minutes.lowerBound + next(work.minutes.count)
        let end = start.adding(.seconds(Int64(minutes) * 60))
        guard end <= running.adding(.seconds(-60)) else { break }
        var draft = draft(of: work, user, zone.recorded(at: start))
        if next(12) == 0 { draft.annotations = ["see the notes of the meeting"] }
        entries.append(.add(draft, start: start, end: end, policy: .allow))
        start = end.adding(.seconds(Int64(number == 2 ? 45 : 5 * next(4)) * 60))
      }
    }
    let draft = draft(of: Self.works[3], user, zone.recorded(at: running))
    entries.append(.start(draft, at: running, policy: .allow))
  }

  private func draft(of work: Work, _ user: Name, _ zone: RecordedZone) -> TimeEntryDraft {
    var draft = TimeEntryDraft(user: .name(user), description: work.description, zone: zone)
    draft.project = work.project.map { .name(Name($0)) }
    draft.tags = work.tag.map { [.name(Name($0))] } ?? []
    return draft
  }

  /// Returns the next number below a bound, by SplitMix64.
  private mutating func next(_ bound: Int) -> Int {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return Int((mixed ^ (mixed >> 31)) % UInt64(bound))
  }

  private static func makeSetup() -> [DomainCommand] {
    // The ids of a store count from 0 in the order of creation.
    let clients = ["ACME", "Big Bank"]
    let projects: [(name: String, client: Int64?, rate: Int64?)] = [
      ("website", 0, 8_500), ("shop", 1, 9_500), ("thesis", nil, nil), ("team", nil, nil),
    ]
    var commands = clients.map { DomainCommand.client(.create(Client(name: Name($0)))) }
    for (index, made) in projects.enumerated() {
      var project = Project(name: Name(made.name), client: made.client.map { ClientID(value: $0) })
      project.color = Project.colors[index % Project.colors.count]
      project.rate = made.rate
      project.isBillable = made.rate != nil
      commands.append(.project(.create(project)))
    }
    return commands
  }
}
