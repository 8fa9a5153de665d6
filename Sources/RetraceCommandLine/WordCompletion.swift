/// The candidates for the last word of a command line, which is being typed.
///
/// The words before it are read as ``CommandArguments`` reads them, except that errors are ignored
/// and colon words count as operands.
public struct WordCompletion: Hashable, Sendable {
  /// A word that a shell can offer.
  public struct Candidate: Hashable, Sendable {
    /// The whole word.
    public let text: String
    /// Its meaning, on one line; may be empty.
    public let meaning: String

    /// Creates a candidate.
    public init(_ text: String, _ meaning: String = "") {
      self.text = text
      self.meaning = meaning
    }
  }

  /// The words that the syntax alone offers: options and choices.
  public private(set) var candidates: [Candidate] = []
  /// The kind of the value that is being typed; the candidates contain its words already.
  public private(set) var kind: ValueKind = .text
  /// The part of the last word before the value, such as `--store=`; often empty.
  public private(set) var prefix = ""
  /// The beginning of the value, as far as it is typed.
  public private(set) var query = ""
  /// The operands before the last word.
  public private(set) var operands: [String] = []
  /// Whether the last word comes after `--`.
  public private(set) var isAfterEnd = false
  /// Whether the value belongs to an option and is not an operand.
  public private(set) var isOfOption = false
  private var given: [GivenOption] = []

  /// Finds what the syntax of a command offers.
  ///
  /// - Parameters:
  ///   - words: The words after the name of the command; the last one is being typed.
  ///   - syntax: The syntax of the command.
  /// - Complexity: O(bytes of the words, times options).
  public init(_ words: ArraySlice<String>, for syntax: CommandSyntax) {
    var rest = words.dropLast()
    let last = words.last ?? ""
    while let word = rest.popFirst() {
      guard !isAfterEnd, word.utf8.starts(with: "--".utf8) else {
        operands.append(word)
        continue
      }
      guard word.utf8.count > 2 else {
        isAfterEnd = true
        continue
      }
      let (name, value) = Self.parts(of: word)
      guard let option = syntax.options.first(where: { same($0.name, name) }) else { continue }
      if option.value == nil || value != nil {
        given.append(GivenOption(option: option, value: value ?? ""))
      } else if let next = rest.first {
        // The value is missing.
        guard !next.utf8.starts(with: "--".utf8) else { continue }
        given.append(GivenOption(option: option, value: next))
        rest = rest.dropFirst()
      } else if !last.utf8.starts(with: "--".utf8) {
        isOfOption = true
        offer(option.kind, for: last)
        return
      }
    }
    if !isAfterEnd, last.utf8.first == UInt8(ascii: "-") {
      offerOptions(of: syntax, for: last)
    } else if operands.count < syntax.operands.count {
      offer(syntax.operands[operands.count].kind, for: last)
    } else if let operand = syntax.operands.last, operand.repeats {
      offer(operand.kind, for: last)
    }
  }

  /// Finds which of some words begin with a text.
  ///
  /// - Parameters:
  ///   - word: The text.
  ///   - candidates: The words.
  public init(_ word: String, of candidates: [Candidate]) {
    query = word
    self.candidates = candidates.filter { $0.text.utf8.starts(with: word.utf8) }
  }

  /// Returns the value of an option before the last word; `nil` if it is not given.
  public func value(of option: CommandOption) -> String? {
    given.last { same($0.option.name, option.name) }?.value
  }

  private mutating func offer(_ kind: ValueKind, for word: String) {
    query = word
    self.kind = kind
    switch kind {
    case .words(let words): offer(words)
    case .list(let words):
      let parts = word.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      guard let last = parts.last else { return offer(words) }
      prefix += String(word.dropLast(last.count))
      query = last
      offer(words.filter { word in !parts.dropLast().contains { same($0, word) } })
    default: break
    }
  }

  private mutating func offer(_ words: [String]) {
    candidates = words.filter { $0.utf8.starts(with: query.utf8) }
      .map { Candidate(prefix + $0) }
  }

  private mutating func offerOptions(of syntax: CommandSyntax, for word: String) {
    let (name, value) = Self.parts(of: word)
    if let value {
      let option = syntax.options.first { same($0.name, name) }
      guard let option, option.value != nil else { return }
      prefix = "--\(name)="
      isOfOption = true
      return offer(option.kind, for: value)
    }
    query = word
    for option in syntax.options + [CommandSyntax.help] {
      let text = "--\(option.name)"
      let isGiven = given.contains { same($0.option.name, option.name) }
      if text.utf8.starts(with: word.utf8), option.repeats || !isGiven {
        candidates.append(Candidate(text, option.help))
      }
    }
  }

  /// Returns the name of an option, and the value after an equals sign.
  private static func parts(of word: String) -> (name: String, value: String?) {
    let parts = word.dropFirst(2).split(
      separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    return (parts.first.map(String.init) ?? "", parts.count > 1 ? String(parts[1]) : nil)
  }
}
