import Foundation
import RetraceTesting
import Testing
import ToolTestSupport

/// A program of this package that reads a key a line, and prints a screen for each.
public struct LineApp {
  private let program: String
  private let arguments: [String]
  private let rows: Int

  /// Names a program.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - arguments: Its arguments.
  ///   - rows: The number of lines of a screen.
  public init(_ name: String, _ arguments: [String], rows: Int) {
    program = Self.path(of: name)
    self.arguments = arguments
    self.rows = rows
  }

  /// Returns the path of a program of this package, which is beside the test.
  public static func path(of name: String) -> String { Tools.built.appending(path: name).path }

  /// Starts the program.
  public func start() throws -> LineProcess {
    LineProcess(try RunningTool(program, arguments), rows: rows)
  }

  /// Presses keys, kills the program up to 30 ms after the last, and returns the screens before.
  public func screensUntilKilled(
    pressing keys: [String], using random: inout SeededGenerator
  ) async throws -> [[String]] {
    let process = try start()
    var screens: [[String]] = []
    for key in keys {
      process.press(key)
      // Some keys are pressed before the screens of those before are there.
      if Bool.random(using: &random), let screen = process.screen() { screens.append(screen) }
    }
    let sleep = UInt64.random(in: 0...30_000_000, using: &random)
    try await Task.sleep(nanoseconds: sleep)
    process.kill()
    while let screen = process.screen() { screens.append(screen) }
    return screens
  }

  /// Starts the program, presses keys, ends the input, and returns the last screen.
  @discardableResult
  public func lastScreen(pressing keys: [String]) throws -> [String] {
    let tool = try RunningTool(program, arguments)
    for key in keys { tool.send(key) }
    let result = tool.finish()
    #expect(result.status == 0 && result.errors == "", "\(result.errors)")
    return result.output.lines.suffix(rows)
  }
}

/// A process of a ``LineApp``.
public final class LineProcess {
  private let tool: RunningTool
  private let rows: Int

  init(_ tool: RunningTool, rows: Int) {
    self.tool = tool
    self.rows = rows
  }

  /// Presses a key.
  public func press(_ key: String) { tool.send(key) }

  /// Returns the next screen; `nil` at the end of the output.
  public func screen() -> [String]? {
    var lines: [String] = []
    while lines.count < rows, let line = tool.readLine() { lines.append(line) }
    return lines.count < rows ? nil : lines
  }

  /// Kills the process.
  public func kill() { tool.kill() }

  /// Ends the input, and returns the exit code.
  public func end() -> Int32 { tool.finish().status }
}
