/// An option of a command: a flag, or an option that takes a value.
public struct CommandOption: Hashable, Sendable {
  /// The name without hyphens.
  public let name: String
  /// The letter that is short for the name, as in `-n`; `nil` without one.
  public let letter: String?
  /// The name of the value in the help; `nil` for a flag.
  public let value: String?
  /// Whether the option may be given several times.
  public let repeats: Bool
  /// The values that can be given; empty if any can.
  public let choices: [String]
  /// The words after a colon that give the option, such as `adjust` for `:adjust`.
  ///
  /// For an option with a value, the word is the value.
  public let colonWords: [String]
  /// The kind of the value, for its completion.
  public let kind: ValueKind
  /// The purpose of the option, as a sentence.
  public let help: String

  /// Creates an option.
  ///
  /// - Parameters:
  ///   - name: The name without hyphens.
  ///   - letter: The letter that is short for the name.
  ///   - value: The name of the value in the help; `nil` for a flag.
  ///   - repeats: Whether the option may be given several times.
  ///   - choices: The values that can be given; empty if any can.
  ///   - colonWords: The words after a colon that give the option.
  ///   - kind: The kind of values other than the choices.
  ///   - help: The purpose of the option, as a sentence.
  public init(
    _ name: String, letter: String? = nil, value: String? = nil, repeats: Bool = false,
    choices: [String] = [], colonWords: [String] = [], kind: ValueKind = .text, _ help: String
  ) {
    self.name = name
    self.letter = letter
    self.value = value
    self.repeats = repeats
    self.choices = choices
    self.colonWords = colonWords
    self.kind = choices.isEmpty ? kind : .words(choices)
    self.help = help
  }

  /// The option as a user types it, with the name of its value.
  public var usage: String { value.map { "--\(name) <\($0)>" } ?? "--\(name)" }

  /// The option as the list of options shows it: as ``usage``, after its letter if it has one.
  public var listing: String { letter.map { "-\($0), \(usage)" } ?? usage }

  /// The purpose of the option, with its choices.
  var helpWithChoices: String {
    choices.isEmpty ? help : "\(help) (values: \(choices.joined(separator: ", ")))"
  }
}

/// An argument of a command that is not an option.
public struct CommandOperand: Hashable, Sendable {
  /// The name in the help.
  public let name: String
  /// Whether it may be left out.
  public let isOptional: Bool
  /// Whether there may be several.
  public let repeats: Bool
  /// Its kind, for its completion.
  public let kind: ValueKind
  /// Its meaning, as a sentence.
  public let help: String

  /// Creates an operand.
  public init(
    _ name: String, isOptional: Bool = false, repeats: Bool = false, kind: ValueKind = .text,
    _ help: String
  ) {
    self.name = name
    self.isOptional = isOptional
    self.repeats = repeats
    self.kind = kind
    self.help = help
  }

  /// The operand as the summary of a command shows it.
  public var usage: String {
    let text = "<\(name)>" + (repeats ? " ..." : "")
    return isOptional ? "[\(text)]" : text
  }
}
