import Retrace
import RetraceCommandLine
import RetraceRecording
import RetraceStorage
import RetraceToolSupport
import TimeTracking
import TrackerApp
import TrackerFeatures

/// Shows and changes the recorded preferences of a user.
struct PreferencesVerb: Verb {
  static let name = "preferences"
  static let days = [
    "sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday",
  ]
  static let weekStartOption = CommandOption(
    "week-start", value: "day", choices: days,
    "The first day of a week. Week 47 is the one that has the Thursday of that ISO week.")
  static let dayStartOption = CommandOption(
    "day-start", value: "time",
    "When a day begins in reports, such as 4:00. Until then, yesterday 9:00 and other named days "
      + "with a later time count from the day that has not ended.")
  static let zoneOption = CommandOption(
    "zone", value: "zone", "The time zone of reports; an empty one means the zone of the machine.")
  static let datesOption = CommandOption(
    "dates", value: "form", choices: DateStyle.allCases.map(\.pattern),
    "How lists and the app write dates. They are typed as YYYY-MM-DD.")
  static let clockOption = CommandOption(
    "clock", value: "hours", choices: [clock(true), clock(false)],
    "How lists and the app write times of day: 21:05 or 09:05 PM. Both can be typed.")
  static let durationsOption = CommandOption(
    "durations", value: "form", choices: DurationStyle.allCases.map(\.rawValue),
    "How lists and the app write durations: 47:06 min, 0:47:06 or 0.79 h. Lists cut 0:47:06 to "
      + "minutes without --seconds, which replaces 0.79 h.")
  static let askAfterOption = CommandOption(
    "ask-after", value: "duration",
    "How long an entry runs before the app and a terminal ask whether the work goes on, such as "
      + "10h; none for no question.")
  static let policyOption = CommandOption(
    "policy", value: "policy", choices: ["refuse", "adjust", "allow"],
    "What commands do without --policy.")
  static let currencyOption = CommandOption(
    "currency", value: "code",
    "The currency of rates without a workspace, such as EUR; an empty one for none.")
  private static let yesOption = CommandOption(
    "yes", colonWords: ["yes"], "Change the currency although entries have rates in another one.")
  private static let fields = [
    weekStartOption, dayStartOption, zoneOption, datesOption, clockOption, durationsOption,
    askAfterOption, policyOption, currencyOption,
  ]
  static let syntax = CommandSyntax(
    "track preferences", summary: "Show the preferences of a user, or change them.",
    discussion: """
      They are recorded in the store, so they hold on every machine, and `track undo` takes a \
      change back. `track config` has the settings of one machine. The currency is that of the \
      rates of the user's entries if neither the entry nor the user is in a workspace, which has \
      a currency of its own. Amounts are not converted: if entries have rates in a currency, only \
      --yes changes it. The forms of dates, clocks and durations are those of lists of entries, \
      of gaps, reports and goals, and of the timer in the app. JSON, CSV, the history and the line \
      of a single entry do not depend on them.

      EXAMPLES
        track preferences
        track preferences --week-start sunday --day-start 4:00
        track preferences --zone Europe/Berlin --policy adjust
        track preferences --dates DD.MM.YYYY --durations decimal
        track preferences --ask-after 10h
        track preferences --currency EUR
      """,
    options: TrackerOptions.ofUser + fields + [yesOption, EntryTimeOptions.dryRunOption])

  private static let what = "No preferences were changed."
  let arguments: CommandArguments
  let options: TrackerOptions

  init(_ arguments: CommandArguments, in context: VerbContext) {
    self.arguments = arguments
    options = TrackerOptions(arguments, in: context)
  }

