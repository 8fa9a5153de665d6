public import Retrace
public import RetraceRecording
public import RetraceStorage
import RetraceSystem
import TimeTracking
public import TrackerFeatures

/// A scene as it was after a record, in which inputs change nothing but the memory of this process.
///
/// Keys move through the screens, and commands are decided on the state of the branch, at the
/// moment of the record. Nothing is written, and what other processes record is not shown.
public struct BranchDriver: ScreenDriver {
  /// The size of the screen in cells.
  public var size: Screen.Size
  /// The scene.
  public let scene: SceneID
  private let past: PastState
  private let zone: ZoneRules
  private let givenZone: ZoneRules?
  private let login: String
  private let zones = ZoneRulesCache()
  private let history = HistoryReader()
  private let branch: Branch

  /// What inputs change.
  private final class Branch: Sendable {
    let state: Lock<TrackerState>
    let memo = Lock(FrameMemo())

    init(_ state: TrackerState) { self.state = Lock(state) }
  }

  /// Creates a driver of a scene.
  ///
  /// - Parameters:
  ///   - past: The state of the scene, and the moment that stays the present.
  ///   - scene: The scene.
  ///   - size: The size of the screen.
  ///   - zone: The rules of the process's zone.
  ///   - givenZone: The rules of the zone that an option gives.
  ///   - login: The user who could undo changes.
  package init(
    of past: PastState, scene: SceneID, size: Screen.Size, zone: ZoneRules,
    givenZone: ZoneRules? = nil, login: String
  ) {
    self.past = past
    self.login = login
    self.scene = scene
    self.size = size
    self.zone = zone
    self.givenZone = givenZone
    branch = Branch(past.state)
  }

  /// The state of the branch.
  public var state: TrackerState { branch.state.withLock { $0 } }

  /// Always `nil`, because the branch is the past.
  public var log: LogStorage? { nil }

  /// The rules of the zone in which times are shown.
  public var shownRules: ZoneRules { rules(in: state) }

  /// Always `nil`, because nothing is written.
  public var writingError: StoreError? { nil }

  /// Returns the present frame of the scene; `nil` if the log cannot be read.
  public func frame() -> SceneFrame? {
    let state = state
    let memo = branch.memo.withLock { $0 }
    let frame = SceneFrame(
      of: scene, in: state, at: past.moment, by: rules(in: state), size: size, memo: memo,
      banner: banner(in: state), history: historyPage(in: state))
    guard past.isSound, let frame else { return nil }
    branch.memo.withLock { $0 = frame.memo }
    return frame
  }

  /// Returns the page of the log that the screen shows; `nil` if it shows none, or cannot read it.
  ///
  /// The log has the changes up to the record, and not what was changed in the branch.
  private func historyPage(in state: TrackerState) -> HistoryPage? {
    guard let query = state.scenes[scene]?.historyQuery(fitting: size) else { return nil }
    let log = HistoryReader.Log(
      storage: past.storage, last: past.sequence, login: login, now: past.moment)
    return try? history.page(query, in: past.state, rules(in: state), of: log)
  }

  private func banner(in state: TrackerState) -> Screen.Line {
    let local = rules(in: state).local(at: past.moment)
    let minute = local.secondOfDay / 60
    let time = "\(local.date) \(minute / 60):\(padded(minute % 60, to: 2))"
    return Screen.Line("Read only: branch of \(time), record \(past.sequence)", .warning)
  }

  private func rules(in state: TrackerState) -> ZoneRules {
    let user = state.scenes[scene]?.stack.top.user
    let preferences = user.flatMap { state.domain.preferences(of: $0)?.set }
    return zones.shown(to: preferences, given: givenZone) { zone } ?? zone
  }

  /// Performs inputs one after another, in memory.
  ///
  /// Undo and redo search the log for changes of the user, so a branch has neither.
  @discardableResult
  public func perform(
    _ inputs: [Input], on painted: SceneFrame? = nil
  ) throws(StoreError) -> SceneDriver.Pressed {
    try performEach(of: inputs, on: painted)
  }

  /// Shows a notice in the branch.
  public func tell(_ notice: Notice) { send(.scene(scene, .told(notice))) }

  /// Opens the screen of a deep link in the branch.
  public func open(_ link: String) -> LinkProblem? {
    do throws(LinkProblem) {
      send(try TimeTracker.opening(link, in: scene, of: state))
      return nil
    } catch {
      return error
    }
  }

  /// Returns the sequence of the record; a branch does not follow other processes.
  public func catchUp() -> UInt64 { past.sequence }

  /// Does nothing, because nothing is recorded.
  public func record(_ features: TerminalFeatures) {}

  /// Does nothing, because no entry runs on in the past.
  public func askAboutSleep() {}

  /// Does nothing, because a branch shows the events that the scene had.
  public func followCalendars() {}

  /// Does nothing, because nothing is recorded.
  public func suspended() {}

  /// Does nothing, because nothing is recorded.
  public func resumed() {}

  /// Returns `nil`, because no other process can change a branch.
  public func observeOthers(_ body: @escaping @Sendable () -> Void) -> Observation? { nil }

  private func tell(_ text: String) { send(.scene(scene, .told(.unavailable(text)))) }

  private func send(_ action: ScenesAction) { fold([.scenes(action)]) }

  private func fold(_ actions: [TrackerAction]) {
    branch.state.withLock { state in
      for action in actions {
        _ = TimeTracker.reducer.reduce(&state, action, at: past.moment)
      }
    }
  }

  /// Carries intents out as a store does, in memory.
  private func carryOut(_ intents: [TimeTracker.Intent]) {
    if let obstacle = zones.obstacle(to: intents) {
      return send(.scene(scene, .told(.obstacle(obstacle))))
    }
    for intent in intents {
      let domain = state.domain
      switch zones.prepared(intent, at: past.moment, in: domain, known: zone) {
      case .scene(let action): send(action)
      case .command(let command):
        do throws(DomainRefusal) {
          fold(try TimeTracker.decider.decide(command, on: state, at: past.moment))
        } catch {
          return send(TimeTracker.answer(to: error, of: intents, in: scene))
        }
      }
    }
  }
}

extension BranchDriver: InputPerformer {
  func now() -> Moment { past.moment }

  var sequence: UInt64 { past.sequence }

  func frame(at now: Moment) -> SceneFrame? { frame() }

  func note(_ input: Input) {}

  func carryOut(_ meaning: KeyMeaning, on frame: SceneFrame, at now: Moment) {
    switch meaning {
    case .intents(let intents): carryOut(intents)
    case .lookBack: tell("A branch has no past; leave it first.")
    case .undo, .redo, .takeBack, .restore:
      closePalette()
      tell("A branch has no undo; open it again.")
    case .write(let file):
      let outcome = file.write(file.csv(of: state.domain, at: now))
      TimeTracker.answers(to: file, outcome, in: scene).forEach(send)
    case .secret: tell("A branch takes no password.")
    case .calendars: tell("A branch changes no settings.")
    case .copy, .leave: break
    }
  }

  func closePalette() {
    if state.scenes[scene]?.palette != nil { send(.scene(scene, .paletteClosed)) }
  }
}
