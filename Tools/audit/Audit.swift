import ArgumentParser
import RetraceToolCommands
import RetraceToolSupport

/// The entry point of the tool.
@main
struct Main {
  static func main() { ToolMain.run(Audit.self) }
}

struct Audit: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "audit",
    abstract: "Check, list and export any recorded log, without the code of its app.",
    discussion: """
      The log describes itself: actions are read with the schemas in the log. The log is not \
      changed. Without --store, it is the log of the tracker: \
      \(store.help). Text has the moments of records in the local time zone, with the offset; JSON \
      and exports have UTC.

      EXAMPLES
        audit verify
        audit list --kind crashed
        audit history TimeEntryID=42
        audit export --output records.avro
        audit export --flat --format csv > records.csv

      \(TypedTime.help)

      EXIT CODES
        0 success, 3 damaged, 4 incompatible, 5 in use,
        6 storage or disk, 7 not found, 64 usage
      """,
    version: ToolVersion.text,
    subcommands: [
      AuditVerifyCommand.self, ListCommand.self, AuditHistoryCommand.self, BlameCommand.self,
      SchemasCommand.self, AuditExportCommand.self,
    ])

  /// The store without `--store`: the store of the tracker.
  static let store = StoreLocation(app: "track", hasSettings: true)
}
