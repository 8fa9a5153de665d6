package import RetraceState

/// What the entries of a user that were recorded last are about: each contents once, the newest
/// first.
///
/// It reads the entries when it is first asked, and ``follow(_:)`` keeps them while they are the
/// same. So a key that is typed into a description reads none.
package struct RecentContents: Sendable {
  /// The contents of one or more entries.
  package struct Item: Equatable, Sendable {
    /// The entry that was recorded last.
    package let newest: IdentifiedEntry
    /// The number of the entries.
    package fileprivate(set) var count = 1
    /// The latest start of the entries.
    package fileprivate(set) var start: Moment
  }

  /// The number of entries of all users that are read, the newest records first.
  package static var visitsMax: Int { 8_192 }

  /// The user.
  package let user: UserID
  private let visits: Int
  private let domain: DomainState
  private var names: EntryNames
  private var items: [Item]?
  /// The texts of the items.
  private var texts = LowercaseTexts()

  /// Creates a value that has read nothing.
  ///
  /// - Parameters:
  ///   - user: The user.
  ///   - domain: The state with the entries.
  ///   - visits: The number of entries of all users that are read.
  package init(of user: UserID, _ domain: DomainState, visits: Int = visitsMax) {
    (self.user, self.domain, self.visits) = (user, domain, visits)
    names = EntryNames(domain)
  }

  /// Returns the contents in which each word of a query occurs: in the description, in an
  /// annotation of the newest entry, or in the name of its project, client, task or tags.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - limit: The maximum number of contents.
  /// - Complexity: O(contents), times the bytes of their texts; the first time also O(visits).
  package mutating func matching(_ query: WordQuery, limit: Int) -> [Item] {
    guard limit > 0, !query.isEmpty else { return [] }
    let items = self.items ?? read()
    if self.items == nil {
      for item in items { texts.append(names.texts(of: item.newest.entry)) }
    }
    self.items = items
    var found: [Item] = []
    // The items that do not match are not copied.
    for index in items.indices
    where texts.match(query, at: index) ?? names.matches(query, items[index].newest.entry) {
      found.append(items[index])
      if found.count == limit { break }
    }
    return found
  }

  /// Takes the value to another state; it forgets what it has read if that may differ there.
  ///
  /// - Complexity: As `==` of the tables.
  package mutating func follow(_ domain: DomainState) {
    let older = self.domain
    let isSame =
      older.timeEntries == domain.timeEntries && older.projects == domain.projects
      && older.clients == domain.clients && older.tasks == domain.tasks
      && older.tags == domain.tags && older.importRuns == domain.importRuns
    if !isSame { self = RecentContents(of: user, domain, visits: visits) }
  }

  private func read() -> [Item] {
    var aliases = AliasResolver(domain)
    var items: [Item] = []
    var places: [EntryContents: Int] = [:]
    let page = domain.entries(before: nil, limit: .max, visits: visits) { _, entry in
      entry.user == user
    }
    for entry in page.entries {
      let contents = EntryContents(of: entry.entry, &aliases)
      if let place = places[contents] {
        items[place].count += 1
        items[place].start = max(items[place].start, entry.entry.start)
      } else {
        places[contents] = items.count
        items.append(Item(newest: entry, start: entry.entry.start))
      }
    }
    return items
  }
}
