import ArgumentParser
import Retrace
import RetraceReplay
import RetraceSystem
import RetraceToolCommands
import RetraceToolSupport

/// Checks bundles that a pipe names.
struct WorkerCommand<Tool: ReplayTool>: ReplaySubcommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "worker",
      abstract: "Check the bundles that lines of input name, and write a line of JSON for each.",
      discussion: """
        A line of input is the path of a bundle, or a JSON object with its `path` and, if the \
        routes after the last record are wanted, `"routes": true`. For each line, in order, a \
        line is written, as `\(replay) ci --json` writes it. The input may wait for the \
        output. A bundle that crashes the reducer has a line like any other.

        The exit code is 0 when the input ends, whatever the verdicts are.

        EXAMPLE
          \(replay) worker < bundles.txt
        """)
  }

  @OptionGroup var limit: TimeoutOption

  @Flag(name: .customLong(BundleWorker.flag), help: .hidden)
  var inThisProcess = false

  func perform() throws(ToolFailure) {
    let timeout = try limit.seconds()
    if inThisProcess {
      defer { ReaderNotes.removeInherited() }
      return Self.answer { BundleChecker<App>.check($0).json }
    }
    let worker = try BundleWorker(timeoutSeconds: timeout)
    defer { worker.end() }
    Self.answer { worker.check($0.path, wantsRoutes: $0.wantsRoutes).json }
  }

  /// Writes a line for each line of input.
  private static func answer(_ check: (BundleRequest) -> JSONValue) {
    while let line = (try? Console.readLine()) ?? nil, !Output.standard.hasFailed {
      guard let request = BundleRequest(line: line) else {
        Output.standard.print(unreadable(line))
        continue
      }
      Output.standard.print(check(request))
    }
  }

  private static func unreadable(_ line: [UInt8]) -> JSONValue {
    BundleResult(
      String(decoding: line.prefix(256), as: UTF8.self),
      .unread(
        "The line is neither a path nor an object with one.",
        advice: "Write the path of a bundle on each line."),
      declared: nil, milliseconds: 0
    ).json
  }
}

/// The longest time for one bundle.
struct TimeoutOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The longest time for one bundle; the default is 600.", valueName: "seconds"))
  var timeout: Int?

  /// Returns the time in seconds.
  ///
  /// - Throws: A usage failure if it is not positive.
  func seconds() throws(ToolFailure) -> Int {
    let seconds = timeout ?? 600
    guard (1...86_400).contains(seconds) else {
      throw .usage("--timeout is not between 1 and 86,400.", advice: "Give a number of seconds.")
    }
    return seconds
  }
}
