public import Retrace
package import RetraceFilter
public import RetraceRecording
public import RetraceStorage
import RetraceSystem
public import TimeTracking
public import TrackerFeatures

/// A driver of a scene, which turns keys into actions and commands, and the state into a screen.
public struct SceneDriver: ScreenDriver {
  /// The tracker.
  public let tracker: TrackerStore
  /// The scene that this process shows.
  public let scene: SceneID
  /// The size of the screen in cells.
  public var size: Screen.Size
  /// The rules of the zone that an option gives; `nil` without the option.
  private let givenZone: ZoneRules?
  /// Whether this process opened the scene and the scene asks for the user.
  let asksForUser: Bool
  /// The place of the store, which the settings show; `nil` if they do not.
  package var place: String?
  /// The folder of files that the user names by a relative path; `nil` for the one of the process.
  package var folder: String?
  /// The hooks that run after changes of entries; `nil` for none.
  package var hooks: AppHooks?
  /// The filters that the user has saved.
  package var savedFilters = SavedFilters([])
  /// The calendar files whose events are shown; `nil` for none.
  package var calendars: CalendarFiles?
  private let progress = Progress()
  private let history = HistoryReader()
  /// Returns the reading of the clocks of the machine.
  private let readsClock: @Sendable () -> SleepClock

  /// The state of this driver that is not recorded.
  private final class Progress: Sendable {
    /// Whether keys are being pressed.
    let isPressing = Lock(false)
    /// The memo of the last frame.
    let memo = Lock(FrameMemo())
    /// What the terminal told since the start of the process.
    let presence = Lock(Presence())
    /// When the sleep of the machine was looked at, and how long it had slept.
    let sleep = Lock<(moment: Moment, slept: ElapsedTime)?>(nil)
  }

  /// Whether the user looks at the scene, as far as the terminal tells.
  private struct Presence {
    var isFocused = true
    var (suspended, resumed): (Moment?, Moment?) = (nil, nil)
  }

  /// Attaches to a scene that no other process shows, or opens a new one.
  ///
  /// - Parameters:
  ///   - tracker: The tracker.
  ///   - user: The user whose scene is taken, see ``scenes(for:in:)``. A scene that shows another
  ///     user goes to the timer of this one.
  ///   - isGiven: Whether an option gives the user. A scene with the list of users then goes to the
  ///     timer of the user, too.
  ///   - size: The size of the screen.
  ///   - givenZone: The rules of the zone in which times are shown and read; `nil` for the zone of
  ///     the user's preferences, or else of the process.
  /// - Throws: The errors of the store.
  public static func attach(
    to tracker: TrackerStore, as user: Name? = nil, isGiven: Bool = false, size: Screen.Size,
    givenZone: ZoneRules? = nil
  ) throws(StoreError) -> SceneDriver {
    try attach(
      to: tracker, as: user, isGiven: isGiven, size: size, givenZone: givenZone,
      readingClock: SleepClock.now)
  }

  /// Attaches to a scene, with another source of the sleep of the machine.
  package static func attach(
    to tracker: TrackerStore, as user: Name? = nil, isGiven: Bool = false, size: Screen.Size,
    givenZone: ZoneRules? = nil, readingClock: @escaping @Sendable () -> SleepClock
  ) throws(StoreError) -> SceneDriver {
    while true {
      try tracker.store.catchUpBlocking()
      let state = tracker.store.state
      let id = user.flatMap { state.domain.user(named: $0) }
      let candidates = scenes(for: id, in: state) + [state.nextScene]
      for scene in candidates where try tracker.store.attach(to: scene) {
        try tracker.store.catchUpBlocking()
        let state = tracker.store.state
        let isNew = state.scenes[scene] == nil
        var actions: [ScenesAction] = isNew ? [.opened(scene)] : []
        var shown = state.scenes[scene]?.stack.top.user
        if let user, let id, shown != id, shown != nil || isGiven {
          actions.append(.scene(scene, .userOpened(user)))
          shown = id
        }
        let driver = SceneDriver(
          tracker: tracker, scene: scene, size: size, givenZone: givenZone,
          asksForUser: isNew && shown == nil, readsClock: readingClock)
        if !actions.isEmpty {
          try tracker.store.sendBlocking(actions + driver.newlySeen(in: state, by: shown))
        }
        try driver.askAboutSleep()
        return driver
      }
      // Another process has attached to the next scene and is about to open it.
      MonotonicClock.sleep(milliseconds: 5)
    }
  }

