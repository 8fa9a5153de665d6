package import ArgumentParser
import RetraceAvro
import RetraceSystem

/// A command of a tool; its failures have four parts.
package protocol ToolCommand: ParsableCommand {
  /// Runs the command.
  ///
  /// - Throws: The failure to show to the user.
  func perform() throws(ToolFailure)
}

extension ToolCommand {
  /// Runs the command for the argument parser.
  package func run() throws { try perform() }
}

/// The entry point and the exit of every tool.
package enum ToolMain {
  /// Parses the command line, runs the command and exits with its exit code.
  package static func run(_ root: (some ParsableCommand).Type) -> Never {
    ThisProcess.openMissingStandardDescriptors()
    ThisProcess.ignoreBrokenPipes()
    prepareForStores()
    guard isCommandLineUTF8 else {
      let advice = "Give text in UTF-8, and check the locale of the terminal."
      exit(root, reporting: .usage("An argument is not UTF-8.", advice: advice))
    }
    do {
      var command = try parse(root)
      try command.run()
      Output.flush()
      if let failure = Output.failure { exit(root, reporting: outputFailure(failure)) }
      ThisProcess.exit(ToolExit.success)
    } catch let failure as ToolFailure {
      exit(root, reporting: failure)
    } catch {
      let text = root.fullMessage(for: error)
      guard root.exitCode(for: error).rawValue != 0 else {
        Output.printRaw(text)
        ThisProcess.exit(ToolExit.success)
      }
      if let unknown = unknownCommand(of: root) { exit(root, reporting: unknown) }
      let message = root.message(for: error)
      var advice = "Run `\(command(of: root)) --help` to see its arguments."
      if let text = words.first(where: { $0.hasPrefix("-") && !$0.hasPrefix("--") }) {
        advice += " Put text that begins with a hyphen, such as \(text), after `--`."
      }
      let isSentence = message.last.map(".?!".contains) ?? false
      exit(root, reporting: .usage(isSentence ? message : message + ".", advice: advice))
    }
  }

  /// Returns the command of the command line.
  ///
  /// A command line that is one of a subcommand is parsed as that command's own, which takes less
  /// than half as long. Everything else is parsed from the root: help, other requests and errors.
  private static func parse(_ root: (some ParsableCommand).Type) throws -> any ParsableCommand {
    let arguments = CommandLine.arguments.dropFirst()
    if let name = arguments.first,
      let subcommand = root.configuration.subcommands.first(where: { $0._commandName == name }),
      let command = try? subcommand.parseAsRoot(Array(arguments.dropFirst())),
      type(of: command) == subcommand
    {
      return command
    }
    return try root.parseAsRoot()
  }

  /// The arguments before a `--`; those after it are data, even if they begin with a hyphen.
  private static var words: ArraySlice<String> {
    CommandLine.arguments.dropFirst().prefix { $0 != "--" }
  }

  /// Whether the arguments are UTF-8; Swift would silently replace invalid bytes.
  private static var isCommandLineUTF8: Bool {
    guard CommandLine.arguments.contains(where: { $0.unicodeScalars.contains("\u{FFFD}") }),
      let bytes = try? FileSystem.readWhole("/proc/self/cmdline", limitBytes: 1 << 22)
    else { return true }
    return (try? UTF8Span(validating: bytes.span)) != nil
  }

  private static func commands(of root: (some ParsableCommand).Type) -> [String] {
    root.configuration.subcommands.map { $0._commandName }
  }

  /// Returns a failure if the first argument is not a command.
  ///
  /// An unknown command is reported before errors in the options after it.
  private static func unknownCommand(of root: (some ParsableCommand).Type) -> ToolFailure? {
    let names = commands(of: root)
    guard !names.isEmpty, let first = words.first, !first.hasPrefix("-"), first != "help",
      !names.contains(first)
    else { return nil }
    let shown = root.configuration.subcommands.filter { $0.configuration.shouldDisplay }
      .map { $0._commandName }
    return .usage(
      "There is no command \(first).",
      advice: "The commands are \(shown.joined(separator: ", ")) and help.")
  }

  /// Returns the command as the user typed it.
  private static func command(of root: (some ParsableCommand).Type) -> String {
    guard let first = words.first, commands(of: root).contains(first) else {
      return root._commandName
    }
    return "\(root._commandName) \(first)"
  }

  private static func outputFailure(_ error: SystemError) -> ToolFailure {
    ToolFailure(
      what: "The output is incomplete.", why: "\(error).",
      advice: "The command itself succeeded; free some space, or redirect the output.",
      exitCode: ToolExit.storage)
  }

  private static func exit(
    _ root: (some ParsableCommand).Type, reporting failure: ToolFailure
  ) -> Never {
    Output.flush()
    if words.contains("--json") {
      Output.printError(json(failure))
    } else {
      Output.printError("\(root._commandName): \(failure.what)")
      Output.printError("  why: \(failure.why)")
      Output.printError("  do:  \(failure.advice)")
      Output.printError("  exit code \(failure.exitCode)")
    }
    ThisProcess.exit(failure.exitCode)
  }

  private static func json(_ failure: ToolFailure) -> JSONValue {
    var parts = [
      JSONValue.Member("what", .string(failure.what)), .init("why", .string(failure.why)),
      .init("do", .string(failure.advice)),
      .init("exitCode", .integer(Int64(failure.exitCode))),
    ]
    if let code = failure.code { parts.append(.init("code", .string(code))) }
    return ["error": .object(parts)]
  }
}
