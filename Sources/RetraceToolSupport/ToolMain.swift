public import ArgumentParser
import RetraceAvro
import RetracePlatform

/// A command of a tool: it runs, or it fails in four parts.
public protocol ToolCommand: ParsableCommand {
  /// Does the command's work.
  ///
  /// - Throws: What the user is to be told.
  func perform() throws(ToolFailure)
}

extension ToolCommand {
  /// Does the command's work; called by the argument parser.
  public func run() throws { try perform() }
}

/// The start and the end of every tool.
public enum ToolMain {
  /// Parses the command line, runs the command and ends the process with its exit code.
  public static func run(_ root: (some ParsableCommand).Type) -> Never {
    ThisProcess.ignoreBrokenPipes()
    do {
      var command = try root.parseAsRoot()
      try command.run()
      ThisProcess.exit(ToolExit.fine)
    } catch let failure as ToolFailure {
      end(root, failure)
    } catch {
      let text = root.fullMessage(for: error)
      guard root.exitCode(for: error).rawValue != 0 else {
        Output.printRaw(text)
        ThisProcess.exit(ToolExit.fine)
      }
      let name = root._commandName
      end(
        root,
        .usage(
          root.message(for: error),
          advice: "Run `\(name) --help`, or `\(name) help COMMAND`, for what it takes."))
    }
  }

  private static func end(_ root: (some ParsableCommand).Type, _ failure: ToolFailure) -> Never {
    if CommandLine.arguments.contains("--json") {
      Output.printError(json(failure).text())
    } else {
      Output.printError("\(root._commandName): \(failure.what)")
      Output.printError("  why: \(failure.why)")
      Output.printError("  do:  \(failure.advice)")
      Output.printError("  exit code \(failure.exitCode)")
    }
    ThisProcess.exit(failure.exitCode)
  }

  private static func json(_ failure: ToolFailure) -> JSONValue {
    [
      "error": [
        "what": .string(failure.what), "why": .string(failure.why),
        "do": .string(failure.advice), "exitCode": .integer(Int64(failure.exitCode)),
      ]
    ]
  }
}
