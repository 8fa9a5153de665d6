// Foundation is for tests only; no tool links this module.
public import Foundation

/// Where the tools under test are.
public enum Tools {
  /// The folder of the tools: `RETRACE_BIN`, else the one in which this test was built.
  public static var folder: URL {
    if let path = ProcessInfo.processInfo.environment["RETRACE_BIN"] {
      return URL(fileURLWithPath: path, isDirectory: true)
    }
    return built
  }

  /// The folder in which this test was built.
  private static var built: URL {
    URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
  }

  /// The file of a tool by its name; a path stays one.
  ///
  /// The tests' own app is no tool to be released: unless it lies with the tools, the one built
  /// with the tests is taken.
  public static func url(_ name: String) -> URL {
    if name.hasPrefix("/") { return URL(fileURLWithPath: name) }
    let url = folder.appendingPathComponent(name)
    if name == "testapp", !FileManager.default.isExecutableFile(atPath: url.path) {
      return built.appendingPathComponent(name)
    }
    return url
  }
}

/// What a tool's process answered.
public struct ToolResult: Sendable {
  /// The exit code, or the number of the signal.
  public var status: Int32
  /// The number of the signal that ended the process, if one did.
  public var signal: Int32?
  /// What it wrote to its standard output.
  public var output: String
  /// What it wrote to its standard error.
  public var errors: String
  /// All bytes of its standard output, those that were read line by line included.
  public var outputBytes: Data
  /// All bytes of its standard error.
  public var errorBytes: Data

  /// The output as one JSON object.
  public func json() throws -> [String: Any] {
    guard
      let value = try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any]
    else { throw ToolError.notAnObject(output) }
    return value
  }
}

/// Why a tool's answer is of no use.
public enum ToolError: Error {
  /// The output is no JSON object.
  case notAnObject(String)
  /// The tool ended or went silent instead of answering this.
  case noAnswer(String)
}

/// A tool that runs, with pipes to its standard streams.
public final class ToolProcess {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private let errorFile: URL
  private var pending = Data()
  private var received = Data()

  /// Starts a tool.
  ///
  /// - Parameters:
  ///   - name: The tool.
  ///   - arguments: Its arguments.
  ///   - environment: What differs from the environment of the tests.
  ///   - folder: Where its standard error is collected.
  public convenience init(
    _ name: String, _ arguments: [String], environment: [String: String] = [:],
    errorsIn folder: String = NSTemporaryDirectory()
  ) throws {
    try self.init(
      executable: Tools.url(name), arguments, environment: environment, errorsIn: folder)
  }

  init(
    executable: URL, _ arguments: [String], environment: [String: String],
    errorsIn folder: String = NSTemporaryDirectory()
  ) throws {
    errorFile = URL(fileURLWithPath: folder).appendingPathComponent("stderr-\(UUID().uuidString)")
    try Data().write(to: errorFile)
    process.executableURL = executable
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment
      .merging(["SWIFT_BACKTRACE": "enable=no", "TZ": "UTC"]) { _, new in new }
      .merging(environment) { _, new in new }
    process.standardInput = input
    process.standardOutput = output
    process.standardError = try FileHandle(forWritingTo: errorFile)
    try process.run()
  }

  deinit { try? FileManager.default.removeItem(at: errorFile) }

  /// The process id.
  public var pid: Int32 { process.processIdentifier }
  /// Whether it has not ended yet.
  public var isRunning: Bool { process.isRunning }

  /// Writes a line to the tool; false if it has gone away.
  @discardableResult
  public func send(_ line: String) -> Bool {
    (try? input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))) != nil
  }

  /// The next line of output; nil at its end.
  public func readLine() -> String? {
    while true {
      if let end = pending.firstIndex(of: 0x0a) {
        let line = String(decoding: pending[pending.startIndex..<end], as: UTF8.self)
        pending = Data(pending[pending.index(after: end)...])
        return line
      }
      let more = output.fileHandleForReading.availableData
      if more.isEmpty { return nil }
      pending.append(more)
      received.append(more)
    }
  }

  /// Ends the process with SIGKILL and waits until it has gone.
  ///
  /// - Returns: Whether the signal ended it, not its own exit before.
  @discardableResult
  public func kill() -> Bool {
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    return process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGKILL
  }

  /// Closes the input, reads the rest of the output and waits for the end.
  public func finish() -> ToolResult {
    try? input.fileHandleForWriting.close()
    let more = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let errors = (try? Data(contentsOf: errorFile)) ?? Data()
    let signalled = process.terminationReason == .uncaughtSignal
    return ToolResult(
      status: process.terminationStatus, signal: signalled ? process.terminationStatus : nil,
      output: String(decoding: pending + more, as: UTF8.self),
      errors: String(decoding: errors, as: UTF8.self), outputBytes: received + more,
      errorBytes: errors)
  }
}

/// Runs a tool to its end.
public func run(
  _ name: String, _ arguments: [String], environment: [String: String] = [:]
) throws -> ToolResult {
  try ToolProcess(name, arguments, environment: environment).finish()
}

/// A new temporary directory, removed when the body returns.
public func withTemporaryDirectory<R>(_ body: (String) throws -> R) throws -> R {
  let url = FileManager.default.temporaryDirectory
    .appendingPathComponent("retrace-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: url) }
  return try body(url.path)
}

/// The number of cycles: the count that the issue names with `RETRACE_FULL=1`, else a tenth.
public func cycles(_ full: Int) -> Int {
  ProcessInfo.processInfo.environment["RETRACE_FULL"] == "1" ? full : max(1, full / 10)
}
