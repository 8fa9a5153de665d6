import ArgumentParser
import Retrace
import RetraceBundle
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

  @Flag(help: "Keep texts.")
  var plain = false

  /// Returns what becomes of the texts, with a new key.
  ///
  /// - Throws: A usage failure if the options contradict each other.
  func choice() throws(ToolFailure) -> BundleOptions {
    guard !plain || allow.isEmpty else {
      throw .usage("--plain keeps texts already.", advice: "Leave --allow out.")
    }
    let key = (0..<32).map { _ in UInt8.random(in: .min ... .max) }
    return BundleOptions(isPlain: plain, allowed: allow, key: key)
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
    if storage.bundle != nil, !plain, allow.isEmpty, through == nil {
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
    return try orFail(try Self.make(of: storage, for: app, through: last, choice)).bytes
  }

  private static var bytesMax: Int { 1 << 30 }

  /// Makes the bundle of a log up to a record.
  static func make<App: ReplayableApp>(
    of storage: LogStorage, for app: App.Type, through last: UInt64, _ options: BundleOptions
  ) throws(StoreError) -> MadeBundle {
    let known = storage.bundle
    return try BundleMaker<App>.make(of: storage, through: last, options) { zone in
      known?.zoneFile(zone) ?? LocalZone.file(id: zone)
    }
  }
}
