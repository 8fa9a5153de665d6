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
  private static let yesOption = CommandOption(
    "yes", colonWords: ["yes"], "Change the currency although entries have rates in another one.")
  /// The options of the preferences, in their order.
  private static let fields = Preference.allCases.map { preference in
    let rule = preference.rule
    return CommandOption(rule.word, value: rule.value, choices: rule.choices, rule.help)
  }
  static let syntax = CommandSyntax(
    "track preferences", summary: "Show the preferences of a user, or change them.",
    discussion: """
      They are recorded in the store, so they hold on every machine, and `track undo` takes a \
      change back. `track config` has the settings of one machine. The currency is that of the \
      rates of the user's entries if neither the entry nor the user is in a workspace, which has \
      a currency of its own. Amounts are not converted: if entries have rates in a currency, only \
      --yes changes it. The forms of dates, clocks and durations are those of lists of entries, \
      of gaps, reports and goals, and of the timer in the app. JSON, CSV, the history and the line \
      of a single entry do not depend on them. The settings of the app, `S` on the timer, show and \
      change the same preferences.

      EXAMPLES
        track preferences
        track preferences --week-start sunday --day-start 4:00
        track preferences --zone Europe/Berlin --policy adjust
        track preferences --dates DD.MM.YYYY --durations decimal
        track preferences --ask-after 10h
        track preferences --group-similar no --manual yes
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
      let command = DomainState.command(
        setting: after, from: known, changesCurrency: arguments.has(Self.yesOption))
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
    for (preference, option) in zip(Preference.allCases, Self.fields) {
      guard let text = arguments[option] else { continue }
      do throws(PreferenceProblem) {
        if preference == .zone, !text.isEmpty, LocalZone.rules(id: text) == nil {
          throw .unknownZone(text)
        }
        try preference.rule.set(text, in: &preferences)
      } catch {
        let problem = error.text(naming: "--\(option.name)")
        throw .usage(problem.reason, advice: problem.advice ?? "Correct it.")
      }
    }
  }

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
    let shown = set ?? PreferenceSet(user: UserID(value: 0))
    if options.json {
      var members = Preference.allCases.map { preference in
        JSONValue.Member(preference.member, preference.json(of: shown))
      }
      if let last { members.append(last) }
      return options.output.print(.object(members))
    }
    let width = Preference.allCases.map(\.rule.word.count).max() ?? 0
    for preference in Preference.allCases {
      let rule = preference.rule
      let text = preference == .zone ? zoneText(set) : rule.text(of: shown) ?? "none"
      options.output.print("\(TextWidth.padded(rule.word, to: width))  \(text)")
    }
  }
}

extension Preference {
  /// The name of its member in JSON: `weekStart` of `week-start`.
  fileprivate var member: String {
    let words = rule.word.split(separator: "-")
    let others = words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }
    return ([String(words[0])] + others).joined()
  }

  fileprivate func json(of set: PreferenceSet) -> JSONValue {
    if case .toggle(let read, write: _) = rule.kind { return .bool(read(set)) }
    return rule.text(of: set).map { .string($0) } ?? .null
  }
}
