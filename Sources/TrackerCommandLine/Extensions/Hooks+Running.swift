import RetraceSystem
import RetraceToolSupport
import TrackerApp

extension Hooks {
  /// Returns the folder of the hooks, if any; `nil` if a hook started this process.
  static func folder(in environment: Environment) -> String? {
    guard environment.text(variable) == nil,
      let folder = UserFolders(environment).configuration.map({ "\($0)/hooks" }),
      (try? FileSystem.info(folder))?.isDirectory == true
    else { return nil }
    return folder
  }

  /// Runs the hooks of the changes that were noted, in order; call it when the store is closed.
  ///
  /// Each failure of a hook is reported in one line on standard error, with how often it failed so.
  /// The output of hooks goes there too.
  ///
  /// - Parameters:
  ///   - folder: The folder of the hooks.
  ///   - output: The output of the verbs, which is written first.
  mutating func run(in folder: String, _ output: Output) {
    guard hasCalls else { return }
    output.flush()
    for failure in run(in: folder, keepsOutput: false).failures {
      output.printError("track: \(failure)")
    }
  }
}
