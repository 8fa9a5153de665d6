import ArgumentParser
import Retrace
import RetraceSystem
import RetracePlayer
import RetraceReplay
import RetraceStorage
import RetraceToolCommands
import RetraceToolSupport

struct ExportCommand<Tool: ReplayTool>: ReplaySubcommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "export",
      abstract: "Export what each record changed, field by field.",
      discussion: """
        One line per field: record, moment, session, action, entity, id, whether the entity was \
        created, changed or removed, the field, the value before and after, a remark on the clock, \
        the user, the command that led to the change and its reason, the name of the entity, and \
        the names that ids in the values had then. A change outside tables has no entity, no id \
        and no names. The records themselves are exported by `audit export`.

        Each JSON line has all members. The values and their names are texts that hold JSON, as in \
        "\\"plan\\"" and "[0,1]". With --format csv they are texts without these quotes, lists of \
        names have commas, a name with a comma is in quotes there, and an apostrophe precedes a \
        text that a spreadsheet would compute or that begins with one; --exact leaves it out. On a \
        terminal, control characters of CSV are made visible.

        EXAMPLES
          \(replay) export --changes > changes.jsonl
          \(replay) export --changes --format csv --since 2026-03-01T00:00:00Z > march.csv
        """)
  }

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case jsonl
    case csv
  }

  @OptionGroup var options: StoreOptions
  @OptionGroup var records: RecordOptions

  @Flag(help: "Export the changes that each record made. Required.")
  var changes = false

  @Option(help: ArgumentHelp("The format of the lines.", valueName: "jsonl|csv"))
  var format = Format.jsonl

  @Flag(help: "Print texts in CSV as they are, for programs and not for spreadsheets.")
  var exact = false

  @Option(help: ArgumentHelp("Entities of one type only.", valueName: "type"))
  var entity: String?

  func perform() throws(ToolFailure) {
    guard changes else {
      throw .usage(
        "Nothing to export was selected.",
        advice: "Add --changes; the records themselves are exported by `audit export`.")
    }
    guard format == .jsonl || !options.json else {
      throw .usage("--json and --format csv contradict each other.", advice: "Leave one out.")
    }
    guard format == .csv || !exact else {
      throw .usage("--exact is about CSV.", advice: "Add --format csv, or leave --exact out.")
    }
    let types = EntityName.typeNames(in: App.initialState)
    if let entity, !types.contains(entity) {
      throw .usage(
        "This app has no entity type \(entity).",
        advice: "The types are: \(types.joined(separator: ", ")).")
    }
    try options.withLog(or: Tool.store) { storage throws(ToolFailure) in
      let selection = try records.selection(in: storage)
      try orFail(try export(storage, selection))
    }
  }

  private func export(_ storage: LogStorage, _ selection: RecordSelection) throws(StoreError) {
    var replayer = try Replayer<App>(storage)
    var differ = try StateDiffer(like: replayer.state, detail: .fields, limit: .max - 1)
    differ.moments = .sortable
    let entityNames: StateNames<App.State>
    do throws(AvroError) {
      entityNames = try StateNames(like: replayer.state)
    } catch {
      throw StoreError.encodingMismatch(error)
    }
    var reader = RecordReader(storage)
    var left = selection.limit
    // The command of the current batch: not read yet, or read; `nil` for a batch without one.
    var isBatchRead = false
    var command: RecordDescription?
    Output.standard.startBuffering()
    if format == .csv { ChangeRow.header.print(Output.standard) }
    guard selection.first <= selection.last, left > 0 else { return }
    try replayer.seek(to: selection.first - 1)
    try replayer.forEachStep(through: selection.last) { step throws(StoreError) in
      if step.envelope.startsBatch { isBatchRead = false }
      guard selection.accepts(step.envelope), step.envelope.kind == .action else { return true }
      let record = try reader.description(step.envelope, step.payload)
      guard selection.accepts(record) else { return true }
      // The limit counts only records with exported changes.
      let changes = try differ.difference(from: step.before, to: step.after).changes
        .filter { !$0.fields.isEmpty && (entity == nil || $0.entity?.name == entity) }
      guard !changes.isEmpty else { return true }
      left -= 1
      if !isBatchRead {
        command = try reader.command(of: step.envelope.sequence)
        isBatchRead = true
      }
      let user = try reader.user(of: step.envelope.session)
      for change in changes {
        let name = change.entity.flatMap {
          entityNames.name(of: $0, in: step.after) ?? entityNames.name(of: $0, in: step.before)
        }
        for field in change.fields {
          func names(_ value: JSONValue?, in state: App.State) -> JSONValue? {
            change.entity.flatMap {
              entityNames.names(for: value, of: field.path, ofType: $0.name, in: state)
            }
          }
          let row = ChangeRow(
            envelope: step.envelope, action: record.action, clock: record.clock, user: user,
            command: (command?.commandName, command?.commandReason), change: change, field: field,
            names: (
              name, names(field.before, in: step.before), names(field.after, in: step.after)
            ))
          if format == .csv {
            row.csv(isExact: exact).print(Output.standard)
          } else {
            Output.standard.print(row.json)
          }
        }
      }
      return left > 0 && !Output.standard.hasFailed
    }
  }
}
