public import CivilTime
public import RetraceFilter
public import RetraceState

/// A condition on entries that a user typed, such as `@Acme (#review or duration>1h)`.
///
/// A name refers to all entities with that name, deleted or not, in all workspaces, after all
/// merges. Keys for time compare the start of an entry, so each entry is in one day.
///
/// It depends on the Unicode tables of the toolchain, as ``Name`` and ``WordQuery`` do, so it
/// belongs at the edge. Deciders and reducers must not use it, and it is not recorded.
public struct EntryCondition: Hashable, Sendable {
  /// A tree of tests.
  indirect enum Node: Hashable, Sendable {
    case all([Node])
    case any([Node])
    case not(Node)
    case test(Test)
  }

  /// The test of one term.
  enum Test: Hashable, Sendable {
    case user(Set<UserID>)
    case workspace(Set<WorkspaceID?>)
    case client(Set<ClientID?>)
    case project(Set<ProjectID?>)
    case task(Set<TaskID?>)
    /// At least one of the tags.
    case tag(Set<TagID>)
    case noTag
    /// A text in the description or in an annotation.
    case text(WordQuery)
    case noText
    /// A text in the description or in one of the names.
    case words(WordQuery)
    case billable(Bool)
    /// A rate in hundredths; `nil` for entries without one.
    case rate(Int64?)
    case running(Bool)
    case duration(ConditionBounds)
    case start(ConditionBounds)
    case id(TimeEntryID)
  }

  let root: Node

  /// The unknown tags that the filter only excludes.
  public let unknownTags: [String]

  /// The present of the context, which is the default end of running entries.
  public let now: Moment

  /// Creates the condition of a filter.
  ///
  /// - Parameters:
  ///   - expression: The filter.
  ///   - state: The state with the names.
  ///   - context: The zone, the present and the calendar for times.
  ///   - excludesUnknown: Whether `not #tag` with an unknown tag holds for all entries, instead of
  ///     being an error; see ``unknownTags``.
  /// - Complexity: O(terms × entities of the named kinds).
  /// - Throws: ``EntryConditionError`` for an unknown key or name, or for a value that the key does
  ///   not take.
  public init(
    _ expression: FilterExpression, in state: DomainState, _ context: ExpressionContext,
    excludesUnknown: Bool = false
  ) throws(EntryConditionError) {
    var reader = ConditionReader(
      state: state, context: context, excludesUnknown: excludesUnknown)
    root = try reader.node(expression)
    unknownTags = reader.unknownTags
    now = context.now
  }

  /// Returns whether ended entries match another condition if and only if they match this one.
  package func isSame(as other: EntryCondition) -> Bool { root == other.root }

  /// Returns whether an entry matches, visible or not.
  ///
  /// - Parameters:
  ///   - entry: The entry.
  ///   - id: The id of the entry.
  ///   - state: The state with the names and merges.
  ///   - moment: The end of running entries; `nil` for ``now``.
  /// - Complexity: O(names of the condition). For many entries, use one ``EntryConditionMatcher``.
  public func matches(
    _ entry: TimeEntry, _ id: TimeEntryID, in state: DomainState, at moment: Moment? = nil
  ) -> Bool {
    var matcher = EntryConditionMatcher(self, in: state)
    return matcher.matches(entry, id, at: moment)
  }
}

/// A closed range of microseconds.
struct ConditionBounds: Hashable, Sendable {
  var first = Int64.min
  var last = Int64.max

  /// Creates the bounds of the numbers for which a comparison with a half-open range holds.
  init(_ comparison: FilterComparison, _ others: Range<Int64>) {
    let beforeEnd = others.upperBound == .max ? .max : others.upperBound - 1
    switch comparison {
    case .equal: (first, last) = (others.lowerBound, beforeEnd)
    case .less: last = others.lowerBound - 1
    case .lessOrEqual: last = beforeEnd
    case .greater: first = others.upperBound
    case .greaterOrEqual: first = others.lowerBound
    }
  }

  init(first: Int64, last: Int64) { (self.first, self.last) = (first, last) }

  func contains(_ number: Int64) -> Bool { first <= number && number <= last }
}

extension DomainState {
  /// Returns whether all names by which conditions are read and matched are those of another state.
  ///
  /// - Complexity: O(1) for copies of the same tables.
  package func hasNames(of other: DomainState) -> Bool {
    projects == other.projects && clients == other.clients && tasks == other.tasks
      && tags == other.tags && users == other.users && workspaces == other.workspaces
  }
}
