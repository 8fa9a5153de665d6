import Foundation
import Testing
import ToolTestSupport

/// A fault of a store: how to make it, what every command says then, how to take it away.
struct Fault {
  /// What a user runs.
  enum Command: String, CaseIterable {
    case status = "track status"
    case start = "track start"
    case verify = "replay verify"
    case audit = "audit verify"

    func arguments(_ store: String) -> [String] {
      let words =
        self == .start ? ["start", "meanwhile"] : [String(rawValue.split(separator: " ")[1])]
      return words + ["--store", store]
    }

    var tool: String { String(rawValue.split(separator: " ")[0]) }
  }

  var name: String
  var code: String
  var exitCode: Int32
  /// The commands that meet the fault; the first is the one of the table.
  var commands: [Command] = Command.allCases
  /// Makes the fault and returns a closure that takes it away.
  var plant: (inout RecordedStore) throws -> RecordedStore.Undo

  /// Makes the fault in a store, checks every command, takes the fault away, checks the store.
  func row(in store: RecordedStore) throws -> FaultRow {
    var store = store
    let undo = try plant(&store)
    var rows: [FaultRow] = []
    for command in commands {
      let arguments = command.arguments(store.path)
      let result = try run(command.tool, arguments + ["--json"])
      let row = try FaultRow(name, command: command.rawValue, result)
      #expect(row.code == code, "\(name): \(command): \(row)")
      #expect(row.exitCode == exitCode, "\(name): \(command): \(row)")
      #expect(result.output.isEmpty, "\(name): \(command): \(result.output)")
      rows.append(row)
      let text = try run(command.tool, arguments)
      #expect(text.status == exitCode)
      #expect(
        text.errors == """
          \(command.tool): \(row.what)
            why: \(row.why)
            do:  \(row.advice)
            exit code \(exitCode)

          """)
    }
    try undo()
    try store.expectWhole(name)
    return try #require(rows.first)
  }
}
