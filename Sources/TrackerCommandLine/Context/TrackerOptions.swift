import Retrace
import RetraceCommandLine
import RetraceRecording
import RetraceStorage
import RetraceSystem
import RetraceToolSupport
import TimeTracking
import TrackerApp
import TrackerFeatures

/// The options that the tracker's commands share.
struct TrackerOptions {
  /// Where the store is without an option.
  static let location = StoreLocation(app: TimeTracker.name, hasSettings: true)

  static let storeOption = CommandOption(
    "store", value: "dir", kind: .directory,
    "The directory of the store; the default is \(location.help).")
  static let jsonOption = CommandOption("json", "Print JSON instead of text.")
  static let nowOption = CommandOption(
    "now", value: "rfc3339",
    "A fixed instant instead of the clock, for scripts; a session that writes notes it in the log.")
  static let tzOption = CommandOption(
    "tz", value: "zone",
    "The time zone in which times are read and shown, such as Europe/Berlin; the default is that "
      + "of the preferences, of TZ, of `track config` or of the system.")
  static let userOption = CommandOption(
    "user", value: "name", kind: .tracker(.user),
    "The user; the default is the user of `track config`, or the login name.")

  static let asOfOption = CommandOption(
    "as-of", value: "n|instant",
    "Show what was recorded up to this record or instant, whatever was changed since. The instant "
      + "can be a time such as \"yesterday 17:30\" or 10min ago, or a day or a month, which means "
      + "its end; see `track help times`. It is then the present, unless --now gives another.")

  static let explainOption = CommandOption(
    "explain", "Print all parts of an error, also on a terminal.")

  /// The option of commands that do not depend on a user.
  static let unusedUserOption = CommandOption(
    "user", value: "name", kind: .tracker(.user),
    "A user, for scripts that give it to every command; it changes nothing here.")

  /// The options of time and user of commands that do not depend on them.
  static let unused = [
    CommandOption(
      "now", value: "rfc3339",
      "An instant, for scripts that give it to every command; it changes nothing here."),
    CommandOption(
      "tz", value: "zone",
      "A time zone, for scripts that give it to every command; it changes nothing here."),
    unusedUserOption,
  ]

  /// The options of every command.
  static let all = [storeOption, jsonOption, explainOption]
  /// The options of commands that read the clock.
  static let withClock = all + [nowOption, tzOption]
  /// The options of commands that read the clock and do not depend on a user.
  static let ofAnyUser = withClock + [unusedUserOption]
  /// The options of commands that depend neither on the clock nor on a user.
  static let ofNobody = all + unused
  /// The options of commands of one user.
  static let ofUser = withClock + [userOption]

  let context: VerbContext
  /// Whether to print JSON instead of text.
  let json: Bool
  private var store: String?
  private let now: String?
  private let user: String?
  private let tz: String?
  private var asOf: String?

  /// The output of the verb.
  var output: Output { context.output }

  var namesUser: Bool { user != nil }

  /// Whether an option names the store.
  var namesStore: Bool { store != nil }

  init(_ arguments: CommandArguments, in context: VerbContext) {
    self.context = context
    json = arguments.has(Self.jsonOption)
    store = arguments[Self.storeOption]
    now = arguments[Self.nowOption]
    user = arguments[Self.userOption]
    tz = arguments[Self.tzOption]
    asOf = arguments[Self.asOfOption]
  }

  /// Returns the options with another directory of the store.
  func with(store: String) -> TrackerOptions {
    var options = self
    options.store = store
    return options
  }

  /// Returns the directory of the store.
  func path() throws(ToolFailure) -> String {
    try Self.location.path(store, in: context.environment) { () throws(ToolFailure) in
      try context.checkedSettings()[.store]?.text
    }
  }

  func userName() throws(ToolFailure) -> String {
    guard let user else { return try context.defaultUserName() }
    guard Self.isUserName(user) else {
      throw .usage(
        "--user is empty or too long.",
        advice: "Give a name of at most \(Name.bytesMax) bytes with --user.")
    }
    return user
  }

