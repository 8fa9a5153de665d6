import ArgumentParser
import Retrace
import RetraceReplay
import RetraceStorage
import RetraceToolCommands
import RetraceToolSupport

struct ShowCommand<Tool: ReplayTool>: ReplaySubcommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "show",
      abstract: "Print records: sequence, moment, session and what happened.",
      discussion: """
        With --json one object per line is printed. A record marked + belongs to the batch of the \
        one before it.

        EXAMPLES
          replay show --last 20
          replay show --from 1 --to 50 --json
          replay show --session 1 --action \(feature)
          replay show --filter "kind:command or kind:crashed" --last 5
          replay show --mentions \(EntityName.typeNames(in: App.initialState).last ?? "ID")=42
        """)
  }

  /// The name of the first actions of the app, for an example.
  private static var feature: String {
    let names = (try? SchemaCodec(App.Action.schema))?.caseNames ?? []
    return names.first.map { String($0.prefix { $0 != "." }) } ?? "NAME"
  }

  @OptionGroup var options: StoreOptions
  @OptionGroup var records: RecordOptions

  @Option(help: ArgumentHelp("Print only the newest of the selected records.", valueName: "count"))
  var last: UInt64?

  @Option(help: ArgumentHelp("One record only.", valueName: "n"))
  var at: UInt64?

  func validate() throws {
    if at != nil, last != nil || records.hasRange {
      throw ValidationError("Give --at without --last, --from and --to.")
    }
  }

  func perform() throws(ToolFailure) {
    try options.withLog(or: Tool.store) { storage throws(ToolFailure) in
      var selection = try records.selection(in: storage)
      if let at {
        let head = try orFail(try storage.head().sequence)
        guard at >= 1 && at <= head else {
          throw .noRecord(at, first: 1, last: head)
        }
        (selection.first, selection.last) = (at, at)
      }
      selection.newest = last
      try selection.print(in: storage, asJSON: options.json)
    }
  }
}
