package import ArgumentParser
import RetraceSystem
package import RetraceToolSupport

/// A command of a tool; its failures have four parts.
package protocol ToolCommand: ParsableCommand {
  /// Runs the command.
  ///
  /// - Throws: The failure to show to the user.
  func perform() throws(ToolFailure)
}

extension ToolCommand {
  package func run() throws { try perform() }
}

/// The entry point of a tool whose commands the argument parser parses.
package enum ToolMain {
  /// Parses the command line, runs the command and exits with its exit code.
  package static func run(_ root: (some ParsableCommand).Type) -> Never {
    let tool = root._commandName
    do {
      try ToolProcess.prepare()
      var command = try parse(root)
      try command.run()
      ToolProcess.succeed(tool)
    } catch let failure as ToolFailure {
      ToolProcess.exit(tool, reporting: failure)
    } catch {
      let text = root.fullMessage(for: error)
      guard root.exitCode(for: error).rawValue != 0 else {
        Output.standard.printRaw(text)
        ThisProcess.exit(ToolExit.success)
      }
      if let unknown = unknownCommand(of: root) { ToolProcess.exit(tool, reporting: unknown) }
      let message = root.message(for: error)
      var advice = "Run `\(command(of: root)) --help` to see its arguments."
      let words = ToolProcess.words
      if let text = words.first(where: { $0.hasPrefix("-") && !$0.hasPrefix("--") }) {
        advice += " Put text that begins with a hyphen, such as \(text), after `--`."
      }
      let isSentence = message.last.map(".?!".contains) ?? false
      ToolProcess.exit(
        tool, reporting: .usage(isSentence ? message : message + ".", advice: advice))
    }
  }

  /// Returns the command of the command line.
  ///
  /// A command line that a subcommand can parse is parsed by it alone, which takes less than half
  /// as long. The root parses everything else: help, other requests and errors.
  private static func parse(_ root: (some ParsableCommand).Type) throws -> any ParsableCommand {
    let arguments = ToolProcess.arguments
    if let name = arguments.first,
      let subcommand = root.configuration.subcommands.first(where: { $0._commandName == name }),
      let command = try? subcommand.parseAsRoot(Array(arguments.dropFirst())),
      type(of: command) == subcommand
    {
      return command
    }
    return try root.parseAsRoot(arguments)
  }

  private static func commands(of root: (some ParsableCommand).Type) -> [String] {
    root.configuration.subcommands.map { $0._commandName }
  }

  /// Returns a failure if the first argument is not a command.
  ///
  /// An unknown command is reported before errors in the options after it.
  private static func unknownCommand(of root: (some ParsableCommand).Type) -> ToolFailure? {
    let names = commands(of: root)
    guard !names.isEmpty, let first = ToolProcess.words.first, !first.hasPrefix("-"),
      first != "help", !names.contains(first)
    else { return nil }
    let shown = root.configuration.subcommands.filter { $0.configuration.shouldDisplay }
      .map { $0._commandName }
    return .usage(
      "There is no command \(first).",
      advice: "The commands are \(shown.joined(separator: ", ")) and help.")
  }

  /// Returns the command as the user typed it.
  private static func command(of root: (some ParsableCommand).Type) -> String {
    guard let first = ToolProcess.words.first, commands(of: root).contains(first) else {
      return root._commandName
    }
    return "\(root._commandName) \(first)"
  }
}
