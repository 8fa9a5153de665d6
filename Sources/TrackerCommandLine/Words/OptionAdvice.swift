import Retrace
import RetraceCommandLine
import RetraceToolSupport

/// The advice on options that a verb does not have, or does not have in this form.
extension Track {
  /// Returns the advice on wrong words of a verb: what is probably meant, and where the arguments
  /// are listed.
  static func advice(on error: CommandLineError, of verb: any Verb.Type) -> String {
    let help = "Run `track \(verb.name) --help` to see its arguments."
    switch error {
    case .unknownOption(let word, like: nil):
      if let advice = advice(onOptionOfOtherTools: word, of: verb) { return "\(advice) \(help)" }
      return "\(help) \(advice(on: word))"
    case .unexpectedValue(let option):
      let opposite = "not-\(option.name)"
      let hasOpposite = verb.syntax.options.contains { $0.name == opposite }
      return "Write --\(option.name)\(hasOpposite ? " or --\(opposite)" : "") alone. \(help)"
    default: return (error.suggestion.map { "\($0) " } ?? "") + help
    }
  }

  /// Returns the advice on a word that looks like an option and is not one of a verb.
  ///
  /// It names verbs that have the option or a similar one, or else says how to write text.
  private static func advice(on word: String) -> String {
    let asText = "Put text that begins with a hyphen, such as \(word), after `--`."
    guard word.hasPrefix("--") else { return asText }
    var names: [String] = []
    for verb in verbs {
      for option in verb.syntax.options where !names.contains(option.name) {
        names.append(option.name)
      }
    }
    guard let name = Spelling.similarOption(to: String(word.dropFirst(2)), in: names) else {
      return asText
    }
    let having = verbs.filter { verb in verb.syntax.options.contains { $0.name == name } }
      .prefix(3).map { "`track \($0.name)`" }
    return "The option --\(name) is one of \(having.joined(separator: ", "))."
  }

  /// Returns the advice on an option that other tools have for what a verb takes in another form;
  /// `nil` for other options.
  private static func advice(
    onOptionOfOtherTools word: String, of verb: any Verb.Type
  ) -> String? {
    func has(_ option: CommandOption) -> Bool {
      verb.syntax.options.contains { $0.name == option.name }
    }
    let name = word.hasPrefix("--") ? String(word.dropFirst(2)) : String(word.dropFirst().prefix(1))
    let isLetter = !word.hasPrefix("--")
    if verb.syntax.operands.contains(where: { $0.name == RangeWords.operand.name }) {
      for range in [":\(name)", name] where !isLetter && ValueKind.ranges.contains(range) {
        return "A range is words: `track \(verb.name) \(range)`."
      }
      switch name {
      case "from", "since", "after", "start", "begin", "to", "until", "till", "before", "end":
        return "A range is words, such as `track \(verb.name) from 2026-03-01` or "
          + "`track \(verb.name) 2026-03-01 - 2026-03-05`."
      case "group", "group-by": if has(ReportVerb.byOption) { return "Write --by." }
      default: break
      }
    }
    let takesWords = verb.syntax.operands.contains { operand in
      [TrackerValue.entryWords, .entryThenWords, .rangeAndTerms].map(ValueKind.tracker)
        .contains(operand.kind)
    }
    switch name {
    case "start", "begin", "from", "time":
      if has(AddVerb.fromOption) { return "Write --from." }
      if has(EntryTimeOptions.atOption) { return "Write --at, or the time before other words." }
    case "end", "stop", "until":
      if has(AddVerb.toOption) { return "Write --to." }
      if has(EntryTimeOptions.atOption), verb.name == StopVerb.name { return "Write --at." }
    case "p" where has(DraftOptions.projectOption):
      return takesWords ? "Write @NAME or --project NAME." : "Write --project NAME."
    case "t" where has(DraftOptions.tagOption):
      return takesWords ? "Write +NAME or --tag NAME." : "Write --tag NAME."
    case "d" where has(EditVerb.descriptionOption), "description" where takesWords,
      "d" where takesWords && has(EntryTimeOptions.atOption):
      return "Write the description as words."
    default: break
    }
    return nil
  }
}
