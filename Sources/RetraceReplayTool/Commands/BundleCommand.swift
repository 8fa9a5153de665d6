import ArgumentParser
import Retrace
import RetracePlayer
import RetraceBundle
import RetraceReplay
import RetraceStorage
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

  @Option(
    help: ArgumentHelp(
      "The last record of the bundle, or the time up to which it has records, in whole batches; "
        + "the default is the last record of the log.", valueName: "n|time"))
  var through: String?

  @Option(
    help: ArgumentHelp(
      "Keep the texts of a field, such as Trip.zone, or of all fields of a type; can be repeated.",
      valueName: "field"))
  var allow: [String] = []

  @Flag(help: "Keep texts.")
  var plain = false

  @Flag(help: "Say what the bundle would have, and write nothing.")
  var dryRun = false

  /// The most fields that are tried for advice.
  private static var triesMax: Int { 24 }

  func perform() throws(ToolFailure) {
    guard dryRun == (output == nil) else {
      throw .usage(
        dryRun ? "--dry-run writes no file." : "The file is missing.",
        advice: dryRun ? "Leave --output or --dry-run out." : "Give it with --output FILE.")
    }
    guard !plain || allow.isEmpty else {
      throw .usage("--plain keeps texts already.", advice: "Leave --allow out.")
    }
    try options.withLog(or: Tool.store) { storage throws(ToolFailure) in
      let key = (0..<32).map { _ in UInt8.random(in: .min ... .max) }
      let choice = BundleOptions(isPlain: plain, allowed: allow, key: key)
      let last = try self.last(of: storage)
      let bundle = try orFail(try Self.make(of: storage, through: last, choice))
      let comparison = try orFail(try Self.compare(bundle, with: storage))
      let advice =
        comparison.isSame || plain ? nil : try orFail(try Self.field(bundle, choice, storage, last))
      let report = BundleReport(
        last: last, made: bundle, comparison: comparison,
        advice: advice)
      if options.json {
        Output.standard.print(report.json(output: output))
      } else {
        report.print(replay: Self.replay)
      }
      guard let output else { return }
      try Self.write(bundle.bytes, to: output)
      if !options.json {
        Output.standard.print("written         \(output), \(bundle.bytes.count) bytes")
      }
    }
  }

  /// Returns the last record of the bundle.
  private func last(of storage: LogStorage) throws(ToolFailure) -> UInt64 {
    guard let through else { return try orFail(try storage.head()).sequence }
    let end = try HistoryEnd(through, option: "--through").position(in: storage)
    return try orFail(try Replayer<App>(storage).batchEnd(atOrBefore: end))
  }

  private static func make(
    of storage: LogStorage, through last: UInt64, _ options: BundleOptions
  ) throws(StoreError) -> MadeBundle {
    let known = storage.bundle
    return try BundleMaker<App>.make(of: storage, through: last, options) { zone in
      known?.zoneFile(zone) ?? LocalZone.file(id: zone)
    }
  }

  private static func compare(
    _ bundle: MadeBundle, with storage: LogStorage
  ) throws(StoreError) -> BundleComparison {
    let copy = try LogStorage.open(bundle: bundle.bytes, named: "the bundle")
    defer { copy.close() }
    return try BundleComparison(of: App.self, storage, and: copy) { LocalZone.rules(id: $0) }
  }

  /// Returns a field with which the bundle replays as the log; `nil` if there is none.
  private static func field(
    _ bundle: MadeBundle, _ options: BundleOptions, _ storage: LogStorage, _ last: UInt64
  ) throws(StoreError) -> String? {
    for (field, _) in bundle.replaced.prefix(triesMax) {
      var other = options
      other.allowed.append(field)
      if try compare(try make(of: storage, through: last, other), with: storage).isSame {
        return field
      }
    }
    return nil
  }

  private static func write(_ bytes: [UInt8], to output: String) throws(ToolFailure) {
    do throws(SystemError) {
      let file = try OpenFile.open(output, [.write, .create, .exclusive, .noFollow], mode: 0o600)
      do throws(SystemError) {
        try file.write(bytes.span, at: 0)
        try file.synchronize()
      } catch {
        // An incomplete file is removed, so that it cannot be taken for a bundle.
        try? FileSystem.unlink(output)
        throw error
      }
    } catch {
      let exists = error.code == .fileExists
      throw ToolFailure(
        what: "No bundle was written to \(output).",
        why: exists ? "The file exists already." : "\(error).",
        advice: exists
          ? "Give another file with --output, or remove that one."
          : "Check the folder, its permissions and the free space, and try again.",
        exitCode: exists ? ToolExit.usage : ToolExit.storage)
    }
  }
}
