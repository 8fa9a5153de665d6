import ArgumentParser
import RetraceArchitecture
import RetraceReplay
import RetraceStorage
import RetraceToolSupport

/// The options by which a command selects a position in the log.
struct PositionOptions: ParsableArguments {
  @OptionGroup var store: StoreOptions

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Go to the position after this record; the default is the last.", valueName: "n"))
  var at: UInt64?

  /// Opens the log and seeks to the selected position.
  ///
  /// - Parameter wholeBatches: Whether to go back to the last end of a batch.
  func replayer<App: ReplayableApp>(
    of app: App.Type, wholeBatches: Bool
  ) throws(ToolFailure) -> Replayer<App> {
    let storage = try store.openLog(app: App.name)
    let path = try store.path(app: App.name)
    let last: UInt64
    do throws(StoreError) {
      try storage.requireFoldable(TryFoldCommand<App>.trial(of: path), by: App.reducerFingerprint)
      var replayer = try Replayer<App>(storage)
      let target = at ?? replayer.last
      if target <= replayer.last {
        try replayer.seek(
          to: wholeBatches ? try replayer.batchEnd(atOrBefore: target) : target)
        return replayer
      }
      last = replayer.last
    } catch {
      throw ToolFailure(error)
    }
    throw ToolFailure.noRecord(at ?? 0, last: last)
  }
}

extension ToolFailure {
  /// Returns the failure for a position after the end of the log.
  static func noRecord(_ sequence: UInt64, last: UInt64) -> ToolFailure {
    .usage(
      "There is no record \(sequence); the last one is \(last).",
      advice: "Give a record from 0 to \(last) with --at.")
  }
}

/// Prints the notice about the snapshots, if there is one.
func printSnapshotNotice<App: ReplayableApp>(of replayer: borrowing Replayer<App>) {
  if let notice = replayer.snapshotUse.notice { Output.printError(notice) }
}
