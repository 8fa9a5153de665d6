import Retrace
import RetraceCommandLine
import RetraceToolSupport
import TimeTracking

/// The name of a user whom a store does not have, although it has other users.
///
/// Often it is the login name, and the user of the store has another name.
struct MissingUser {
  /// The most users that are named.
  private static var namedMax: Int { 3 }

  private let name: String
  private let others: [String]

  /// Finds the users of a store; `nil` if it has the user, or no users.
  init?(_ name: String, in domain: DomainState) {
    guard domain.user(named: name) == nil else { return nil }
    var others: [String] = []
    domain.users.forEach { _, user in
      if user.deleted == nil { others.append(user.name.text) }
    }
    guard !others.isEmpty else { return nil }
    self.name = name
    self.others = others
  }

  /// The reason, which names the users that there are.
  var why: String { "There is no user \(name); the store has \(known)." }

  /// How to choose one of them.
  var advice: String {
    let other = commandWord(Spelling.nearest(to: name, in: others) ?? others[0])
    return Spelling.hint(name, in: others)
      + "Name the user, as in --user \(other), or once for all with "
      + "`track config set user \(other)`."
  }

  /// The reason and what to do, on one line.
  var text: String { "\(why) \(advice)" }

  /// The note about the first entry of the user.
  var note: String { "\(name) is a new user; the store has \(known)" }

  /// Returns the failure of a command.
  ///
  /// - Parameter what: What failed, as a sentence.
  func failure(_ what: String) -> ToolFailure {
    .refused(why, advice: advice, what: what)
  }

  private var known: String {
    let named = others.prefix(Self.namedMax).joined(separator: ", ")
    let more = others.count - Self.namedMax
    return more > 0 ? "\(named) and \(more) more" : named
  }
}
