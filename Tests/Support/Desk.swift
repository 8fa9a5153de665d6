import Foundation
import Testing

/// A store in a temporary directory, in the zone of Berlin, on 2 March 2026.
public struct Desk {
  /// The directory of the store.
  public let store: String
  /// The environment variables of its commands.
  public let environment = ["TZ": "Europe/Berlin"]
  private let runner: ToolRunner

  /// Returns a command at a local time of the day; words in single quotes are one argument.
  public func command(_ words: String, _ time: String = "12:00") -> [String] {
    let arguments = Self.arguments(words)
    return ["track", arguments[0], "--store", store, "--now", Self.now(time)]
      + arguments.dropFirst()
  }

  /// Returns a local time of the day as an instant.
  public static func now(_ time: String) -> String {
    let parts = time.split(separator: ":").compactMap { Int($0) }
    let hour = parts[0] - 1
    return
      "2026-03-02T\(hour < 10 ? "0" : "")\(hour):\(parts[1] < 10 ? "0" : "")\(parts[1]):00Z"
  }

  private static func arguments(_ words: String) -> [String] {
    var arguments: [String] = []
    for (index, piece) in words.split(separator: "'", omittingEmptySubsequences: false)
      .enumerated()
    {
      if index % 2 == 1 {
        arguments.append(String(piece))
      } else {
        arguments += piece.split(separator: " ").map(String.init)
      }
    }
    return arguments
  }

  fileprivate init(store: String, runner: ToolRunner) {
    self.store = store
    self.runner = runner
  }

  /// Runs a command that has to succeed, and returns its lines.
  @discardableResult
  public func fine(_ words: String, _ time: String = "12:00") throws -> [String] {
    try expectFine(command(words, time), environment: environment, by: runner).lines
  }

  /// Runs a command without `--now` that has to succeed, and returns its lines.
  @discardableResult
  public func timeless(_ words: String) throws -> [String] {
    let arguments = Self.arguments(words)
    return try expectFine(
      ["track", arguments[0], "--store", store] + arguments.dropFirst(),
      environment: environment, by: runner
    ).lines
  }

  /// Runs a command that has to fail.
  public func fails(
    _ words: String, at time: String = "12:00", exit: Int32 = 1, _ mentions: String...
  ) throws {
    try expectFailure(
      command(words, time), exit: exit, mentions: mentions, environment: environment, by: runner)
  }

  /// Runs a command with an input and more variables, and returns its result.
  public func run(
    _ words: String, at time: String = "12:00", input: String = "",
    environment more: [String: String] = [:]
  ) throws -> ToolResult {
    let words = command(words, time)
    return try runner.run(
      words[0], Array(words.dropFirst()), environment.merging(more) { $1 }, input)
  }

  /// Returns the entries as start, end, description, project, tags and annotations, in UTC.
  public func entries() throws -> [String] {
    let output = try expectFine(command("log --json"), environment: environment, by: runner)
    let entries = try #require(try json(output) as? [[String: Any]])
    return entries.map { entry in
      func clock(_ name: String) -> String {
        guard let text = entry[name] as? String else { return "now" }
        return String(text.dropFirst(11).prefix(5))
      }
      var line = "\(clock("start"))-\(clock("end")) \(entry["description"] as? String ?? "?")"
      if let project = entry["project"] as? String { line += " @\(project)" }
      for tag in entry["tags"] as? [String] ?? [] { line += " #\(tag)" }
      for note in entry["annotations"] as? [String] ?? [] { line += " (\(note))" }
      return line
    }
  }
}

/// Calls `body` with a store that does not exist yet.
public func withDesk(by runner: ToolRunner = .process, _ body: (Desk) throws -> Void) throws {
  try withTemporaryDirectory { folder in try body(Desk(store: "\(folder)/s", runner: runner)) }
}
