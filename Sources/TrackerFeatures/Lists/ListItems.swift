import Retrace
import TimeTracking

/// The entities of a list in the order of their names, kept from frame to frame.
struct ListItems: Sendable {
  /// An entity of the list.
  struct Item: Sendable {
    let id: Int64
    let name: Name
    let isArchived: Bool
    /// The other texts by which it is found: the name of its client or project.
    let place: String
  }

  /// What the items depend on.
  private struct Source {
    let kind: ListKind
    let user: UserID
    let domain: DomainState

    /// Whether another source has the same items.
    func isSame(as other: Source) -> Bool {
      let (one, two) = (domain, other.domain)
      guard kind == other.kind, user == other.user else { return false }
      return switch kind {
      case .projects: one.projects == two.projects && one.clients == two.clients
      case .clients: one.clients == two.clients
      case .tags: one.tags == two.tags
      case .tasks:
        one.tasks == two.tasks && one.projects == two.projects && one.clients == two.clients
      case .goals:
        one.goals == two.goals && one.projects == two.projects && one.clients == two.clients
      }
    }
  }

  private let source: Source
  /// All items.
  private let all: [Item]
  /// The long names of the projects of tasks or goals.
  let longNames: [ProjectID: String]
  /// What the found items were searched by.
  private var query: (search: String, showsArchived: Bool)?
  /// The items that were found last.
  private(set) var found: [Item] = []

  /// Creates the list of a route.
  ///
  /// - Complexity: O(*n* log *n*) for the *n* entities of the kind, plus O(projects).
  init(_ route: ListsRoute, in domain: DomainState) {
    source = Source(kind: route.kind, user: route.user, domain: domain)
    let entities = ListEntities(kind: route.kind, user: route.user, domain: domain)
    var (items, projects) = ([Item](), Set<ProjectID>())
    entities.forEach { id, name, isArchived, project in
      if let project { projects.insert(project) }
      items.append(Item(id: id, name: name, isArchived: isArchived, place: entities.place(of: id)))
    }
    all = items.sorted { $0.precedes($1) }
    longNames = domain.longNames(ofAll: Array(projects))
  }

  /// Returns whether the items are those of a route in a state.
  ///
  /// - Complexity: O(1) for copies of the same tables.
  func isList(of route: ListsRoute, in domain: DomainState) -> Bool {
    source.isSame(as: Source(kind: route.kind, user: route.user, domain: domain))
  }

  /// Finds the items whose names contain each word.
  ///
  /// - Complexity: O(1) for the same query as before, else O(bytes of the names).
  mutating func find(_ search: String, showsArchived: Bool) {
    if let query, query.showsArchived == showsArchived, query.search.hasBytes(of: search) { return }
    query = (search, showsArchived)
    let words = WordQuery(search)
    found = all.filter { item in
      (showsArchived || !item.isArchived)
        && (words.isEmpty || words.matches([item.name.key, item.place]))
    }
  }

  /// Returns the ids of all items with a name.
  ///
  /// - Complexity: O(log items), plus O(items with the name).
  func ids(named name: Name) -> [Int64] {
    let wanted = Item(id: .min, name: name, isArchived: false, place: "")
    var (first, end) = (0, all.count)
    while first < end {
      let middle = (first + end) / 2
      if all[middle].precedes(wanted) { first = middle + 1 } else { end = middle }
    }
    return all[first...].prefix { $0.name == name }.map { $0.id }
  }

  /// Returns the place of an id among the found items.
  ///
  /// - Complexity: O(items).
  func index(of id: Int64?) -> Int? { id.flatMap { id in found.firstIndex { $0.id == id } } }
}

extension ListItems.Item {
  /// Returns whether the item comes before another one: by the bytes of the names, then by the ids.
  fileprivate func precedes(_ other: ListItems.Item) -> Bool {
    let (one, two) = (name.key.utf8.span, other.name.key.utf8.span)
    for index in 0..<min(one.count, two.count) where one[index] != two[index] {
      return one[index] < two[index]
    }
    return one.count == two.count ? id < other.id : one.count < two.count
  }
}
