import ArgumentParser
import Retrace
import RetracePlayer
import RetraceReplay
import RetraceSystem
import RetraceToolCommands
import RetraceToolSupport

/// Writes the log into one file, without what is private.
struct BundleCommand<Tool: ReplayTool>: ReplaySubcommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "bundle",
      abstract: "Write the log into one file that replays anywhere, without private texts.",
      discussion: """
        A bundle has the records, the schemas and the time zones of the log. Every command that \
        takes --store DIR takes a bundle in its place.

        Login names, hosts and process ids are removed. Letters and digits of texts are replaced \
        by others, except in fields that the app calls public and those of --allow. Equal words \
        have equal replacements, and the key is thrown away. Moments, durations and other numbers, \
        time zones and the sizes of terminals stay. The command says what stays before it writes, \
        replays the bundle and says whether it shows the same screens, texts aside; if not, it \
        names a field that has to stay, if there is one.

        With --plain, texts stay, except those that the app never lets out, such as names of files.

        EXAMPLES
          \(replay) bundle --output bug.bundle
          \(replay) bundle --dry-run
          \(replay) verify --store bug.bundle
        """)
  }

  @OptionGroup var options: StoreOptions

  @Option(help: ArgumentHelp("The file to create.", valueName: "file"))
  var output: String?

  @OptionGroup var contents: BundleContents

  @Flag(help: "Say what the bundle would have, and write nothing.")
  var dryRun = false

  func perform() throws(ToolFailure) {
    guard dryRun == (output == nil) else {
      throw .usage(
        dryRun ? "--dry-run writes no file." : "The file is missing.",
        advice: dryRun ? "Leave --output or --dry-run out." : "Give it with --output FILE.")
    }
    let choice = try contents.choice()
    try options.withLog(or: Tool.store) { storage throws(ToolFailure) in
      let last = try contents.last(of: storage, for: App.self)
      let report = try orFail(
        try BundleReport(of: storage, for: App.self, through: last, choice))
      if options.json {
        Output.standard.print(report.json(output: output))
      } else {
        report.print(on: .standard)
      }
      guard let output else { return }
      let count = try NewFile.write(to: output) { (append) throws(SystemError) in
        try append(report.made.bytes)
      }
      if !options.json {
        Output.standard.print("written         \(output), \(count) bytes")
      }
    }
  }
}
