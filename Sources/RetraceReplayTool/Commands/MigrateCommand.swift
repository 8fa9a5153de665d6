import ArgumentParser
import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceStorage
import RetraceToolSupport

/// Copies a store of an older version of the format into one of the current version.
struct MigrateCommand<App: ReplayableApp>: ToolCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "migrate",
      abstract: "Copy a store of an older version of the format into a store of the current one.",
      discussion: """
        Every record keeps its number, its moment, its actions and its state hash; the chain is \
        another one, since it covers the version. The original is verified first and not changed. \
        The new name appears only when the copy is whole, verified and on disk. To use the copy \
        in the place of the original, move the original away and give the copy its name.

        EXAMPLE
          replay migrate ~/track-2 --store ~/track
        """)
  }

  @Argument(help: ArgumentHelp("The directory to make.", valueName: "dest"))
  var destination: String

  @OptionGroup var options: StoreOptions

  func perform() throws(ToolFailure) {
    guard !destination.isEmpty else {
      throw .usage("The destination is empty.", advice: "Name a directory to make.")
    }
    let storage = try options.openLog(app: App.name)
    defer { storage.close() }
    let version = storage.version
    let copy: StoreBackup
    do throws(StoreError) {
      copy = try storage.migrate(to: destination)
    } catch {
      throw ToolFailure(error)
    }
    guard !options.json else {
      Output.print([
        "path": .string(copy.path), "records": .integer(Int64(clamping: copy.head.sequence)),
        "bytes": .integer(Int64(copy.bytes)), "chain": .string(copy.head.chain.hex),
        "from": .integer(Int64(version)), "to": .integer(Int64(LogFormat.version)),
      ])
      return
    }
    Output.print(
      "\(copy.path) holds \(copy.head.sequence) records in format version "
        + "\(LogFormat.version), verified.")
    Output.print("bytes  \(copy.bytes)")
    Output.print("chain  \(copy.head.chain)")
  }
}
