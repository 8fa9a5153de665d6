import ArgumentParser
import Retrace
import RetraceStorage
import RetraceToolCommands
import RetraceToolSupport

struct BackupCommand<Tool: ReplayTool>: ToolCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "backup",
      abstract: "Copy the store, even while it is in use, and verify the copy.",
      discussion: """
        The copy is a store of its own, without free pages. DEST appears only once the copy is \
        complete, verified and synced to disk. Existing files are never overwritten.

        EXAMPLE
          \(ToolProcess.replay) backup ~/backups/track-2026-03-02
        """)
  }

  @OptionGroup var copy: CopyDestination

  @OptionGroup var options: StoreOptions

  func perform() throws(ToolFailure) {
    let destination = try copy.path()
    try options.withLog(or: Tool.store) { storage throws(ToolFailure) in
      let backup = try orFail(try storage.backup(to: destination))
      backup.print(asJSON: options.json)
    }
  }
}
