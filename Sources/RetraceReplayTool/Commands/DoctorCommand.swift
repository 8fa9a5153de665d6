import ArgumentParser
import Retrace
import RetraceReplay
import RetraceStorage
import RetraceToolCommands
import RetraceToolSupport

struct DoctorCommand<Tool: ReplayTool>: ReplaySubcommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "doctor",
      abstract: "Report the condition of the store: processes that use it, leftovers, damage.",
      discussion: """
        Lists files, free space, the pages of the data file, snapshots, open sessions, processes \
        that ended without closing, and their leftovers. The log is not changed. The exit code is \
        3 if the store is damaged; `\(replay) verify` checks the records.

        EXAMPLE
          \(replay) doctor --json
        """)
  }

  @OptionGroup var options: StoreOptions

  func perform() throws(ToolFailure) {
    let path = try options.path(or: Tool.store)
    let report = try orFail(try DoctorReport(of: App.self, at: path))
    if options.json {
      Output.standard.print(report.json)
    } else {
      for line in report.lines { Output.standard.print(line) }
    }
    if let failure = report.condition.failure { throw ToolFailure(failure) }
  }
}
