public import RetraceState

/// A condition prepared for many entries of one state.
///
/// Its ids are resolved through all merges, and it caches names and merges.
public struct EntryConditionMatcher: ~Copyable {
  private let root: EntryCondition.Node
  private let now: Moment
  private var aliases: AliasResolver
  private var names: EntryNames

  /// Creates a matcher of a condition.
  ///
  /// - Parameters:
  ///   - condition: The condition; `nil` for one that all entries match.
  ///   - state: The state with the names and merges.
  /// - Complexity: O(names of the condition).
  public init(_ condition: EntryCondition?, in state: DomainState) {
    var aliases = AliasResolver(state)
    root = condition?.root.resolved(by: &aliases) ?? .all([])
    now = condition?.now ?? Moment(microseconds: 0)
    self.aliases = aliases
    names = EntryNames(state)
  }

  /// Returns whether an entry matches, visible or not.
  ///
  /// - Parameters:
  ///   - entry: The entry.
  ///   - id: The id of the entry.
  ///   - moment: The end of running entries; `nil` for the present of the condition.
  /// - Complexity: O(terms), and O(bytes of the texts) for each term with a text.
  public mutating func matches(
    _ entry: TimeEntry, _ id: TimeEntryID, at moment: Moment? = nil
  ) -> Bool {
    matches(root, entry, id, moment ?? now)
  }

  private mutating func matches(
    _ node: EntryCondition.Node, _ entry: TimeEntry, _ id: TimeEntryID, _ moment: Moment
  ) -> Bool {
    switch node {
    case .all(let parts):
      for part in parts where !matches(part, entry, id, moment) { return false }
      return true
    case .any(let parts):
      for part in parts where matches(part, entry, id, moment) { return true }
      return false
    case .not(let part): return !matches(part, entry, id, moment)
    case .test(let test): return matches(test, entry, id, moment)
    }
  }

  private mutating func matches(
    _ test: EntryCondition.Test, _ entry: TimeEntry, _ id: TimeEntryID, _ moment: Moment
  ) -> Bool {
    switch test {
    case .user(let ids): return ids.contains(entry.user)
    case .workspace(let ids): return ids.contains(entry.workspace)
    case .client(let ids): return ids.contains(aliases.client(of: entry.project))
    case .project(let ids): return ids.contains(aliases.project(entry.project))
    case .task(let ids): return ids.contains(aliases.task(entry.task))
    case .tag(let ids): return entry.tags.contains { ids.contains(aliases.tag($0)) }
    case .noTag: return entry.tags.isEmpty
    case .text(let query): return query.matches([entry.description] + entry.annotations)
    case .noText:
      return entry.description.utf8.isEmpty && entry.annotations.allSatisfy { $0.utf8.isEmpty }
    case .words(let query): return names.matches(query, entry)
    case .billable(let isBillable): return entry.isBillable == isBillable
    case .rate(let rate): return entry.rate == rate
    case .running(let isRunning): return entry.isRunning == isRunning
    case .duration(let bounds): return bounds.contains(entry.elapsed(at: moment).microseconds)
    case .start(let bounds): return bounds.contains(entry.start.microseconds)
    case .id(let wanted): return wanted == id
    }
  }
}

extension EntryCondition.Node {
  /// Returns the tests with their ids after all merges.
  fileprivate func resolved(by aliases: inout AliasResolver) -> Self {
    switch self {
    case .all(let parts): .all(parts.map { $0.resolved(by: &aliases) })
    case .any(let parts): .any(parts.map { $0.resolved(by: &aliases) })
    case .not(let part): .not(part.resolved(by: &aliases))
    case .test(.client(let ids)): .test(.client(Set(ids.map { aliases.client($0) })))
    case .test(.project(let ids)): .test(.project(Set(ids.map { aliases.project($0) })))
    case .test(.task(let ids)): .test(.task(Set(ids.map { aliases.task($0) })))
    case .test(.tag(let ids)): .test(.tag(Set(ids.map { aliases.tag($0) })))
    case .test: self
    }
  }
}
