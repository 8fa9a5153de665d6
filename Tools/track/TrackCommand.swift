import RetraceCommandLine
import RetraceToolSupport

/// A command of the tracker.
protocol TrackCommand: Sendable {
  /// The name of the command.
  static var name: String { get }
  /// What can be written after the name.
  static var syntax: CommandSyntax { get }
  /// Whether the command is refused if the file of settings is wrong.
  static var readsConfiguration: Bool { get }

  /// Makes the command from its arguments.
  ///
  /// - Throws: What is wrong with their values.
  init(_ arguments: CommandArguments) throws(ToolFailure)

  /// Runs the command.
  ///
  /// - Throws: The failure to show to the user.
  func perform() throws(ToolFailure)
}

extension TrackCommand {
  /// All commands are refused but the one that corrects the file.
  static var readsConfiguration: Bool { true }

  /// Parses the words after the name, and runs the command or prints its help.
  static func run(_ words: ArraySlice<String>) throws(ToolFailure) {
    guard !CommandSyntax.asksForHelp(words) else { return Output.printRaw(HelpText.of(syntax)) }
    let arguments: CommandArguments
    do throws(CommandLineError) {
      arguments = try CommandArguments(words, for: syntax)
    } catch {
      var advice = error.suggestion.map { "\($0) " } ?? ""
      advice += "Run `track \(name) --help` to see its arguments."
      if case .unknownOption(let word, like: nil) = error {
        advice += " Put text that begins with a hyphen, such as \(word), after `--`."
      }
      throw .usage("\(error)", advice: advice)
    }
    if readsConfiguration { _ = try Configuration.loaded.get() }
    while true {
      do throws(ToolFailure) {
        return try Self(arguments).perform()
      } catch {
        var failure = error
        guard TimeReading.isChosen(after: &failure) else { throw failure }
      }
    }
  }
}
