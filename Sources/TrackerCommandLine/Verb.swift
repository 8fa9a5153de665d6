import RetraceCommandLine
import RetraceToolSupport

/// A word of the command line that says what to do, such as `start`, with its arguments.
protocol Verb: Sendable {
  /// The word.
  static var name: String { get }
  /// What can be written after the word.
  static var syntax: CommandSyntax { get }
  /// Whether the verb is refused if the file of settings is wrong.
  static var readsConfiguration: Bool { get }

  /// Creates the verb from its arguments.
  ///
  /// - Throws: A usage failure if an argument has a wrong value.
  init(_ arguments: CommandArguments) throws(ToolFailure)

  /// Performs the verb and prints its result.
  ///
  /// - Throws: The failure to show to the user.
  func perform() throws(ToolFailure)
}

extension Verb {
  /// `true`: only the verb that corrects the file runs with a wrong one.
  static var readsConfiguration: Bool { true }

  /// Parses the words after the name, and performs the verb or prints its help.
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
