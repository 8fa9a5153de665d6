import Retrace
import RetraceBundle
import RetraceReplay
import RetraceToolSupport

/// What a bundle has, and whether it replays as its log.
struct BundleReport {
  /// The last record.
  var last: UInt64
  var made: MadeBundle
  var comparison: BundleComparison
  /// A field with whose texts the bundle replays as the log.
  var advice: String?

  private var header: BundleHeader { made.header }
  private var isRedacted: Bool { header.contents == .redacted }

  func print(replay: String) {
    let output = Output.standard
    output.print("records         \(last) of \(SafeText.line(header.app))")
    output.print("contents        \(header.contents)")
    let count = made.replaced.reduce(0) { $0 + $1.texts }
    if count > 0 {
      output.print("replaced        \(count) texts, by field:")
      for (field, texts) in made.replaced { output.print("  \(texts) of \(SafeText.line(field))") }
    }
    let zones = made.zones.map { SafeText.line($0.id) }.joined(separator: ", ")
    output.print(
      "stays           moments, durations and other numbers, sizes of terminals"
        + (zones.isEmpty ? "" : ", the zones \(zones)")
        + (isRedacted ? "" : ", texts"))
    if comparison.isSame {
      output.print(
        "replay          the same routes, screens and failures, compared at "
          + "\(comparison.places) places")
      return
    }
    if let record = comparison.firstRoute {
      output.print("replay          another route after record \(record)")
    }
    if let record = comparison.firstScreen {
      output.print("replay          another screen after record \(record)")
    }
    for failure in comparison.failures { output.print("replay          another \(failure)") }
    if let advice { output.print("advice          --allow \(SafeText.line(advice))") }
  }

  func json(output: String?) -> JSONValue {
    [
      "records": .integer(Int64(clamping: last)),
      "contents": .string(header.contents.symbol),
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
