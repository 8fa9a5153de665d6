package import Retrace
package import RetraceStorage

/// The hidden command of the tools that folds a log and notes each record before folding it.
///
/// If an earlier process crashed while it folded the log, a tool runs this command in a child
/// process to find the record.
package enum TrialFold {
  package static var name: String { "try-fold" }

  /// Returns the fold trial that runs the command on a store.
  package static func trial(of path: String) -> FoldTrial {
    FoldTrial(arguments: ToolProcess.prefix + [name, "--", path])
  }

  /// Folds the log of an app, as the command does.
  package static func run<App: ReplayableApp>(
    _ app: App.Type, at path: String
  ) throws(ToolFailure) {
    try orFail(try LogStorage.foldNotingEachRecord(App.self, at: path))
  }
}
