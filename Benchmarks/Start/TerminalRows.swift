import Figures
import Foundation

/// Registers rows of the app on a terminal, which another program types at and reads.
func registerTerminalRows(on store: LargeStore) {
  let count = 100
  compare(
    Row(
      "key press to painted frame",
      input: "arrow down through the entries, 80x24, median of \(count) keys, \(store.input)",
      unit: .microseconds, rounds: 3),
    setUp: { _ = try store.path },
    ours: { try press("\u{1B}[B", count, try app(on: store)) },
    yardsticks: [
      // It writes the cell after the commit, as the app paints what is on disk.
      Yardstick("C that commits a record and writes a cell", .timesYardstick(atMost: 3)) {
        try press("x", count, [try Program.yardstick, "keys", try store.copy, "128"])
      }
    ])
  figure(
    Row(
      "idle processor time of the app", input: "60 s, a running entry, \(store.input)",
      unit: .counted("%"), target: .atMost(0.5), rounds: 1),
    setUp: { _ = try store.path }
  ) {
    _ = try store.track(["start", "idle"])
    defer { _ = try? store.track(["undo"]) }
    let run = try Program.run(try Program.terminalProbe, ["idle", "60"] + (try app(on: store)))
    return Counted(try run.figure(), operations: 60)
  }
  figure(
    Row(
      "records of a pasted text of 8,000 characters", input: "in the form of a new entry, 80x24",
      unit: .counted("records"), target: .atMost(1), rounds: 1),
    setUp: { _ = try store.path }
  ) {
    let text = String(repeating: "a", count: 8_000)
    let opened = try records(of: "n", on: store)
    let pasted = try records(of: "n\u{1B}[200~\(text)\u{1B}[201~", on: store)
    return Counted(Double(pasted - opened), operations: 8_000)
  }
}

private func app(on store: LargeStore) throws -> [String] {
  [try ToolRun.tool("track"), "app", "--store", try store.path, "--user", "user0"]
}

private func press(_ key: String, _ count: Int, _ program: [String]) throws -> Measured {
  try Program.run(try Program.terminalProbe, ["keys", "\(count)", key] + program)
    .measuredByItself()
}

/// Returns the number of records that the app appends for what is typed, opening and leaving
/// included; the form is left again.
private func records(of input: String, on store: LargeStore) throws -> Int {
  func last() throws -> Int {
    let words = ["verify", "--json", "--store", try store.path]
    let run = try Program.run(try ToolRun.tool("audit"), words)
    let object = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
    guard let object = object as? [String: Any], let last = object["records"] as? Int else {
      throw FiguresError("audit verify printed: \(run.output)")
    }
    return last
  }
  let before = try last()
  _ = try press(input + "\u{1B}[27u", 1, try app(on: store))
  return try last() - before
}

extension Program.Run {
  /// The figure that a program printed after its operations and its checksum.
  fileprivate func figure() throws -> Double {
    guard numbers.count > 2 else { throw FiguresError("a program printed: \(output)") }
    return numbers[2]
  }
}
