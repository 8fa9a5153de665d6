import ArgumentParser
import RetraceArchitecture
import RetraceAvro
import RetracePlatform
import RetraceRecording
import RetraceStorage
import RetraceToolSupport
import TimeTracking
import TrackerApp

/// The options that every command of the tracker takes.
struct TrackerOptions: ParsableArguments {
  @OptionGroup var store: StoreOptions

  @Option(
    name: .long,
    help: ArgumentHelp("A fixed instant instead of the clock, for scripts.", valueName: "rfc3339"))
  var now: String?

  var json: Bool { store.json }

  func path() throws(ToolFailure) -> String { try store.path(app: TimeTrackerApp.name) }

  func moment() throws(ToolFailure) -> Moment? {
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
    let moment = try moment()
    do throws(StoreError) {
      return try Tracker.open(
        at: path, creating: creating, zone: LocalZone.current(), now: moment)
    } catch {
      throw ToolFailure(error)
    }
  }

  /// The latest state, read without writing; the initial one where there is no store yet.
  func read() throws(ToolFailure) -> AppState {
    let path = try path()
    do throws(StoreError) {
      return try Tracker.state(at: path)
    } catch {
      if case .storeMissing(.directory) = error.code { return TimeTrackerApp.initialState }
      throw ToolFailure(error)
    }
  }

  /// The current instant, or the one that was fixed.
  func instant() throws(ToolFailure) -> Moment {
    try moment() ?? Moment(microseconds: WallClock.now())
  }
}

/// The option by which a command names a user.
struct UserOption: ParsableArguments {
  @Option(
    name: .long, help: ArgumentHelp("The user; the default is the login name.", valueName: "name"))
  var user: String?

  func name() throws(ToolFailure) -> String {
    if let user {
      guard !user.isEmpty else {
        throw .usage("--user is empty.", advice: "Name a user after --user.")
      }
      return user
    }
    return ThisProcess.loginName
  }
}

extension ToolFailure {
  /// A refusal by the domain.
  static func refused(_ what: String, _ refusal: Refusal, advice: String) -> ToolFailure {
    ToolFailure(
      what: what, why: "\(refusal)".capitalizedFirst + ".", advice: advice,
      exitCode: ToolExit.refused)
  }
}

extension String {
  /// The text with its first letter in upper case.
  var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
