import Foundation
import RetraceSystem
public import Testing

/// A failure as a tool prints it, in four parts.
public struct PrintedFailure: Equatable {
  /// What failed.
  public var what: String
  /// Why it failed.
  public var why: String
  /// What to do.
  public var advice: String
  /// The exit code that is printed.
  public var exitCode: Int32

  /// Reads the four lines of a failure.
  public init(text: String, of tool: String) throws {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    try #require(lines.count == 5 && lines[4].isEmpty, "not four lines: \(text)")
    func part(_ line: Int, _ mark: String) throws -> String {
      try #require(lines[line].hasPrefix(mark), "no \(mark): \(text)")
      return String(lines[line].dropFirst(mark.count))
    }
    what = try part(0, "\(tool): ")
    why = try part(1, "  why: ")
    advice = try part(2, "  do:  ")
    exitCode = try #require(Int32(try part(3, "  exit code ")))
  }

  /// The same failure, with one of several processes: this one, or else the first.
  ///
  /// While a test that holds a lock starts a program, the new process holds the lock too, until the
  /// program begins. Its number may be the lower one, because numbers begin anew.
  var withOneProcess: PrintedFailure {
    var copy = self
    copy.why = why.replacing(#/process (\d+(?:, \d+)*)/#) { match in
      let processes = match.output.1.split(separator: ", ")
      let own = processes.first { $0 == "\(ThisProcess.identifier)" }
      return "process \(own ?? processes[0])"
    }
    return copy
  }

  /// Reads the one object of a failure.
  public init(json: String) throws {
    let value = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
    let error = try #require(value?["error"] as? [String: Any])
    // An error of the store also has a code.
    let parts = Set(error.keys).subtracting(["code"])
    try #require(value?.count == 1 && parts == ["what", "why", "do", "exitCode"])
    what = try #require(error["what"] as? String)
    why = try #require(error["why"] as? String)
    advice = try #require(error["do"] as? String)
    exitCode = try #require((error["exitCode"] as? NSNumber)?.int32Value)
  }
}

/// Runs a command that has to fail, as text and with `--json`: the same four parts on standard
/// error, the exit code, and nothing on standard output.
///
/// - Parameters:
///   - command: The tool and its arguments; the second word is its command.
///   - exit: The exit code.
///   - words: What the failure has to mention.
///   - environment: Variables to set in addition to the tests' own.
///   - runner: Runs the command.
@discardableResult
public func expectFailure(
  _ command: [String], exit: Int32, mentions words: [String] = [],
  environment: [String: String] = [:], by runner: ToolRunner = .process,
  location: SourceLocation = #_sourceLocation
) throws -> PrintedFailure {
  let arguments = Array(command.dropFirst())
  let text = try runner.run(command[0], arguments, environment)
  let told = try PrintedFailure(text: text.errors, of: command[0])
  let shown = "\(command.joined(separator: " "))\n\(text.errors)"
  #expect(text.status == exit, "\(shown)", sourceLocation: location)
  #expect(text.signal == nil, "\(shown)", sourceLocation: location)
  #expect(told.exitCode == exit, "\(shown)", sourceLocation: location)
  #expect(text.output == "", "\(shown)", sourceLocation: location)
  for part in [told.what, told.why, told.advice] {
    // A part is a sentence: it begins with a capital or a name, and it ends.
    #expect(part.count > 8, "\(shown)", sourceLocation: location)
    #expect(part.last == ".", "\(shown)", sourceLocation: location)
  }
  for word in words {
    #expect(text.errors.contains(word), "no \(word) in: \(shown)", sourceLocation: location)
  }
  let place = min(1, arguments.count)
  let json = try runner.run(
    command[0], arguments[..<place] + ["--json"] + arguments[place...], environment)
  #expect(json.status == exit, "\(shown)", sourceLocation: location)
  #expect(json.output == "", "\(shown)", sourceLocation: location)
  let toldAsJSON = try PrintedFailure(json: json.errors)
  #expect(
    toldAsJSON.withOneProcess == told.withOneProcess, "\(shown)", sourceLocation: location)
  return told
}

/// Runs a command that has to succeed with nothing on standard error, and returns its output.
///
/// - Parameters:
///   - command: The tool and its arguments.
///   - environment: Variables to set in addition to the tests' own.
///   - runner: Runs the command.
@discardableResult
public func expectFine(
  _ command: [String], environment: [String: String] = [:], by runner: ToolRunner = .process,
  location: SourceLocation = #_sourceLocation
) throws -> String {
  let result = try runner.run(command[0], Array(command.dropFirst()), environment)
  let shown = "\(command.joined(separator: " "))\n\(result.errors)"
  #expect(result.status == 0, "\(shown)", sourceLocation: location)
  #expect(result.errors == "", "\(shown)", sourceLocation: location)
  return result.output
}

/// Returns the examples of a command, without the remarks after them.
public func helpExamples(
  of command: [String], by runner: ToolRunner = .process
) throws -> [String] {
  let help = try expectFine(command + ["--help"], by: runner)
  let heading = try #require(help.firstMatch(of: #/\nEXAMPLES?\n/#), "\(help)")
  let list = String(help[heading.range.upperBound...])
  let block = list.lines.prefix { $0.hasPrefix("  ") }.joined(separator: "\n")
  return (block + "\n").replacing(/\\\n */, with: "").lines.map { line in
    let text = line.dropFirst(2)
    let end = text.firstRange(of: "   ")?.lowerBound ?? text.endIndex
    return String(text[..<end])
  }
}

/// Returns the JSON value that a command printed.
public func json(_ output: String) throws -> Any {
  try JSONSerialization.jsonObject(with: Data(output.utf8), options: [.fragmentsAllowed])
}

/// Returns the JSON object that a command printed.
public func object(_ output: String) throws -> [String: Any] {
  try #require(try json(output) as? [String: Any], "no object: \(output)")
}

/// Returns the JSON objects that a command printed, one on each line.
public func objects(_ output: String) throws -> [[String: Any]] {
  try output.split(separator: "\n").map { try object(String($0)) }
}

extension Array {
  /// Returns an element of what a command printed.
  ///
  /// If there is none, only this test fails; a subscript would end the process of all tests.
  public func element(
    _ index: Int, location: SourceLocation = #_sourceLocation
  ) throws -> Element {
    try #require(
      indices.contains(index), "no element \(index) in \(self)", sourceLocation: location)
    return self[index]
  }
}

extension String {
  /// The lines of the text.
  public var lines: [String] {
    split(separator: "\n", omittingEmptySubsequences: false).map(String.init).dropLast(1)
      .map(\.self)
  }
  /// The lines of `track log` with an id, which are the entries, without days and sums.
  public var entryLines: [String] { lines.filter { $0.contains(#/^ +#\d+ /#) } }
  /// Returns how often a text occurs.
  public func occurrences(of text: String) -> Int { ranges(of: text).count }
}
