import ArgumentParser
import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceReplay
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
          replay show --session 120
        """)
  }

  @OptionGroup var options: StoreOptions

  @Option(name: .long, help: ArgumentHelp("The first record.", valueName: "n"))
  var from: UInt64?

  @Option(name: .long, help: ArgumentHelp("The last record.", valueName: "n"))
  var to: UInt64?

  @Option(name: .long, help: ArgumentHelp("The newest records only.", valueName: "count"))
  var last: UInt64?

  @Option(name: .long, help: ArgumentHelp("One record only.", valueName: "n"))
  var at: UInt64?

  @Option(name: .long, help: ArgumentHelp("One session only.", valueName: "number"))
  var session: UInt64?

  func perform() throws(ToolFailure) {
    let storage = try openLog(options, app: App.name)
    defer { storage.close() }
    let head: UInt64
    do throws(StoreError) { head = try storage.head().sequence } catch { throw ToolFailure(error) }
    if let at, at < 1 || at > head {
      throw .usage(
        "There is no record \(at); the last one is \(head).",
        advice: "Name a record from 1 to \(head) after --at.")
    }
    do throws(StoreError) {
      var first = max(1, at ?? from ?? 1)
      let end = min(head, at ?? to ?? head)
      if let last, at == nil, end >= last { first = max(first, end - last + 1) }
      guard first <= end else { return }
      try RecordDescription.forEach(in: storage, from: first, through: end) { record in
        guard session == nil || record.envelope.session == session else { return }
        if options.json { Output.print(record.json) } else { Output.print(record.line) }
      }
    } catch {
      throw ToolFailure(error)
    }
  }
}
