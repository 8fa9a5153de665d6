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

      --salvage lists the records in all intact blocks of a damaged store, also those after the \
      damage; --mentions and --filter are not possible then. No process may have the store open. A \
      record that the chain does not cover is marked: its checksum is right, but nothing proves \
      that it was recorded at its place. The exit code is 3 if such records exist or records are \
      missing. `replay salvage` copies the records that the chain covers into a new store.

      EXAMPLES
        audit list --last 20
        audit list --from 100 --to 200
        audit list --kind crashed --json
        audit list --action fact.edited.entry.inserted --mentions ProjectID=3
        audit list --since 2026-03-01T00:00:00Z --until 2026-03-02T00:00:00Z
        audit list --since "yesterday 9:00" --until today
        audit list --salvage --json
      """)

  @OptionGroup var options: StoreOptions
  @OptionGroup var records: RecordOptions

  @Option(help: ArgumentHelp("Print only the newest of the selected records.", valueName: "count"))
  var last: UInt64?

  @Flag(help: "List the intact records of a damaged store, also those after the damage.")
  var salvage = false

  func perform() throws(ToolFailure) {
    if salvage {
      let path = try options.path(or: Audit.store)
      return try records.printIntact(at: path, newest: last, asJSON: options.json)
    }
    try options.withLog(or: Audit.store) { storage throws(ToolFailure) in
      var selection = try records.selection(in: storage)
      selection.newest = last
      try selection.print(in: storage, asJSON: options.json)
    }
  }
}
