import Retrace
import RetraceCommandLine
import RetraceRecording
import RetraceStorage
import RetraceToolSupport
import TimeTracking
import TrackerApp
import TrackerFeatures

/// Where the app is to open, with the checks that come before anything is written.
struct AppOpening {
  let options: TrackerOptions
  /// The user of the options, or else of the settings.
  let name: String
  /// The zone of the options.
  let zone: ZoneRules?
  let scene: SceneID?
  let link: String?
  let size: Screen.Size

  /// Opens the store, after the user, the scene and the link were checked.
  ///
  /// If one of them is not there, no store is created, and nothing is recorded.
  ///
  /// - Parameters:
  ///   - environment: What the app has from its environment.
  ///   - loading: The screen that is shown while the log is folded; `nil` for none.
  func store(
    environment: TrackerEnvironment, loading: LoadingScreen?
  ) throws(ToolFailure) -> TrackerStore {
    try checkForm()
    return try options.open(
      checking: { state throws(ToolFailure) in try check(state) }, environment: environment,
      loading: loading)
  }

  private func check(_ state: TrackerState) throws(ToolFailure) {
    if options.namesUser, let missing = MissingUser(name, in: state.domain) {
      throw missing.failure("The app was not opened.")
    }
    if let scene, state.scenes[scene] == nil {
      throw Self.missing(scene, of: TimeTracker.scenes(in: state))
    }
    guard let link else { return }
    do throws(LinkProblem) {
      _ = try TimeTracker.opening(link, in: SceneID(value: 0), of: state)
    } catch {
      throw Self.failure(link, error)
    }
  }

  /// Checks whether the link is one of the app, whatever the store has.
  private func checkForm() throws(ToolFailure) {
    guard let link else { return }
    do throws(LinkProblem) { _ = try LinkProblem.route(of: link) } catch {
      throw Self.failure(link, error)
    }
  }

  /// Attaches to a scene of the store, and opens the link in it.
  ///
  /// - Parameters:
  ///   - tracker: The tracker.
  ///   - answersQuestion: Whether a new scene need not ask for a user who is clear.
  func attach(
    to tracker: TrackerStore, answersQuestion: Bool
  ) throws(ToolFailure) -> SceneDriver {
    var driver = try driver(of: tracker)
    let path = try options.path()
    (driver.hooks, driver.place) = (options.context.appHooks(store: path), path)
    driver.savedFilters = options.context.settings.savedFilters
    let zones = tracker.zones
    let settings = options.context.settings
    driver.calendars = CalendarFiles(
      settings.calendars, zones: { zones.rules(id: $0) },
      change: { text in
        do throws(ToolFailure) {
          return .changed(try settings.setCalendars(text))
        } catch {
          let reason = error.why.hasSuffix(".") ? String(error.why.dropLast()) : error.why
          return .failed(
            FileFailure(
              path: settings.file.path ?? "The file of settings", reason: reason,
              advice: error.advice, code: -1))
        }
      })
    if answersQuestion {
      // A user that an option or the settings name needs no first screen.
      let isGiven = options.namesUser || options.context.settings[.user] != nil
      try orFail(
        try driver.enter(as: Name(name, in: tracker.domain.users), welcomes: !isGiven))
    }
    try open(in: driver)
    return driver
  }

  private func driver(of tracker: TrackerStore) throws(ToolFailure) -> SceneDriver {
    let domain = tracker.domain
    let user = Name(name, in: domain.users)
    guard let scene else {
      return try orFail(
        try SceneDriver.attach(
          to: tracker, as: linkedUser(in: domain) ?? user, isGiven: options.namesUser, size: size,
          givenZone: zone))
    }
    let attached = try orFail(
      try SceneDriver.attach(
        toScene: scene, of: tracker, as: options.namesUser ? user : nil, size: size,
        givenZone: zone))
    if let attached { return attached }
    throw ToolFailure(
      what: "The app was not opened.", why: "Another process shows window \(scene.value).",
      advice: "Leave it there, or open another window without --scene.", exitCode: ToolExit.inUse)
  }

  /// Returns the driver of a scene as it was, with the link open in it.
  ///
  /// - Parameter text: The value of --at.
  func branch(at text: String) throws(ToolFailure) -> BranchDriver {
    try checkForm()
    let end = try options.historyEnd(text, option: "--at")
    let (path, now) = (try options.path(), try options.fixedMoment())
    try options.context.closeSharedStore()
    let past = try orFail(
      try PastState(
        at: path, asOf: end, now: now, foldTrial: options.context.foldTrial(path)))
    let head = try orFail(try past.head())
    if case .sequence(let sequence) = end, sequence > head {
      throw .noRecord(sequence, first: 1, last: head)
    }
    if let note = past.past.note { options.output.printErrorWrapped(note) }
    let state = past.state
    try check(state)
    let user = linkedUser(in: state.domain).flatMap { state.domain.user(named: $0) }
    let scenes = SceneDriver.scenes(for: user ?? state.domain.user(named: name), in: state)
    guard let scene = scene ?? scenes.first else {
      throw .refused(
        "No window was open after record \(past.sequence).",
        advice: past.sequence == head
          ? "Give an earlier record or instant with --at; if none has a window, the app was never "
            + "opened on this store."
          : "Give another record or instant with --at.",
        what: "The app was not opened.")
    }
    let driver = BranchDriver(
      of: past, scene: scene, size: size, zone: try options.zone(), givenZone: zone,
      login: options.context.loginName)
    try open(in: driver)
    return driver
  }

  private func open(in driver: some ScreenDriver) throws(ToolFailure) {
    guard let link, let problem = try orFail(try driver.open(link)) else { return }
    throw Self.failure(link, problem)
  }

  /// Returns the name of the user of the link, if that is there.
  private func linkedUser(in domain: DomainState) -> Name? {
    guard let link, let user = (try? LinkProblem.route(of: link))?.user else { return nil }
    return domain.users.live(user)?.name
  }

  private static func missing(_ scene: SceneID, of known: [SceneID]) -> ToolFailure {
    let numbers = known.map { "\($0.value)" }.joined(separator: ", ")
    return ToolFailure(
      what: "The app was not opened.",
      why: known.isEmpty
        ? "There is no window \(scene.value); the app was never opened on this store."
        : "There is no window \(scene.value). The store has: \(numbers).",
      advice: "Leave out --scene to open a window that no process shows.",
      exitCode: ToolExit.notFound)
  }

  private static func failure(_ link: String, _ problem: LinkProblem) -> ToolFailure {
    let isMalformed = if case .malformed = problem { true } else { false }
    return ToolFailure(
      what: "The app was not opened.",
      why: "The link \"\(SafeText.line(link, bytesMax: 80))\" leads to no screen. \(problem)",
      advice: "Give a link such as timer/0/start; `track route` prints the one of the last screen.",
      exitCode: isMalformed ? ToolExit.usage : ToolExit.notFound)
  }
}
