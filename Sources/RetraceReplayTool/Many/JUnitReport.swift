import Retrace
import RetraceReplay
import RetraceToolSupport

/// The report of many checks in JUnit's XML, which services for continuous integration read.
enum JUnitReport {
  /// Returns the text of the file.
  ///
  /// Texts from bundles are shown as on a terminal and escaped.
  ///
  /// - Parameters:
  ///   - results: The results, in order.
  ///   - suite: The name of the suite.
  static func text(of results: [BundleResult], named suite: String) -> String {
    let failed = results.count { !$0.isPassed }
    let counts =
      "tests=\"\(results.count)\" failures=\"\(failed)\" errors=\"0\" "
      + "time=\"\(seconds(results.reduce(0) { $0 + $1.milliseconds }))\""
    var text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuites \(counts)>
      <testsuite name="\(escaped(suite))" \(counts)>

      """
    for result in results { text += testCase(result, of: suite) }
    return text + "</testsuite>\n</testsuites>\n"
  }

  private static func testCase(_ result: BundleResult, of suite: String) -> String {
    let head =
      "<testcase classname=\"\(escaped(suite))\" name=\"\(escaped(result.path))\" "
      + "time=\"\(seconds(result.milliseconds))\""
    guard !result.isPassed else { return "\(head)/>\n" }
    var lines = [result.reason]
    if let name = result.details.first(where: { $0.name == "name" })?.value.stringValue {
      lines.append("action or command: \(name)")
    }
    lines += result.unexpected
    if let failure = result.failure { lines.append(failure.advice) }
    let body = lines.map(escaped).joined(separator: "\n")
    let place = result.finding.record.map { " at record \($0)" } ?? ""
    return """
      \(head)>
      <failure type="\(result.finding.verdict.rawValue)" \
      message="\(escaped(result.finding.verdict.rawValue + place))">\(body)</failure>
      </testcase>

      """
  }

  private static func seconds(_ milliseconds: Double) -> String {
    let micros = Int64((milliseconds * 1_000).rounded())
    let fraction = String(micros % 1_000_000)
    return "\(micros / 1_000_000)."
      + String(repeating: "0", count: 6 - fraction.utf8.count) + fraction
  }

  /// Returns a text for an element or an attribute, without characters that XML does not have.
  static func escaped(_ text: String) -> String {
    Markup.escaped(SafeText.line(text, bytesMax: 1 << 16))
  }
}
