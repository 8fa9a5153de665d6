package import RetraceState

/// A filter for the entries of a report or a query.
///
/// An entry passes if it passes all parts of the filter. Ids refer to entities after all merges.
/// `nil` among the ids stands for entries without such an entity.
public struct EntryFilter: Hashable, Sendable {
  /// The tags that an entry must have.
  public enum Tags: Hashable, Sendable {
    /// At least one of some tags.
    case any(Set<TagID>)
    /// All of some tags.
    case all(Set<TagID>)
    /// No tags.
    case none
  }

  /// The users; `nil` for all.
  public var users: Set<UserID>? = nil
  /// The workspaces; `nil` for all.
  public var workspaces: Set<WorkspaceID?>? = nil
  /// The clients of the projects; `nil` for all.
  public var clients: Set<ClientID?>? = nil
  /// The projects; `nil` for all.
  public var projects: Set<ProjectID?>? = nil
  /// The tasks; `nil` for all.
  public var tasks: Set<TaskID?>? = nil
  /// The tags; `nil` for all.
  public var tags: Tags? = nil
  /// Whether an entry must or must not be billable; `nil` for both.
  public var isBillable: Bool? = nil
  /// Words that must all occur in the texts of an entry.
  public var words: WordQuery = WordQuery("")
  /// A condition that an entry must also match; `nil` for none.
  public var condition: EntryCondition? = nil

  /// Creates a filter that every entry passes.
  public init() {}
}

/// A filter prepared for many entries of one state.
///
/// Its ids are resolved through all merges, and it caches names and merges.
package struct EntryMatcher: ~Copyable {
  private let filter: EntryFilter
  /// The user whose entries pass, if the filter has only one.
  private let onlyUser: UserID?
  private let tags: Set<TagID>
  var aliases: AliasResolver
  private var names: EntryNames
  private var condition: EntryConditionMatcher?
  private let moment: Moment?

  /// Creates a matcher.
  ///
  /// - Parameters:
  ///   - filter: The filter.
  ///   - state: The state with the names and merges.
  ///   - moment: The end of running entries; `nil` for the present of the condition.
  package init(_ filter: EntryFilter, in state: DomainState, at moment: Moment? = nil) {
    var aliases = AliasResolver(state)
    var filter = filter
    filter.clients = filter.clients.map { ids in Set(ids.map { aliases.client($0) }) }
    filter.projects = filter.projects.map { ids in Set(ids.map { aliases.project($0) }) }
    filter.tasks = filter.tasks.map { ids in Set(ids.map { aliases.task($0) }) }
    tags =
      switch filter.tags {
      case .any(let ids), .all(let ids): Set(ids.map { aliases.tag($0) })
      case .some(.none), nil: []
      }
    onlyUser = filter.users?.count == 1 ? filter.users?.first : nil
    self.filter = filter
    self.aliases = aliases
    names = EntryNames(state)
    condition = filter.condition.map { EntryConditionMatcher($0, in: state) }
    self.moment = moment
  }

  /// Returns whether an entry passes.
  package mutating func matches(_ id: TimeEntryID, _ entry: TimeEntry) -> Bool {
    if let onlyUser {
      guard entry.user == onlyUser else { return false }
    } else if let users = filter.users, !users.contains(entry.user) {
      return false
    }
    if let isBillable = filter.isBillable, entry.isBillable != isBillable { return false }
    if let workspaces = filter.workspaces, !workspaces.contains(entry.workspace) { return false }
    if let projects = filter.projects, !projects.contains(aliases.project(entry.project)) {
      return false
    }
    if let clients = filter.clients, !clients.contains(aliases.client(of: entry.project)) {
      return false
    }
    if let tasks = filter.tasks, !tasks.contains(aliases.task(entry.task)) { return false }
    switch filter.tags {
    case nil: break
    case .some(.none): if !entry.tags.isEmpty { return false }
    case .any: if !entry.tags.contains(where: { tags.contains(aliases.tag($0)) }) { return false }
    case .all:
      let found = Set(entry.tags.map { aliases.tag($0) })
      if !tags.isSubset(of: found) { return false }
    }
    if condition?.matches(entry, id, at: moment) == false { return false }
    return filter.words.isEmpty || names.matches(filter.words, entry)
  }
}
