import ArgumentParser
import Retrace
import RetraceStorage
import RetraceToolCommands
import RetraceToolSupport

/// Copies a store of an older format version into one of the current version.
struct MigrateCommand<Tool: ReplayTool>: ToolCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "migrate",
      abstract: "Copy a store of an older version of the format into a store of the current one.",
      discussion: """
        Every record keeps its sequence, its moment, its actions and its state hash. The chain \
        changes, because it covers the format version. The original is verified first and not \
        changed. DEST appears only once the copy is complete, verified and synced to disk. To use \
        the copy in place of the original, move the original away and give the copy its name.

        EXAMPLE
          \(ToolProcess.replay) migrate ~/track-2 --store ~/track
        """)
  }

  @OptionGroup var copy: CopyDestination

  @OptionGroup var options: StoreOptions

  func perform() throws(ToolFailure) {
    let destination = try copy.path()
    try options.withLog(or: Tool.store) { storage throws(ToolFailure) in
      let version = storage.version
      let made = try orFail(try storage.migrate(to: destination))
      made.print(
        asJSON: options.json, format: " in format version \(LogFormat.version)",
        [
          .init("from", .integer(Int64(version))), .init("to", .integer(Int64(LogFormat.version))),
        ])
    }
  }
}
