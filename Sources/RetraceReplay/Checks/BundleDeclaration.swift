import Retrace
import RetraceStorage
import RetraceSystem

/// What a check of a bundle has to find: the content of the file `BUNDLE.json` beside it.
///
/// A bundle without that file has to replay as it was recorded. The bundle of a failure that is not
/// corrected yet declares the failure, so that a check tells when it changes.
package struct BundleDeclaration: Hashable, Sendable {
  /// The verdict; without it, `same`.
  package var verdict: BundleFinding.Verdict
  /// The first record that differs, that ends the process, or that is damaged; `nil` for any.
  package var record: UInt64?
  /// The path of each scene after the last record; `nil` for any.
  package var routes: [String]?

  /// The reason why a file declares nothing.
  package struct Unreadable: Error, Hashable, CustomStringConvertible {
    /// The reason.
    package var description: String
  }

  /// Creates the declaration of a bundle that declares nothing.
  package init() { verdict = .same }

  /// Creates the declaration of a finding.
  package init(_ finding: BundleFinding) {
    verdict = finding.verdict
    record = finding.record
    routes = finding.routes
  }

  /// Returns the path of the file that declares what a bundle has to be.
  package static func path(of bundle: String) -> String { bundle + ".json" }

  /// The largest file, in bytes.
  private static var bytesMax: Int { 1 << 20 }

  /// Reads the declaration of a bundle.
  ///
  /// - Returns: The declaration; `nil` if there is no file.
  package static func read(of bundle: String) throws(Unreadable) -> BundleDeclaration? {
    let path = path(of: bundle)
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try FileSystem.readWhole(path, limitBytes: bytesMax)
    } catch {
      if error.code == .noSuchFile { return nil }
      throw Unreadable(description: "The file \(path) could not be read: \(error).")
    }
    guard let json = try? JSONValue(parsing: String(decoding: bytes, as: UTF8.self)),
      let declaration = BundleDeclaration(json)
    else {
      throw Unreadable(
        description: "The file \(path) is not an object of `verdict`, `record` and `routes`.")
    }
    return declaration
  }

  /// Parses a declaration; `nil` for anything else, such as an object with another member.
  package init?(_ json: JSONValue) {
    self.init()
    guard case .object(let members) = json else { return nil }
    for member in members {
      switch (member.name, member.value) {
      case (_, .null): break
      case ("verdict", .string(let text)):
        guard let named = BundleFinding.Verdict(rawValue: text) else { return nil }
        verdict = named
      case ("record", .integer(let number)):
        guard let sequence = UInt64(exactly: number) else { return nil }
        record = sequence
      case ("routes", .array(let items)):
        let paths = items.compactMap { $0.stringValue }
        guard paths.count == items.count else { return nil }
        routes = paths
      default: return nil
      }
    }
  }

  /// The JSON of the file.
  package var json: JSONValue {
    [
      "verdict": .string(verdict.rawValue),
      "record": record.map { .integer(Int64(clamping: $0)) } ?? .null,
      "routes": routes.map { .array($0.map { .string($0) }) } ?? .null,
    ]
  }

  /// Returns what a check found otherwise than declared, in words; empty if all is as declared.
  package func differences(from finding: BundleFinding) -> [String] {
    var found: [String] = []
    if finding.verdict != verdict {
      found.append("the verdict is \(finding.verdict.rawValue), not \(verdict.rawValue)")
    }
    if let record, finding.record != record {
      found.append(
        "the record is \(finding.record.map { "\($0)" } ?? "unknown"), not \(record)")
    }
    if let routes, finding.routes != routes {
      found.append(
        "the routes are \(Self.text(finding.routes)), not \(Self.text(routes))")
    }
    return found
  }

  private static func text(_ routes: [String]?) -> String {
    guard let routes else { return "unknown" }
    return routes.isEmpty ? "none" : routes.joined(separator: ", ")
  }
}
