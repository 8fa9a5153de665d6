import RetraceSystem

/// The process of a tool: its command line, its start and its exits.
package enum ToolProcess {
  /// The arguments of the tool, if they are not all arguments of the program.
  private static let given = Lock<[String]?>(nil)

  /// The arguments of the tool.
  package static var arguments: [String] {
    given.withLock { $0 } ?? Array(CommandLine.arguments.dropFirst())
  }

  /// The arguments of the program before the arguments of the tool, with which a child process
  /// starts the tool again.
  package static var prefix: [String] {
    let (all, own) = (Array(CommandLine.arguments.dropFirst()), arguments)
    return all.count >= own.count && Array(all.suffix(own.count)) == own
      ? Array(all.dropLast(own.count)) : []
  }

  private static let replayName = Lock("replay")

  /// The words that start the replay tool, for texts: those with which the user started it, such as
  /// `kitchen replay`; `replay` in the other tools.
  package static var replay: String { replayName.withLock { $0 } }

  /// Makes the process a replay tool; called before anything reads its arguments.
  ///
  /// - Parameter arguments: The arguments of the tool; `nil` for all arguments of the program.
  package static func beReplayTool(_ arguments: [String]? = nil) {
    given.withLock { $0 = arguments }
    name(replay: prefix)
  }

  /// Makes the process an app whose word `replay` is its replay tool, for advice.
  package static func beApp() { name(replay: ["replay"]) }

  /// Names the replay tool by the program and the words after it.
  private static func name(replay words: [String]) {
    let program = (CommandLine.arguments.first ?? "").split(separator: "/").last ?? "replay"
    let words = ([String(program)] + words).map(commandWord)
    replayName.withLock { $0 = words.joined(separator: " ") }
  }

  /// The arguments before a `--`; those after it are data, even if they begin with a hyphen.
  package static var words: ArraySlice<String> { arguments.prefix { $0 != "--" } }

  /// Whether the arguments ask for a help text, or name no command.
  ///
  /// The argument parser asks every command for its help text at each start. A text that needs the
  /// schemas of the app is made only if this is `true`.
  package static var asksForHelp: Bool {
    guard let first = words.first, first != "help", !first.hasPrefix("-") else { return true }
    return words.contains { ["-h", "--help", "--help-hidden"].contains($0) }
  }

  /// Sets up the process.
  ///
  /// - Throws: A failure if standard output is closed; a usage failure if an argument is not UTF-8.
  package static func prepare() throws(ToolFailure) {
    let missing = ThisProcess.openMissingStandardDescriptors()
    ThisProcess.ignoreBrokenPipes()
    prepareForStores()
    // A command whose result cannot be printed must not write.
    guard !missing.contains(1) else {
      throw ToolFailure(
        what: "Nothing was done.", why: "Standard output is closed.",
        advice: "Redirect it to /dev/null to drop the output.", exitCode: ToolExit.storage)
    }
    guard isCommandLineUTF8 else {
      let advice = "Give text in UTF-8, and check the locale of the terminal."
      throw .usage("An argument is not UTF-8.", advice: advice)
    }
  }

  /// Whether the arguments are UTF-8; Swift would silently replace invalid bytes.
  private static var isCommandLineUTF8: Bool {
    // The replacement character, which Swift puts in place of invalid bytes.
    let replacement: [UInt8] = [0xef, 0xbf, 0xbd]
    guard CommandLine.arguments.contains(where: { contains($0, replacement) }),
      let bytes = try? FileSystem.readWhole("/proc/self/cmdline", limitBytes: 1 << 22)
    else { return true }
    return (try? UTF8Span(validating: bytes.span)) != nil
  }

  private static func contains(_ text: String, _ bytes: [UInt8]) -> Bool {
    var rest = Substring(text).utf8
    while let start = rest.firstIndex(of: bytes[0]) {
      rest = rest[start...]
      if rest.starts(with: bytes) { return true }
      rest = rest.dropFirst()
    }
    return false
  }

  /// Ends the process after a command that succeeded; reports output that could not be written.
  ///
  /// - Parameter tool: The name of the tool.
  package static func succeed(_ tool: String) -> Never {
    Output.standard.flush()
    if let failure = Output.standard.failure { exit(tool, reporting: failure) }
    ThisProcess.exit(ToolExit.success)
  }

  /// Ends the process after a failure that was reported before.
  package static func exit(code: Int32) -> Never {
    Output.standard.flush()
    ThisProcess.exit(code)
  }

  /// Ends the process after a failure, which is printed to standard error.
  ///
  /// - Parameters:
  ///   - tool: The name of the tool.
  ///   - failure: The failure; its four parts are printed as text, or as JSON after `--json`.
  package static func exit(_ tool: String, reporting failure: ToolFailure) -> Never {
    Output.standard.report(
      failure, of: tool, asJSON: words.contains("--json"), isBrief: false)
    ThisProcess.exit(failure.exitCode)
  }
}
