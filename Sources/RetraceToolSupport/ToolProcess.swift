import RetraceAvro
import RetraceScreen
import RetraceSystem
import RetraceTerminal

/// The process of a tool: its command line, its start and its exits.
package enum ToolProcess {
  /// The arguments before a `--`; those after it are data, even if they begin with a hyphen.
  package static var words: ArraySlice<String> {
    CommandLine.arguments.dropFirst().prefix { $0 != "--" }
  }

  /// Sets up the process.
  ///
  /// - Throws: A failure if standard output is closed; a usage failure if an argument is not UTF-8.
  package static func prepare() throws(ToolFailure) {
    let missing = ThisProcess.openMissingStandardDescriptors()
    ThisProcess.ignoreBrokenPipes()
    prepareForStores()
    // Nothing is written that could not be reported.
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
    Output.flush()
    if let failure = Output.failure { exit(tool, reporting: outputFailure(failure)) }
    ThisProcess.exit(ToolExit.success)
  }

  /// Ends the process after a failure.
  ///
  /// - Parameters:
  ///   - tool: The name of the tool.
  ///   - failure: The failure; its four parts are printed as text, or as JSON after `--json`.
  ///   - isBrief: Whether text has two lines: what failed and why, and the advice.
  package static func exit(
    _ tool: String, reporting failure: ToolFailure, isBrief: Bool = false
  ) -> Never {
    Output.flush()
    if words.contains("--json") {
      Output.printError(failure.json)
    } else if isBrief {
      // Each reason for an invalid command line says enough by itself.
      let what = failure.exitCode == ToolExit.usage ? "" : "\(failure.what) "
      printWrapped("\(tool): \(what)\(failure.why)", indent: tool.utf8.count + 2)
      printWrapped("  \(failure.advice)", indent: 2)
    } else {
      Output.printError("\(tool): \(failure.what)")
      Output.printError("  why: \(failure.why)")
      Output.printError("  do:  \(failure.advice)")
      Output.printError("  exit code \(failure.exitCode)")
    }
    ThisProcess.exit(failure.exitCode)
  }

  /// Prints a text to standard error, on lines that break at blanks if that is a terminal.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - indent: The blanks before each line but the first.
  package static func printWrapped(_ text: String, indent: Int = 0) {
    for line in Output.lines(of: text, indent: indent, on: 2) { Output.printError(line) }
  }

  private static func outputFailure(_ error: SystemError) -> ToolFailure {
    ToolFailure(
      what: "The output is incomplete.", why: "\(error).",
      advice: "The command itself succeeded; free some space, or redirect the output.",
      exitCode: ToolExit.storage)
  }
}
