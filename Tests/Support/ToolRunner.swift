/// A way to run the command line of a tool.
public struct ToolRunner: Sendable {
  private let body:
    @Sendable (
      _ tool: String, _ arguments: [String], _ environment: [String: String], _ input: String
    ) throws -> ToolResult

  /// Creates a runner.
  ///
  /// - Parameter body: Runs a tool with arguments, variables in addition to the tests' own, and the
  ///   lines that it can read.
  public init(
    _ body:
      @escaping @Sendable (
        _ tool: String, _ arguments: [String], _ environment: [String: String], _ input: String
      ) throws -> ToolResult
  ) {
    self.body = body
  }

  /// Runs a tool to its end.
  ///
  /// - Parameters:
  ///   - tool: The name of the tool.
  ///   - arguments: Its arguments.
  ///   - environment: Variables to set in addition to the tests' own.
  ///   - input: The lines that it can read.
  public func run(
    _ tool: String, _ arguments: [String], _ environment: [String: String] = [:],
    _ input: String = ""
  ) throws -> ToolResult {
    try body(tool, arguments, environment, input)
  }

  /// Starts a process of the tool.
  public static let process = ToolRunner { tool, arguments, environment, input in
    let process = try RunningTool(tool, arguments, environment: environment)
    if !input.isEmpty {
      for line in input.split(separator: "\n", omittingEmptySubsequences: false) {
        process.send(String(line))
      }
    }
    return process.finish()
  }
}
