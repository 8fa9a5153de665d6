import Retrace
import RetraceReplay
import RetraceToolSupport

/// The result of checking one bundle, as `worker` writes it.
struct BundleResult: Sendable {
  /// The path, as it was given.
  var path: String
  var finding: BundleFinding
  /// What the file beside the bundle declares; `nil` without one.
  var declaration: BundleDeclaration?
  /// What was found otherwise than declared, in words.
  var unexpected: [String]
  /// The reason of a verdict other than `same`.
  var failure: ToolFailure?
  /// What the bundle says of itself, and what was counted.
  var details: [JSONValue.Member]
  /// The time that the check took.
  var milliseconds: Double

  /// Whether all is as declared.
  var isPassed: Bool { unexpected.isEmpty }

  /// The exit code of a command that checks this bundle alone.
  var exitCode: Int32 {
    isPassed ? ToolExit.success : failure?.exitCode ?? ToolExit.divergence
  }

  /// Creates a result, and compares it with what is declared.
  init(
    _ path: String, _ answer: BundleAnswer, declared declaration: BundleDeclaration?,
    milliseconds: Double
  ) {
    self.path = path
    finding = answer.finding
    self.declaration = declaration
    unexpected = (declaration ?? BundleDeclaration()).differences(from: answer.finding)
    failure = answer.failure
    details = answer.details
    self.milliseconds = milliseconds
  }

  /// The line that `worker` writes.
  var json: JSONValue {
    let members: [JSONValue.Member] = [
      .init("path", .string(path)), .init("passed", .bool(isPassed)),
      .init("exitCode", .integer(Int64(exitCode))),
      .init("verdict", .string(finding.verdict.rawValue)),
      .init("record", finding.record.map { .integer(Int64(clamping: $0)) } ?? .null),
      .init("routes", finding.routes.map { .array($0.map { .string($0) }) } ?? .null),
      .init("declared", declaration?.json ?? .null),
      .init("unexpected", .array(unexpected.map { .string($0) })),
      .init("milliseconds", .figure(milliseconds)),
    ]
    return .object(members + details + (failure?.json.members ?? [.init("error", .null)]))
  }

  /// The result as a line of text.
  var line: String {
    let word = isPassed && finding.verdict != .same ? "declared" : finding.verdict.rawValue
    let text =
      isPassed ? counts : ([reason] + undeclaredTexts).joined(separator: " ")
    return "\(word)\(String(repeating: " ", count: max(1, 13 - word.count)))\(path): \(text)"
  }

  /// Why the bundle did not pass, in one line.
  var reason: String {
    guard let failure else { return "It replays as it was recorded." }
    return "\(failure.what) \(failure.why)"
  }

  /// What is otherwise than declared; nothing for a bundle that declares nothing.
  private var undeclaredTexts: [String] {
    declaration == nil ? [] : ["Declared otherwise: \(unexpected.joined(separator: "; "))."]
  }

  private var counts: String {
    let records = details.first { $0.name == "records" }?.value.integerValue ?? 0
    let text = VerificationText.count(UInt64(clamping: records), "record")
    guard finding.verdict != .same else { return text }
    return "\(text), \(finding.verdict.rawValue)"
      + (finding.record.map { " at record \($0)" } ?? "")
  }
}

/// What a process found of one bundle; `worker` gets it from its child process.
struct BundleAnswer: Sendable {
  var finding: BundleFinding
  var failure: ToolFailure?
  var details: [JSONValue.Member] = []

  init(_ finding: BundleFinding, _ failure: ToolFailure?, details: [JSONValue.Member] = []) {
    self.finding = finding
    self.failure = failure
    self.details = details
  }

  init(_ error: StoreError, details: [JSONValue.Member] = []) {
    self.init(BundleFinding(error), ToolFailure(error), details: details)
  }

  /// The answer on one line.
  var json: JSONValue {
    var members: [JSONValue.Member] = [
      .init("finding", BundleDeclaration(finding).json), .init("details", .object(details)),
    ]
    if let failure { members += failure.json.members }
    return .object(members)
  }

  /// Parses the output of ``json``; `nil` for anything else.
  init?(_ json: JSONValue) {
    guard let found = json["finding"].flatMap(BundleDeclaration.init),
      let details = json["details"]?.members
    else { return nil }
    finding = BundleFinding(found.verdict, at: found.record, routes: found.routes)
    failure = ToolFailure(json: json)
    self.details = details
  }
}

extension JSONValue {
  /// The members of an object; none for another value.
  var members: [Member] {
    if case .object(let members) = self { members } else { [] }
  }
}