  /// Attaches to a scene that the user names.
  ///
  /// - Parameters:
  ///   - scene: A scene of the store.
  ///   - tracker: The tracker.
  ///   - user: The user that an option gives. A scene that shows another one goes to the timer of
  ///     this one.
  ///   - size: The size of the screen.
  ///   - givenZone: As for ``attach(to:as:isGiven:size:givenZone:)``.
  /// - Returns: The driver; `nil` if another process shows the scene.
  /// - Throws: The errors of the store.
  public static func attach(
    toScene scene: SceneID, of tracker: TrackerStore, as user: Name? = nil, size: Screen.Size,
    givenZone: ZoneRules? = nil
  ) throws(StoreError) -> SceneDriver? {
    guard try tracker.store.attach(to: scene) else { return nil }
    try tracker.store.catchUpBlocking()
    let driver = SceneDriver(
      tracker: tracker, scene: scene, size: size, givenZone: givenZone, asksForUser: false,
      readsClock: SleepClock.now)
    let state = tracker.store.state
    if let user, let id = state.domain.user(named: user), state.scenes[scene]?.stack.top.user != id
    {
      try driver.send(.scene(scene, .userOpened(user)))
    }
    try driver.askAboutSleep()
    return driver
  }

  /// Opens the timer of a user in a new scene, which otherwise asks who is tracking time.
  ///
  /// As on the command line, the user is not asked for if there is none yet, or if the name is
  /// known.
  ///
  /// - Parameters:
  ///   - user: The name.
  ///   - welcomes: Whether a store without users shows the first screen, which offers the name.
  /// - Throws: The errors of the store.
  public func enter(as user: Name, welcomes: Bool = false) throws(StoreError) {
    guard asksForUser else { return }
    let (isKnown, isEmpty) = try tracker.read {
      ($0.user(named: user) != nil, $0.users.count == 0)
    }
    if isEmpty, welcomes {
      let needsPassword = tracker.environment?.users.needsPassword ?? false
      let welcome = WelcomeRoute(name: user, needsPassword: needsPassword)
      return try send(.scene(scene, .wentTo([.welcome(welcome)])))
    }
    if isKnown || isEmpty { try press([.text(user.text), .enter]) }
  }

  /// Opens the screen of a deep link, with the screens below it.
  ///
  /// - Throws: The errors of the store.
  /// - Returns: The reason why there is no such screen; `nil` if it is open.
  public func open(_ link: String) throws(StoreError) -> LinkProblem? {
    try tracker.store.catchUpBlocking()
    let opening: ScenesAction
    do throws(LinkProblem) {
      opening = try TimeTracker.opening(link, in: scene, of: tracker.store.state)
    } catch {
      return error
    }
    try tracker.store.sendBlocking([opening])
    return nil
  }

  /// Folds the records of other processes, and returns the sequence of the last one.
  ///
  /// - Throws: The errors of the store.
  public func catchUp() throws(StoreError) -> UInt64 { try tracker.store.catchUpBlocking() }

  /// The log of the store.
  public var log: LogStorage? { tracker.store.storage }

  /// The rules of the zone in which times are shown.
  public var shownRules: ZoneRules { rules(in: tracker.store.state) }

  /// The error that ended writing; `nil` while the store takes actions.
  public var writingError: StoreError? { tracker.store.writingError }

  /// Returns the scenes in which the app may open for a user, best first.
  ///
  /// The scenes that show the user come first, then the others. A scene in which another user fills
  /// in a form is left out.
  ///
  /// - Parameters:
  ///   - user: The user; `nil` for all scenes in order of their ids.
  ///   - state: The state.
  public static func scenes(for user: UserID?, in state: TrackerState) -> [SceneID] {
    let scenes = TimeTracker.scenes(in: state)
    guard let user else { return scenes }
    func top(_ scene: SceneID) -> TrackerRoute? { state.scenes[scene]?.stack.top }
    let others = scenes.filter { scene in
      if top(scene)?.user == user { return false }
      if case .entryEditor? = top(scene) { return false }
      return true
    }
    return scenes.filter { top($0)?.user == user } + others
  }

