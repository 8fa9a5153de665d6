import Foundation
import Testing
import ToolTestSupport

/// Timewarrior and `track` on the same machine, each with a database of its own.
struct PairedTrackers {
  /// Where Debian's package `timewarrior` puts the program.
  static let timewarrior = "/usr/bin/timew"

  /// The results of a command.
  struct Results {
    var timewarrior: ToolResult
    var track: ToolResult

    /// How many changes `track` made: one if it printed what it changed.
    var trackChanges: Int { track.output.lines.isEmpty ? 0 : 1 }
  }

  /// The intervals after a command.
  struct State {
    var timewarrior: [TrackedSpan]
    var track: [TrackedSpan]
    /// The ids in `track`, in order of the intervals.
    var ids: [Int]
  }

  /// The files of timewarrior, except its journal, and the length of that.
  struct Snapshot {
    fileprivate var files: [String: Data]
    fileprivate var journalLength: Int
  }

  private let folder: String
  private let environment: [String: String]
  private var database: String { "\(folder)/timewarrior/data" }
  private var journal: URL { URL(fileURLWithPath: "\(database)/undo.data") }

  /// Creates both databases.
  init(in folder: String) throws {
    try #require(
      FileManager.default.isExecutableFile(atPath: Self.timewarrior),
      "timewarrior is not installed: run `Tools/prepare test`")
    self.folder = folder
    environment = [
      "TIMEWARRIORDB": "\(folder)/timewarrior", "TZ": "Europe/Berlin",
      "RETRACE_STORE": "\(folder)/track",
    ]
    let made = try run(Self.timewarrior, [":yes", "export"], environment: environment)
    try #require(made.status == 0, "\(made.errors)")
  }

  /// Performs a command with both; `track` prints JSON.
  func perform(timewarrior words: [String], track others: [String]) throws -> Results {
    let track = try RunningTool("track", ["--json"] + others, environment: environment)
    let timewarrior = try run(Self.timewarrior, words, environment: environment)
    return Results(timewarrior: timewarrior, track: track.finish())
  }

  /// Performs a command of `track` that has to succeed.
  func track(_ words: [String]) throws {
    let result = try run("track", words, environment: environment)
    try #require(result.status == 0, "\(words): \(result.errors)")
  }

  /// Reads the intervals of both.
  func state() throws -> State {
    let both = try perform(
      timewarrior: ["export"], track: ["log", "--limit", "100000"])
    try #require(both.timewarrior.status == 0 && both.track.status == 0, "\(both)")
    let entries = try TrackedSpan.ofTrack(both.track.output)
    return State(
      timewarrior: try TrackedSpan.ofTimewarrior(both.timewarrior.output),
      track: entries.map(\.span), ids: entries.map(\.id))
  }

  /// Returns the files of timewarrior as they are.
  func snapshot() throws -> Snapshot {
    var snapshot = Snapshot(files: [:], journalLength: 0)
    for name in try FileManager.default.contentsOfDirectory(atPath: database) {
      let url = URL(fileURLWithPath: "\(database)/\(name)")
      if name == "undo.data" {
        snapshot.journalLength = try url.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
      } else {
        snapshot.files[name] = try Data(contentsOf: url)
      }
    }
    return snapshot
  }

  /// Brings back files of timewarrior: a command appends to the journal, and an undo cuts it.
  func restore(_ snapshot: Snapshot) throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: database)
    where name != "undo.data" && snapshot.files[name] == nil {
      try FileManager.default.removeItem(atPath: "\(database)/\(name)")
    }
    for (name, data) in snapshot.files {
      try data.write(to: URL(fileURLWithPath: "\(database)/\(name)"))
    }
    guard FileManager.default.fileExists(atPath: journal.path) else { return }
    guard snapshot.journalLength > 0 else {
      return try FileManager.default.removeItem(at: journal)
    }
    let text = try Data(contentsOf: journal)
    try text.prefix(snapshot.journalLength).write(to: journal)
  }
}
