// Foundation is for tests only; no tool links this module.
public import Foundation
import RetraceSystem

/// Where the tools under test are.
public enum Tools {
  /// The folder of the tools: `RETRACE_BIN`, else the one in which this test was built.
  public static var folder: URL {
    if let path = ProcessInfo.processInfo.environment["RETRACE_BIN"] {
      return URL(fileURLWithPath: path, isDirectory: true)
    }
    return built
  }

  /// Whether the tools are others than those that were built with the tests, such as the release
  /// tools of `Tools/test --release`.
  public static var areOthers: Bool { folder.standardizedFileURL != built.standardizedFileURL }

  /// The environment variables that hide the settings of the person who runs the tests and the zone
  /// of the machine from a tool.
  public static let withoutSettings = [
    "TZ": "UTC",
    "XDG_CONFIG_HOME": "/proc/none", "RETRACE_CONFIG": "", "RETRACE_USER": "",
    "RETRACE_STORE": "", "RETRACE_PAGER": "", "NO_COLOR": "", "PAGER": "", "COLUMNS": "",
  ]

  /// The environment variables that shift the clock of a program; empty unless `Tools/clock`
  /// started the tests.
  ///
  /// A program with an environment of its own needs them to see the clock that the test sees.
  public static let shiftedClock: [String: String] = {
    let environment = ProcessInfo.processInfo.environment
    guard environment["FAKETIME"] != nil else { return [:] }
    return environment.filter { $0.key == "LD_PRELOAD" || $0.key.hasPrefix("FAKE") }
  }()

  /// The folder in which this test was built, with the debug tools.
  public static var built: URL {
    URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
  }

  /// Returns the file of a tool by its name; an absolute path is returned unchanged.
  ///
  /// The tests' own app is not released: if the folder of the tools has none, the one that was
  /// built with the tests is used.
  public static func url(_ name: String) -> URL {
    if name.hasPrefix("/") { return URL(fileURLWithPath: name) }
    let url = folder.appendingPathComponent(name)
    if name == "testapp", !FileManager.default.isExecutableFile(atPath: url.path) {
      return built.appendingPathComponent(name)
    }
    return url
  }
}

/// The result of a tool's process.
public struct ToolResult: Sendable {
  /// The exit code, or the number of the signal.
  public var status: Int32
  /// The number of the signal that ended the process, if one did.
  public var signal: Int32?
  /// Its standard output, without the lines that were read one by one.
  public var output: String
  /// What it wrote to its standard error.
  public var errors: String
  /// All bytes of its standard output, those that were read line by line included.
  public var outputBytes: Data
  /// All bytes of its standard error.
  public var errorBytes: Data

  /// Creates the result of a command line that ran in this process.
  ///
  /// - Parameters:
  ///   - status: The exit code.
  ///   - output: What it wrote to its standard output.
  ///   - errors: What it wrote to its standard error.
  public init(status: Int32, output: [UInt8], errors: [UInt8]) {
    self.init(
      .exited(status), output: Data(output), received: Data(output), errors: Data(errors))
  }

  /// The output as one JSON object.
  public func json() throws -> [String: Any] {
    guard
      let value = try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any]
    else { throw ToolError.notAnObject(output) }
    return value
  }
}

/// The reason why a tool's output cannot be used.
public enum ToolError: Error {
  /// The output is no JSON object.
  case notAnObject(String)
  /// The tool ended before it answered this line.
  case noAnswer(String)
}

/// A tool that runs, with pipes to its standard streams.
///
/// It is started by the project's own ``RetraceSystem/ChildProcess``: every process that another
/// thread starts meanwhile inherits pipes that Foundation makes, and such a pipe ends only after
/// that process has ended too.
public final class RunningTool {
  private let child: ChildProcess
  private let errorFile: URL
  private var received = Data()

  /// Starts a tool.
  ///
  /// - Parameters:
  ///   - name: The tool.
  ///   - arguments: Its arguments.
  ///   - environment: Variables to set in addition to the tests' own.
  ///   - folder: The directory it starts in; by default the tests' own.
  ///   - errorFolder: Where its standard error is collected.
  public convenience init(
    _ name: String, _ arguments: [String], environment: [String: String] = [:],
    in folder: String? = nil, errorsIn errorFolder: String = NSTemporaryDirectory()
  ) throws {
    try self.init(
      executable: Tools.url(name), arguments, environment: environment, in: folder,
      errorsIn: errorFolder)
  }

  init(
    executable: URL, _ arguments: [String], environment: [String: String],
    in folder: String? = nil, errorsIn errorFolder: String = NSTemporaryDirectory()
  ) throws {
    errorFile = URL(fileURLWithPath: errorFolder).appendingPathComponent(
      "stderr-\(UUID().uuidString)")
    var options = ChildProcess.Options()
    options.variables = ["SWIFT_BACKTRACE": "enable=no"]
      .merging(Tools.withoutSettings) { $1 }.merging(environment) { $1 }
    options.error = .file(errorFile.path)
    options.workingDirectory = folder
    // The program would inherit ignored signals. `env` takes as long as a small command of a tool.
    let restoring = Self.ignoresSignals ? ["/usr/bin/env", "--default-signal=HUP,INT,QUIT"] : []
    let words = restoring + [executable.path] + arguments
    child = try ChildProcess.spawn(words[0], Array(words.dropFirst()), options: options)
  }

