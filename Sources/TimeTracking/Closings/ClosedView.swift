import RetraceArchitecture
import RetraceAvro
import RetraceState

extension DomainState {
  /// Refuses facts that would change what is in a closed period.
  ///
  /// It is the one decision about closed periods. ``DomainDecider`` asks it about the facts of
  /// every command, an import, an undo and a redo included, so no other decision can forget it.
  /// In a closed period of its scope:
  ///
  /// - no time of an entry changes: the part of an entry inside the period stays as it is;
  /// - no other field changes of an entry that touches the period before or after the facts;
  /// - the currency of a rate and the client of the project stay, and no entry gets into the scope
  ///   of the closing or out of it.
  ///
  /// - Parameter facts: The facts of one command, which are decided on this state.
  /// - Complexity: O(edits of entries that begin before the end of the last closed period). For a
  ///   change of a currency, of the client of a project or of the visibility of an import, also
  ///   O(entries in closed periods). Without closings O(1).
  /// - Throws: The refusal.
  func checkClosed(_ facts: [DomainFact]) throws(DomainRefusal) {
    if closings.isEmpty { return }
    let edits = facts.flatMap { $0.closedEdits }
    var touched: Set<TimeEntryID> = []
    var reachesAll = false
    for edit in edits {
      switch edit.closedReach {
      case .nothing: break
      case .entry(let id, let start):
        let known = timeEntries.read(id) { $0.start.microseconds }
        if hasClosing(after: min(start ?? .max, known ?? .max)) { touched.insert(id) }
      case .all: reachesAll = true
      }
    }
    if touched.isEmpty, !reachesAll { return }
    var after = self
    for edit in edits { edit.apply(to: &after) }
    var comparison = ClosedComparison(ClosedView(self), ClosedView(after))
    do throws(Closings.Refusal) {
      for id in touched.sorted() { try comparison.check(id) }
      if reachesAll { try comparison.checkAll() }
    } catch {
      throw .closing(error)
    }
  }

  /// Returns the first closed period that has a part of the entry that an import would create of a
  /// row; `nil` without one.
  ///
  /// An import asks it about all its rows before it writes any. Its end decides, because a period
  /// may be closed meanwhile.
  ///
  /// - Parameter row: The row, with the client of its project.
  /// - Complexity: O(closings that end after the start of the row), and O(users) or O(clients and
  ///   projects) for each of them that has a part of its time and is of a user or a client.
  public func closing(touchedBy row: ImportedRow) -> (id: ClosingID, closing: Closing)? {
    if closings.isEmpty { return nil }
    var found: (id: ClosingID, closing: Closing)?
    forEachClosing(after: row.start) { id, closing in
      if found == nil, closing.touches(from: row.start, to: row.end.microseconds),
        isOwner(closing.scope, of: row)
      {
        found = (id, closing)
      }
    }
    return found
  }

  /// Returns whether the entry of a row would be of a scope.
  private func isOwner(_ scope: ClosingScope, of row: ImportedRow) -> Bool {
    var aliases = AliasResolver(self)
    return scope.resolved(&aliases).covers(
      user: users.rival(of: User(name: row.user)), client: client(of: row, &aliases))
  }

  /// Returns the client that the entry of a row would have, after all merges.
  private func client(of row: ImportedRow, _ aliases: inout AliasResolver) -> ClientID? {
    guard let project = row.project else { return nil }
    let client = row.client.flatMap { clients.rival(of: Client(name: $0)) }
    // A new client gets a new project.
    guard client != nil || row.client == nil else { return nil }
    let known = projects.rival(of: Project(name: project, client: client))
    return known == nil ? aliases.client(client) : aliases.client(of: known)
  }

  /// Returns whether a closed period ends after a moment in microseconds.
  private func hasClosing(after microseconds: Int64) -> Bool {
    var isFound = false
    forEachClosing(after: Moment(microseconds: microseconds)) { _, _ in isFound = true }
    return isFound
  }
}

extension DomainFact {
  /// All edits of the fact, those in bulk included.
  fileprivate var closedEdits: [DomainEdit] {
    switch self {
    case .edited(let edit), .bulkEdited(let edit): [edit]
    case .restored(let restored): restored.edits
    }
  }
}

/// The entries in closed periods that an edit may change.
enum ClosedReach {
  case nothing
  /// An entry, and the earliest start in microseconds that the edit has.
  case entry(TimeEntryID, start: Int64?)
  /// Entries of any kind, such as all entries of a project that gets another client.
  case all
}

extension DomainEdit {
  /// The entries in closed periods that the edit may change.
  ///
  /// The switch names every entity, so that a new one does not compile without an answer. Names
  /// may change: a project that is renamed, deleted or merged keeps its time.
  var closedReach: ClosedReach {
    switch self {
    case .entry(.inserted(let id, let insertion)):
      .entry(id, start: insertion.entity.start.microseconds)
    case .entry(.removed(let id, let removal)):
      .entry(id, start: removal.entity.start.microseconds)
    case .entry(.changed(let id, let changes)):
      .entry(
        id, start: changes.start.map { min($0.before, $0.after).microseconds })
    case .project(.changed(_, let changes)):
      changes.client != nil || changes.mergedInto != nil ? .all : .nothing
    case .client(.changed(_, let changes)): changes.mergedInto != nil ? .all : .nothing
    case .workspace(.changed(_, let changes)): Self.isSet(changes.currency) ? .all : .nothing
    case .user(.changed(_, let changes)): changes.workspace != nil ? .all : .nothing
    case .importRun(.changed(_, let changes)): changes.isActive != nil ? .all : .nothing
    case .preferences(.changed(_, let changes)):
      Self.isSet(changes.currency) || changes.user != nil || changes.deleted != nil
        ? .all : .nothing
    case .preferences(.inserted(_, let insertion)):
      insertion.entity.currency != nil ? .all : .nothing
    case .preferences(.removed(_, let removal)): removal.entity.currency != nil ? .all : .nothing
    // An entity that is created or brought back has no entries that count otherwise than before,
    // and one whose creation is undone keeps its fields.
    case .project, .client, .workspace, .user, .importRun: .nothing
    case .task, .tag, .goal, .source, .favorite, .closing: .nothing
    }
  }

