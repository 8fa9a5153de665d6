public import CivilTime
public import RetraceFilter
public import RetraceState

/// A condition on entries that a user typed, such as `@Acme (#review or duration>1h)`.
///
/// Names stand for all entities that have them, deleted or not, in all places, and for what these
/// were merged into. Keys that ask for a time compare when an entry began, so each entry is in one
/// day.
///
/// It follows the Unicode tables of the toolchain, as ``Name`` and ``WordQuery`` do, so it belongs
/// at the edge: a decider and a reducer must not use it, and it is not recorded.
public struct EntryCondition: Hashable, Sendable {
  /// A tree of tests.
  indirect enum Node: Hashable, Sendable {
    case all([Node])
    case any([Node])
    case not(Node)
    case test(Test)
  }

  /// What one term asks of an entry.
  enum Test: Hashable, Sendable {
    case user(Set<UserID>)
    case workspace(Set<WorkspaceID?>)
    case client(Set<ClientID?>)
    case project(Set<ProjectID?>)
    case task(Set<TaskID?>)
    /// One of some tags.
    case tag(Set<TagID>)
    case noTag
    /// A text in the description or in an annotation.
    case text(WordQuery)
    case noText
    /// A text in the description or in one of the names.
    case words(WordQuery)
    case billable(Bool)
    case running(Bool)
    case duration(ConditionBounds)
    case start(ConditionBounds)
    case id(TimeEntryID)
  }

  let root: Node

  /// The present of the context, until when a running entry has taken time unless another moment is
  /// given.
  public let now: Moment

  /// Makes a condition of a filter.
  ///
  /// - Parameters:
  ///   - expression: The filter.
  ///   - state: The state with the names.
  ///   - context: The zone, the present and the week by which times are read.
  /// - Complexity: O(terms × entities of the kinds that they name).
  /// - Throws: ``EntryConditionError`` for a key or a name that does not exist, or for a value that
  ///   its key does not take.
  public init(
    _ expression: FilterExpression, in state: DomainState, _ context: ExpressionContext
  ) throws(EntryConditionError) {
    root = try ConditionReader(state: state, context: context).node(expression)
    now = context.now
  }

  /// Returns whether an entry matches, without regard to its visibility.
  ///
  /// - Parameters:
  ///   - entry: The entry.
  ///   - id: The id of the entry.
  ///   - state: The state with its names and merges.
  ///   - moment: Until when a running entry has taken time; ``now`` if it is `nil`.
  /// - Complexity: O(names of the condition); make one ``EntryConditionMatcher`` for many entries.
  public func matches(
    _ entry: TimeEntry, _ id: TimeEntryID, in state: DomainState, at moment: Moment? = nil
  ) -> Bool {
    var matcher = EntryConditionMatcher(self, in: state)
    return matcher.matches(entry, id, at: moment)
  }
}

/// A lowest and a highest number of microseconds, both allowed.
struct ConditionBounds: Hashable, Sendable {
  var first = Int64.min
  var last = Int64.max

  /// Makes the bounds of the numbers that compare with some others, of which the last is excluded.
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
