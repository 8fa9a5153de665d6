import Retrace
import RetraceStorage
import RetraceToolSupport

/// A request of `step`; each gets one answer.
enum StepRequest: Equatable {
  case move(Move)
  case record
  case diff
  case effects
  case state(String?)
  case route(Int64?)
  case screen(Int64?)
  case hash
  case hashes(UInt64)
  case digests(UInt64)
  case decision
  case schema
  case schemas
  case omit([String])
  case help
  case quit

  enum Move: Equatable {
    case next(UInt64)
    case back(UInt64)
    case nextBatch
    case backBatch
    case goto(HistoryEnd)
    case first
    case last
  }

  static let table: [(usage: String, meaning: String)] = [
    ("next [COUNT]", "advance by one record, or by COUNT"),
    ("back [COUNT]", "go back by one record, or by COUNT"),
    ("next-batch", "go to the end of the next batch"),
    ("back-batch", "go to the end of the batch before"),
    ("goto N|TIME", "go to a record, 0 before the first, or to a time as with --at"),
    ("first, last", "go to the first or to the last record"),
    ("record", "the record here, as in `\(ToolProcess.replay) show`"),
    ("diff", "what the record here changed, by path"),
    ("effects", "the effect of the action here, and the effects in flight"),
    ("state [PATH]", "the state here, or a part of it, by a path as in diff"),
    ("route [SCENE]", "the route of a scene after the last complete batch here"),
    ("screen [SCENE]", "the screen of a scene after the last complete batch here, at goto's time"),
    ("hash", "the hash of the state here"),
    ("hashes COUNT", "advance by COUNT; print one digest of the state hashes"),
    ("digests COUNT", "advance by COUNT; print digests of states, effects and decisions"),
    ("decision", "the decision of this build on the command here"),
    ("schema", "the fingerprints of this build's action and state schemas"),
    ("schemas", "the schemas of this build's state, actions and refusals"),
    ("omit FIELDS", "leave TYPE.FIELD,… out of diff, digests and decision; - for none"),
    ("help", "this list"),
    ("quit", "end the command"),
  ]

  static let list = table.map { row in
    "  " + TextWidth.padded("\(row.usage) ", to: 16) + row.meaning
  }

  struct ParseError: Error {
    var why: String
  }

  /// Parses the requests of a line, or of the arguments of a command line.
  static func parse(_ text: String) throws(ParseError) -> [StepRequest] {
    var words = words(of: text)[...]
    var requests: [StepRequest] = []
    while let word = words.popFirst() {
      requests.append(try request(word, &words))
    }
    return requests
  }

  /// Splits a text at spaces and tabs that are not in the quoted key of a path.
  private static func words(of text: String) -> [String] {
    var quotes = QuoteScanner()
    let words = text.split { quotes.isOutside($0) && ($0 == " " || $0 == "\t") }
    return words.map(String.init)
  }

  private static func request(
    _ word: String, _ words: inout ArraySlice<String>
  ) throws(ParseError) -> StepRequest {
    switch word {
    case "next": return .move(.next(number(&words) ?? 1))
    case "back": return .move(.back(number(&words) ?? 1))
    case "next-batch": return .move(.nextBatch)
    case "back-batch": return .move(.backBatch)
    case "goto": return .move(.goto(try position(&words)))
    case "first": return .move(.first)
    case "last": return .move(.last)
    case "record": return .record
    case "diff": return .diff
    case "effects": return .effects
    case "state": return .state(path(&words))
    case "route": return .route(number(&words).map { Int64(clamping: $0) })
    case "screen": return .screen(number(&words).map { Int64(clamping: $0) })
    case "hash": return .hash
    case "hashes": return .hashes(try requiredNumber(&words, after: word))
    case "digests": return .digests(try requiredNumber(&words, after: word))
    case "decision": return .decision
    case "schema": return .schema
    case "schemas": return .schemas
    case "omit": return .omit(try fields(&words))
    case "help": return .help
    case "quit": return .quit
    default: throw ParseError(why: "There is no step \(word).")
    }
  }

  private static func number(_ words: inout ArraySlice<String>) -> UInt64? {
    guard let word = words.first, let number = UInt64(word) else { return nil }
    words.removeFirst()
    return number
  }

  private static func requiredNumber(
    _ words: inout ArraySlice<String>, after word: String
  ) throws(ParseError) -> UInt64 {
    guard let number = number(&words) else {
      throw ParseError(why: "\(word) needs a number after it.")
    }
    return number
  }

  /// Takes the number of a record, or the words of a time; the next step ends them.
  private static func position(
    _ words: inout ArraySlice<String>
  ) throws(ParseError) -> HistoryEnd {
    guard let first = words.popFirst() else {
      throw ParseError(why: "goto needs a number or a time after it.")
    }
    var text = first
    // So `goto last monday` is a time: the first word is no step.
    while let word = words.first, !isStep(word) {
      text += " " + word
      words.removeFirst()
    }
    do throws(ToolFailure) {
      return try HistoryEnd(text.replacing("\"", with: ""), option: "goto", first: 0)
    } catch {
      throw ParseError(why: error.why)
    }
  }

  private static func isStep(_ word: String) -> Bool {
    var probe = ["0"][...]
    return (try? request(word, &probe)) != nil
  }

  /// Takes a list of fields, separated by commas; a hyphen is an empty list.
  private static func fields(
    _ words: inout ArraySlice<String>
  ) throws(ParseError) -> [String] {
    guard let word = words.popFirst() else {
      throw ParseError(why: "omit needs a list of fields after it, or a hyphen.")
    }
    return word == "-" ? [] : word.split(separator: ",").map(String.init)
  }

  /// Takes a path, unless the next word is another step.
  private static func path(_ words: inout ArraySlice<String>) -> String? {
    guard let word = words.first else { return nil }
    if isStep(word) { return nil }
    words.removeFirst()
    return word
  }
}
