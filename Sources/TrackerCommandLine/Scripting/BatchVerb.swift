import Retrace
import RetraceCommandLine
import RetraceSystem
import RetraceToolSupport
import TrackerApp

/// Performs commands that it reads from standard input, as one session.
struct BatchVerb: Verb {
  static let name = "batch"
  static let keepGoingOption = CommandOption(
    "keep-going", "Go on after a line that fails; the exit code is then the first failure's.")
  static let syntax = CommandSyntax(
    "track batch", summary: "Perform commands from standard input, one a line, as one session.",
    discussion: """
      A line is what follows `track` on a command line, with quotes as in a shell, or a JSON array \
      of its words. It may begin with a range, as in 9:00 - 10:00 standup. Empty lines and those \
      that begin with # are skipped. The store is opened once. Each command is a change of its \
      own: when a line fails, the lines before it stay, and those after it are not performed. \
      Commands that read standard input or open an editor are refused. With --json the result of \
      each command is one line, and a failure is an object with `line` and `error`.

      EXAMPLES
        track batch < commands.txt
        echo 'start 9:00 write the report @thesis' | track batch
        echo '["tag","-1","deep work"]' | track batch --json
      """,
    options: TrackerOptions.ofUser + [keepGoingOption])

  /// The most bytes of a line.
  private static var lineBytesMax: Int { 1 << 16 }
  /// The commands that need standard input, a terminal or the exit code for themselves.
  private static var excluded: [String] { ["app", "batch", "import", "extension"] }

  private let arguments: CommandArguments
  private let options: TrackerOptions
  private let keepsGoing: Bool

  init(_ arguments: CommandArguments, in context: VerbContext) {
    self.arguments = arguments
    options = TrackerOptions(arguments, in: context)
    keepsGoing = arguments.has(Self.keepGoingOption)
  }

  func perform() throws(ToolFailure) {
    // A wrong option is reported once, and not for each line.
    _ = (try options.path(), try options.userName(), try options.fixedMoment())
    options.context.startBatch()
    var reader = LineReader(descriptor: options.output.streams.input)
    var (number, failures) = (0, 0)
    var first: ToolFailure?
    while !options.output.hasFailed {
      number += 1
      do throws(ToolFailure) {
        guard let line = try nextLine(&reader) else { break }
        try perform(line)
      } catch {
        failures += 1
        first = first ?? error.atLine(number)
        report(error, at: number)
        if !keepsGoing { break }
      }
    }
    try options.context.closeSharedStore()
    guard var first else { return }
    if keepsGoing && !options.json {
      // Each failure was reported where it happened.
      throw ToolFailure(
        what: failures == 1 ? "1 line failed." : "\(failures) lines failed.",
        why: "See above; the other lines were performed.",
        advice: "Correct what failed, and perform only that again.", exitCode: first.exitCode)
    }
    if failures > 1 { first.what = "\(failures) lines failed. \(first.what)" }
    throw first
  }

  /// Returns the next line; `nil` at the end of the input.
  private func nextLine(_ reader: inout LineReader) throws(ToolFailure) -> String? {
    let bytes: [UInt8]?
    do throws(SystemError) {
      bytes = try reader.next(limitBytes: Self.lineBytesMax)
    } catch {
      guard error.code == .aboveLimit else {
        throw ToolFailure(
          what: "Standard input could not be read.", why: "\(error).",
          advice: "Check where the commands come from.", exitCode: ToolExit.storage)
      }
      try? reader.skipLine()
      throw .usage(
        "The line has more than \(Self.lineBytesMax) bytes.", advice: "Write a shorter one.")
    }
    guard let bytes else { return nil }
    guard let span = try? UTF8Span(validating: bytes.span) else {
      throw .usage("The line is not UTF-8.", advice: "Correct the line.")
    }
    return String(copying: span)
  }

  /// Performs the command of a line.
  private func perform(_ line: String) throws(ToolFailure) {
    var words = try words(of: line)[...]
    guard let name = words.popFirst() else { return }
    let isRange = Track.isRange(name, words)
    if isRange { words = [name] + words }
    let found = isRange ? AddVerb.self : Track.verb(named: name)
    guard let command = found, !Self.excluded.contains(name) else {
      guard !Self.excluded.contains(name), name != "help" else {
        throw .usage("The command \(name) cannot be part of a batch.", advice: "Remove the line.")
      }
      throw Track.unknown(name)
    }
    let batchOptions = [
      TrackerOptions.storeOption, TrackerOptions.nowOption, TrackerOptions.jsonOption,
    ]
    func isGiven(_ option: CommandOption) -> Bool {
      let word = "--\(option.name)"
      return words.prefix { $0 != "--" }.contains { $0 == word || $0.hasPrefix("\(word)=") }
    }
    if let option = batchOptions.first(where: isGiven) {
      throw .usage(
        "--\(option.name) is an option of the whole batch.", advice: "Give it to `track batch`.")
    }
    var given: [String] = []
    for option in batchOptions + [TrackerOptions.userOption, TrackerOptions.tzOption] {
      // The user and the zone of a line take precedence over the batch's.
      guard command.syntax.options.contains(option), arguments.has(option), !isGiven(option) else {
        continue
      }
      let value = option.value.flatMap { _ in arguments[option] }
      given.append("--\(option.name)" + (value.map { "=\($0)" } ?? ""))
    }
    try command.run(given + words, in: options.context)
  }

  private func words(of line: String) throws(ToolFailure) -> [String] {
    let line = line.hasSuffix("\r") ? String(line.dropLast()) : line
    let start = line.unicodeScalars.first { $0 != " " && $0 != "\t" }
    if start == nil || start == "#" { return [] }
    guard start == "[" else {
      do throws(CommandWords.Failure) {
        return try CommandWords(line).words
      } catch {
        switch error {
        case .openQuote:
          throw .usage(
            "A quote is not closed.", advice: "Close it, or put a backslash before it.")
        case .trailingBackslash:
          throw .usage("The line ends in a backslash.", advice: "Write two for one.")
        case .unknownEscape:
          throw .usage(
            "An escape in $'…' is unknown, or its bytes are not UTF-8.",
            advice: "Write \\n, \\t, \\', \\\\ or three octal digits of a byte, as in \\033.")
        }
      }
    }
    guard case .array(let values)? = try? JSONValue(parsing: line) else {
      throw .usage("The line is no JSON array.", advice: "Write one such as [\"stop\",\"17:30\"].")
    }
    var words: [String] = []
    for value in values {
      guard case .string(let word) = value else {
        throw .usage("A word is no string.", advice: "Quote each word of the array.")
      }
      words.append(word)
    }
    return words
  }

  /// Prints the failure of a line as JSON, or as text if the batch goes on.
  private func report(_ failure: ToolFailure, at number: Int) {
    if options.json {
      guard case .object(let members) = failure.json else { return }
      options.output.print(.object([JSONValue.Member("line", .integer(Int64(number)))] + members))
    } else if keepsGoing {
      options.output.printError("line \(number): \(failure.what) \(failure.why) \(failure.advice)")
    }
  }
}

extension ToolFailure {
  fileprivate func atLine(_ number: Int) -> ToolFailure {
    var failure = self
    // On a terminal, only the reason of a line that is not understood is printed.
    if exitCode == ToolExit.usage {
      failure.why = "Line \(number): \(why)"
    } else {
      failure.what = "Line \(number): \(what)"
    }
    return failure
  }
}
