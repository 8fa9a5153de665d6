import CivilTime
import Foundation
import RetraceStorage
import RetraceToolSupport
import Testing
import ToolTestSupport

/// One row of the table: the fault, and the messages that users get.
struct FaultRow {
  var fault: String
  var command: String
  /// One word for scripts.
  var code: String
  var what: String
  var why: String
  var advice: String
  var exitCode: Int32

  /// What a tool said with `--json`.
  init(_ fault: String, command: String, _ result: ToolResult) throws {
    let line = result.errors.split(separator: "\n").last.map(String.init) ?? ""
    let value = try? JSONSerialization.jsonObject(with: Data(line.utf8))
    guard let object = value as? [String: Any], let error = object["error"] as? [String: Any]
    else {
      throw ToolError.notAnObject("\(fault): \(command): \(result)")
    }
    self.fault = fault
    self.command = command
    code = error["code"] as? String ?? ""
    what = try #require(error["what"] as? String)
    why = try #require(error["why"] as? String)
    advice = try #require(error["do"] as? String)
    exitCode = Int32(truncatingIfNeeded: try #require(error["exitCode"] as? Int))
    #expect(result.signal == nil, "\(fault)")
    #expect(result.status == exitCode, "\(fault)")
  }

  /// What the library answered.
  init(_ fault: String, command: String, _ error: StoreError) {
    self.fault = fault
    self.command = command
    let failure = ToolFailure(error)
    code = error.code.name
    what = failure.what
    why = failure.why
    advice = failure.advice
    exitCode = failure.exitCode
  }

  /// The error without what differs from run to run: paths and numbers.
  var identity: String {
    let path = /\/[^ ']*\/(store|home)[^ ':]*/
    let text = "\(code)|\(what)|\(why)".replacing(path, with: "STORE")
    return text.replacing(/[0-9]+/, with: "N")
  }

  /// Checks that all four parts are there and that they are sentences.
  func expectFourParts() {
    for part in [what, why, advice] {
      let isSentence = part.first?.isUppercase == true || part.hasPrefix("/")
      #expect(isSentence && part.count > 10, "\(fault): \(part)")
      #expect(part.hasSuffix("."), "\(fault): \(part)")
    }
    #expect(!code.isEmpty && (1...6).contains(exitCode), "\(fault)")
  }

  /// The table as it is printed.
  static func table(_ rows: [FaultRow]) -> String {
    func padded(_ text: String, _ width: Int) -> String {
      text.padding(toLength: max(width, text.count), withPad: " ", startingAt: 0)
    }
    let width = rows.map(\.fault.count).max() ?? 0
    let codes = rows.map(\.code.count).max() ?? 0
    let path = /\/[^ ']*\/(store|home)/
    return rows.map { row in
      let why = row.why.replacing(path, with: { "\($0.output.1)" })
      return "\(padded(row.fault, width)) | \(padded(row.code, codes)) | \(row.exitCode) | "
        + "\(row.command): \(why)"
    }.joined(separator: "\n")
  }
}
