import ArgumentParser
import Retrace
import RetracePlayer
import RetraceReplay
import RetraceStorage
import RetraceToolCommands
import RetraceToolSupport

/// Prints the changes of one entity, record by record.
struct HistoryCommand<Tool: ReplayTool>: ReplaySubcommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "history",
      abstract: "Print every record that changed an entity, with what it changed.",
      discussion: ToolProcess.asksForHelp ? discussion : "")
  }

  private static var discussion: String {
    """
    Give the entity as TYPE=ID. TYPE is the recorded name of the entity's type or of the type \
    of its id, so TimeEntry=0 and TimeEntryID=0 are the same; ID is a number. The log is \
    folded from the start. With --json one object per line is printed, in which the values \
    before and after are texts that hold JSON. The exit code is 7 if no record changed the \
    entity.

    Entities of this app: \(EntityName.typeNames(in: App.initialState).joined(separator: ", ")).

    EXAMPLES
      \(replay) history \(example)=0
      \(replay) history \(example)=0 --json
    """
  }

  private static var example: String {
    EntityName.typeNames(in: App.initialState).last ?? "Entity"
  }

  @Argument(help: ArgumentHelp("The entity.", valueName: "type=id"))
  var entity: String

  @OptionGroup var options: StoreOptions

  @Option(
    name: [.long, .customLong("at"), .customLong("as-of")],
    help: ArgumentHelp(
      "Up to this record, or up to this time; the default is the last record.",
      valueName: "n|time"))
  var to: String?

  func perform() throws(ToolFailure) {
    let types = EntityName.typeNames(in: App.initialState).joined(separator: ", ")
    guard let name = EntityName(entity) else {
      throw .usage(
        "\(entity) is not of the form TYPE=ID.", advice: "The types are: \(types).")
    }
    let end = try HistoryEnd(to, option: "--to")
    try options.withLog(or: Tool.store) { storage throws(ToolFailure) in
      let end = try end.lastRecord(in: storage)
      var found = 0
      var last: UInt64?
      do throws(StoreError) {
        var replayer = try Replayer<App>(storage)
        var reader = RecordReader(storage)
        let end = min(end, replayer.last)
        Output.standard.startBuffering()
        let known = try replayer.forEachChange(
          of: name, through: end, moments: options.json ? .sortable : .readable
        ) { entry throws(StoreError) in
          found += 1
          let record = try reader.description(entry.envelope, entry.payload)
          let clock = try reader.remark(onChange: entry.envelope)
          if options.json {
            Output.standard.print(json(entry, record, clock))
          } else {
            show(entry, record, clock)
          }
          return !Output.standard.hasFailed
        }
        if known {
          guard found == 0 else { return }
          last = end
        }
      } catch {
        throw ToolFailure(error)
      }
      if let last {
        throw .notFound(
          "entity", why: "No record up to \(last) changed \(entity).",
          advice: "List the changes of all entities with `\(Self.replay) export --changes`.")
      }
      throw .usage("This app has no entity type \(name.type).", advice: "The types are: \(types).")
    }
  }

  private func show(
    _ entry: EntityChange, _ record: RecordDescription, _ clock: RecordClocks.Remark?
  ) {
    let envelope = entry.envelope
    Output.standard.print(
      "\(envelope.sequence)  \(envelope.moment.localTimestamp(with: clock))  session "
        + "\(envelope.session)  \(record.action ?? "")  \(entry.change.kind.rawValue)")
    for line in ChangeText.fields(entry.change, indent: "    ") { Output.standard.print(line) }
  }

  private func json(
    _ entry: EntityChange, _ record: RecordDescription, _ clock: RecordClocks.Remark?
  ) -> JSONValue {
    .object(
      entry.envelope.members(with: clock) + [
        .init("action", record.action.map { .string($0) } ?? .null),
        .init("entity", entry.change.entity.map { .string($0.name) } ?? .null),
        .init("id", entry.change.entity.map { .integer($0.id) } ?? .null),
        .init("change", .string(entry.change.kind.rawValue)),
        .init("fields", .array(entry.change.fields.map(ChangeJSON.row))),
      ])
  }
}
