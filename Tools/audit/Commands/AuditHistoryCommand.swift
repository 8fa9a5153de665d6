import ArgumentParser
import RetraceStorage
import RetraceToolCommands
import RetraceToolSupport

/// Lists the records about one entity, with what each changed.
struct AuditHistoryCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "List what happened to one entity: when, by whom, from which value to which.",
    discussion: """
      Facts that hold the values before and after are listed with the changes of the entity; other \
      records that mention its id are listed as they are. TYPE is the id's type in the schema, or \
      a former name of it; TimeEntryID=42 and TimeEntry=42 are the same. Fields have their \
      present names. With --json one object per line is printed, and long values are whole; the \
      values before and after are texts that hold JSON.

      EXAMPLES
        audit history TimeEntryID=42
        audit history TimeEntryID=42 --as-of 2026-03-01T00:00:00Z
        audit history ProjectID=3 --json
      """)

  @OptionGroup var options: StoreOptions
  @OptionGroup var entity: EntityOptions

  func perform() throws(ToolFailure) {
    let history = try entity.history(options)
    Output.standard.startBuffering()
    if options.json {
      for line in history.json { Output.standard.print(line) }
    } else {
      for line in history.lines { Output.standard.print(line) }
    }
  }
}
