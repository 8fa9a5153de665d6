import Figures
import Foundation

/// Registers rows of the app on a terminal, which another program types at and reads.
///
/// The present of the app is the end of the store, except where it stands idle: there its clock has
/// to go on.
func registerTerminalRows(on store: LargeStore) {
  let isPrepared = Prepared()
  for row in KeyRow.all {
    for figure in [KeyFigure.median, .p99] {
      row.register(figure, on: store) { try isPrepared.addGroup(to: store) }
    }
  }
  registerScreenRows(on: store, setUp: { try isPrepared.addGroup(to: store) })
  figure(
    Row(
      "idle processor time of the app", input: "60 s, a running entry, \(store.input)",
      unit: .counted("%"), target: .atMost(0.5), rounds: 1),
    setUp: { _ = try store.path }
  ) {
    _ = try store.track(["start", "idle"])
    defer { _ = try? store.track(["undo"]) }
    let words = ["idle", "60"] + (try app(on: store, isAtEnd: false))
    let run = try Program.run(try Program.terminalProbe, words)
    return Counted(try run.figure(), operations: 60)
  }
  registerPasteRows(on: store)
}

/// A figure of the times from a key to its frame.
private enum KeyFigure: String {
  case median
  case p99 = "99th percentile"
}

/// The time from a key to its frame on a screen of the app, beside a program in C.
private struct KeyRow {
  private static let count = 100

  let name: String
  let input: String
  let keys: Keys

  /// The rows; those of the timer are the last ones, so that the rows after them find it.
  static let all = [
    KeyRow(
      name: "key press to the entries and names that it completes", input: Keys.typedText,
      keys: Keys(Keys.typed, after: [Keys.escape, "n"])),
    KeyRow(
      name: "key press to the actions and entries in the palette", input: Keys.typedText,
      keys: Keys(Keys.typed, after: [Keys.escape, Keys.palette])),
    KeyRow(
      name: "key press to another day of the calendar", input: "arrows left and right",
      // The first key closes the palette.
      keys: Keys([Keys.left, Keys.right], after: [Keys.escape, Keys.escape, "c"])),
    KeyRow(
      name: "key press to the report of another week", input: "arrows left and right in a report",
      keys: Keys([Keys.left, Keys.right], after: [Keys.escape, "r"])),
    KeyRow(
      name: "key press to the entries that a search finds", input: Keys.typedText,
      keys: Keys(Keys.typed, after: [Keys.escape, "/"])),
    KeyRow(
      name: "key press to painted frame", input: "arrow down through the entries",
      keys: Keys([Keys.down], after: [Keys.escape, Keys.home])),
    KeyRow(
      name: "key press to the next page", input: "page-down through the entries",
      keys: Keys([Keys.pageDown], after: [Keys.escape, Keys.home])),
    KeyRow(
      name: "key press to an opened or closed group",
      input: "arrows right and left on a group of 3",
      keys: Keys([Keys.right, Keys.left], after: [Keys.escape, Keys.home, Keys.down])),
  ]

  func register(
    _ figure: KeyFigure, on store: LargeStore, setUp: @escaping () throws -> Void
  ) {
    let count = Self.count
    compare(
      Row(
        name + (figure == .median ? "" : ", p99"),
        input: "\(input), 80x24, \(figure.rawValue) of \(count) keys, \(store.input)",
        unit: .microseconds, rounds: 3),
      setUp: setUp,
      ours: { try press(keys, count, try app(on: store), figure) },
      yardsticks: [
        // It writes the cell after the commit, as the app paints what is on disk.
        Yardstick("C that commits a record and writes a cell", .timesYardstick(atMost: 3)) {
          let program = [try Program.yardstick, "keys", try store.copy, "128"]
          return try press(Keys(["x"]), count, program, figure)
        }
      ])
  }
}

/// Registers rows of a text that is pasted into the form of a new entry.
private func registerPasteRows(on store: LargeStore) {
  let length = 8_000
  // Each has two scalars.
  let text = String(repeating: "e\u{301}", count: length)
  let input = "in the form of a new entry, 80x24"
  // The form may still be open.
  let open = Keys(["n"], after: [Keys.escape])
  let paste = Keys(["\u{1B}[200~\(text)\u{1B}[201~"], after: [Keys.escape, "n"])
  figure(
    Row(
      "records of a pasted text of 8,000 graphemes", input: input, unit: .counted("records"),
      target: .atMost(1), rounds: 1),
    setUp: { _ = try store.path }
  ) {
    let opened = try records(of: open, on: store)
    let pasted = try records(of: paste, on: store)
    return Counted(Double(pasted - opened), operations: UInt64(length))
  }
  figure(
    Row(
      "pasted text of 8,000 graphemes to painted frame", input: input, unit: .counted("ms"),
      target: .atMost(50)),
    setUp: { _ = try store.path }
  ) {
    let pasted = try press(paste, 1, try app(on: store))
    return Counted(Double(pasted.nanoseconds) / 1e6, operations: 1)
  }
}

