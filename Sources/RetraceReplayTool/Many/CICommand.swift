import ArgumentParser
import Retrace
import RetraceReplay
import RetraceSystem
import RetraceToolCommands
import RetraceToolSupport

/// Checks all bundles of a folder.
struct CICommand<Tool: ReplayTool>: ReplaySubcommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "ci",
      abstract: "Check every bundle of a folder: verify, decide again, compare what is declared.",
      discussion: """
        Checks the files of the folder that are bundles or whose names end in .bundle, in the \
        order of their names, as `\(replay) verify --decide` checks a log. Each job has a \
        process of its own. A bundle that is damaged, that crashes the reducer or takes too long \
        is named, and no other is affected.

        A bundle has to replay as it was recorded, unless the file BUNDLE.json beside it declares \
        another verdict, the record, or the routes after the last record. With --declare, what was \
        found is declared of each bundle without such a file.

        The exit code is 0 if all is as declared; otherwise the largest one of a bundle. The page \
        ManyBundles has the members of the JSON.

        EXAMPLES
          \(replay) ci bugs --jobs 4 --junit report.xml
          \(replay) ci bugs --declare
          \(replay) ci bugs --json

        EXIT CODES
          0 all as declared, 2 divergence, 3 damaged, 4 incompatible or a crash,
          6 not read, 7 no bundle in the folder, 64 usage
        """)
  }

  @Argument(help: ArgumentHelp("The folder.", valueName: "folder"))
  var folder: String

  @Option(
    help: ArgumentHelp(
      "The number of bundles that are checked at the same time; the default is the number of "
        + "processors.", valueName: "count"))
  var jobs: Int?

  @Option(help: ArgumentHelp("A file to write in JUnit's XML.", valueName: "file"))
  var junit: String?

  @Flag(help: "Declare what was found of each bundle that declares nothing.")
  var declare = false

  @OptionGroup var limit: TimeoutOption

  @Flag(help: "Print JSON instead of text, a line for each bundle.")
  var json = false

  func perform() throws(ToolFailure) {
    let timeout = try limit.seconds()
    let jobs = self.jobs ?? Machine.processorCount
    guard (1...256).contains(jobs) else {
      throw .usage("--jobs is not between 1 and 256.", advice: "Give a number of processes.")
    }
    let start = MonotonicClock.nanoseconds()
    let run = BundleRun(
      try BundleFolder.bundles(in: folder), isDeclaring: declare, asJSON: json)
    try run.check(jobs: jobs, timeoutSeconds: timeout)
    let results = run.results
    if let junit {
      try OutputFile.replace(junit, with: JUnitReport.text(of: results, named: App.name))
    }
    printSummary(of: results, jobs: jobs, nanoseconds: MonotonicClock.nanoseconds() - start)
    guard let first = results.first(where: { !$0.isPassed }) else { return }
    let failed = results.count { !$0.isPassed }
    throw ToolFailure(
      what: "\(failed) of \(VerificationText.count(UInt64(results.count), "bundle")) failed.",
      why: "The first is \(first.path): \(first.reason)",
      advice: "Look at it with `\(Self.replay) verify --decide --store "
        + "\(commandWord(first.path))`.",
      exitCode: results.map(\.exitCode).max() ?? ToolExit.success)
  }

  private func printSummary(of results: [BundleResult], jobs: Int, nanoseconds: Int64) {
    let passed = results.count { $0.isPassed }
    if json {
      Output.standard.print([
        "bundles": .integer(Int64(results.count)), "passed": .integer(Int64(passed)),
        "failed": .integer(Int64(results.count - passed)), "jobs": .integer(Int64(jobs)),
        "milliseconds": .figure(Double(nanoseconds) / 1e6),
      ])
    } else {
      let tenths = nanoseconds / 100_000_000
      Output.standard.print(
        "\(VerificationText.count(UInt64(results.count), "bundle")): \(passed) passed, "
          + "\(results.count - passed) failed, in \(tenths / 10).\(tenths % 10) s")
    }
  }
}
