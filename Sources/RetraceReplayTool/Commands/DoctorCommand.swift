import ArgumentParser
import RetraceArchitecture
import RetraceReplay
import RetraceStorage
import RetraceToolSupport

/// Reports the condition of a store.
struct DoctorCommand<App: ReplayableApp>: ToolCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "doctor",
      abstract: "Tell how the store is: who has it open, what was left, what is damaged.",
      discussion: """
        Files, free space, the pages of the data file, stored states, open sessions, processes \
        that ended without closing, what they left behind. Nothing is changed. The exit code is \
        that of the damage, if there is any; records are checked by `replay verify`.

        EXAMPLE
          replay doctor --json
        """)
  }

  @OptionGroup var options: StoreOptions

  func perform() throws(ToolFailure) {
    let path = try options.path(app: App.name)
    let report: DoctorReport
    do throws(StoreError) {
      report = try DoctorReport(of: App.self, at: path)
    } catch {
      throw ToolFailure(error)
    }
    if options.json {
      Output.print(report.json)
    } else {
      for line in report.lines { Output.print(line) }
    }
    if let failure = report.condition.failure { throw ToolFailure(failure) }
  }
}
