import ArgumentParser
import RetraceStorage
import RetraceToolCommands
import RetraceToolSupport

/// Shows the fields of one entity, each with the record that set it.
struct BlameCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "blame",
    abstract: "Show the fields of one entity, each with the record that set it last.",
    discussion: """
      The fields are read from facts that hold the values before and after. TYPE is the id's type \
      in the schema, or a former name of it; TimeEntryID=42 and TimeEntry=42 are the same. Fields \
      have their present names. A removed entity is shown as it was before. A record that set \
      several fields is described at the first one, and named by its number at the others. A \
      field such as modified, whose changes no fact tells, has the value of the insertion, and a \
      mark if other fields were changed since. With --json, long values are whole, and each field \
      has its record.

      EXAMPLES
        audit blame TimeEntryID=42
        audit blame TimeEntryID=42 --as-of 1200
      """)

  @OptionGroup var options: StoreOptions
  @OptionGroup var entity: EntityOptions

  func perform() throws(ToolFailure) {
    let history = try entity.history(options)
    let fields = history.fields
    if fields.values.isEmpty, fields.removal == nil {
      throw .notFound(
        "entity", why: "No fact tells the fields of \(entity.id).",
        advice: "List the records that mention it with `audit history \(entity.id)`.")
    }
    if options.json {
      Output.standard.print(history.blameJSON)
    } else {
      for line in history.blameLines { Output.standard.print(line) }
    }
  }
}
