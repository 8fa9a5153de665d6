import Retrace
import RetraceCommandLine
import RetraceToolSupport

/// An operation on the projects, clients, tasks, tags or workspaces of a store.
enum EntityOperation {
  case create(String)
  /// Set the fields that options give.
  case set(String)
  case rename(String, to: String)
  case merge(String, into: String)
  case archive(String, isArchived: Bool)
  case delete(String)

  /// Returns the words that name a change.
  static func verbs(canMerge: Bool) -> [String] {
    ["create", "set", "rename"] + (canMerge ? ["merge"] : []) + ["archive", "restore", "delete"]
  }

  var creates: Bool {
    if case .create = self { true } else { false }
  }

  /// Whether the operation sets the fields that options give.
  var setsFields: Bool {
    switch self {
    case .create, .set: true
    case .rename, .merge, .archive, .delete: false
    }
  }

  /// Reads the words after the name of a command; `nil` for a list.
  ///
  /// - Parameters:
  ///   - words: The words.
  ///   - noun: The name of one of the entities.
  ///   - duration: The option that takes a duration, for the advice.
  ///   - canMerge: Whether the entities can be merged.
  init?(
    _ words: [String], noun: String, duration: String?, canMerge: Bool
  ) throws(ToolFailure) {
    guard let verb = words.first else { return nil }
    let names = words.dropFirst()
    func name(_ index: Int) throws(ToolFailure) -> String {
      guard names.count > index else {
        throw .usage("The name is missing.", advice: "Write it after `\(verb)`.")
      }
      return names[names.startIndex + index]
    }
    let expected: Int
    switch verb {
    case "create": (self, expected) = (.create(try name(0)), 1)
    case "set": (self, expected) = (.set(try name(0)), 1)
    case "rename": (self, expected) = (.rename(try name(0), to: try name(1)), 2)
    case "merge" where canMerge: (self, expected) = (.merge(try name(0), into: try name(1)), 2)
    case "archive": (self, expected) = (.archive(try name(0), isArchived: true), 1)
    case "restore": (self, expected) = (.archive(try name(0), isArchived: false), 1)
    case "delete": (self, expected) = (.delete(try name(0)), 1)
    default:
      if let advice = Self.advice(on: verb, noun: noun) {
        throw .usage("\(verb) is not understood here.", advice: advice)
      }
      let verbs = Self.verbs(canMerge: canMerge)
      let similar = Spelling.hint(verb, in: verbs)
      throw .usage(
        verb == "merge" ? "\(noun)s cannot be merged." : "\(verb) is not understood here.",
        advice: "\(similar)Write one of \(verbs.joined(separator: ", ")).")
    }
    guard names.count == expected else {
      if setsFields, let duration, let last = names.last, (try? DurationExpression(last)) != nil {
        throw .usage(
          "There are too many names.",
          advice: "Give the duration as an option: --\(duration) \(last).")
      }
      throw .usage(
        "There are too many names.", advice: "Quote a name that has blanks.")
    }
  }

  /// Returns advice on a word by which other tools name a change; `nil` for other words.
  private static func advice(on verb: String, noun: String) -> String? {
    switch verb {
    case "list", "ls", "show": "`track \(noun)s` without a word lists them."
    case "add", "new", "make": "Write `track \(noun)s create NAME`."
    case "remove", "rm", "del": "Write `track \(noun)s delete NAME`."
    case "edit", "change", "update": "Write `track \(noun)s set NAME` and the options of fields."
    default: nil
    }
  }

  /// The result, on one line.
  var echo: String {
    switch self {
    case .create(let name): "created   \(name)"
    case .set(let name): "changed   \(name)"
    case .rename(let name, to: let new): "renamed   \(name) to \(new)"
    case .merge(let name, into: let other): "merged    \(name) into \(other)"
    case .archive(let name, let isArchived): "\(isArchived ? "archived" : "restored")  \(name)"
    case .delete(let name): "deleted   \(name)"
    }
  }
}