  func perform() throws(ToolFailure) {
    let name = try options.userName()
    guard Self.fields.contains(where: arguments.has) else {
      let set = try options.read { domain in
        domain.user(named: name).flatMap { domain.preferences(of: $0)?.set }
      }
      return print(set)
    }
    // Checks the values first, so that a wrong one creates no store.
    var checked = PreferenceSet(user: UserID(value: 0))
    try set(&checked)
    if arguments.has(EntryTimeOptions.dryRunOption) {
      let after = try options.read(creating: true) { (domain) throws(ToolFailure) in
        if let missing = MissingUser(name, in: domain) { throw missing.failure(Self.what) }
        let known = domain.user(named: name).flatMap { domain.preferences(of: $0)?.set }
        var after = known ?? PreferenceSet(user: UserID(value: 0))
        try set(&after)
        return after
      }
      return print(after, .init("dryRun", .bool(true)))
    }
    let tracker = try options.open(creating: true)
    do throws(ToolFailure) {
      let missing = try tracker.verified { MissingUser(name, in: $0) }
      if let missing { throw missing.failure(Self.what) }
      let user = try user(named: name, in: tracker)
      let known = try tracker.verified { $0.preferences(of: user) }
      let before = known?.set ?? PreferenceSet(user: user)
      var after = before
      try set(&after)
      let command: PreferenceSets.Command =
        known.map {
          .change(
            $0.id, PreferenceSetChanges(from: before, to: after),
            changesCurrency: arguments.has(Self.yesOption), reason: nil)
        }
        ?? .create(after)
      do throws(CommandError<TimeTracker>) {
        let performed = try tracker.perform(
          .preferences(command), closing: options.context.closesStore)
        noteClosings(from: before, to: after, in: performed.receipt.state.domain)
        print(after, .init("sequence", .integer(Int64(performed.receipt.sequence))))
      } catch {
        throw ToolFailure(Self.what, error, in: tracker.domain, options)
      }
    } catch {
      try? options.context.close(tracker)
      throw error
    }
  }

  /// Prints a note if days begin at other instants and periods are closed, which keep theirs.
  private func noteClosings(
    from before: PreferenceSet, to after: PreferenceSet, in domain: DomainState
  ) {
    guard before.zone != after.zone || before.dayStart != after.dayStart else { return }
    var count = 0
    domain.forEachClosing { _, _ in count += 1 }
    guard count > 0 else { return }
    options.output.printErrorWrapped(
      "note: days begin at other instants now, and closed periods keep theirs, so a report of one "
        + "may have other entries; `track close` lists them.")
  }

  /// Returns the user with a name, and creates it if needed.
  private func user(
    named text: String, in tracker: TrackerStore
  ) throws(ToolFailure) -> UserID {
    if let user = try tracker.verified({ $0.user(named: text) }) { return user }
    let name = Name(text)
    do throws(CommandError<TimeTracker>) {
      _ = try tracker.store.performBlocking(.user(.create(User(name: name))), from: .commandLine)
    } catch {
      throw ToolFailure(Self.what, error, in: tracker.domain, options)
    }
    guard let user = tracker.domain.user(named: name) else {
      throw .refused(
        "The user \(name.text) was deleted at the same moment.",
        advice: "Try again.", what: Self.what)
    }
    return user
  }

