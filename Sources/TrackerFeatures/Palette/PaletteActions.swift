import Retrace
import RetraceFilter
import TimeTracking

/// An action that the command palette offers.
struct PaletteAction: Sendable {
  /// What choosing the action does.
  enum Meaning: Sendable {
    /// What a key of the shown screen does.
    case key(Key)
    /// What a key for a forgotten entry does.
    case forgotten(Key)
    case steps([KeyStep])
    /// An entry with the contents of an earlier one is started.
    case start(TimeEntryID)
    /// An entry of typed words is started, as `track start` reads them.
    case words(String)
  }

  let title: String
  /// The names of the keys that do the same; empty for none.
  let keys: String
  let meaning: Meaning
}

/// The actions that the command palette offers for what was typed.
struct PaletteActions {
  /// The most projects, clients, tags, users and earlier entries of each kind.
  static var countMax: Int { 20 }

  private var found: [(rank: Int, action: PaletteAction)] = []
  private let query: WordQuery
  private let text: String
  /// The words after a typed `start`; empty for none.
  private let startedWords: String

  /// Creates a list without actions.
  ///
  /// - Parameter text: The typed words.
  init(_ text: String) {
    query = WordQuery(text)
    self.text = Name(text).key
    let (verb, typed) = (Array("start ".utf8), Array(text.utf8))
    let words = typed.starts(with: verb) ? typed[verb.count...].drop { $0 == 0x20 } : []
    startedWords = String(decoding: words, as: UTF8.self)
  }

  /// The actions, the best first: whose title begins with the text, then those with a word that
  /// begins with each typed word, then those that contain all words.
  var ranked: [PaletteAction] {
    (0...2).flatMap { rank in found.filter { $0.rank == rank }.map { $0.action } }
  }

  /// Returns whether all words occur in a title.
  func matches(_ title: String) -> Bool { query.isEmpty || query.matches([title]) }

  /// Adds an action if all words occur in its title.
  mutating func add(_ title: String, keys: String = "", _ meaning: PaletteAction.Meaning) {
    guard matches(title) else { return }
    append(title, keys: keys, meaning)
  }

  private mutating func append(
    _ title: String, note: String = "", keys: String, _ meaning: PaletteAction.Meaning
  ) {
    let action = PaletteAction(
      title: SafeText.line(title + note, bytesMax: 200), keys: keys, meaning: meaning)
    found.append((rank(of: title), action))
  }

  private func rank(of title: String) -> Int {
    let (title, text) = (Array(Name(title).key.utf8), Array(text.utf8))
    if title.starts(with: text) { return 0 }
    let begins = text.split(separator: 0x20).allSatisfy { word in
      title.indices.contains { index in
        (index == 0 || !Self.isWord(title[index - 1])) && title[index...].starts(with: word)
      }
    }
    return begins ? 1 : 2
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    byte >= 0x80 || (0x30...0x39).contains(byte) || (0x61...0x7a).contains(byte | 0x20)
  }

  /// Returns the typed words that are not words of a title without its name.
  private func words(besides known: [String]) -> String {
    text.utf8.split(separator: 0x20).map { String(Substring($0)) }
      .filter { word in !known.contains { $0.hasBytes(of: word) } }
      .joined(separator: " ")
  }

  // MARK: What is offered

  /// Adds the actions of keys.
  mutating func add(
    _ actions: [BoundAction], _ meaning: (Key) -> PaletteAction.Meaning
  ) {
    for action in actions where !SceneKeys.keysOutsideOfPalette.contains(action.key) {
      guard matches(action.help) else { continue }
      var note = ""
      if case .unavailable(let reason)? = action.problem { note = " (\(reason))" }
      append(action.help, note: note, keys: action.label, meaning(action.key))
    }
  }