  /// The outcome of inputs.
  public struct Pressed: Hashable, Sendable {
    /// The sequence up to which the log is durable.
    public var sequence: UInt64
    /// Whether a key leaves the app.
    ///
    /// The inputs after it were not performed.
    public var leaves: Bool
    /// The inputs after a key that opens the rail, which were not performed; `nil` without such a
    /// key.
    public var afterRail: [Input]? = nil
    /// The text for the clipboard of the terminal; `nil` for none.
    ///
    /// The caller tells the scene whether it was sent; see ``ScreenDriver/tell(_:)``.
    public var copied: String? = nil
  }

  /// Presses keys one after another; see ``perform(_:on:)``.
  @discardableResult
  public func press(
    _ keys: [Key], on painted: SceneFrame? = nil
  ) throws(StoreError) -> Pressed {
    try perform(keys.map { .key($0) }, on: painted)
  }

  /// Performs inputs one after another.
  ///
  /// Each input is interpreted on the state after the previous ones. Its changes are durable before
  /// the next one is interpreted. If the process ends before, the log has all changes of an input
  /// or none.
  ///
  /// - Parameters:
  ///   - inputs: The inputs; those that mean nothing to the app are left out.
  ///   - painted: The frame that the user sees, on which the first input is interpreted; by default
  ///     the frame of the latest state.
  /// - Complexity: A frame and a commit for each input that means something.
  /// - Throws: The errors of the store. The inputs before the one that failed took effect.
  @discardableResult
  public func perform(
    _ inputs: [Input], on painted: SceneFrame? = nil
  ) throws(StoreError) -> Pressed {
    progress.isPressing.withLock { $0 = true }
    defer { progress.isPressing.withLock { $0 = false } }
    try tracker.store.catchUpBlocking()
    return try performEach(of: inputs, on: painted)
  }

  /// Shows a notice in the scene.
  ///
  /// - Throws: The errors of the store.
  public func tell(_ notice: Notice) throws(StoreError) { try send(.scene(scene, .told(notice))) }

  /// Writes a report into a file, and shows in the scene what became of it.
  private func write(_ file: ReportFile, at now: Moment) throws(StoreError) {
    let csv = try tracker.store.read { file.csv(of: $0.domain, at: now) }
    let answers = TimeTracker.answers(to: file, file.write(csv, in: folder), in: scene)
    try tracker.store.sendBlocking(newlySeen + answers)
  }

  /// Sets the calendar files in the settings of this machine, and shows what became of it.
  private func setCalendars(_ text: String, on route: RouteID) throws(StoreError) {
    try send(TimeTracker.answer(toCalendarsOf: route, calendars?.set(text), in: scene))
  }

  /// Edits the plain text of a password, which only this process knows, and records its surrogate.
  private func enter(_ edit: SecretEdit, on shown: SceneFrame) throws(StoreError) {
    let secret = tracker.environment?.secrets.enter(shown.secret, edit)
    if let action = shown.entering(secret) { try send(action) }
  }

  /// Records what the terminal of this session can do.
  ///
  /// It is no input of the user. A driver of a terminal calls this once, when it is settled.
  ///
  /// - Throws: The errors of the store.
  public func record(_ features: TerminalFeatures) throws(StoreError) {
    try send(.scene(scene, .terminalSettled(features)))
  }

  /// Takes note that the process is about to be stopped; the next action records it.
  public func suspended() {
    let now = tracker.now()
    progress.presence.withLock { $0.suspended = now }
  }

  /// Takes note that the process went on after it was stopped; the next action records it.
  public func resumed() {
    let now = tracker.now()
    progress.presence.withLock { $0.resumed = now }
  }

  // MARK: How it is seen

  /// Sends an action, and before it how the user sees the scene if that changed.
  private func send(_ action: ScenesAction) throws(StoreError) {
    try tracker.store.sendBlocking(newlySeen + [action])
  }

  /// The action that records how the user sees the scene; none if the state knows it.
  private var newlySeen: [ScenesAction] {
    let state = tracker.store.state
    return newlySeen(in: state, by: state.scenes[scene]?.stack.top.user)
  }

  /// The action that closes the command palette from which an undo was chosen, or the app is left;
  /// none if it is closed.
  private var closingPalette: [ScenesAction] {
    tracker.store.state.scenes[scene]?.palette == nil ? [] : [.scene(scene, .paletteClosed)]
  }