  /// Whether the tests ignore one of the signals, as they do under `nohup`.
  private static var ignoresSignals: Bool {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("SigIgn:\t") }
    guard let mask = line.flatMap({ UInt64($0.dropFirst(8), radix: 16) }) else { return true }
    return [SIGHUP, SIGINT, SIGQUIT].contains { mask >> ($0 - 1) & 1 == 1 }
  }

  deinit { try? FileManager.default.removeItem(at: errorFile) }

  /// The process id.
  public var pid: Int32 { child.identifier }
  /// Whether it has not ended yet.
  public var isRunning: Bool { (try? child.wait(timeoutMilliseconds: 0)) == .some(nil) }

  /// Writes a line to the tool, and returns `false` if the tool has ended.
  @discardableResult
  public func send(_ line: String) -> Bool {
    (try? child.write(line + "\n")) != nil
  }

  /// The next line of output; nil at its end.
  public func readLine() -> String? {
    guard let line = try? child.readLine(limitBytes: 1 << 30) else { return nil }
    received.append(contentsOf: Data((line + "\n").utf8))
    return line
  }

  /// Ends the process with a signal and waits until it has gone.
  ///
  /// A process that is still running after two minutes is killed.
  ///
  /// - Returns: Whether the signal ended the process, rather than an exit before the signal.
  @discardableResult
  public func kill(_ signal: Int32 = SIGKILL) -> Bool {
    child.kill(signal)
    if (try? child.wait(timeoutMilliseconds: 120_000)) == .some(nil) { child.kill(SIGKILL) }
    return (try? child.wait()) == .signalled(signal)
  }

  /// Closes the input.
  public func closeInput() { child.closeInput() }

  /// Closes the input, reads the rest of the output and waits for the end.
  public func finish() -> ToolResult {
    child.closeInput()
    let rest = Data((try? child.readAll().output) ?? [])
    let exit = (try? child.wait()) ?? .exited(-1)
    let errors = (try? Data(contentsOf: errorFile)) ?? Data()
    return ToolResult(exit, output: rest, received: received + rest, errors: errors)
  }
}

extension ToolResult {
  init(_ exit: ChildProcess.Exit, output: Data, received: Data, errors: Data) {
    switch exit {
    case .exited(let code): (status, signal) = (code, nil)
    case .signalled(let number): (status, signal) = (number, number)
    }
    self.output = String(decoding: output, as: UTF8.self)
    self.errors = String(decoding: errors, as: UTF8.self)
    outputBytes = received
    errorBytes = errors
  }
}

/// Runs any program to its end.
///
/// - Parameters:
///   - path: The program.
///   - arguments: Its arguments.
///   - input: What it reads.
///   - environment: Its whole environment, without the variables of a shifted clock; by default the
///     tests' own without settings of the tools.
///   - folder: The directory it starts in; by default the tests' own.
public func runProgram(
  _ path: String, _ arguments: [String], input: Data = Data(),
  environment: [String: String]? = nil, in folder: String? = nil
) throws -> ToolResult {
  var options = ChildProcess.Options()
  options.environment = environment.map { Tools.shiftedClock.merging($0) { $1 } }
  if environment == nil { options.variables = Tools.withoutSettings }
  options.workingDirectory = folder
  let (exit, output, errors) = try ChildProcess.run(
    path, arguments, input: [UInt8](input), options: options)
  return ToolResult(exit, output: Data(output), received: Data(output), errors: Data(errors))
}

/// Runs a tool to its end.
public func run(
  _ name: String, _ arguments: [String], environment: [String: String] = [:]
) throws -> ToolResult {
  try RunningTool(name, arguments, environment: environment).finish()
}

/// A new temporary directory, removed when the body returns.
public func withTemporaryDirectory<R>(_ body: (String) throws -> R) throws -> R {
  let url = FileManager.default.temporaryDirectory
    .appendingPathComponent("retrace-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: url) }
  return try body(url.path)
}

/// Returns the number of cycles: all with `RETRACE_FULL=1`, else a tenth.
public func cycles(_ full: Int) -> Int {
  ProcessInfo.processInfo.environment["RETRACE_FULL"] == "1" ? full : max(1, full / 10)
}

/// Returns the files below a directory by their paths in it.
public func filesInTree(_ directory: String) throws -> [String: Data] {
  var files: [String: Data] = [:]
  for name in try FileManager.default.subpathsOfDirectory(atPath: directory) {
    let url = URL(fileURLWithPath: "\(directory)/\(name)")
    if try url.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true { continue }
    files[name] = try Data(contentsOf: url)
  }
  return files
}
