import ArgumentParser
import Retrace
import RetraceReplay
import RetraceStorage
import RetraceToolCommands
import RetraceToolSupport

/// The options by which a command selects a position in the log.
struct PositionOptions: ParsableArguments {
  @OptionGroup var store: StoreOptions

  @Option(
    name: [.long, .customLong("as-of")],
    help: ArgumentHelp(
      "Go to the position after this record, or at this time; the default is the last.",
      valueName: "n|time"))
  var at: String?

  /// Opens the log, calls `body` with a replayer at the selected position and the moment at which
  /// its screens are drawn, and closes the log.
  ///
  /// That moment is the time of `--at`, or the one of the record there.
  ///
  /// - Parameters:
  ///   - tool: The replay tool.
  ///   - wholeBatches: Whether to go back to the last end of a batch.
  ///   - body: Reads the state at the position.
  func withReplayer<Tool: ReplayTool>(
    of tool: Tool.Type, wholeBatches: Bool,
    _ body: (inout Replayer<Tool.App>, Moment) throws(ToolFailure) -> Void
  ) throws(ToolFailure) {
    let path = try store.path(or: Tool.store)
    let end = try HistoryEnd(at, option: "--at", first: 0)
    try store.withLog(or: Tool.store) { storage throws(ToolFailure) in
      var replayer = try Self.replayer(of: Tool.App.self, storage, at: path)
      let target = try end.position(in: storage)
      try orFail(
        try replayer.seek(to: wholeBatches ? try replayer.batchEnd(atOrBefore: target) : target))
      var moment = try orFail(try replayer.moment())
      if case .moment(let time) = end { moment = time }
      try body(&replayer, moment)
    }
  }

  private static func replayer<App: ReplayableApp>(
    of app: App.Type, _ storage: LogStorage, at path: String
  ) throws(ToolFailure) -> Replayer<App> {
    try orFail(
      try storage.requireFoldable(TrialFold.trial(of: path), by: App.reducerFingerprint))
    return try orFail(try Replayer<App>(storage))
  }
}

func printSnapshotNotice<App: ReplayableApp>(of replayer: borrowing Replayer<App>) {
  if let notice = replayer.snapshotUse.notice { Output.standard.printError(notice) }
}