  private func newlySeen(in state: TrackerState, by user: UserID?) -> [ScenesAction] {
    var seen = SeenFrame(size: size, zone: rules(of: user, in: state).id)
    let presence = progress.presence.withLock { $0 }
    seen.isFocused = presence.isFocused
    (seen.suspended, seen.resumed) = (presence.suspended, presence.resumed)
    return state.scenes[scene]?.seen == seen ? [] : [.scene(scene, .seen(seen))]
  }

  /// Calls `body` after each change of the state, except during ``perform(_:on:)``.
  ///
  /// A caller creates the next frame after `perform` returns. That frame shows all changes up to
  /// then.
  ///
  /// - Parameter body: Called on any thread. It must be fast.
  public func observeOthers(_ body: @escaping @Sendable () -> Void) -> Observation? {
    let progress = progress
    return tracker.store.observe { _ in
      if !progress.isPressing.withLock({ $0 }) { body() }
    }
  }

  /// Passes the events of this scene to the analytics of the environment; `nil` without one.
  public func observeAnalytics() -> Observation? {
    guard let sink = tracker.environment?.analytics else { return nil }
    return tracker.store.observeCommits(.analytics(in: scene, to: sink))
  }

  /// Asks about the running entry of the scene's user if the machine has slept since the last call.
  ///
  /// The first call asks the sessions of the log instead. A driver of a terminal calls this at
  /// least once a second, so the sleep began when it called this last.
  ///
  /// - Complexity: O(1) if the machine did not sleep.
  /// - Throws: The errors of the store.
  public func askAboutSleep() throws(StoreError) {
    let (clock, now) = (readsClock(), tracker.now())
    let last = progress.sleep.withLock { last in
      defer { last = (now, clock.slept) }
      return last
    }
    let time = ElapsedTime(
      microseconds: clock.slept.microseconds - (last?.slept.microseconds ?? 0))
    guard time > Forgotten.sleepMax else { return }
    try tracker.store.catchUpBlocking()
    let state = tracker.store.state
    guard let shown = state.scenes[scene], let user = shown.stack.top.user,
      let (id, entry) = state.domain.runningEntry(of: user)
    else { return }
    let start = state.domain.unconfirmedStart(of: entry)
    let asked = shown.forgotten.map { $0.isOpen(in: state.domain) } ?? false
    let running = IdentifiedEntry(id: id, entry: entry)
    let found: Forgotten?
    if let last {
      found = Forgotten(of: running, from: last.moment, to: now, for: time)
        .map { shown.asking(about: $0, in: state.domain) }
    } else if asked || start >= now {
      found = nil
    } else {
      let slept = try tracker.store.slept(since: start, by: clock)
      found = Forgotten(of: running, from: start, to: now, for: slept)
    }
    if let found { try tracker.store.sendBlocking([.scene(scene, .forgot(found))]) }
  }

  /// Records what has changed in the events of the days that the scene shows.
  ///
  /// It does nothing on a screen without days, and while neither the days nor a file changes. A
  /// driver of a terminal calls this at least once a second.
  ///
  /// - Complexity: O(files) if nothing has changed, else as `CalendarFiles.newEvents`.
  /// - Throws: The errors of the store.
  public func followCalendars() throws(StoreError) {
    guard let calendars else { return }
    let state = tracker.store.state
    guard let shown = state.scenes[scene] else { return }
    let rules = rules(in: state)
    guard let days = shown.eventDays(in: state.domain, at: tracker.now(), by: rules),
      let events = calendars.newEvents(of: days.numbers, in: days.range, floating: rules),
      let changes = shown.events.changes(to: events, of: days.numbers)
    else { return }
    try tracker.store.sendBlocking([.scene(scene, .eventsRead(changes))])
  }

  private func carryOut(
    _ intents: [TimeTracker.Intent], at now: Moment
  ) throws(StoreError) {
    if let obstacle = tracker.zones.obstacle(to: intents) { return try tell(.obstacle(obstacle)) }
    let (scene, before) = (scene, tracker.domain)
    let intents = intents.map {
      tracker.zones.prepared($0, at: now, in: before, known: tracker.zone)
    }
    let seen = intents.isEmpty ? [] : newlySeen.map { TimeTracker.Intent.scene($0) }
    let carriedOut = try tracker.store.performBlocking(seen + intents) { refusal in
      [TimeTracker.answer(to: refusal, of: intents, in: scene)]
    }
    runHooks(after: carriedOut.performed, before: before)
  }

