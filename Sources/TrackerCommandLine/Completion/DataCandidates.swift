import Retrace
import RetraceCommandLine
import RetraceSystem
import RetraceToolSupport
import TimeTracking

/// Finds what the data of the tracker offers for a word that is being typed.
///
/// Archived, deleted and merged entities are left out. So are names with characters that a terminal
/// must not get, and names that the command would read as something else. The names that entries
/// used last come first.
struct DataCandidates {
  /// The number of the newest entries by which recent use is ranked.
  private static var recentMax: Int { 32 }
  /// The most candidates of one kind.
  private static var candidatesMax: Int { 1_000 }

  let completion: WordCompletion
  let domain: DomainState
  /// The user without an option.
  let userName: String
  /// The present.
  let moment: Moment

  /// The words that are offered for a kind of value.
  ///
  /// - Complexity: O(entities of the kind, plus a page of entries).
  func words(for value: TrackerValue) -> [WordCompletion.Candidate] {
    let sign = completion.query.utf8.first
    let isSigned = !completion.isAfterEnd && !completion.isOfOption
    switch value {
    case .project where completion.isOfOption: return names(of: { $0.projects }, sign: "")
    case .client where completion.isOfOption: return names(of: { $0.clients }, sign: "")
    case .tag where completion.isOfOption: return names(of: { $0.tags }, sign: "")
    case .project: return namesAfterChange { $0.projects }
    case .client: return namesAfterChange { $0.clients }
    case .tag: return namesAfterChange { $0.tags }
    case .task: return names(of: { $0.tasks }, sign: "")
    case .user: return users
    case .workspace: return workspaces
    case .goal: return goals
    // They are in the log, and not in the entities.
    case .change, .undoneChange: return []
    case .entry: return entries
    case .entryWords, .entryThenWords, .entryThenTags, .rangeAndTerms:
      switch sign {
      case UInt8(ascii: "@") where isSigned && value != .entryThenTags:
        return names(of: { $0.projects }, sign: "@")
      case UInt8(ascii: "#") where isSigned: return names(of: { $0.tags }, sign: "#")
      case UInt8(ascii: "+") where isSigned: return names(of: { $0.tags }, sign: "+")
      default: break
      }
      if value == .entryWords { return earlierEntries }
      var words: [WordCompletion.Candidate] = []
      if value == .entryThenWords || value == .entryThenTags,
        completion.operands.allSatisfy({ Int64($0) != nil })
      {
        words = entries
      }
      return value == .entryThenTags ? words + names(of: { $0.tags }, sign: "") : words
    }
  }

  /// What earlier entries offer for the words of a new one.
  private var earlierEntries: [WordCompletion.Candidate] {
    guard let user else { return [] }
    return EntryCandidates(completion, of: user, in: domain, at: moment).candidates
      .map { candidate($0.text, $0.meaning) }
  }

  /// Returns the names that can follow a word such as `archive`.
  private func namesAfterChange<ID, Entity: MergeableEntity & EntryPart>(
    _ table: (DomainState) -> EntityTable<ID, Entity>
  ) -> [WordCompletion.Candidate] where Entity.ID == ID {
    let count = completion.operands.count
    switch completion.operands.first {
    case "rename" where count == 1, "archive" where count == 1, "delete" where count == 1,
      "set" where count == 1:
      return names(of: table, sign: "")
    case "merge" where count <= 2: return names(of: table, sign: "")
    case "restore" where count == 1: return names(of: table, sign: "", archived: true)
    default: return []
    }
  }

  /// The names of workspaces that fit the query, in order of their ids.
  private var workspaces: [WordCompletion.Candidate] {
    let query = Name(completion.query).key
    var found: [WordCompletion.Candidate] = []
    domain.workspaces.forEach { _, workspace in
      guard workspace.deleted == nil, !workspace.isArchived,
        workspace.name.key.begins(withKey: query), isWord(workspace.name.text, sign: "")
      else { return }
      found.append(candidate(workspace.name.text, workspace.currency))
    }
    return found
  }

  /// A name that is offered.
  private struct Found: Equatable {
    let id: Int64
    let name: Name
    let project: Project?
  }

