import RetraceCommandLine
import RetraceToolSupport

/// A word of the command line that says what to do, such as `start`, with its arguments.
protocol Verb: SendableMetatype {
  /// The word.
  static var name: String { get }
  /// The arguments after the word, and the help.
  static var syntax: CommandSyntax { get }
  /// Whether the verb is refused if the file of settings is wrong.
  static var readsConfiguration: Bool { get }

  /// Creates the verb from its arguments.
  ///
  /// - Parameters:
  ///   - arguments: The arguments.
  ///   - context: The context.
  /// - Throws: A usage failure if an argument has a wrong value.
  init(_ arguments: CommandArguments, in context: VerbContext) throws(ToolFailure)

  /// Performs the verb and prints its result.
  ///
  /// - Throws: The failure to show to the user.
  func perform() throws(ToolFailure)
}

extension Verb {
  /// `true`: only the verb that corrects the file runs with a wrong one.
  static var readsConfiguration: Bool { true }

  /// Parses the words after the name, and performs the verb or prints its help.
  static func run(_ words: ArraySlice<String>, in context: VerbContext) throws(ToolFailure) {
    guard !CommandSyntax.asksForHelp(words) else {
      return context.output.printRaw(context.helpText.of(syntax))
    }
    let arguments: CommandArguments
    do throws(CommandLineError) {
      arguments = try CommandArguments(words, for: syntax)
    } catch {
      throw .usage("\(error)", advice: Track.advice(on: error, of: Self.self))
    }
    if readsConfiguration { _ = try context.checkedSettings() }
    while true {
      do throws(ToolFailure) {
        return try Self(arguments, in: context).perform()
      } catch {
        var failure = error
        guard !context.isBatch, !context.hasOption("--json"),
          context.readings.choose(after: &failure, context.output)
        else { throw failure }
      }
    }
  }
}
