package import Retrace
import RetraceBundle
package import RetraceReplay
package import RetraceStorage
package import RetraceToolSupport

/// A bundle of a log, what it has, and whether it replays as the log.
package struct BundleReport: Sendable {
  /// The last record.
  package let last: UInt64
  /// The bundle.
  package private(set) var made: MadeBundle
  /// Whether its replay shows what that of the log shows.
  package private(set) var comparison: BundleComparison
  /// A field with whose texts the bundle would replay as the log; `nil` if it does already, or if
  /// there is none.
  package private(set) var advice: String?

  /// The most fields that are tried for advice.
  private static var fieldsMax: Int { 24 }
  /// The most keys that are tried.
  private static var keysMax: Int { 8 }

  /// Makes the bundle of a log, and compares it with the log.
  ///
  /// What a search within words finds, and the order of names, depend on the key. So other keys are
  /// tried until the bundle replays as the log.
  ///
  /// - Parameters:
  ///   - storage: The log; it is verified first.
  ///   - app: The app.
  ///   - last: The last record of the bundle, which ends a batch.
  ///   - options: What becomes of texts, with the first key.
  /// - Complexity: As `BundleMaker.make` and `ShownLog.init`, for each key and each field that is
  ///   tried.
  /// - Throws: The errors of `BundleMaker.make` and of `ShownLog.init`.
  package init<App: ReplayableApp>(
    of storage: LogStorage, for app: App.Type, through last: UInt64, _ options: BundleOptions
  ) throws(StoreError) {
    let log = try ShownLog(of: storage, for: app, through: last) { LocalZone.rules(id: $0) }
    func attempt(_ options: BundleOptions) throws(StoreError) -> (MadeBundle, BundleComparison) {
      let made = try MadeBundle(of: storage, for: app, through: last, options)
      let copy = try LogStorage.open(bundle: made.bytes, named: "the bundle")
      defer { copy.close() }
      let bundle = try ShownLog(of: copy, for: app, through: last) { LocalZone.rules(id: $0) }
      return (made, BundleComparison(log, and: bundle))
    }
    self.last = last
    var options = options
    (made, comparison) = try attempt(options)
    guard !options.isPlain, !made.replaced.isEmpty else { return }
    for _ in 1..<Self.keysMax where !comparison.isSame {
      options.changeKey()
      let other = try attempt(options)
      // A later difference leaves more of the log to look at.
      if other.1.isSame || other.1.firstShown > comparison.firstShown { (made, comparison) = other }
    }
    guard !comparison.isSame else { return }
    for (field, _) in made.replaced.prefix(Self.fieldsMax) {
      var other = options
      other.allowed.append(field)
      if try attempt(other).1.isSame {
        advice = field
        return
      }
    }
  }
}

extension MadeBundle {
  /// Makes the bundle of a log up to a record, with the time zone files of this system, or those of
  /// a log that is a bundle.
  ///
  /// - Complexity: As `BundleMaker.make`.
  /// - Throws: The errors of `BundleMaker.make`.
  package init<App: ReplayableApp>(
    of storage: LogStorage, for app: App.Type, through last: UInt64, _ options: BundleOptions
  ) throws(StoreError) {
    let known = storage.bundle
    self = try BundleMaker<App>.make(of: storage, through: last, options) { zone in
      known?.zoneFile(zone) ?? LocalZone.file(id: zone)
    }
  }
}

extension BundleOptions {
  /// Returns a new random key.
  package static func newKey() -> [UInt8] {
    var random = SystemRandomNumberGenerator()
    return (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) }
  }

  /// Checks what the user says of a bundle.
  ///
  /// - Throws: A usage failure if it is longer than the header of a bundle may have.
  package static func check(message: String) throws(ToolFailure) {
    let (count, most) = (message.utf8.count, BundleFormat.messageBytesMax)
    guard count <= most else {
      throw .usage(
        "The message has \(count) bytes.", advice: "Say what happened in at most \(most) bytes.")
    }
  }
}

// MARK: - The report

extension BundleReport {
  private var header: BundleHeader { made.header }

  /// Prints what the bundle has, and whether it replays as the log.
  package func print(on output: Output) {
    func line(_ label: String, _ text: String) {
      output.printWrapped(
        label + String(repeating: " ", count: 16 - label.count) + text, indent: 16)
    }
    line("records", "\(last) of \(header.app)")
    line("contents", "\(header.contents)")
    let count = made.replaced.reduce(0) { $0 + $1.texts }
    if count > 0 {
      line("replaced", "\(count) texts, by field:")
      for (field, texts) in made.replaced { output.print("  \(texts) of \(field)") }
    }
    line("stays", stays.joined(separator: ", "))
    if comparison.isSame {
      line(
        "replay",
        "the same routes, screens and failures, compared at \(comparison.places) places")
      return
    }
    if let record = comparison.firstRoute { line("replay", "another route after record \(record)") }
    if let record = comparison.firstScreen {
      line("replay", "another screen after record \(record)")
    }
    if let shape = comparison.firstLine {
      output.print("  in the log     \(shape.inLog)")
      output.print("  in the bundle  \(shape.inBundle)")
    }
    for failure in comparison.failures { line("replay", "another \(failure)") }
    if let advice { line("advice", "--allow \(advice)") }
  }

  /// What anybody can read in the file.
  private var stays: [String] {
    var stays = ["moments, durations, rates and other numbers", "sizes of terminals"]
    if !made.zones.isEmpty {
      stays.append("the zones \(made.zones.map { $0.id }.joined(separator: ", "))")
    }
    if header.contents != .redacted { stays.append("texts") }
    return stays
  }

  /// The report as JSON, with the path of the file if one is written.
  package func json(output: String?) -> JSONValue {
    [
      "records": .integer(Int64(clamping: last)),
      "contents": .string(header.contents.symbol),
      "message": .string(header.message),
      "allowed": .array(header.allowed.map { .string($0) }),
      "replaced": .object(
        made.replaced.map { JSONValue.Member($0.field, .integer(Int64($0.texts))) }),
      "zones": .array(made.zones.map { .string($0.id) }),
      "places": .integer(Int64(comparison.places)),
      "firstRoute": comparison.firstRoute.map { .integer(Int64(clamping: $0)) } ?? .null,
      "firstScreen": comparison.firstScreen.map { .integer(Int64(clamping: $0)) } ?? .null,
      "failures": .array(comparison.failures.map { .string($0) }),
      "advice": advice.map { .string($0) } ?? .null,
      "bytes": .integer(Int64(made.bytes.count)),
      "output": output.map { .string($0) } ?? .null,
    ]
  }
}
