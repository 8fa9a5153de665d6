import ArgumentParser
import RetraceStorage
import RetraceToolCommands
import RetraceToolSupport

struct ListCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List records, selected by sequence, session, kind, action, id and time.",
    discussion: """
      With --json one object per line is printed, with the same members for every record: null \
      where a record lacks one. --mentions TYPE=ID finds an id anywhere in a payload; TYPE is the \
      id's type in the schema. For analysis, `audit export --flat` is easier to read.

      EXAMPLES
        audit list --last 20
        audit list --from 100 --to 200
        audit list --kind crashed --json
        audit list --action fact.edited.entry.inserted --mentions ProjectID=3
        audit list --since 2026-03-01T00:00:00Z --until 2026-03-02T00:00:00Z
      """)

  @OptionGroup var options: StoreOptions
  @OptionGroup var records: RecordOptions

  @Option(help: ArgumentHelp("Print only the newest of the selected records.", valueName: "count"))
  var last: UInt64?

  func perform() throws(ToolFailure) {
    try options.withLog(or: Audit.store) { storage throws(ToolFailure) in
      var selection = try records.selection(in: storage)
      selection.newest = last
      try selection.print(in: storage, asJSON: options.json)
    }
  }
}
