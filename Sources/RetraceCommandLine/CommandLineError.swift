/// A reason why words are not a valid command line.
public enum CommandLineError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The command has no such option. `like` is a similar option, if any.
  case unknownOption(String, like: String?)
  /// The value of an option is missing. `before` is the word after the option, if any.
  case missingValue(CommandOption, before: String?)
  /// A flag has a value.
  case unexpectedValue(CommandOption)
  /// An option is given twice.
  case givenTwice(CommandOption)
  /// An option does not have one of the values that it can have.
  case wrongChoice(CommandOption, String)
  /// An operand is missing.
  case missingOperand(CommandOperand)
  /// There are more operands than the command takes.
  case unexpectedOperand(String)

  /// The reason as a sentence.
  public var description: String {
    switch self {
    case .unknownOption(let word, _): "There is no option \(word)."
    case .missingValue(let option, let next):
      "The value of \(option.usage) is missing" + (next.map { " before \($0)." } ?? ".")
    case .unexpectedValue(let option): "The option --\(option.name) takes no value."
    case .givenTwice(let option): "The option --\(option.name) is given twice."
    case .wrongChoice(let option, let value):
      "The option --\(option.name) cannot be \(value); it is one of "
        + "\(option.choices.joined(separator: ", "))."
    case .missingOperand(let operand): "The argument <\(operand.name)> is missing."
    case .unexpectedOperand(let word): "The argument \(word) is one too many."
    }
  }

  /// The probable meaning, or the correct form.
  public var suggestion: String? {
    switch self {
    case .unknownOption(_, let similar?): "Did you mean \(similar)?"
    case .missingValue(let option, let next?):
      "Write --\(option.name)=\(next) for a value that begins with two hyphens."
    default: nil
    }
  }
}
