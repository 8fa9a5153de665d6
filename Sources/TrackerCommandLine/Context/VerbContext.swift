import Retrace
import RetraceCommandLine
package import RetraceStorage
import RetraceSystem
package import RetraceToolSupport
import TimeTracking
import TrackerApp
import TrackerFeatures

/// The context of the verbs of a command line: everything that they need beside their arguments,
/// and the work that they leave to its end.
///
/// One context serves one command line; the lines of a batch share the context of the batch.
package final class VerbContext {
  /// The words after `track`.
  let words: [String]
  /// The environment variables.
  let environment: Environment
  /// The output for results, questions and errors.
  let output: Output
  /// The present instead of the clock; `--now` has precedence.
  let fixedMoment: Moment?
  /// Returns the way to fold the log at a path in a child process.
  let foldTrial: (_ path: String) -> FoldTrial?

  /// The help, on the lines of the terminal.
  var helpText: HelpText { HelpText(columns: output.streams.size(of: .output)?.columns) }

  /// The readings of ambiguous times that the user chose.
  var readings = ChosenReadings()
  /// The rules of the zones that were read.
  let zones = ZoneRulesCache()
  /// The changes to tell to hooks.
  var hooks = Hooks()
  /// The notes to print to standard error at the end, each once.
  private var notes: [String] = []
  /// The exit code of a verb that did not fail.
  var exitCode = ToolExit.success
  /// Whether the verbs are lines of a batch, which share the store and have no standard input.
  private(set) var isBatch = false
  /// The store that a line of the batch opened for writing.
  private(set) var sharedStore: TrackerStore?

  /// Creates a context.
  ///
  /// - Parameters:
  ///   - words: The words after `track`.
  ///   - environment: The environment variables.
  ///   - streams: The standard streams.
  ///   - loginName: The login name; by default the name of the process's user.
  ///   - now: The present instead of the clock, in a timestamp.
  ///   - foldTrial: Returns the way to fold the log at a path in a child process.
  package init(
    _ words: [String], in environment: Environment = .process,
    _ streams: StandardStreams = .process,
    loginName: String? = nil, now: String? = nil,
    foldTrial: @escaping (_ path: String) -> FoldTrial? = TrialFold.trial
  ) {
    self.words = words
    self.environment = environment
    self.foldTrial = foldTrial
    output = Output(streams)
    givenLogin = loginName
    fixedMoment = now.flatMap { Moment(timestamp: $0) }
  }

  private let givenLogin: String?
  private(set) lazy var loginName = givenLogin ?? ThisProcess.loginName

  /// Adds a note that is printed to standard error at the end.
  ///
  /// A verb may read the store twice, so a note that is there already is not added again.
  func note(_ text: String) {
    if !notes.contains(text) { notes.append(text) }
  }

  /// Prints the notes.
  func printNotes() {
    for note in notes { output.printErrorWrapped("note     \(note)", indent: 9) }
    notes = []
  }

  /// Returns whether the command line has an option.
  ///
  /// Words after `--` are operands.
  func hasOption(_ word: String) -> Bool { words.prefix { $0 != "--" }.contains(word) }

  // MARK: - Settings

  private lazy var loaded: Result<Configuration, ToolFailure> = Result {
    () throws(ToolFailure) in try Configuration(in: environment)
  }

  /// Returns the settings, which are read once.
  ///
  /// - Throws: The failure if their file is wrong.
  func checkedSettings() throws(ToolFailure) -> Configuration { try loaded.get() }

  /// The settings, without the file if it is wrong.
  ///
  /// A verb is performed only if nothing is wrong with the file; see `Verb.run(_:in:)`.
  var settings: Configuration { (try? loaded.get()) ?? Configuration(withoutFileIn: environment) }

  /// Returns the name of the user of the settings, or else the login name.
  func defaultUserName() throws(ToolFailure) -> String {
    guard let value = settings[.user] else { return loginName }
    guard TrackerOptions.isUserName(value.text) else {
      throw .usage(
        "The user of \(settings.place(of: value)) is empty or too long.",
        advice: "Give a name of at most \(Name.bytesMax) bytes.")
    }
    return value.text
  }

  // MARK: - Time

  /// Returns the rules of the process's zone: of `TZ`, of the settings, or of the system.
  func zone() throws(ToolFailure) -> ZoneRules {
    if let value = settings[.zone], case .file = value.source, let rules = settings.zoneRules {
      return rules
    }
    do throws(LocalZone.Failure) {
      return try LocalZone.current(variable: environment["TZ"])
    } catch {
      throw ToolFailure(
        what: error.what, why: error.why, advice: error.advice,
        exitCode: error.isEnvironment ? ToolExit.usage : ToolExit.storage)
    }
  }

  /// The rules of the process's zone, for times in failures; UTC if they cannot be read.
  var zoneOrUTC: ZoneRules { (try? zone()) ?? .utc }

  /// Returns the calendar of a user: by the user's preferences, else of the process's zone with
  /// weeks that begin on Monday.
  ///
  /// - Parameters:
  ///   - user: The name of the user, who need not exist.
  ///   - domain: The entities.
  ///   - given: The zone of an option, which replaces the zones of the preferences and the process.
  func calendar(
    of user: String, in domain: DomainState, zone given: ZoneRules? = nil
  ) throws(ToolFailure) -> ReportCalendar {
    let id = domain.user(named: user)
    return try calendar(of: user, id.flatMap { domain.preferences(of: $0)?.set }, zone: given)
  }

  /// Returns the calendar of a user with these preferences.
  func calendar(
    of user: String, _ preferences: PreferenceSet?, zone given: ZoneRules? = nil,
    process: ZoneRules? = nil
  ) throws(ToolFailure) -> ReportCalendar {
    let rules = try zones.shown(to: preferences, given: given) { () throws(ToolFailure) in
      if let process { return process }
      return try zone()
    }
    guard let rules else {
      let zone = preferences?.zone ?? ""
      throw ToolFailure(
        what: "The times cannot be shown.",
        why: "This system has no rules for \(zone), the time zone of the preferences of \(user).",
        advice: "Install the time zone database (the package tzdata).",
        exitCode: ToolExit.storage)
    }
    return preferences.map { ReportCalendar(rules, $0) } ?? ReportCalendar(rules)
  }

  // MARK: - The store

  /// Whether a verb closes the store that it opened.
  var closesStore: Bool { !isBatch }

  /// Begins a batch: once a line has opened the store, it stays open.
  func startBatch() { isBatch = true }

  /// Keeps a store that was just opened for the lines of the batch that follow.
  func keepForBatch(_ tracker: TrackerStore) {
    if isBatch { sharedStore = tracker }
  }

  /// Closes a store that a verb opened, unless lines of a batch follow.
  func close(_ tracker: TrackerStore) throws(StoreError) {
    if closesStore { try tracker.close() }
  }

  /// Closes the store of the batch; the next line opens it again.
  func closeSharedStore() throws(ToolFailure) {
    guard let open = sharedStore else { return }
    sharedStore = nil
    try orFail(try open.close())
  }

  // MARK: - Hooks

  private lazy var hooksFolder = Hooks.folder(in: environment)

  /// Notes changes for the hooks, which run at the end; does nothing if there is no folder of
  /// hooks.
  ///
  /// - Parameters:
  ///   - changes: The changes, which are on disk.
  ///   - domain: The entities before the command.
  ///   - moment: The end of running entries.
  ///   - options: The options of the verb, which name the store.
  func noteForHooks(
    _ changes: EntryChanges, before domain: DomainState, at moment: Moment,
    _ options: TrackerOptions
  ) {
    guard hooksFolder != nil, let path = try? options.path() else { return }
    hooks.note(changes, before: domain, store: path) {
      EntryText.json(of: $0, in: $1, at: moment, zones)
    }
  }

  /// Returns the hooks of the open app; `nil` if there is no folder of hooks.
  func appHooks(store path: String) -> AppHooks? {
    let zones = zones
    return hooksFolder.map { folder in
      AppHooks(in: folder, store: path) { EntryText.json(of: $0, in: $1, at: $2, zones) }
    }
  }

  /// Runs the hooks of the changes that were noted; call it when the store is closed.
  func runHooks() {
    guard hooks.hasCalls, let hooksFolder else { return }
    hooks.run(in: hooksFolder, output)
  }
}
