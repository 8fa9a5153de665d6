import Retrace
import RetraceToolSupport
import TrackerApp
import TrackerFeatures

/// The services of the app that are outside its store.
struct AppServices {
  /// The environment of the effects: accounts on this machine, and a keychain of files.
  let environment: TrackerEnvironment
  /// The file of the analytics; `nil` unless the settings name one.
  private let file: AnalyticsFile?

  /// Creates the services that the environment and the settings name.
  init(in context: VerbContext) {
    let folder = context.environment.stateFolder
    let path = context.settings[.analytics]?.text ?? Configuration.none
    file =
      path == Configuration.none
      ? nil : AnalyticsFile(at: context.environment.expandingTilde(path))
    environment = TrackerEnvironment(
      users: .local, keychain: folder.map { .folder("\($0)/retrace/track/keychain") } ?? .failing,
      secrets: .inMemory(), analytics: file?.sink ?? .none)
  }

  /// Waits for what is still being written, and tells what was not.
  func finish(_ output: Output) {
    guard let problem = file?.finish() else { return }
    output.printErrorWrapped(
      "note     The events of analytics were not kept: \(problem).", indent: 9)
  }
}