  /// Runs the hooks of commands, and shows in the scene what they print and how they fail.
  private func runHooks(after performed: [Performed<TimeTracker>], before domain: DomainState) {
    guard let hooks, !performed.isEmpty else { return }
    let (store, scene) = (tracker.store, scene)
    hooks.run(performed.map { EntryChanges($0) }, before: domain, at: tracker.now()) { report in
      // A failed send has ended the store, which the next input tells.
      _ = try? store.sendBlocking([.scene(scene, .told(.hooks(report)))])
    }
  }

  private func restore(isRedo: Bool) throws(StoreError) {
    try tell(isRedo: isRedo) { (answer) throws(CommandError<TimeTracker>) in
      let void = Notice.obstacle(isRedo ? .nothingRedone : .nothingUndone)
      let made = try tracker.undoOrBringBack(
        isRedo: isRedo, recordsVoid: false, answering: answer)
      let state = tracker.store.state
      guard made?.rest != nil, state.scenes[scene]?.notice(in: state.domain) == void else {
        return made
      }
      // The key is pressed again, so it passes over what changes nothing.
      _ = try tracker.undoOrBringBack(isRedo: isRedo, recordsVoid: true)
      return try tracker.undoOrBringBack(isRedo: isRedo, recordsVoid: false, answering: answer)
    }
  }

  /// Undoes the newest change of this login that deleted exactly some entries.
  ///
  /// If another login deleted them, nothing is undone.
  private func takeBack(_ entries: [TimeEntryID]) throws(StoreError) {
    let wanted = Set(entries)
    let change = try tracker.store.newestChangeBlocking { $0.deletedEntries == wanted }
    try tell(isRedo: false) { (answer) throws(CommandError<TimeTracker>) in
      guard let change else { return nil }
      return try tracker.store.restoreBlocking(
        .change(change, isRedo: false, taking: false), closing: false, recordsVoid: false,
        answering: answer)
    }
  }

  /// Undoes the change of a command, or brings it back.
  private func restore(_ change: UInt64, isRedo: Bool) throws(StoreError) {
    try tell(isRedo: isRedo) { (answer) throws(CommandError<TimeTracker>) in
      try tracker.store.restoreBlocking(
        .change(change, isRedo: isRedo, taking: false), closing: false, recordsVoid: false,
        answering: answer)
    }
  }

  /// Makes a restore that tells the user what it led to, in the same commit.
  ///
  /// - Parameters:
  ///   - isRedo: Whether it is a redo.
  ///   - restore: Makes the restore with the answer to it.
  private func tell(
    isRedo: Bool,
    _ restore: (
      @escaping InputAnswer<TimeTracker>
    ) throws(CommandError<TimeTracker>) -> MadeRestore<TimeTracker>?
  ) throws(StoreError) {
    let (scene, seen, before) = (scene, newlySeen + closingPalette, tracker.domain)
    let made: MadeRestore<TimeTracker>?
    do throws(CommandError<TimeTracker>) {
      made = try restore { outcome in
        switch outcome {
        case .success(let facts):
          seen + [TimeTracker.answer(toRestore: facts, isRedo: isRedo, in: scene)]
        case .failure(let refusal): seen + [TimeTracker.answer(to: refusal, of: [], in: scene)]
        }
      }
    } catch {
      if case .store(let failure) = error { throw failure }
      return
    }
    if let performed = made?.performed, !performed.wasRepeated {
      return runHooks(after: [performed], before: before)
    }
    // Nothing was restored, or by another process.
    let answer: ScenesAction =
      made?.rest != nil
      ? .scene(scene, .told(.obstacle(isRedo ? .nothingRedone : .nothingUndone)))
      : TimeTracker.answer(toRestore: made?.performed?.facts, isRedo: isRedo, in: scene)
    try tracker.store.sendBlocking(newlySeen + closingPalette + [answer])
  }

  /// Returns the present frame of the scene; `nil` if the log cannot be read.
  public func frame() -> SceneFrame? {
    try? frame(at: tracker.now())
  }

  private func frame(of state: TrackerState, at now: Moment, _ memo: FrameMemo) -> SceneFrame? {
    SceneFrame(
      of: scene, in: state, at: now, by: rules(in: state), size: size, memo: memo, store: place,
      calendars: calendars?.text, saved: savedFilters, history: historyPage(in: state))
  }