  /// Returns the names in a table that fit the query, after a sign; those used last come first.
  private func names<ID, Entity: MergeableEntity & EntryPart>(
    of table: (DomainState) -> EntityTable<ID, Entity>, sign: String, archived: Bool = false
  ) -> [WordCompletion.Candidate] where Entity.ID == ID {
    let typed = Name(String(completion.query.dropFirst(sign.count)))
    let query = typed.key
    var ranking = NameRanking<Found>(typed, by: .beginning)
    var keys: Set<String> = []
    // Whether two names may be equal. Then all projects are read once more, for long names.
    var mayShareNames = query.utf8.contains(UInt8(ascii: "/"))
    table(domain).forEach { id, entity in
      guard entity.deleted == nil, entity.mergedInto == nil else { return }
      let project = entity as? Project
      // A project is also found by CLIENT/PROJECT.
      let isFound = ranking.matches(entity.name)
      let long = isFound || query.isEmpty ? nil : project.map { Name(domain.qualifiedName(of: $0)) }
      guard isFound || long.map(ranking.matches) ?? false else { return }
      if !keys.insert(entity.name.key).inserted { mayShareNames = true }
      guard entity.isArchived == archived else { return }
      let found = Found(id: id.value, name: entity.name, project: project)
      ranking.add(found, id: id.value, name: entity.name, foundBy: long)
    }
    let found = ranking.best(Self.candidatesMax) { recentIDs(of: Entity.ids) }
    // The names that commands refuse, because projects of several clients have them.
    var sharedKeys: Set<String> = []
    if mayShareNames {
      let projects = found.compactMap { $0.project == nil ? nil : ProjectID(value: $0.id) }
      for id in domain.longNames(ofAll: projects).keys {
        if let key = domain.projects.read(id, { $0.name.key }) { sharedKeys.insert(key) }
      }
    }
    var offered: Set<String> = []
    return found.compactMap { found in
      let isLong =
        sharedKeys.contains(found.name.key) || !found.name.key.begins(withKey: query)
      let qualified = isLong ? found.project.map { domain.qualifiedName(of: $0) } : nil
      let name = qualified ?? found.name.text
      guard isWord(name, sign: sign), offered.insert(name).inserted else { return nil }
      let client = found.project?.client.flatMap { domain.clients.live($0)?.name.text }
      return candidate(sign + name, isLong ? "" : client ?? "")
    }
  }

  /// Returns the ids in the newest entries, newest first; an id may repeat.
  private func recentIDs(of ids: (TimeEntry, DomainState) -> [Int64]) -> [Int64] {
    domain.latestEntries(of: nil, limit: Self.recentMax).flatMap { ids($0.entry, domain) }
  }

  /// The user whose entries and goals are offered.
  private var user: UserID? {
    domain.user(named: completion.value(of: TrackerOptions.userOption) ?? userName)
  }

  /// The newest entries whose ids begin with the query.
  private var entries: [WordCompletion.Candidate] {
    guard completion.query.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return [] }
    guard let user else { return [] }
    let latest = domain.latestEntries(of: user, limit: Self.recentMax)
    let longNames = domain.longNames(ofAll: latest.compactMap(\.entry.project))
    return latest.compactMap { found in
      let id = "\(found.id.value)"
      guard id.utf8.starts(with: completion.query.utf8), !completion.operands.contains(id) else {
        return nil
      }
      let project = found.entry.project.flatMap { domain.shownName(of: $0, longNames) }
      return candidate(id, found.entry.description + (project.map { "  @\($0)" } ?? ""))
    }
  }

  /// The goals that can follow a word such as `archive`.
  private var goals: [WordCompletion.Candidate] {
    guard completion.operands.count == 1, let change = completion.operands.first,
      ["set", "rename", "archive", "restore", "delete"].contains(change), let user
    else { return [] }
    let query = Name(completion.query).key
    var names: [String] = []
    domain.goals.forEach { _, goal in
      if goal.user == user, goal.deleted == nil, goal.isArchived == (change == "restore"),
        goal.name.key.begins(withKey: query), isWord(goal.name.text, sign: "")
      {
        names.append(goal.name.text)
      }
    }
    return names.sorted().prefix(Self.candidatesMax).map { candidate($0, "") }
  }

  private var users: [WordCompletion.Candidate] {
    let query = Name(completion.query)
    var names: [String] = []
    domain.users.forEach { _, user in
      if user.deleted == nil, user.name.key.begins(withKey: query.key),
        isWord(user.name.text, sign: "")
      {
        names.append(user.name.text)
      }
    }
    return names.sorted().prefix(Self.candidatesMax).map { candidate($0, "") }
  }

  /// Returns whether the command would read the word as this name.
  private func isWord(_ name: String, sign: String) -> Bool {
    guard !name.isEmpty, !name.unicodeScalars.contains(where: SafeText.isEscaped) else {
      return false
    }
    if !sign.isEmpty {
      // A plus and digits are text.
      return sign != "+" || !name.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
    return completion.isOfOption || completion.isAfterEnd
      || !name.hasPrefix("-") && !name.hasPrefix("#") && !name.hasPrefix("+")
        && Int64(name) == nil
  }

  private func candidate(_ text: String, _ meaning: String) -> WordCompletion.Candidate {
    WordCompletion.Candidate(completion.prefix + text, SafeText.line(meaning, bytesMax: 80))
  }
}

/// An entity that entries refer to, and that can be archived.
protocol EntryPart: Archivable {
  /// Returns the numbers of the ids of this kind in an entry.
  static func ids(in entry: TimeEntry, of domain: DomainState) -> [Int64]
}

extension Project: EntryPart {
  static func ids(in entry: TimeEntry, of domain: DomainState) -> [Int64] {
    entry.project.map { [$0.value] } ?? []
  }
}

extension Client: EntryPart {
  static func ids(in entry: TimeEntry, of domain: DomainState) -> [Int64] {
    let client = entry.project.flatMap { domain.projects[$0]?.client }
    return client.map { [$0.value] } ?? []
  }
}

extension Tag: EntryPart {
  static func ids(in entry: TimeEntry, of domain: DomainState) -> [Int64] {
    entry.tags.map { $0.value }
  }
}

extension ProjectTask: EntryPart {
  static func ids(in entry: TimeEntry, of domain: DomainState) -> [Int64] {
    entry.task.map { [$0.value] } ?? []
  }
}
