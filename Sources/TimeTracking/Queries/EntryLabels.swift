import RetraceState

/// The names of the entities that an entry refers to, after all merges.
public struct EntryLabels: Hashable, Sendable {
  /// The name of the user.
  public var user: String
  /// The name of the client of the project.
  public var client: String?
  /// The name of the project.
  public var project: String?
  /// The name of the task.
  public var task: String?
  /// The names of the tags.
  public var tags: [String]
}

extension DomainState {
  /// Returns the names of the entities that an entry refers to, including deleted ones.
  ///
  /// - Complexity: O(tags of the entry, and merges of the entities).
  public func labels(of entry: TimeEntry) -> EntryLabels {
    var names = EntryLabeler(self)
    return names.labels(of: entry)
  }
}

/// A cache of the names of entities that entries refer to, and of the colors of their projects.
///
/// Use one for a list of entries, because reading an entity may read a page of the store.
public struct EntryLabeler {
  private let state: DomainState
  private var aliases: AliasResolver
  private var users: [UserID: String] = [:]
  private var clients: [ClientID: String] = [:]
  private var projects: [ProjectID: String] = [:]
  private var colors: [ProjectID: Int32?] = [:]
  private var tasks: [TaskID: String] = [:]
  private var tags: [TagID: String] = [:]

  /// Creates an empty cache.
  public init(_ state: DomainState) {
    self.state = state
    aliases = AliasResolver(state)
  }

  /// Returns the names of the entities that an entry refers to, including deleted ones.
  ///
  /// - Complexity: O(tags of the entry), and a look-up for each name that is not cached.
  public mutating func labels(of entry: TimeEntry) -> EntryLabels {
    let client = aliases.client(of: entry.project)
    let project = aliases.project(entry.project)
    let task = aliases.task(entry.task)
    return EntryLabels(
      user: Self.name(of: entry.user, in: state.users, &users) ?? "",
      client: client.flatMap { Self.name(of: $0, in: state.clients, &clients) },
      project: project.flatMap { Self.name(of: $0, in: state.projects, &projects) },
      task: task.flatMap { Self.name(of: $0, in: state.tasks, &tasks) },
      tags: aliases.tags(entry.tags).compactMap { Self.name(of: $0, in: state.tags, &tags) })
  }

  /// Returns the color of the project of an entry, as `Project.color` has it; `nil` without one.
  ///
  /// - Complexity: A look-up if it is not cached.
  public mutating func color(of entry: TimeEntry) -> Int32? {
    guard let project = aliases.project(entry.project) else { return nil }
    if let known = colors[project] { return known }
    let color = state.projects.read(project) { $0.color }
    colors[project] = .some(color)
    return color
  }

  private static func name<ID, Entity: NamedEntity>(
    of id: ID, in table: EntityTable<ID, Entity>, _ known: inout [ID: String]
  ) -> String? {
    if let name = known[id] { return name }
    let name = table.read(id) { $0.name.text }
    known[id] = name
    return name
  }
}