  /// Returns whether a text can be the name of a user.
  static func isUserName(_ name: String) -> Bool {
    !Name(name).isEmpty && name.utf8.count <= Name.bytesMax
  }

  /// Returns the fixed present; `nil` for the clock's.
  func fixedMoment() throws(ToolFailure) -> Moment? {
    guard let now else { return context.fixedMoment }
    guard let moment = Moment(timestamp: now) else {
      throw .usage(
        "--now takes an instant such as 2026-03-02T09:00:00Z.",
        advice: "Correct the instant and try again.")
    }
    return moment
  }

  /// Opens the store for writing, or returns the one that a batch has opened.
  ///
  /// - Parameters:
  ///   - creating: Whether to create a store if it does not exist.
  ///   - isBulk: Whether the session writes much and reads little of it.
  ///   - environment: The environment of effects; `nil` for commands.
  ///   - loading: What the terminal shows meanwhile; `nil` for commands.
  func open(
    creating: Bool, isBulk: Bool = false, environment: TrackerEnvironment? = nil,
    loading: LoadingScreen? = nil
  ) throws(ToolFailure) -> TrackerStore {
    let opened = try openStore(
      creating: creating, isBulk: isBulk, environment: environment, loading: loading)
    return try opened.mapError { ToolFailure($0) }.get()
  }

  /// Opens the store for changes, which is created if there is none.
  ///
  /// - Parameters:
  ///   - check: Called with the latest state before anything is recorded, and before a store is
  ///     created.
  ///   - environment: What the app has from its environment.
  ///   - loading: The screen that is shown while the log is folded; `nil` for none.
  /// - Throws: The failures of the store, and of `check`.
  func open(
    checking check: (TrackerState) throws(ToolFailure) -> Void,
    environment: TrackerEnvironment, loading: LoadingScreen?
  ) throws(ToolFailure) -> TrackerStore {
    switch try openStore(creating: false, environment: environment, loading: loading) {
    case .success(let tracker):
      try tracker.verifiedState { state in
        let state = copy state
        return Result { () throws(ToolFailure) in try check(state) }
      }
      return tracker
    case .failure(let error):
      try checkMissing(error, creating: true)
      try check(TimeTracker.initialState)
      return try open(creating: true, environment: environment, loading: loading)
    }
  }

  private func openStore(
    creating: Bool, isBulk: Bool = false, environment: TrackerEnvironment?,
    loading: LoadingScreen?
  ) throws(ToolFailure) -> Swift.Result<TrackerStore, StoreError> {
    if let tracker = context.sharedStore { return .success(tracker) }
    let path = try path()
    let moment = try fixedMoment()
    let zone = try zone()
    func open(
      _ observer: (@Sendable (OpeningStep) -> Void)?
    ) throws(StoreError) -> TrackerStore {
      try TrackerStore.open(
        at: path, creating: creating, zone: zone, login: context.loginName, now: moment,
        isBulk: isBulk, foldTrial: context.foldTrial(path), environment: environment,
        observingSteps: observer)
    }
    return Swift.Result { () throws(StoreError) in
      let tracker = if let loading { try loading.during(open) } else { try open(nil) }
      if let notice = Self.notice(of: tracker.store.snapshotUse) { output.printError(notice) }
      context.keepForBatch(tracker)
      return tracker
    }
  }

  /// Returns the notice about snapshots, if any.
  ///
  /// After an upgrade, a short log is folded without a notice, until a command saves a snapshot.
  static func notice(of use: SnapshotUse) -> String? {
    use.isOfOtherBuild && use.folded < 100_000 ? nil : use.notice
  }

  /// Returns the rules of the zone that an option gives; `nil` if none does.
  ///
  /// - Throws: A usage failure with the zone that is probably meant.
  func givenZone() throws(ToolFailure) -> ZoneRules? {
    guard let tz else { return nil }
    if let rules = LocalZone.rules(id: tz) { return rules }
    throw .usage("--tz \(tz) is not known to this system.", advice: Self.zoneAdvice(tz))
  }

