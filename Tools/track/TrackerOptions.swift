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
import TrackerFeatures

/// The options that the tracker's commands share, except `route`, which needs no clock.
struct TrackerOptions: ParsableArguments {
  @OptionGroup var store: StoreOptions

  @Option(
    name: .long,
    help: ArgumentHelp("A fixed instant instead of the clock, for scripts.", valueName: "rfc3339"))
  var now: String?

  var json: Bool { store.json }

  func path() throws(ToolFailure) -> String { try store.path(app: TimeTracker.name) }

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
  func open(creating: Bool) throws(ToolFailure) -> TrackerStore {
    let path = try path()
    let moment = try fixedMoment()
    let zone = try Self.zone()
    do throws(StoreError) {
      let tracker = try TrackerStore.open(
        at: path, creating: creating, zone: zone, now: moment,
        foldTrial: TryFoldCommand<TimeTracker>.trial(of: path))
      if let notice = tracker.store.snapshotUse.notice { Output.printError(notice) }
      return tracker
    } catch {
      throw ToolFailure(error)
    }
  }

  /// Returns the rules of the process's zone.
  static func zone() throws(ToolFailure) -> ZoneRules {
    do throws(LocalZone.Failure) {
      return try LocalZone.current()
    } catch {
      throw ToolFailure(
        what: error.what, why: error.why, advice: error.advice,
        exitCode: error.isEnvironment ? ToolExit.usage : ToolExit.storage)
    }
  }

  /// Returns the result of `body` for the latest entities, or for none if there is no store.
  ///
  /// The store is opened read-only.
  ///
  /// - Parameter body: Reads the entities; it may be called twice, so it must not print.
  func read<Result>(
    _ body: (DomainState) -> Swift.Result<Result, ToolFailure>
  ) throws(ToolFailure) -> Result {
    try Self.read(store) { body($0.domain) }
  }

  /// Returns the result of `body` for the latest state as ``read(_:)`` does, for commands that need
  /// no clock.
  static func read<Result>(
    _ store: StoreOptions, _ body: (borrowing TrackerState) -> Swift.Result<Result, ToolFailure>
  ) throws(ToolFailure) -> Result {
    let path = try store.path(app: TimeTracker.name)
    let answer: Swift.Result<Result, ToolFailure>
    do throws(StoreError) {
      var notice: String?
      let trial = TryFoldCommand<TimeTracker>.trial(of: path)
      answer = try TrackerStore.read(at: path, foldTrial: trial) { state, use in
        notice = use.notice
        return body(state)
      }
      if let notice { Output.printError(notice) }
    } catch {
      guard case .storeMissing(.directory) = error.code else { throw ToolFailure(error) }
      answer = body(TimeTracker.initialState)
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
    guard let user else { return ThisProcess.loginName }
    guard !Name(user).isEmpty, user.utf8.count <= Name.bytesMax else {
      throw .usage(
        "--user is empty or too long.",
        advice: "Give a name of at most \(Name.bytesMax) bytes with --user.")
    }
    return user
  }
}

extension String {
  /// The text with its first letter in uppercase.
  var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
