import ArgumentParser
import Retrace
import RetraceStorage
import RetraceToolCommands
import RetraceToolSupport

/// Copies a store of an older format version into one of the current version.
struct MigrateCommand<Tool: ReplayTool>: ToolCommand {
  typealias App = Tool.App

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
          replay migrate ~/track-2 --store ~/track
        """)
  }

  @OptionGroup var copy: CopyDestination

  @OptionGroup var options: StoreOptions

  func perform() throws(ToolFailure) {
    let destination = try copy.path()
    try options.withLog(or: Tool.store) { storage throws(ToolFailure) in
      let version = storage.version
      let made: CopiedStore
      do throws(StoreError) {
        made = try storage.migrate(to: destination)
      } catch {
        throw ToolFailure(error)
      }
      guard !options.json else {
        Output.standard.print([
          "path": .string(made.path), "records": .integer(Int64(clamping: made.head.sequence)),
          "bytes": .integer(Int64(made.bytes)), "chain": .string(made.head.chain.hex),
          "from": .integer(Int64(version)), "to": .integer(Int64(LogFormat.version)),
        ])
        return
      }
      Output.standard.print(
        "\(made.path) holds \(made.head.sequence) records in format version "
          + "\(LogFormat.version), verified.")
      Output.standard.print("bytes  \(made.bytes)")
      Output.standard.print("chain  \(made.head.chain)")
    }
  }
}