  /// Returns the rules of the zone in which times are read.
  func zone() throws(ToolFailure) -> ZoneRules {
    if let rules = try givenZone() { return rules }
    return try context.zone()
  }

  /// Returns the advice for an unknown zone.
  static func zoneAdvice(_ zone: String) -> String {
    let ids = LocalZone.ids()
    let place = "/\(zone)".lowercased()
    // Most people know the city and not the continent.
    let similar =
      ids.first { $0.lowercased().hasSuffix(place) } ?? Spelling.nearest(to: zone, in: ids)
    return (similar.map { "Did you mean \($0)? " } ?? "")
      + "Give a zone such as UTC or Europe/Berlin; the package tzdata installs them."
  }

  /// Returns the calendar of a user in the zone of the option, or else as
  /// ``VerbContext/calendar(of:in:zone:)`` does.
  func calendar(of user: String, in domain: DomainState) throws(ToolFailure) -> ReportCalendar {
    try context.calendar(of: user, in: domain, zone: givenZone())
  }

  /// Returns the rules of the zone in which the times of the user are shown; of the process's zone
  /// if those cannot be read, so that what was done can be told.
  func shownZone(in domain: DomainState) -> ZoneRules {
    let calendar = try? calendar(of: try userName(), in: domain)
    return calendar?.rules ?? context.zoneOrUTC
  }

  /// Returns the calendar of the user by the latest preferences.
  ///
  /// - Parameter creating: As for ``read(creating:_:)``.
  func presentCalendar(creating: Bool = false) throws(ToolFailure) -> ReportCalendar {
    let user = try userName()
    return try readLatest(creating: creating, isQuiet: true) { state in
      Swift.Result { () throws(ToolFailure) in try self.calendar(of: user, in: state.domain) }
    }
  }

  /// Returns the result of `body` for the latest entities, or for none if there is no store.
  ///
  /// The store is opened read-only.
  ///
  /// - Parameters:
  ///   - creating: Whether the command would create the store.
  ///   - body: Reads the entities; it may be called twice, so it must not print.
  /// - Throws: The failure of `body`, and the errors of the store. A missing store is an error if
  ///   an option names it, because its path is probably misspelled, unless `creating` is set.
  func read<Result>(
    creating: Bool = false, _ body: (DomainState) throws(ToolFailure) -> Result
  ) throws(ToolFailure) -> Result {
    try readState(creating: creating) { state in
      Swift.Result { () throws(ToolFailure) in try body(state.domain) }
    }
  }

  /// Returns if the error is a missing store that may be missing.
  ///
  /// - Throws: The failure of any other error.
  func checkMissing(_ error: StoreError, creating: Bool = false) throws(ToolFailure) {
    guard case .storeMissing(.directory) = error.code, creating || !namesStore else {
      throw ToolFailure(error)
    }
  }

  /// Returns the result of `body` for the latest state as ``read(creating:_:)`` does.
  func readState<Result>(
    creating: Bool = false, _ body: (borrowing TrackerState) -> Swift.Result<Result, ToolFailure>
  ) throws(ToolFailure) -> Result {
    if let end = try historyEnd() { return try readPast(end, at: try path(), body) }
    return try readLatest(creating: creating, body)
  }

  /// Returns the result of `body` for the latest state, whatever --as-of says.
  ///
  /// - Parameter isQuiet: Whether no notice about snapshots is printed.
  private func readLatest<Result>(
    creating: Bool = false, isQuiet: Bool = false,
    _ body: (borrowing TrackerState) -> Swift.Result<Result, ToolFailure>
  ) throws(ToolFailure) -> Result {
    let path = try path()
    // A process cannot open a store twice.
    if let tracker = context.sharedStore { return try tracker.verifiedState(body) }
    let answer: Swift.Result<Result, ToolFailure>
    do throws(StoreError) {
      var notice: String?
      let trial = context.foldTrial(path)
      answer = try TrackerStore.read(at: path, foldTrial: trial) { state, use in
        notice = Self.notice(of: use)
        return body(state)
      }
      if let notice, !isQuiet { output.printError(notice) }
    } catch {
      try checkMissing(error, creating: creating)
      answer = body(TimeTracker.initialState)
    }
    return try answer.get()
  }