  private func set(_ preferences: inout PreferenceSet) throws(ToolFailure) {
    if let day = arguments[Self.weekStartOption].flatMap({ Self.days.firstIndex(of: $0) }) {
      preferences.firstWeekday = Int32(day)
    }
    if let text = arguments[Self.dayStartOption] {
      let parts = text.split(separator: ":").map { Int64($0) }
      guard parts.count == 2, let hour = parts[0], let minute = parts[1], (0...23).contains(hour),
        (0...59).contains(minute)
      else {
        throw .usage("--day-start is no time of day: \(text).", advice: "Give one such as 4:00.")
      }
      preferences.dayStart = .seconds(hour * 3_600 + minute * 60)
    }
    if let zone = arguments[Self.zoneOption] {
      guard zone.isEmpty || LocalZone.rules(id: zone) != nil else {
        throw .usage(
          "--zone \(zone) is not known to this system.",
          advice: "Give a zone such as UTC or Europe/Berlin.")
      }
      preferences.zone = zone.isEmpty ? nil : zone
    }
    if let pattern = arguments[Self.datesOption],
      let dates = DateStyle.allCases.first(where: { $0.pattern == pattern })
    {
      preferences.dateFormat = dates
    }
    if let clock = arguments[Self.clockOption] { preferences.is24Hours = clock == Self.clock(true) }
    if let word = arguments[Self.durationsOption],
      let durations = RecordedDurationStyle.allCases.first(where: { $0.style.rawValue == word })
    {
      preferences.durationFormat = durations
    }
    if ["none", ""].contains(arguments[Self.askAfterOption]) {
      preferences.asksAfter = nil
    } else if let time = try arguments.duration(Self.askAfterOption, such: "10h or 7h30") {
      let longest = TimeEntry.durationMax
      guard time > .zero, time <= longest else {
        throw .usage(
          "--ask-after takes more than zero and at most \(longest.hoursAndMinutes).",
          advice: "Give a duration such as 10h, or none.")
      }
      preferences.asksAfter = time
    }
    if let policy = arguments.policy(Self.policyOption) { preferences.policy = policy }
    if let code = arguments[Self.currencyOption].map(RateText.currency) {
      let isCode = code.utf8.count == 3 && code.utf8.allSatisfy { (0x41...0x5a).contains($0) }
      guard isCode || code.isEmpty else {
        throw .usage(
          "--currency is no code of a currency: \(code).",
          advice: "Write the three letters of a code, such as EUR.")
      }
      preferences.currency = code.isEmpty ? nil : code
    }
  }

  /// Returns the word for clocks with 24 or with 12 hours.
  static func clock(_ is24Hours: Bool) -> String { is24Hours ? "24-hour" : "12-hour" }

  /// Returns the zone of reports, and what it is of.
  private func zoneText(_ set: PreferenceSet?) -> String {
    let context = options.context
    if let zone = set?.zone { return "\(zone), of these preferences" }
    guard let rules = try? context.zone() else { return "the zone of the machine" }
    let origin =
      if let value = context.settings[.zone], case .file = value.source,
        context.settings.zoneRules != nil
      {
        "of `track config`"
      } else if context.environment["TZ"]?.isEmpty == false {
        "of the variable TZ"
      } else {
        "of the machine"
      }
    return "\(rules.id), \(origin)"
  }

  private func print(_ set: PreferenceSet?, _ last: JSONValue.Member? = nil) {
    let first = Self.days[Int(set?.firstWeekday ?? 1) % 7]
    let minutes = (set?.dayStart.seconds ?? 0) / 60
    let start = "\(padded(Int(minutes / 60), to: 2)):\(padded(Int(minutes % 60), to: 2))"
    let policy = "\(set?.policy ?? .refuse)"
    let style = set.map { TimeStyle($0) } ?? TimeStyle()
    let askAfter = set?.asksAfter?.hoursAndMinutes
    if options.json {
      var members: [JSONValue.Member] = [
        .init("weekStart", .string(first)), .init("dayStart", .string(start)),
        .init("zone", set?.zone.map { .string($0) } ?? .null),
        .init("dates", .string(style.dates.pattern)),
        .init("clock", .string(Self.clock(style.is24Hours))),
        .init("durations", .string(style.durations.rawValue)),
        .init("askAfter", askAfter.map { .string($0) } ?? .null), .init("policy", .string(policy)),
        .init("currency", set?.currency.map { .string($0) } ?? .null),
      ]
      if let last { members.append(last) }
      return options.output.print(.object(members))
    }
    options.output.print("week-start  \(first)")
    options.output.print("day-start   \(start)")
    options.output.print("zone        \(zoneText(set))")
    options.output.print("dates       \(style.dates.pattern)")
    options.output.print("clock       \(Self.clock(style.is24Hours))")
    options.output.print("durations   \(style.durations.rawValue)")
    options.output.print("ask-after   \(askAfter ?? "none")")
    options.output.print("policy      \(policy)")
    options.output.print("currency    \(set?.currency ?? "none")")
  }
}
