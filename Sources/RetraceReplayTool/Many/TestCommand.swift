import ArgumentParser
import Retrace
import RetraceReplay
import RetraceStorage
import RetraceSystem
import RetraceToolCommands
import RetraceToolSupport

/// Makes a test of a bundle.
struct TestCommand<Tool: ReplayTool>: ReplaySubcommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "test",
      abstract: "Copy a bundle into a folder whose bundles one test folds, and print that test.",
      discussion: """
        Copies the bundle into the folder, and declares in NAME.bundle.json beside it what this \
        build finds: the verdict, the record, and the routes after the last record. Whoever \
        corrects the failure changes the declaration.

        One suite folds all bundles of the folder, so the next bundle needs no code. It is \
        printed; it needs the module RetraceTesting. `\(replay) ci` checks the same folder.

        EXAMPLE
          \(replay) test bug.bundle --output Tests/AppTests/Bundles
        """)
  }

  @Argument(help: ArgumentHelp("The bundle.", valueName: "bundle"))
  var bundle: String

  @Option(help: ArgumentHelp("The folder of the tests' bundles.", valueName: "folder"))
  var output: String

  @OptionGroup var limit: TimeoutOption

  @Flag(help: "Print JSON instead of text.")
  var json = false

  /// The largest bundle of a test, in bytes.
  private static var bytesMax: Int { 1 << 30 }

  func perform() throws(ToolFailure) {
    let timeout = try limit.seconds()
    let copy = "\(output)/\(name)"
    try copyBundle(to: copy)
    let worker = try BundleWorker(timeoutSeconds: timeout)
    defer { worker.end() }
    let result = worker.check(copy, wantsRoutes: true)
    try BundleDeclaration(result.finding).write(beside: copy)
    let place = result.finding.record.map { " at record \($0)" } ?? ""
    if json {
      Output.standard.print([
        "path": .string(copy), "verdict": .string(result.finding.verdict.rawValue),
        "record": result.finding.record.map { .integer(Int64(clamping: $0)) } ?? .null,
        "suite": .string(suite),
      ])
      return
    }
    Output.standard.print("written         \(copy)")
    Output.standard.print("declared        \(result.finding.verdict.rawValue)\(place)")
    Output.standard.print("Unless the tests have it, this suite goes beside the folder:")
    for line in suite.split(separator: "\n") { Output.standard.print("  \(line)") }
  }

  /// The name of the copy, which ends as that of a bundle.
  private var name: String {
    let last = bundle.split(separator: "/").last.map(String.init) ?? ""
    return last.hasSuffix(BundleFiles.suffix) ? last : last + BundleFiles.suffix
  }

  private var suite: String {
    let folder = output.split(separator: "/").last.map(String.init) ?? output
    return """
      @Suite struct BundleTests {
        @Test(arguments: BundleFixture.all(in: "\(folder)"))
        func `each bundle replays as declared`(_ bundle: BundleFixture) {
          bundle.check(\(String(describing: App.self)).self)
        }
      }
      """
  }

  private func copyBundle(to copy: String) throws(ToolFailure) {
    let storage = try orFail(try LogStorage.open(bundle: bundle))
    storage.close()
    do throws(SystemError) {
      let bytes = try FileSystem.readWhole(bundle, limitBytes: Self.bytesMax)
      try FileSystem.makeDirectories(output, mode: 0o755)
      _ = try NewFile.create(copy, mode: 0o644) { (append) throws(SystemError) in
        try append(bytes)
      }
    } catch {
      let exists = error.code == .fileExists
      throw ToolFailure(
        what: "The bundle was not copied to \(copy).",
        why: exists ? "The file exists already." : "\(error).",
        advice: exists
          ? "Give the bundle another name, or remove that file."
          : "Check the folder, its permissions and the free space, and try again.",
        exitCode: exists ? ToolExit.usage : ToolExit.storage)
    }
  }
}
