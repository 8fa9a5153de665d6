import ArgumentParser
import Retrace
import RetraceBundle
import RetracePlayer
import RetraceReplay
import RetraceStorage
import RetraceSystem
import RetraceToolSupport

/// The options that say what a bundle has of a log.
struct BundleContents: ParsableArguments {
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

  @Option(
    help: ArgumentHelp(
      "What whoever reads the bundle has to know, such as what happened; it is kept as it is.",
      valueName: "text"))
  var message: String?

  @Flag(help: "Keep texts.")
  var plain = false

  /// Returns what becomes of the texts, with a new key.
  ///
  /// - Throws: A usage failure if the options contradict each other.
  func choice() throws(ToolFailure) -> BundleOptions {
    guard !plain || allow.isEmpty else {
      throw .usage("--plain keeps texts already.", advice: "Leave --allow out.")
    }
    let message = message ?? ""
    try BundleOptions.check(message: message)
    return BundleOptions(
      isPlain: plain, allowed: allow, message: message, key: BundleOptions.newKey())
  }

  /// Returns the last record of the bundle.
  func last<App: ReplayableApp>(
    of storage: LogStorage, for app: App.Type
  ) throws(ToolFailure) -> UInt64 {
    guard let through else { return try orFail(try storage.head()).sequence }
    let end = try HistoryEnd(through, option: "--through").position(in: storage)
    return try orFail(try Replayer<App>(storage).batchEnd(atOrBefore: end))
  }

  /// Returns the bytes of the bundle of a log; those of a log that is a bundle as they are, unless
  /// an option asks for something else.
  func bytes<App: ReplayableApp>(
    of storage: LogStorage, at path: String, for app: App.Type
  ) throws(ToolFailure) -> [UInt8] {
    if storage.bundle != nil, !plain, allow.isEmpty, through == nil,
      message == nil
    {
      do throws(SystemError) {
        return try FileSystem.readWhole(path, limitBytes: Self.bytesMax)
      } catch {
        throw ToolFailure(
          what: "The bundle \(path) could not be read.", why: "\(error).",
          advice: "Check the file, and try again.", exitCode: ToolExit.storage)
      }
    }
    let choice = try choice()
    let last = try last(of: storage, for: app)
    return try orFail(try MadeBundle(of: storage, for: app, through: last, choice)).bytes
  }

  private static var bytesMax: Int { 1 << 30 }
}