  /// Adds the screens of a user, apart from the shown one.
  mutating func addScreens(of user: UserID, besides top: TrackerRoute) {
    let timer = TrackerRoute.timer(TimerRoute(user: user))
    var screens: [(String, TrackerRoute)] = [
      ("the calendar", .calendar(CalendarRoute(user: user))),
      ("the report", .reports(ReportsRoute(user: user))),
    ]
    screens += ListKind.allCases.map { kind in
      ("the \(kind.word)", .lists(ListsRoute(user: user, kind: kind)))
    }
    screens += [
      ("the history", .history(HistoryRoute(user: user))),
      ("the settings", .settings(SettingsRoute(user: user))),
    ]
    if !top.path.hasBytes(of: timer.path) || top != timer {
      add("Go to the timer.", .steps([.scene(.wentTo([timer]))]))
    }
    for (name, route) in screens where !route.path.hasBytes(of: top.path) {
      add("Go to \(name).", .steps([.scene(.wentTo([timer, route]))]))
    }
    let users = TrackerRoute.users(UsersRoute())
    if !top.path.hasBytes(of: users.path) {
      add("Go to the users.", .steps([.scene(.wentTo([timer, users]))]))
    }
  }

  /// Adds the lists of entries of the projects, clients and tags whose names contain the words.
  mutating func addEntities(of user: UserID, _ memo: inout FrameMemo, in domain: DomainState) {
    for kind in [ListKind.projects, .clients, .tags] {
      let words = words(besides: ["list", "the", "entries", "of", kind.noun])
      if words.isEmpty { continue }
      for item in memo.items(named: words, of: kind, user, in: domain).prefix(Self.countMax) {
        let name = item.name.text
        let term: FilterTerm =
          switch kind {
          case .tags: .tag(name)
          case .clients:
            .field(key: EntryConditionKey.client.rawValue, .equal, .text(name))
          case .projects, .tasks, .goals: .project(name)
          }
        let route = TimerRoute(user: user, filter: term.description)
        append(
          "List the entries of the \(kind.noun) \(name).", keys: "",
          .steps([.scene(.wentTo([.timer(route)]))]))
      }
    }
  }

  /// Adds earlier entries that have all words.
  mutating func addEntries(of user: UserID, _ memo: inout FrameMemo, in domain: DomainState) {
    let words = words(besides: ["start"])
    if words.isEmpty { return }
    var contents = memo.contents(of: user, domain)
    let items = contents.matching(WordQuery(words), limit: Self.countMax)
    memo = memo.keeping(contents)
    let longNames = domain.longNames(ofAll: items.compactMap { $0.newest.entry.project })
    var names = EntryLabeler(domain)
    for item in items {
      let summary = domain.summaryLine(of: item.newest.entry, longNames, &names).text
      append("Start \(summary)", keys: "", .start(item.newest.id))
    }
  }

  /// Adds what `track start` does with the typed words, and `track stop`.
  ///
  /// - Parameters:
  ///   - user: The user.
  ///   - top: The shown screen; the timer has a key that stops the running entry.
  ///   - domain: The entities.
  mutating func addVerbs(of user: UserID, on top: TrackerRoute, in domain: DomainState) {
    if !startedWords.isEmpty {
      append("Start \(startedWords)", note: " as a new entry", keys: "", .words(startedWords))
    }
    if !top.isTimer, let running = domain.runningEntry(of: user)?.entry {
      let longNames = domain.longNames(ofAll: [running.project].compactMap { $0 })
      let policy = domain.preferences(of: user)?.set.policy ?? .refuse
      add(
        "Stop \(domain.summary(of: running, longNames))",
        .steps([.command(.entry(.stop(user, at: nil, policy: policy)))]))
    }
  }

  /// Adds the other users.
  mutating func addUsers(besides user: UserID?, in domain: DomainState) {
    guard !query.isEmpty else { return }
    var count = 0
    domain.users.forEach { id, other in
      guard count < Self.countMax, id != user, other.deleted == nil else { return }
      guard query.matches(["switch to the user \(other.name.key)"]) else { return }
      count += 1
      append(
        "Switch to the user \(other.name.text).", keys: "",
        .steps([.scene(.wentTo([.timer(TimerRoute(user: id))]))]))
    }
  }
}