/// Registers rows of the first frame and of the memory of the app.
private func registerScreenRows(on store: LargeStore, setUp: @escaping () throws -> Void) {
  compare(
    Row(
      "start of the app to its first frame", input: "80x24, \(store.input)", unit: .milliseconds,
      rounds: 21, isWhole: true),
    setUp: setUp,
    ours: {
      let words = ["first"] + (try app(on: store))
      return try Program.run(try Program.terminalProbe, words).measuredByItself()
    },
    yardsticks: [
      Yardstick("track status", .timesYardstick(atMost: 3)) {
        let run = try store.track(["status"])
        return Measured(nanoseconds: run.nanoseconds, operations: 1, checksum: 0)
      }
    ])
  figure(
    Row(
      "memory of the app beside track log :week", input: "20 pages, \(store.input)",
      unit: .counted("x"), target: .atMost(1.5), rounds: 3),
    setUp: setUp
  ) {
    let keys = Keys([String](repeating: Keys.pageDown, count: 20), after: [Keys.home])
    let words = ["memory", keys.word] + (try app(on: store))
    let ours = try Program.run(try Program.terminalProbe, words).figure()
    let log = try ToolRun.run(
      try ToolRun.tool("track"),
      ["log", ":week", "--store", try store.path, "--user", "user0", "--now", store.nextMoment()])
    guard log.status == 0 else { throw FiguresError("track log ended with \(log.status)") }
    return Counted(ours / Double(log.residentBytes), operations: 1)
  }
}

/// Keys that are pressed in turn, after others that are not timed.
private struct Keys {
  static let down = "\u{1B}[B"
  static let right = "\u{1B}[C"
  static let left = "\u{1B}[D"
  static let home = "\u{1B}[H"
  static let pageDown = "\u{1B}[6~"
  static let escape = "\u{1B}[27u"
  static let palette = "\u{10}"

  /// Letters that are typed and removed again: the first one is in all descriptions, and the three
  /// are in few.
  static let typed = ["s", "i", "m", "\u{7F}", "\u{7F}", "\u{7F}"]
  static let typedText = "letters of a description, typed and removed again"

  /// The keys as `terminal-probe` reads them.
  let word: String

  init(_ keys: [String], after first: [String] = []) {
    word =
      (first.isEmpty ? "" : first.joined(separator: "\u{1F}") + "\u{1E}")
      + keys.joined(separator: "\u{1F}")
  }
}

/// Whether a store has the entries that the rows need.
private final class Prepared {
  private var isDone = false

  /// Adds three similar entries as the newest ones, once.
  func addGroup(to store: LargeStore) throws {
    guard !isDone else { return }
    for _ in 0..<3 { _ = try store.track(["start", "similar"]) }
    _ = try store.track(["stop"])
    isDone = true
  }
}

private func app(on store: LargeStore, isAtEnd: Bool = true) throws -> [String] {
  [try ToolRun.tool("track"), "app", "--store", try store.path, "--user", "user0"]
    + (isAtEnd ? ["--now", store.nextMoment()] : [])
}

/// Presses keys, and returns the time that all would take if each took a figure of their times.
private func press(
  _ keys: Keys, _ count: Int, _ program: [String], _ figure: KeyFigure = .median
) throws -> Measured {
  let run = try Program.run(
    try Program.terminalProbe, ["keys", "\(count)", keys.word] + program)
  var measured = try run.measuredByItself()
  guard figure == .p99 else { return measured }
  guard run.numbers.count > 3 else { throw FiguresError("a program printed: \(run.output)") }
  measured.nanoseconds = Int64(run.numbers[3] * 1e6) * Int64(count)
  return measured
}

/// Returns the number of records that the app appends for keys, opening and leaving included.
private func records(of keys: Keys, on store: LargeStore) throws -> Int {
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
  _ = try press(keys, 1, try app(on: store))
  return try last() - before
}

extension Program.Run {
  /// The figure that a program printed after its operations and its checksum.
  fileprivate func figure() throws -> Double {
    guard numbers.count > 2 else { throw FiguresError("a program printed: \(output)") }
    return numbers[2]
  }
}