  /// Returns the page of the log that the screen shows; `nil` if it shows none, or cannot read it.
  private func historyPage(in state: TrackerState) -> HistoryPage? {
    guard let query = state.scenes[scene]?.historyQuery(fitting: size) else { return nil }
    let log = HistoryReader.Log(
      storage: tracker.store.storage, last: tracker.store.sequence, login: tracker.login,
      now: tracker.now())
    return try? history.page(query, in: state, rules(in: state), of: log)
  }

  /// Returns the rules of the zone in which times are shown.
  private func rules(in state: TrackerState) -> ZoneRules {
    rules(of: state.scenes[scene]?.stack.top.user, in: state)
  }

  private func rules(of user: UserID?, in state: TrackerState) -> ZoneRules {
    let preferences = user.flatMap { state.domain.preferences(of: $0)?.set }
    return tracker.zones.shown(to: preferences, given: givenZone) { tracker.zone } ?? tracker.zone
  }
}

extension SceneDriver: InputPerformer {
  func now() -> Moment { tracker.now() }

  var sequence: UInt64 { tracker.store.sequence }

  /// Returns the frame of the latest state, verified so that a damaged page cannot hide a row;
  /// `nil` if there is no such scene.
  func frame(at now: Moment) throws(StoreError) -> SceneFrame? {
    let memo = progress.memo.withLock { $0 }
    let made = try tracker.store.read { frame(of: $0, at: now, memo) }
    if let made { progress.memo.withLock { $0 = made.memo } }
    return made
  }

  func note(_ input: Input) {
    guard input == .focused || input == .unfocused else { return }
    progress.presence.withLock { $0.isFocused = input == .focused }
  }

  func carryOut(
    _ meaning: KeyMeaning, on frame: SceneFrame, at now: Moment
  ) throws(StoreError) {
    switch meaning {
    case .intents(let intents): try carryOut(intents, at: now)
    case .undo, .redo: try restore(isRedo: meaning == .redo)
    case .takeBack(let entries): try takeBack(entries)
    case .restore(let change, let isRedo): try restore(change, isRedo: isRedo)
    case .write(let file): try write(file, at: now)
    case .calendars(let text, let route): try setCalendars(text, on: route)
    case .secret(let edit): try enter(edit, on: frame)
    case .copy, .leave, .lookBack: break
    }
  }

  func closePalette() throws(StoreError) {
    if !closingPalette.isEmpty { try tracker.store.sendBlocking(closingPalette) }
  }
}

extension ZoneRulesCache {
  /// Returns why intents are not carried out: they set a time zone that this system does not know;
  /// `nil` if they are.
  func obstacle(to intents: [TimeTracker.Intent]) -> KeyObstacle? {
    for case .command(.preferences(let command)) in intents {
      let zone: String?? =
        switch command {
        case .create(let set, rules: _): set.zone
        case .change(_, let changes, rules: _, changesCurrency: _, reason: _): changes.zone?.after
        case .delete, .merge, .link: nil
        }
      if case .some(.some(let zone)) = zone, rules(id: zone) == nil {
        return .noPreference(.zone, zone)
      }
    }
    return nil
  }

  /// Returns an intent with its command about entries prepared.
  func prepared(
    _ intent: TimeTracker.Intent, at now: Moment, in domain: DomainState, known zone: ZoneRules
  ) -> TimeTracker.Intent {
    guard case .command(.entry(let command)) = intent else { return intent }
    return .command(.entry(prepared(command, at: now, in: domain, known: zone)))
  }
}

extension [DomainEdit] {
  /// The entries that the edits delete; `nil` if they change anything else.
  var deletedEntries: Set<TimeEntryID>? {
    var deleted: Set<TimeEntryID> = []
    for edit in self {
      guard case .entry(.changed(let id, let changes)) = edit, changes.deleted?.after != nil else {
        return nil
      }
      deleted.insert(id)
    }
    return deleted
  }
}

extension Notice {
  /// The notice of what hooks printed, and of how they failed.
  fileprivate static func hooks(_ report: Hooks.Report) -> Notice {
    let lines = report.failures + report.output.split(separator: "\n").map(String.init)
    return .hook(
      SafeText.line(lines.joined(separator: " "), bytesMax: 400), failed: !report.failures.isEmpty)
  }
}
