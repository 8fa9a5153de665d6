import RetraceScreen

/// The words after the name of a command, sorted into options and operands.
///
/// A word that begins with two hyphens is an option. Its value is the next word, or follows an
/// equals sign. A next word that also begins with two hyphens is not the value. A word that begins
/// with a hyphen and a letter is the option with that letter, such as `-n 5` and `-n5`; it is
/// refused if there is none, because it looks like an option. An option that may be given once may
/// be repeated with the same value. A word such as `:adjust` stands for the option with that word
/// in ``CommandOption/colonWords``. All other words are operands, also `-` and `-30m`, and all
/// words after `--`.
public struct CommandArguments: Hashable, Sendable {
  /// The operands, in order.
  public private(set) var operands: [String] = []
  /// The number of operands before `--`, or of all operands without it.
  public private(set) var operandsBeforeEnd = 0
  private var given: [GivenOption] = []

  /// Sorts words.
  ///
  /// - Parameters:
  ///   - words: The words after the name of the command.
  ///   - syntax: The syntax of the command.
  /// - Complexity: O(bytes of the words, times options).
  /// - Throws: ``CommandLineError`` if the syntax does not allow the words.
  public init(
    _ words: ArraySlice<String>, for syntax: CommandSyntax
  ) throws(CommandLineError) {
    var rest = words
    var end: Int?
    while let word = rest.popFirst() {
      guard end == nil, word.utf8.starts(with: "--".utf8) else {
        if end == nil, Self.isShortOption(word) {
          let letter = String(word.dropFirst().prefix(1))
          let option = syntax.options.first { $0.letter.map { same($0, letter) } ?? false }
          guard let option else { throw .unknownOption(word, like: nil) }
          let value = String(word.dropFirst(2))
          try take(option, value.isEmpty ? nil : value, from: &rest)
          continue
        }
        if end == nil, let (option, value) = Self.option(ofColonWord: word, in: syntax) {
          try give(option, value)
          continue
        }
        operands.append(word)
        continue
      }
      guard word.utf8.count > 2 else {
        end = operands.count
        continue
      }
      let body = word.dropFirst(2)
      let equals = body.firstIndex(of: "=")
      let name = String(body[..<(equals ?? body.endIndex)])
      guard let option = syntax.options.first(where: { same($0.name, name) }) else {
        let names = syntax.options.map(\.name) + [CommandSyntax.help.name]
        let similar = Spelling.similarOption(to: name, in: names)
        throw .unknownOption("--\(name)", like: similar.map { "--\($0)" })
      }
      try take(option, equals.map { String(body[body.index(after: $0)...]) }, from: &rest)
    }
    operandsBeforeEnd = end ?? operands.count
    let required = syntax.operands.count { !$0.isOptional }
    if operands.count < required { throw .missingOperand(syntax.operands[operands.count]) }
    if operands.count > syntax.operands.count, syntax.operands.last?.repeats != true {
      throw .unexpectedOperand(operands[syntax.operands.count])
    }
  }

  /// Adds an option with its value, which is the next word if it is not beside the option.
  private mutating func take(
    _ option: CommandOption, _ beside: String?, from rest: inout ArraySlice<String>
  ) throws(CommandLineError) {
    var value = beside
    if option.value == nil, value != nil { throw .unexpectedValue(option) }
    if option.value != nil, value == nil {
      let next = rest.first
      guard let next, !next.utf8.starts(with: "--".utf8) else {
        throw .missingValue(option, before: next)
      }
      value = rest.popFirst()
    }
    if let value, !option.choices.isEmpty, !option.choices.contains(where: { same($0, value) }) {
      throw .wrongChoice(option, value)
    }
    try give(option, value ?? "")
  }

  private mutating func give(
    _ option: CommandOption, _ value: String
  ) throws(CommandLineError) {
    if !option.repeats, let other = self[option], !same(other, value) { throw .givenTwice(option) }
    given.append(GivenOption(option: option, value: value))
  }

  private static func option(
    ofColonWord word: String, in syntax: CommandSyntax
  ) -> (CommandOption, value: String)? {
    guard word.utf8.first == UInt8(ascii: ":") else { return nil }
    let name = String(word.dropFirst())
    return syntax.options.first { $0.colonWords.contains { same($0, name) } }
      .map { ($0, $0.value == nil ? "" : name) }
  }

  private static func isShortOption(_ word: String) -> Bool {
    let bytes = word.utf8.prefix(2).map { $0 | 0x20 }
    guard bytes.count == 2, word.utf8.first == UInt8(ascii: "-") else { return false }
    return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(bytes[1])
  }

  /// Returns whether an option is given.
  public func has(_ option: CommandOption) -> Bool {
    given.contains { same($0.option.name, option.name) }
  }

  /// The value of an option; `nil` if it is not given.
  public subscript(option: CommandOption) -> String? {
    given.last { same($0.option.name, option.name) }?.value
  }

  /// Returns the values of an option that may be given several times.
  public func all(_ option: CommandOption) -> [String] {
    given.filter { same($0.option.name, option.name) }.map(\.value)
  }
}

/// An option on a command line.
struct GivenOption: Hashable {
  var option: CommandOption
  /// The value; empty for a flag.
  var value: String
}