  /// Returns the result of `body` for an earlier state, and prints a note that says which one.
  private func readPast<Result>(
    _ end: HistoryEnd, at path: String,
    _ body: (borrowing TrackerState) -> Swift.Result<Result, ToolFailure>
  ) throws(ToolFailure) -> Result {
    try context.closeSharedStore()
    let trial = context.foldTrial(path)
    let (result, past, last) = try orFail(
      try TrackerStore.readPast(at: path, asOf: end, foldTrial: trial, body))
    let record = last.map { "record \(past.last), of \($0.moment.localTimestamp(with: $0.clock))" }
    output.printErrorWrapped("note: as of \(record ?? "no record").")
    if let note = past.note { output.printErrorWrapped(note) }
    return try result.get()
  }

  /// Returns the end that --as-of names; `nil` without the option.
  private func historyEnd() throws(ToolFailure) -> HistoryEnd? {
    guard let asOf else { return nil }
    return try historyEnd(asOf, option: "--as-of")
  }

  /// Returns the end that the value of an option names: a record, an instant, or words for one.
  func historyEnd(_ text: String, option: String) throws(ToolFailure) -> HistoryEnd {
    if let sequence = UInt64(text), sequence > 0 { return .sequence(sequence) }
    if let moment = Moment(timestamp: text) { return .moment(moment) }
    return .moment(try pastMoment(text, option: option))
  }

  /// Returns the moment that words name, by the present preferences of the user.
  ///
  /// A day or a longer period is its last moment, because what was recorded on that day is asked
  /// for; or the present, if that is in it.
  private func pastMoment(_ text: String, option: String) throws(ToolFailure) -> Moment {
    let now = try fixedMoment() ?? Moment(microseconds: WallClock.now())
    let calendar = try presentCalendar()
    do throws(ExpressionError) {
      if let days = try? calendar.range(of: text, at: now).days {
        let moments = calendar.range(of: days)
        return moments.contains(now) ? now : moments.upperBound.adding(.microsecondBack)
      }
      return try TimeExpression(text, in: calendar.expressionContext(at: now)).moment
    } catch {
      throw .usage(
        "\(option): \(error)",
        advice:
          "Give a day such as 2026-03-02, a time such as \"yesterday 17:30\", an instant such "
          + "as 2026-03-02T09:00:00Z, or the number of a record.")
    }
  }

  /// Returns the fixed instant, which --as-of gives, or the current one.
  func currentMoment() throws(ToolFailure) -> Moment {
    if let fixed = try fixedMoment() { return fixed }
    if case .moment(let moment)? = try historyEnd() { return moment }
    return Moment(microseconds: WallClock.now())
  }
}

extension TrackerStore {
  /// Returns the result of `body` for the latest entities of the open store, and verifies what it
  /// read.
  ///
  /// - Parameter body: It may be called twice, so it must not print.
  func verified<Result>(
    _ body: (DomainState) throws(ToolFailure) -> Result
  ) throws(ToolFailure) -> Result {
    try verifiedState { state in
      Swift.Result { () throws(ToolFailure) in try body(state.domain) }
    }
  }

  /// Returns the result of `body` for the latest state as ``verified(_:)`` does.
  func verifiedState<Result>(
    _ body: (borrowing TrackerState) -> Swift.Result<Result, ToolFailure>
  ) throws(ToolFailure) -> Result {
    try orFail(try store.read(body)).get()
  }
}

extension String {
  /// The text with its first letter in uppercase.
  var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