  /// Returns whether a field changes; texts are not compared, as `!=` could do it.
  private static func isSet<Value: Recordable>(_ change: Change<Value>?) -> Bool {
    if case .some = change { true } else { false }
  }
}

extension ClosingScope {
  /// Returns the scope after all merges.
  func resolved(_ aliases: inout AliasResolver) -> ClosingScope {
    guard case .client(let id) = self else { return self }
    return .client(aliases.client(id) ?? id)
  }

  /// Returns whether the scope has the entries of a user and a client.
  ///
  /// - Parameters:
  ///   - user: The user.
  ///   - client: The client of the project, after all merges, as in the scope.
  func covers(user: @autoclosure () -> UserID?, client: @autoclosure () -> ClientID?) -> Bool {
    switch self {
    case .all: true
    case .user(let id): user() == id
    case .client(let id): client() == id
    }
  }
}

/// What a closed period has of the entries of a state.
struct ClosedView {
  let state: DomainState
  private var aliases: AliasResolver
  private var visible: VisibleEntries
  private var currencies: RateCurrencies

  init(_ state: DomainState) {
    self.state = state
    aliases = AliasResolver(state)
    visible = VisibleEntries(state)
    currencies = RateCurrencies(state)
  }

  /// Returns a scope after all merges.
  mutating func resolved(_ scope: ClosingScope) -> ClosingScope {
    scope.resolved(&aliases)
  }

  /// Returns whether an entry is of a scope.
  mutating func covers(_ scope: ClosingScope, _ entry: borrowing TimeEntry) -> Bool {
    let (user, project) = (entry.user, entry.project)
    return scope.resolved(&aliases).covers(user: user, client: aliases.client(of: project))
  }

  /// Returns the part of a visible entry that a closed period has, the currency of its rate and the
  /// client of its project; `nil` if the entry does not touch the period or is not of its scope.
  mutating func part(
    of id: TimeEntryID, in closing: Closing
  ) -> (entry: TimeEntry, currency: String?, client: ClientID?)? {
    guard var entry = state.timeEntries[id],
      closing.touches(from: entry.start, to: entry.sortKey), visible.contains(entry),
      covers(closing.scope, entry)
    else { return nil }
    let currency = entry.rate == nil ? nil : currencies.currency(of: entry)
    // An entry that touches the period does not begin to run again, either.
    entry.start = max(entry.start, closing.start)
    entry.end = entry.end.map { min($0, closing.end) }
    // What is neither time nor money nor a text may change.
    (entry.externalIDs, entry.allowsOverlap, entry.deleted) = ([], false, nil)
    return (entry, currency, aliases.client(of: entry.project))
  }
}

/// A comparison of closed periods before and after the facts of a command.
private struct ClosedComparison {
  private var before: ClosedView
  private var after: ClosedView

  init(_ before: ClosedView, _ after: ClosedView) {
    self.before = before
    self.after = after
  }

  /// Checks one entry.
  mutating func check(_ id: TimeEntryID) throws(ClosingRefusal) {
    let state = before.state
    let entries = [state.timeEntries[id], after.state.timeEntries[id]].compactMap { $0 }
    guard let start = entries.map({ $0.start }).min() else { return }
    var found: [(id: ClosingID, closing: Closing)] = []
    state.forEachClosing(after: start) { id, closing in
      found.append((id, closing))
    }
    for (closingID, closing) in found where differs(id, in: closing) {
      throw .closed(closingID, closing, entry: state.timeEntries.contains(id) ? id : nil)
    }
  }

  /// Checks all entries that an edit of another entity may have changed.
  mutating func checkAll() throws(ClosingRefusal) {
    let state = before.state
    var closings: [(id: ClosingID, closing: Closing)] = []
    state.forEachClosing { closings.append(($0, $1)) }
    for (id, closing) in closings {
      var ids: [TimeEntryID] = []
      let last = closing.end.adding(TimeEntry.durationMax).microseconds
      // The last sort key belongs to running entries, which another project can bring in.
      for keys in [closing.start.microseconds...last, .max ... .max] {
        state.timeEntries.forEach(inSortKeys: keys) { entry, _ in ids.append(entry) }
      }
      for entry in ids where differs(entry, in: closing) {
        throw .closed(id, closing, entry: entry)
      }
    }
  }

  /// Returns whether a closed period has something else of an entry after the facts.
  ///
  /// A rate without a currency may get one: its amount stays.
  private mutating func differs(_ id: TimeEntryID, in closing: Closing) -> Bool {
    switch (before.part(of: id, in: closing), after.part(of: id, in: closing)) {
    case (nil, nil): return false
    case (let old?, let new?):
      if !TimeEntryChanges(from: old.entry, to: new.entry).isEmpty { return true }
      if old.client != new.client { return true }
      guard let currency = old.currency else { return false }
      return !(new.currency?.utf8.elementsEqual(currency.utf8) ?? false)
    default: return true
    }
  }
}
