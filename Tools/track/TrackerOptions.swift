import ArgumentParser
import CivilTime
import RetraceArchitecture
import RetraceAvro
import RetraceRecording
import RetraceState
import RetraceStorage
import RetraceSystem
import RetraceToolSupport
import TimeTracking
import TrackerApp

/// The options that the tracker's commands share, except `route`, which needs no clock.
struct TrackerOptions: ParsableArguments {
  @OptionGroup var store: StoreOptions

  @Option(
    name: .long,
    help: ArgumentHelp("A fixed instant instead of the clock, for scripts.", valueName: "rfc3339"))
  var now: String?

  var json: Bool { store.json }

  func path() throws(ToolFailure) -> String { try store.path(app: TimeTrackerApp.name) }

  func fixedMoment() throws(ToolFailure) -> Moment? {
    guard let now else { return nil }
    guard let moment = Moment(timestamp: now) else {
      throw .usage(
        "--now takes an instant such as 2026-03-02T09:00:00Z.",
        advice: "Correct the instant and try again.")
    }
    return moment
  }

  /// Opens the store for writing.
  func open(creating: Bool) throws(ToolFailure) -> Tracker {
    let path = try path()
    let moment = try fixedMoment()
    let zone = try Self.zone()
    do throws(StoreError) {
      let tracker = try Tracker.open(
        at: path, creating: creating, zone: zone, now: moment,
        foldTrial: TryFoldCommand<TimeTrackerApp>.trial(of: path))
      if let notice = tracker.store.snapshotUse.notice { Output.printError(notice) }
      return tracker
    } catch {
      throw ToolFailure(error)
    }
  }

  /// Returns the rules of the process's zone.
  private static func zone() throws(ToolFailure) -> ZoneRules {
    do throws(LocalZone.Failure) {
      return try LocalZone.current()
    } catch {
      throw ToolFailure(
        what: error.what, why: error.why, advice: error.advice,
        exitCode: error.isEnvironment ? ToolExit.usage : ToolExit.storage)
    }
  }

  /// Returns the result of `body` for the latest state, or for the initial state if there is no
  /// store.
  ///
  /// The store is opened read-only.
  ///
  /// - Parameter body: Reads the state; it may be called twice, so it must not print.
  func read<Result>(
    _ body: (borrowing AppState) -> Swift.Result<Result, ToolFailure>
  ) throws(ToolFailure) -> Result {
    try Self.read(store, body)
  }

  /// Returns the result of `body` as ``read(_:)`` does, for commands that need no clock.
  static func read<Result>(
    _ store: StoreOptions, _ body: (borrowing AppState) -> Swift.Result<Result, ToolFailure>
  ) throws(ToolFailure) -> Result {
    let path = try store.path(app: TimeTrackerApp.name)
    let answer: Swift.Result<Result, ToolFailure>
    do throws(StoreError) {
      var notice: String?
      let trial = TryFoldCommand<TimeTrackerApp>.trial(of: path)
      answer = try Tracker.read(at: path, foldTrial: trial) { state, use in
        notice = use.notice
        return body(state)
      }
      if let notice { Output.printError(notice) }
    } catch {
      guard case .storeMissing(.directory) = error.code else { throw ToolFailure(error) }
      answer = body(TimeTrackerApp.initialState)
    }
    return try answer.get()
  }

  /// Returns the fixed instant, or the current one.
  func currentMoment() throws(ToolFailure) -> Moment {
    try fixedMoment() ?? Moment(microseconds: WallClock.now())
  }
}

/// The option by which a command selects a user.
struct UserOption: ParsableArguments {
  @Option(
    name: .long, help: ArgumentHelp("The user; the default is the login name.", valueName: "name"))
  var user: String?

  func name() throws(ToolFailure) -> String {
    if let user {
      guard !user.isEmpty else {
        throw .usage("--user is empty.", advice: "Give a user with --user.")
      }
      return user
    }
    return ThisProcess.loginName
  }
}

extension ToolFailure {
  /// Returns the failure for a refusal by the domain.
  static func refused(_ what: String, _ refusal: Refusal, advice: String) -> ToolFailure {
    ToolFailure(
      what: what, why: "\(refusal)".capitalizedFirst + ".", advice: advice,
      exitCode: ToolExit.refused)
  }
}

extension String {
  /// The text with its first letter in uppercase.
  var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
