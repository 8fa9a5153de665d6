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
      discussion: ToolProcess.asksForHelp ? discussion : "")
  }

  private static var discussion: String {
    """
    With --json one object per line is printed. A record marked + belongs to the batch of the \
    one before it. Text that was typed letter by letter is one line, with the sequences of its \
    first and last record and the moment of the first. --each and --json print each record.

    EXAMPLES
      \(replay) show --last 20
      \(replay) show --from 1 --to 50 --json
      \(replay) show --from "yesterday 9:00" --to yesterday
      \(replay) show --each --last 20
      \(replay) show --session 1 --action \(feature)
      \(replay) show --filter "kind:command or kind:crashed" --last 5
      \(replay) show --mentions \(entity)=42
    """
  }

  private static var entity: String { EntityName.typeNames(in: App.initialState).last ?? "ID" }

  /// The name of the first actions of the app, for an example.
  private static var feature: String {
    let names = (try? SchemaCodec(App.Action.schema))?.caseNames ?? []
    return names.first.map { String($0.prefix { $0 != "." }) } ?? "NAME"
  }

  @OptionGroup var options: StoreOptions
  @OptionGroup var records: RecordOptions

  @Option(help: ArgumentHelp("Print only the newest of the selected records.", valueName: "count"))
  var last: UInt64?

  @Option(
    help: ArgumentHelp(
      "One record only: this one, or the last at this time.", valueName: "n|time"))
  var at: String?

  @Flag(help: "Print each typed letter on a line of its own.")
  var each = false

  func validate() throws {
    if at != nil, last != nil || records.hasRange {
      throw ValidationError("Give --at without --last, --from and --to.")
    }
  }

  func perform() throws(ToolFailure) {
    try options.withLog(or: Tool.store) { storage throws(ToolFailure) in
      var selection = try records.selection(in: storage)
      if let at {
        let end = try HistoryEnd(at, option: "--at", first: 0)
        let sequence = try end.position(in: storage)
        guard sequence > 0 else {
          if case .moment(let moment) = end {
            throw .notFound(
              "record", why: "Nothing was recorded until \(moment.localTimestamp).",
              advice: "Give a later time; `\(Self.replay) sessions` lists when records begin.")
          }
          throw .noRecord(0, first: 1, last: try orFail(try storage.head().sequence))
        }
        (selection.first, selection.last) = (sequence, sequence)
      }
      selection.newest = last
      if !options.json { Output.standard.printMessage(of: storage) }
      try selection.print(in: storage, asJSON: options.json, joiningTyping: !each)
    }
  }
}
