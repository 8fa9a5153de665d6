import ArgumentParser
import RetraceArchitecture
import RetraceAvro
import RetraceReplay
import RetraceLog
import RetraceStorage
import RetraceToolSupport

/// Prints records.
struct ShowCommand<App: ReplayableApp>: ToolCommand {
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
          replay show --session 120 --action timeline
          replay show --mentions TimeEntryID=42
        """)
  }

  @OptionGroup var options: StoreOptions
  @OptionGroup var records: RecordOptions

  @Option(
    name: .long,
    help: ArgumentHelp("Print only the newest of the selected records.", valueName: "count"))
  var last: UInt64?

  @Option(name: .long, help: ArgumentHelp("One record only.", valueName: "n"))
  var at: UInt64?

  func validate() throws {
    if at != nil, last != nil || records.hasRange {
      throw ValidationError("Give --at without --last, --from and --to.")
    }
  }

  func perform() throws(ToolFailure) {
    let storage = try options.openLog(app: App.name)
    defer { storage.close() }
    var selection = try records.selection(in: storage)
    if let at {
      let head: UInt64
      do throws(StoreError) {
        head = try storage.head().sequence
      } catch {
        throw ToolFailure(error)
      }
      guard at >= 1 && at <= head else {
        throw .usage(
          "There is no record \(at); the last one is \(head).",
          advice: "Give a record from 1 to \(head) with --at.")
      }
      (selection.first, selection.last) = (at, at)
    }
    selection.newest = last
    try selection.print(in: storage, asJSON: options.json)
  }
}
