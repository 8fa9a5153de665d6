import ArgumentParser
import Retrace
import RetracePageFile
import RetraceStorage
import RetraceSystem
import RetraceToolCommands
import RetraceToolSupport

/// Writes the log as a page that replays it.
struct PageCommand<Tool: ReplayTool>: ReplaySubcommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "page",
      abstract: "Write the log as one file that replays and verifies it in a browser.",
      discussion: """
        Whoever opens the file sees what the app showed at each record, what each record changed, \
        and a verdict: the page folds the log again with the app's own code, and compares chain \
        and state hashes. It needs no connection and no tool, and asks for nothing outside.

        The page has a bundle of the log, so the options are those of `bundle`, which says what \
        stays in it. A bundle that --store names is taken as it is.

        The page has the module of the app, too, which `Tools/page \(App.name)` builds. Without \
        --module, it is the file \(App.name).wasm.gz beside this program.

        EXAMPLES
          \(replay) page --output report.html --module \(App.name).wasm.gz
          \(replay) page --store report.bundle --output report.html --module \(App.name).wasm.gz
        """)
  }

  @OptionGroup var options: StoreOptions
  @OptionGroup var contents: BundleContents

  @Option(help: ArgumentHelp("The file to create.", valueName: "file"))
  var output: String

  @Option(help: ArgumentHelp("The module of the app.", valueName: "file"))
  var module: String?

  private static var moduleBytesMax: Int { 32 << 20 }

  func perform() throws(ToolFailure) {
    let module = try compiledModule()
    let path = try options.path(or: Tool.store)
    try options.withLog(or: Tool.store) { storage throws(ToolFailure) in
      let bundle = try contents.bytes(of: storage, at: path, for: App.self)
      let page = HTMLPage(module: module, bundle: bundle)
      let count = try NewFile.write(to: output) { (append) throws(SystemError) in
        try page.write(append)
      }
      if options.json {
        Output.standard.print(["path": .string(output), "bytes": .integer(Int64(count))])
      } else {
        Output.standard.print("written         \(output), \(count) bytes")
      }
    }
  }

  /// Returns the module of the app.
  private func compiledModule() throws(ToolFailure) -> [UInt8] {
    var path = module ?? ""
    if module == nil {
      let program = (try? FileSystem.readLink("/proc/self/exe")) ?? ""
      let folder = program.lastIndex(of: "/").map { program[...$0] } ?? ""
      path = "\(folder)\(App.name).wasm.gz"
    }
    do throws(SystemError) {
      return try FileSystem.readWhole(path, limitBytes: Self.moduleBytesMax)
    } catch {
      throw ToolFailure(
        what: "No page was written: there is no module of \(App.name).",
        why: "The file \(path) could not be read: \(error).",
        advice: "Build it with `Tools/page \(App.name)`, and name it with --module, or copy it "
          + "beside this program.",
        exitCode: ToolExit.notFound)
    }
  }
}
